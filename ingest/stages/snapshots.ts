import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import {
  type AssetTrack,
  beginDay,
  clockOf,
  copyTimeline,
  type OpenDay,
  type Snapshot,
  type TimelineState,
} from "../track/asset-track.ts";
import { newDayUsage, type PackedUsage, packUsage, unpackUsage } from "../track/day-usage.ts";
import { packTimeline, unpackTimeline } from "../track/track-codec.ts";
import { settledSinceMs } from "../utilization/usage-fold.ts";

/** Fix time between two places where a snapshot may be taken, ms (docs/rules.md#late-fixes). */
const PLACE_MS = 10 * MINUTE_MS;
/**
 * An asset without a recent re-run keeps only every eighth place: a power of two, so that thinning hits
 * them. 16 would halve the memory again; a first late fix would fold up to 160 minutes of readings.
 */
const QUIET_STRIDE = 8;
/** How long after a re-run an asset keeps every place, ms of fix time: a device that is late once is late again. */
const RERUN_RECENT_MS = 2 * HOUR_MS;
/**
 * Snapshots are thinned with age: at `n` times this age only every `n`-th place is kept. So 72 h take 7 to
 * 11 of them, and a re-run folds at most twice the span that its late fix is late, or 80 minutes.
 */
const FULL_DENSITY_MS = 20 * MINUTE_MS;

/** The place to fold on from, with the days it belongs to. */
export interface RestartPoint {
  readonly state: TimelineState;
  /** First fix time to fold, ms. */
  readonly fromMs: number;
  /** A copy of the day that was begun, if any. */
  readonly day: OpenDay | undefined;
}

/** Keeps a copy of the fold when the next sample is the first of a place. */
export function takeSnapshot(track: AssetTrack, nextMs: number): void {
  const { tMs } = track.work;
  const day = track.days.at(-1);
  // While a late sample is missing every copy would miss it too.
  if (day === undefined || Number.isFinite(track.lateFromMs)) return;
  const stride = nextMs - track.rerunAtMs <= RERUN_RECENT_MS ? 1 : QUIET_STRIDE;
  const place = placeAt(nextMs, stride);
  if (place === placeAt(tMs, stride)) return;
  // An array of its own length: one that grows has room for 17.
  track.snapshots = [
    ...track.snapshots.filter((snapshot) => isKept(snapshot, nextMs)),
    pack(track, day, place),
  ];
}

/** The last place at or before `atMs` whose number `stride` divides. */
const placeAt = (atMs: number, stride: number): number =>
  Math.floor(atMs / (PLACE_MS * stride)) * stride;

/** Lets go of the snapshots that the late sample is missing from. */
export function dropSnapshots(track: AssetTrack): void {
  if (track.snapshots.length === 0) return;
  track.snapshots = track.snapshots.filter(({ clockMs }) => clockMs < track.lateFromMs);
}

/**
 * Where to fold again from so that everything from `track.lateFromMs` on comes in its place;
 * `undefined`: from the first sample on.
 */
export function restartPoint(track: AssetTrack): RestartPoint | undefined {
  const { lateFromMs } = track;
  // A late reading in a silence over midnight also decides what the day before is credited.
  const day =
    track.days.findLast((one) => one.settledMs < lateFromMs && clockOf(one.atStart) < lateFromMs) ??
    (track.hasClosedDays ? track.days[0] : undefined);
  const snapshot = track.snapshots.findLast(
    (one) => one.clockMs < lateFromMs && one.settledSinceMs >= one.begun.startMs,
  );
  if (snapshot !== undefined && snapshot.tMs >= (day?.startMs ?? 0)) {
    return { fromMs: snapshot.tMs + 1, ...unpack(snapshot) };
  }
  if (day === undefined) return undefined;
  // Begun again under its own date, which another calendar by now may not give to its first reading.
  const begun = beginDay({
    day: day.day,
    startMs: day.startMs,
    atStart: copyTimeline(day.atStart),
  });
  // East of the old zone its date began before it was opened, with readings that are in its start already.
  const fromMs = Math.max(day.startMs, day.atStart.work.tMs + 1);
  return { state: copyTimeline(day.atStart), fromMs, day: begun };
}

function isKept({ tMs, place }: Snapshot, nowMs: number): boolean {
  const stride = 2 ** Math.max(0, Math.ceil(Math.log2((nowMs - tMs) / FULL_DENSITY_MS)));
  return place % stride === 0;
}

/** As text of some 600 characters; the objects of a copy took 1.4 to 1.9 KB. */
function pack(track: AssetTrack, day: OpenDay, place: number): Snapshot {
  const { workingMs, overtimeMs, engineOnMs, distanceM, settledMs } = day;
  const totals = [
    ...([workingMs, overtimeMs, engineOnMs, distanceM] as const),
    ...([Number.isFinite(settledMs) ? settledMs : null, packUsage(day.usage)] as const),
  ] as const;
  const { tMs } = track.work;
  const text = JSON.stringify([packTimeline(track), totals] satisfies PackedSnapshot);
  const clockMs = clockOf(track);
  return { tMs, clockMs, settledSinceMs: settledSinceMs(track), place, begun: day, text };
}

type PackedSnapshot = readonly [
  timeline: ReturnType<typeof packTimeline>,
  totals: readonly [
    workingMs: number,
    overtimeMs: number,
    engineOnMs: number,
    distanceM: number,
    settledMs: number | null,
    usage: PackedUsage,
  ],
];

function unpack({ begun, text }: Snapshot): Pick<RestartPoint, "state" | "day"> {
  const [timeline, totals] = JSON.parse(text) as PackedSnapshot;
  const [workingMs, overtimeMs, engineOnMs, distanceM, settledMs, packed] = totals;
  const { day, startMs, atStart } = begun;
  const usage = unpackUsage(packed) ?? newDayUsage();
  return {
    state: unpackTimeline(timeline),
    day: {
      ...{ day, startMs, atStart, workingMs, overtimeMs, engineOnMs, distanceM, usage },
      settledMs: settledMs ?? Number.POSITIVE_INFINITY,
    },
  };
}
