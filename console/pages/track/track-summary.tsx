import type { ComponentChildren } from "preact";
import { show } from "../../format/show.ts";
import { t, tn } from "../../i18n/t.ts";
import type { Span } from "../../time/span.ts";
import { engineTime } from "../../track/readings.ts";
import type { Track } from "../../track/track.ts";
import { lateBasis, lateSummary } from "./lateness-words.ts";
import type { Readings } from "./read-tracks.ts";

/** A stop is within so much of one place, as the service has it, metres. */
const STOP_RADIUS_M = 25;

interface TrackSummaryProps {
  readonly tracks: readonly Track[];
  readonly span: Span;
  readonly readings: ReadonlyMap<string, Readings>;
}

/** Figures of the whole range by machine, each with what it rests on. */
export function TrackSummary({ tracks, span, readings }: TrackSummaryProps) {
  return (
    <section class="card" aria-labelledby="track-summary">
      <h2 id="track-summary">{t("track.summary")}</h2>
      <p class="muted small">
        {t("track.summary_of", { from: show.dateTime(span.fromMs), to: show.dateTime(span.toMs) })}
      </p>
      {tracks.map((track) =>
        tracks.length === 1 ? (
          <Figures key={track.id} track={track} span={span} readings={readings.get(track.id)} />
        ) : (
          <details key={track.id} open={tracks.length <= 3}>
            <summary>
              {track.name}: {knownOr(track.summary.distance_m, show.distance)}
            </summary>
            <Figures track={track} span={span} readings={readings.get(track.id)} />
          </details>
        ),
      )}
    </section>
  );
}

const knownOr = (value: number | null, text: (value: number) => string): string =>
  value === null ? t("value.unknown") : text(value);

interface FiguresProps {
  readonly track: Track;
  readonly span: Span;
  readonly readings: Readings | undefined;
}

function Figures({ track, span, readings }: FiguresProps) {
  const { distance_m, moving_s, stopped_s, unknown_s, max_speed_kmh } = track.summary;
  const duration = (s: number) => show.span(s * 1_000);
  const engine =
    readings === undefined ? undefined : engineTime(readings.rows, span, readings.rowMs);
  return (
    <dl class="facts">
      <Figure name={t("track.distance")} basis={t("track.distance_basis")}>
        {knownOr(distance_m, show.distance)}
      </Figure>
      <Figure name={t("track.moving")} basis={t("track.moving_basis")}>
        {knownOr(moving_s, duration)}
      </Figure>
      <Figure
        name={t("track.standing")}
        basis={t("track.standing_basis", { distance: show.length(STOP_RADIUS_M) })}
      >
        {knownOr(stopped_s, duration)}
      </Figure>
      <Figure name={t("track.unknown")} basis={t("track.unknown_basis")}>
        {knownOr(unknown_s, duration)}
      </Figure>
      <Figure
        name={t("track.engine")}
        basis={
          engine === undefined
            ? t("track.engine_unknown")
            : t("track.engine_basis", { percent: show.percent(engine.seenPercent) })
        }
      >
        {engine === undefined
          ? t("value.unknown")
          : t("track.about", { value: show.span(engine.onMs) })}
      </Figure>
      <Figure name={t("track.max_speed")} basis={t("track.max_speed_basis")}>
        {knownOr(max_speed_kmh, show.speed)}
      </Figure>
      <Figure name={t("track.positions")} basis={positionsBasis(track)}>
        {show.number(track.positions)}
      </Figure>
      {track.positions === 0 ? null : (
        <Figure name={t("track.late_name")} basis={lateBasis(track)}>
          {lateSummary(track)}
        </Figure>
      )}
    </dl>
  );
}

function positionsBasis({ points, isThinned, mocked }: Track): string {
  const received = points.filter(({ isTimeOfReceipt }) => isTimeOfReceipt).length;
  const estimated = points.filter(({ isAccuracyEstimated }) => isAccuracyEstimated).length;
  return [
    isThinned ? t("track.thinned", { n: show.number(points.length) }) : t("track.all_drawn"),
    ...(mocked === 0 ? [] : [tn("track.mocked", mocked)]),
    ...(received === 0 ? [] : [tn("track.received", received)]),
    ...(estimated === 0 ? [] : [tn("track.estimated", estimated)]),
  ].join("; ");
}

interface FigureProps {
  readonly name: string;
  readonly basis: string;
  readonly children: ComponentChildren;
}

function Figure({ name, basis, children }: FigureProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {children} <span class="muted small block">{basis}</span>
      </dd>
    </>
  );
}
