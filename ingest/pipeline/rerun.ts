import { localDayAt } from "../../domain/local-time.ts";
import type { VisitRecords } from "../../storage/ports/equipment/visits.ts";
import type { TelemetryStore } from "../../storage/ports/telemetry-store.ts";
import type { FoundChange } from "../events/episodes.ts";
import type { Crossing } from "../geofence/crossing.ts";
import { fencesHeld } from "../geofence/fence-fold.ts";
import { type LimitChange, limitsExceeded } from "../maintenance/limit-fold.ts";
import { reconcileExceedances } from "../stages/exceedance-book.ts";
import { eachSample } from "../stages/series-samples.ts";
import { dropSnapshots, type RestartPoint, restartPoint } from "../stages/snapshots.ts";
import { applyKnownChanges, type TimelineRules, type TimelineSink } from "../stages/timeline.ts";
import { addToBook, reconcileVisits } from "../stages/visit-book.ts";
import type { EventContext } from "../stages/visit-events.ts";
import {
  type AssetTrack,
  type Meanwhile,
  newTimeline,
  takeOrdinal,
  timelineOf,
} from "../track/asset-track.ts";
import type { TimelineSample } from "../track/timeline-sample.ts";
import { MAX_GAP_MS } from "../track/work.ts";
import { closeOldDays } from "../utilization/closed-days.ts";
import { readRanges } from "./read-ranges.ts";
import { timeline } from "./stages.ts";

export interface RerunStores {
  /** Has to have every reading that the track had taken in when the re-run began. */
  readonly telemetry: Pick<TelemetryStore, "read">;
  readonly visits: Pick<VisitRecords, "since">;
}

/**
 * How a re-run ended: the track was changed, or it still waits for a re-run. It waits because it moved
 * on too far meanwhile, or because readings that it had taken in cannot be read back: they lie
 * in the partition that the asset was in before, and are not in the archive yet.
 */
export type RerunEnd = "done" | "overtaken" | "short";

/** A re-run under way. Ends with one call of `finish` or `abandon`. */
export interface Rerun {
  readonly track: AssetTrack;
  /**
   * Folds, compares and publishes. `isShortAllowed`: also when readings are missing; events
   * published from those are withdrawn.
   */
  finish(stores: RerunStores, context: EventContext, isShortAllowed?: boolean): Promise<RerunEnd>;
  /** Leaves the track as it is, late. */
  abandon(): void;
}

/**
 * Puts late readings, and late changes of fences, in their place. It folds the asset's readings, read
 * back from the telemetry store, again from a copy of the fold before the oldest of them. The result
 * is what readings in order would have given. The track goes on with new readings all the while; what
 * it took in is folded on top at the end. The track is changed in one step then: it may be stored or
 * shown at any time before.
 */
export function beginRerun(track: AssetTrack, rules: TimelineRules): Rerun {
  const restart = restartPoint(track) ?? fromTheStart(track, rules);
  const toMs = track.work.tMs + 1;
  const [oldestDay] = track.days;
  const redone = scratchOf(track, restart);
  const meanwhile: Meanwhile = { samples: [], lateFromMs: Number.POSITIVE_INFINITY };
  track.meanwhile = meanwhile;

  return {
    track,
    async finish(stores, context, isShortAllowed = false) {
      try {
        const isSeen = await hasAll(track, stores.telemetry);
        if (!isSeen && !isShortAllowed) return "short";
        const found = newFindings(redone);
        const fold = (sample: TimelineSample) =>
          timeline.foldSample(redone, sample, rules, found.sink);
        await readVisits(track, found.fromOrdinal, stores);
        // All fields: every reading moves the fold's clock, also one that carries none of those used here.
        for (const range of readRanges(restart.fromMs, toMs)) {
          const series = await stores.telemetry.read({ assetId: track.assetId, ...range });
          await eachSample(series, rules, fold);
        }
        // From here to the end in one step.
        for (const sample of meanwhile.samples) fold(sample);
        applyKnownChanges(redone, rules, found.sink);
        // A day that no re-run may change any more was added up, and its visits were let go.
        if (track.days[0] !== oldestDay) return "overtaken";
        takeOver(track, redone, restart, meanwhile);
        publishChanges(track, found, context);
        return "done";
      } finally {
        track.meanwhile = undefined;
      }
    },
    abandon() {
      track.meanwhile = undefined;
    },
  };
}

/** What a fold has found, from its restart on. */
interface Findings {
  readonly fromOrdinal: number;
  readonly heldAtStart: readonly string[];
  readonly exceededAtStart: readonly string[];
  readonly crossings: FoundChange<Crossing>[];
  readonly limits: FoundChange<LimitChange>[];
  readonly sink: TimelineSink;
}

function newFindings(redone: AssetTrack): Findings {
  const crossings: FoundChange<Crossing>[] = [];
  const limits: FoundChange<LimitChange>[] = [];
  return {
    fromOrdinal: redone.nextOrdinal,
    heldAtStart: fencesHeld(redone.fences),
    exceededAtStart: limitsExceeded(redone.limits),
    crossings,
    limits,
    sink: {
      crossing(change) {
        const isBeginning = change.type === "entered";
        crossings.push({ change, ordinal: isBeginning ? takeOrdinal(redone) : -1 });
      },
      limit(change) {
        const isBeginning = change.type === "exceeded";
        limits.push({ change, ordinal: isBeginning ? takeOrdinal(redone) : -1 });
      },
    },
  };
}

/**
 * Whether the telemetry store has everything that the track took in elsewhere. It checks the
 * last reading of each, which reaches the archive after all others of the asset.
 */
async function hasAll(
  { assetId, unseenMs }: AssetTrack,
  telemetry: RerunStores["telemetry"],
): Promise<boolean> {
  for (const atMs of unseenMs) {
    const { timesMs } = await telemetry.read({ assetId, fromMs: atMs, toMs: atMs + 1 });
    if (timesMs.length === 0) return false;
  }
  return true;
}

/** Visits that are older than those held, where the re-run may find them otherwise. */
async function readVisits(
  track: AssetTrack,
  fromOrdinal: number,
  { visits }: RerunStores,
): Promise<void> {
  if (fromOrdinal >= track.visits.completeFrom) return;
  addToBook(track, await visits.since(track.assetId, fromOrdinal), fromOrdinal);
}

/** Makes the fold that was made again the track's own. */
function takeOver(
  track: AssetTrack,
  redone: AssetTrack,
  { fromMs, day }: RestartPoint,
  { lateFromMs }: Meanwhile,
): void {
  Object.assign(track, timelineOf(redone));
  track.unseenMs = [];
  const firstRedoneMs = day?.startMs ?? fromMs;
  track.days = [
    ...track.days.filter((one) => one.startMs < firstRedoneMs),
    ...redone.closedDays,
    ...redone.days,
  ];
  track.snapshots = [
    ...track.snapshots.filter((snapshot) => snapshot.tMs < fromMs),
    ...redone.snapshots,
  ];
  track.rerunAtMs = redone.rerunAtMs;
  track.lateFromMs = lateFromMs;
  dropSnapshots(track);
}

function publishChanges(track: AssetTrack, found: Findings, context: EventContext): void {
  const { fromOrdinal, heldAtStart, exceededAtStart, crossings, limits } = found;
  reconcileVisits(track, { fromOrdinal, openAtStart: heldAtStart, changes: crossings }, context);
  reconcileExceedances(
    track,
    { fromOrdinal, openAtStart: exceededAtStart, changes: limits },
    context,
  );
  // Also a day that lost its work to a late "engine off" has to be stored again.
  for (const day of track.days) track.changedDays.add(day.day);
  // A late reading may have opened a day in between.
  closeOldDays(track);
}

/** The late reading is older than every other: the fold starts from zero, in its day. */
function fromTheStart(track: AssetTrack, { calendar }: TimelineRules): RestartPoint {
  return {
    state: newTimeline(),
    fromMs: localDayAt(calendar, track.lateFromMs - MAX_GAP_MS).startMs,
    day: undefined,
  };
}

/** A track to fold into; of its days only those that are folded again. */
function scratchOf(track: AssetTrack, { state, day }: RestartPoint): AssetTrack {
  return {
    ...track,
    ...state,
    days: day === undefined ? [] : [day],
    closedDays: [],
    // The first day may be closed before the fold ends: it is kept then only if it has changed.
    changedDays: new Set(day === undefined ? [] : [day.day]),
    snapshots: [],
    rerunAtMs: track.work.tMs,
    visits: { list: [], completeFrom: 0 },
    exceedances: [],
    lateFromMs: Number.POSITIVE_INFINITY,
    meanwhile: undefined,
  };
}
