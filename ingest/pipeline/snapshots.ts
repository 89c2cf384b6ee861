import {
  type AssetTrack,
  clockOf,
  copyTimeline,
  type Snapshot,
  type TimelineState,
} from "./asset-track.ts";
import { MAX_GAP_MS } from "./work.ts";

/** Fix time between two snapshots, ms (DESIGN 5, Late fixes). */
const SNAPSHOT_MS = 10 * 60_000;
/**
 * Snapshots are thinned with age: at `n` times this age only every `n`-th place is kept, so that 72 h
 * take about 20 of them, and a re-run folds at most twice the span that its late fix is late. Chosen.
 */
const FULL_DENSITY_MS = 20 * 60_000;

/** The place to fold on from, with the days it belongs to. */
export interface RestartPoint {
  readonly state: TimelineState;
  /** First fix time to fold, ms. */
  readonly fromMs: number;
  /** A copy of the day that was begun, if any. */
  readonly day: Snapshot["day"] | undefined;
}

/** Keeps a copy of the fold when the next sample is the first of its ten minutes. */
export function takeSnapshot(track: AssetTrack, nextMs: number): void {
  const { tMs } = track.work;
  const day = track.days.at(-1);
  // While a late sample is missing every copy would miss it too.
  if (day === undefined || Number.isFinite(track.lateFromMs)) return;
  if (Math.floor(nextMs / SNAPSHOT_MS) === Math.floor(tMs / SNAPSHOT_MS)) return;
  track.snapshots = track.snapshots.filter((snapshot) => isKept(snapshot, nextMs));
  track.snapshots.push({ tMs, state: copyTimeline(track), day: { ...day } });
}

/** Lets go of the snapshots that the late sample is missing from. */
export function dropSnapshots(track: AssetTrack): void {
  track.snapshots = track.snapshots.filter(({ state }) => clockOf(state) < track.lateFromMs);
}

/**
 * Where to fold again from so that everything from `track.lateFromMs` on comes in its place;
 * `undefined`: from the first sample on.
 */
export function restartPoint(track: AssetTrack): RestartPoint | undefined {
  // Just after midnight a late reading also decides what the end of the day before is credited.
  const touchedFromMs = track.lateFromMs - MAX_GAP_MS;
  const day =
    track.days.findLast(
      (one) => one.startMs <= touchedFromMs && clockOf(one.atStart) < track.lateFromMs,
    ) ?? (track.hasClosedDays ? track.days[0] : undefined);
  const snapshot = track.snapshots.findLast(
    (one) => clockOf(one.state) < track.lateFromMs && one.tMs - MAX_GAP_MS >= one.day.startMs,
  );
  if (snapshot !== undefined && snapshot.tMs >= (day?.startMs ?? 0)) {
    return {
      state: copyTimeline(snapshot.state),
      fromMs: snapshot.tMs + 1,
      day: { ...snapshot.day },
    };
  }
  if (day === undefined) return undefined;
  return { state: copyTimeline(day.atStart), fromMs: day.startMs, day: undefined };
}

function isKept({ tMs }: Snapshot, nowMs: number): boolean {
  const stride = 2 ** Math.max(0, Math.ceil(Math.log2((nowMs - tMs) / FULL_DENSITY_MS)));
  return Math.floor(tMs / SNAPSHOT_MS) % stride === 0;
}
