import type { ReportZone, ZoneStatus } from "../../../domain/sites/progress-report.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import { toTenth } from "../../numeric/rounding.ts";
import { MOST_BY_IMAGES } from "../camera/model/zone-model.ts";
import { type Interval, percentInterval } from "./rounding.ts";
import { isOutdated } from "./seen-zones.ts";
import { isByImages, type SmoothedEstimate, smoothEstimates } from "./smooth-estimates.ts";
import {
  BEGUN_PERCENT,
  type ReportMoment,
  type ZoneEvidence,
  type ZoneHistory,
  type ZonePoint,
  zoneHistory,
} from "./zone-history.ts";
import { estimateNotes, wordNotes } from "./zone-notes.ts";

/** A zone of a report without its part in the project. */
export type ZoneFigure = Omit<ReportZone, "zone_id" | "name" | "planned" | "weight">;

/** Most that an estimate may say of a zone that is not complete (docs/progress-method.md#rules-of-honesty). */
const MOST_INCOMPLETE = 99;

/**
 * A report's figure of a zone: its newest evidence on or before the report's time (see `zoneHistory`,
 * `smoothEstimates`). A zone that the report's capture did not see keeps its last figure with its date;
 * unobserved is not zero. Complete by a person's word of 100, or by geometry at the design. Every other
 * estimate stays at 99 or below, one by images at 95 or what a person said before it: of 55 zones that images
 * called complete from an interval of 95 to 100 on, 23 were not.
 */
export function zoneFigure(
  zone: Pick<WorkZone, "declared_progress" | "declared_at" | "metric">,
  evidence: ZoneEvidence,
  moment: ReportMoment,
): ZoneFigure {
  const history = zoneHistory(zone, evidence, moment);
  const { current } = evidence;
  const newest = history.estimates.at(-1);
  const smoothed = smoothEstimates(history.start, history.estimates);
  return newest === undefined || smoothed === undefined
    ? figureByWord(history, current, moment)
    : figureByEstimate(history, newest, smoothed, current, moment);
}

function figureByWord(
  history: ZoneHistory,
  current: ZoneEvidence["current"],
  moment: ReportMoment,
): ZoneFigure {
  const { start } = history;
  const { observation, interval } = start;
  const progress = shown(start.progress, start.progress >= 100);
  return {
    progress,
    status: statusOf(progress, history),
    method: observation === undefined ? "declared" : "manual",
    interval_95:
      interval === undefined ? null : percentInterval(grown(interval, start.atMs, moment)),
    observed_fraction: 0,
    raw_progress: null,
    as_of: new Date(start.atMs).toISOString(),
    regression_suspected: false,
    // A person's figure after the capture's own estimate does not make that one missing.
    no_estimate: current?.raw_progress === undefined ? (current?.no_estimate ?? null) : null,
    notes: [...(current?.notes ?? []), ...wordNotes(start, moment)],
    evidence:
      observation === undefined
        ? {}
        : { observations: [observation.id], observed_by: observation.observed_by },
  };
}

function figureByEstimate(
  history: ZoneHistory,
  newest: ZonePoint,
  smoothed: SmoothedEstimate,
  current: ZoneEvidence["current"],
  moment: ReportMoment,
): ZoneFigure {
  const { start } = history;
  const { estimate, captureId, raw } = newest;
  const isOwn = captureId === moment.captureId;
  const isConfirmed = start.progress >= 100 && start.atMs <= newest.atMs;
  const isReached = !isByImages(newest) && estimate.is_at_design;
  const isComplete =
    (isReached && !newest.isOfOtherTask) ||
    (isConfirmed && (isByImages(newest) || !smoothed.hasFallen));
  const most = isByImages(newest)
    ? Math.max(MOST_BY_IMAGES, Math.min(MOST_INCOMPLETE, start.progress))
    : MOST_INCOMPLETE;
  const progress = isComplete ? 100 : shown(Math.min(most, smoothed.progress), false);
  // Nobody knows how far a percent of another design is off.
  const interval = newest.isOfOtherTask ? undefined : estimate.interval_95;
  const { observation } = start;
  return {
    progress,
    status: statusOf(progress, history),
    method: isOwn ? estimate.method : "carried_forward",
    interval_95:
      interval === undefined
        ? null
        : percentInterval(grown(widened(interval, progress), newest.atMs, moment)),
    observed_fraction: isOwn ? estimate.observed_fraction : 0,
    raw_progress: isOwn ? toTenth(raw) : null,
    as_of: new Date(newest.atMs).toISOString(),
    regression_suspected: smoothed.hasFallen,
    no_estimate: isOwn ? (estimate.no_estimate ?? null) : (current?.no_estimate ?? null),
    notes: [
      ...(isOwn ? estimate.notes : (current?.notes ?? [])),
      ...estimateNotes({ newest, smoothed, progress, isComplete, isConfirmed, moment, most }),
    ],
    evidence: {
      method: estimate.method,
      captures: smoothed.pooled.map((point) => point.captureId),
      ...(observation === undefined ? {} : { observations: [observation.id] }),
      figures: estimate.figures,
    },
  };
}

/** One decimal; what is not complete does not become 100 by rounding. */
function shown(progress: number, isComplete: boolean): number {
  if (isComplete) return 100;
  return Math.min(99.9, toTenth(progress));
}

function statusOf(progress: number, { hasBegun }: ZoneHistory): ZoneStatus {
  if (progress === 100) return "complete";
  return progress < BEGUN_PERCENT && !hasBegun ? "not_started" : "in_progress";
}

/** The estimate's own interval, which smoothing does not narrow: the errors of one model are not independent. */
const widened = ([low, high]: Interval, progress: number): Interval => [
  Math.min(low, progress),
  Math.max(high, progress),
];

/** An earlier figure bounds from below only: work can have gone on since. */
const grown = ([low, high]: Interval, atMs: number, { captureDateMs }: ReportMoment): Interval => [
  low,
  isOutdated(atMs, captureDateMs) ? 100 : high,
];
