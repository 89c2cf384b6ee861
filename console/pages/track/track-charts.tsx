import type { Signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { show } from "../../format/show.ts";
import { shownSymbol, type UnitSystem } from "../../format/units.ts";
import { locale, t, tn } from "../../i18n/t.ts";
import { TimeChart } from "../../parts/chart/time-chart.tsx";
import { preferences } from "../../state/preferences.ts";
import type { Span } from "../../time/span.ts";
import { samplesOf } from "../../track/readings.ts";
import type { Track } from "../../track/track.ts";
import { latenessAt } from "./lateness-words.ts";
import type { Readings } from "./read-tracks.ts";
import { speedSeries } from "./speed-series.ts";

interface TrackChartsProps {
  readonly tracks: readonly Track[];
  readonly span: Span;
  readonly at: Signal<number | undefined>;
  readonly readings: ReadonlyMap<string, Readings>;
}

/** Speed of all machines, and what else one machine measured, over the range; the time is the map's. */
export function TrackCharts({ tracks, span, at, readings }: TrackChartsProps) {
  const { units } = preferences.value;
  const speeds = useMemo(() => speedsOf(tracks, units), [tracks, units, locale.value]);
  const [only] = tracks.length === 1 ? tracks : [];
  const own = only === undefined ? undefined : readings.get(only.id);
  const hasRemarks = tracks.some(({ late, lateUnknown }) => late + lateUnknown > 0);
  const remark = hasRemarks
    ? { name: t("track.late_name"), at: (ms: number) => latenessAt(tracks, ms) }
    : undefined;
  const measured = useMemo(() => measuredOf(own), [own, locale.value]);
  return (
    <div class="track-charts">
      <TimeChart
        title={t("track.speed")}
        message={speedMessage(tracks)}
        series={speeds}
        remark={remark}
        gapMs={Number.POSITIVE_INFINITY}
        range={span}
        at={at}
      />
      {own === undefined || measured.length === 0 ? null : (
        <TimeChart
          title={t("track.measured")}
          message={t("track.measured_basis", { span: show.span(own.rowMs) })}
          series={measured}
          gapMs={Math.max(LONGEST_JOINED_MS, 2 * own.rowMs)}
          range={span}
          at={at}
        />
      )}
    </div>
  );
}

/** As the service parts positions: what is further apart is not joined, ms. */
const LONGEST_JOINED_MS = 300_000;

const speedsOf = (tracks: readonly Track[], units: UnitSystem) =>
  tracks.map((track) => {
    const { samples, isComputed } = speedSeries(track, units);
    const name = tracks.length === 1 ? t("track.speed") : track.name;
    return {
      key: track.id,
      name: isComputed ? t("track.computed", { name }) : name,
      unit: shownSymbol("speed", units, locale.value),
      samples,
      format: show.shownSpeed,
    };
  });

const FIELDS = ["fuel_level_percent", "load_percent"] as const;

const measuredOf = (readings: Readings | undefined) =>
  readings === undefined
    ? []
    : FIELDS.flatMap((field) => {
        const samples = samplesOf(readings.rows, field, readings.rowMs);
        if (samples.length === 0) return [];
        return [
          { key: field, name: t(`track.${field}`), unit: "%", samples, format: show.percent },
        ];
      });

/** What the speeds say, in words. */
function speedMessage(tracks: readonly Track[]): string {
  const speeds = tracks.flatMap(({ summary: { max_speed_kmh: kmh } }) => (kmh === null ? [] : kmh));
  const gaps = tracks.reduce((sum, { gaps: { length } }) => sum + length, 0);
  const highest =
    speeds.length === 0
      ? t("track.speed_computed")
      : t("track.speed_highest", { speed: show.speed(Math.max(...speeds)) });
  return `${highest} ${gaps === 0 ? t("track.no_gaps") : tn("track.gaps", gaps)}`;
}
