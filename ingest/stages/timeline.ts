import type { Reading } from "../../domain/equipment/reading.ts";
import type { WorkCalendar } from "../../domain/local-time.ts";
import { advanceFencesTo } from "../geofence/advance.ts";
import type { Crossing } from "../geofence/crossing.ts";
import type { FenceTimeline } from "../geofence/fence-timeline.ts";
import { advanceLimitsTo, type LimitChange, type LimitRules } from "../maintenance/limit-fold.ts";
import { aheadOf, withAhead } from "../track/ahead.ts";
import { type AssetTrack, LATE_SPAN_MS, type Rank } from "../track/asset-track.ts";
import { isBlank, sampleOf, type TimelineSample } from "../track/timeline-sample.ts";
import { dropSnapshots, takeSnapshot } from "./snapshots.ts";
import type { FoldOutcome, Stage } from "./stage.ts";

/** What is in force for an asset, at any time that may be folded. */
export interface TimelineRules {
  readonly calendar: WorkCalendar;
  readonly fences: FenceTimeline;
  readonly limits: LimitRules;
}

/** Where the fold puts what it finds, in order. */
export interface TimelineSink {
  crossing(crossing: Crossing): void;
  limit(change: LimitChange): void;
}

/**
 * A stage that takes an asset's samples in order of fix time. Its state in the track can be copied and
 * stored, and a re-run folds it again from such a copy.
 */
export interface SampleStage extends Stage {
  /** Goes on by a sample that is newer than all before it; in a re-run `track` is a copy. */
  onSample(
    track: AssetTrack,
    sample: TimelineSample,
    rules: TimelineRules,
    sink: TimelineSink,
  ): void;
}

/** Brings readings, in whatever order they come, to its stages in order of fix time. */
export class Timeline {
  readonly #stages: readonly SampleStage[];

  constructor(stages: readonly SampleStage[]) {
    this.#stages = stages;
  }

  /**
   * Takes one reading to its place on the asset's time line. The fold goes on with it when it is the
   * newest; else the asset waits for a re-run, or it is too late for one. A historical reading is never
   * the newest: it waits until a live reading has passed it.
   */
  foldReading(
    track: AssetTrack,
    reading: Reading,
    rules: TimelineRules,
    sink: TimelineSink,
  ): FoldOutcome {
    const { fixTimeMs } = reading;
    // A re-run reads back rows of numbers: a reading without any must not count before it either.
    if (isBlank(reading)) return "folded";
    if (track.work.tMs - fixTimeMs <= LATE_SPAN_MS) track.lastTakenMs = fixTimeMs;
    if (fixTimeMs > track.work.tMs) {
      if (reading.isHistorical === true) {
        track.ahead = withAhead(track.ahead, fixTimeMs);
        return "ahead";
      }
      const sample = sampleOf(reading);
      this.foldSample(track, sample, rules, sink);
      applyKnownChanges(track, rules, sink);
      track.meanwhile?.samples.push(sample);
      track.workRank = rankOf(reading);
      if (track.ahead !== undefined) passAhead(track);
      return "folded";
    }
    if (isSameRank(reading, track.workRank)) return "repeated";
    if (track.work.tMs - fixTimeMs > LATE_SPAN_MS) return "too_late";
    markLate(track, fixTimeMs);
    return "late";
  }

  /** Goes on with the fold by a sample that is newer than all before it. */
  foldSample(
    track: AssetTrack,
    sample: TimelineSample,
    rules: TimelineRules,
    sink: TimelineSink,
  ): void {
    takeSnapshot(track, sample.tMs);
    for (const stage of this.#stages) stage.onSample(track, sample, rules, sink);
  }
}

/** Historical readings that the newest live one has passed are late readings from now on. */
function passAhead(track: AssetTrack): void {
  const { ahead, work } = track;
  if (ahead === undefined || work.tMs < ahead.fromMs) return;
  track.ahead = aheadOf(ahead, work.tMs);
  markLate(track, ahead.fromMs);
}

/** Says that the fold has to be made again from `fromMs` on: a sample is missing there, or a fence changed. */
export function markLate(track: AssetTrack, fromMs: number): void {
  track.lateFromMs = Math.min(track.lateFromMs, fromMs);
  const { meanwhile } = track;
  if (meanwhile !== undefined) meanwhile.lateFromMs = Math.min(meanwhile.lateFromMs, fromMs);
  dropSnapshots(track);
}

/** Deals with every change of fences and limits that is known and younger than the newest sample. */
export function applyKnownChanges(
  track: AssetTrack,
  { fences, limits }: Pick<TimelineRules, "fences" | "limits">,
  sink: TimelineSink,
): void {
  applyKnownFences(track, fences, sink);
  applyKnownLimits(track, limits, sink);
}

export function applyKnownFences(
  track: AssetTrack,
  fences: FenceTimeline,
  { crossing }: Pick<TimelineSink, "crossing">,
): void {
  advanceFencesTo(track.fences, Number.MAX_SAFE_INTEGER, track.assetId, fences, crossing);
}

export function applyKnownLimits(
  track: AssetTrack,
  limits: LimitRules,
  sink: Pick<TimelineSink, "limit">,
): void {
  advanceLimitsTo(track.limits, Number.MAX_SAFE_INTEGER, limits, sink.limit);
}

const rankOf = ({ fixTimeMs, seq, payloadHash }: Rank): Rank => ({ fixTimeMs, seq, payloadHash });

const isSameRank = (a: Rank, b: Rank): boolean =>
  a.fixTimeMs === b.fixTimeMs && a.seq === b.seq && a.payloadHash === b.payloadHash;
