import { effect, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { t } from "../../i18n/t.ts";
import { Empty } from "../../parts/notices.tsx";
import type { Span } from "../../time/span.ts";
import { createPlayback, nextPicture, type Playback } from "../../track/playback.ts";
import type { Track } from "../../track/track.ts";
import { isoTime } from "./address.ts";
import { Exports } from "./exports.tsx";
import { IncidentList } from "./incident-list.tsx";
import { NowPanel } from "./now-panel.tsx";
import { PlayBar } from "./play-bar.tsx";
import { type Readings, readReadings } from "./read-tracks.ts";
import { TrackCharts } from "./track-charts.tsx";
import { TrackLegend } from "./track-legend.tsx";
import { TrackPane } from "./track-pane.tsx";
import { TrackSummary } from "./track-summary.tsx";

/** Between two changes of the address while the time moves, ms: browsers refuse more than some a second. */
const ADDRESS_MS = 1_000;

interface TrackViewProps {
  readonly tracks: readonly Track[];
  readonly span: Span;
  /** Time that the address asks for, ms since the Unix epoch. */
  readonly atMs: number | undefined;
  readonly head: ComponentChildren;
  readonly choose: ComponentChildren;
}

/** Tracks that are there: map, playback, charts, and all of it as lists. */
export function TrackView({ tracks, span, atMs, head, choose }: TrackViewProps) {
  const playback = useMemo(() => {
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    return createPlayback(span, startOf(tracks, span, atMs), nextPicture(isStill));
  }, []);
  const followed = useSignal<string | undefined>(undefined);
  const readings = useSignal<ReadonlyMap<string, Readings>>(new Map());

  useEffect(() => {
    const stop = new AbortController();
    for (const { id } of tracks) {
      void (async () => {
        const found = await readReadings(id, span, stop.signal);
        if (found === undefined || stop.signal.aborted) return;
        readings.value = new Map(readings.peek()).set(id, found);
      })();
    }
    const end = keepTimeInAddress(playback);
    return () => {
      stop.abort();
      end();
      playback.close();
    };
  }, []);

  const isEmpty = tracks.every(({ points }) => points.length === 0);
  return (
    <div class="map-page track-page">
      <div class="map-side track-head">
        {head}
        {choose}
      </div>
      <div class="track-main">
        {isEmpty ? (
          <Empty title={t("track.empty")}>{t("track.empty_hint")}</Empty>
        ) : (
          <>
            <TrackPane tracks={tracks} at={playback.at} followed={followed} />
            <PlayBar playback={playback} span={span} />
            <TrackLegend tracks={tracks} />
            <TrackCharts tracks={tracks} span={span} at={playback.at} readings={readings.value} />
          </>
        )}
      </div>
      <div class="map-side track-side">
        {isEmpty ? null : <NowPanel tracks={tracks} at={playback.at} followed={followed} />}
        <TrackSummary tracks={tracks} span={span} readings={readings.value} />
        {isEmpty ? null : (
          <>
            <IncidentList tracks={tracks} at={playback.at} />
            <Exports tracks={tracks} span={span} />
          </>
        )}
      </div>
    </div>
  );
}

/** The time of the address where it is in the range; else that of the first position. */
function startOf(tracks: readonly Track[], { fromMs, toMs }: Span, atMs?: number): number {
  if (atMs !== undefined && atMs >= fromMs && atMs <= toMs) return atMs;
  const firsts = tracks.flatMap(({ points }) => points.slice(0, 1).map(({ ms }) => ms));
  return firsts.length === 0 ? fromMs : Math.min(...firsts);
}

/** Keeps the time that is shown in the address (`t`), so that a moment can be sent to a colleague. */
function keepTimeInAddress({ at }: Playback): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFirst = true;
  const write = () => {
    timer = undefined;
    const address = new URL(location.href);
    address.searchParams.set("t", isoTime(Math.round((at.peek() ?? 0) / 1_000) * 1_000));
    // Commas and colons need no escape in a query, and people read addresses.
    address.search = address.search.replaceAll("%2C", ",").replaceAll("%3A", ":");
    history.replaceState(history.state, "", address);
  };
  const end = effect(() => {
    void at.value;
    if (!isFirst) timer ??= setTimeout(write, ADDRESS_MS);
    isFirst = false;
  });
  return () => {
    end();
    clearTimeout(timer);
  };
}
