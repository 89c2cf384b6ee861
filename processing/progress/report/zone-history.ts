import type { CaptureId } from "../../../domain/ids.ts";
import type { ZoneEstimate } from "../../../domain/sites/capture.ts";
import type { ZoneObservation } from "../../../domain/sites/site-camera.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import type { PastEstimate } from "../../../storage/ports/sites/captures.ts";

/** What is known of a zone at the time of a report. */
export interface ZoneEvidence {
  /**
   * Of other captures, with a percent, until the report's time. `isOfOtherTask`: the zone's outline, metric
   * or surfaces were others then.
   */
  readonly estimates: readonly (PastEstimate & { readonly isOfOtherTask?: boolean })[];
  /** What the report's own capture says; `undefined`: nothing. */
  readonly current: ZoneEstimate | undefined;
  /** What people said, until the report's time. */
  readonly observations: readonly ZoneObservation[];
}

/** The report that a history is sorted for. */
export interface ReportMoment {
  readonly captureId: CaptureId;
  readonly captureDateMs: number;
}

/** A person's word on a zone, or what was declared with the zone. */
export interface ZoneWord {
  readonly kind: "observation" | "declared";
  readonly atMs: number;
  readonly progress: number;
  readonly interval: readonly [low: number, high: number] | undefined;
  /** `undefined`: declared with the zone. */
  readonly observation: ZoneObservation | undefined;
}

/** An estimate with a percent. */
export interface ZonePoint {
  readonly kind: "estimate";
  readonly atMs: number;
  readonly captureId: CaptureId;
  readonly raw: number;
  readonly estimate: ZoneEstimate;
  /** The zone's target was another one then: such a figure is used only if there is no other. */
  readonly isOfOtherTask: boolean;
}

/** A zone's evidence in the order of time. */
export interface ZoneHistory {
  /**
   * The newest word of a person, from which on older evidence does not count; without one, what was declared
   * with the zone.
   */
  readonly start: ZoneWord;
  /** Estimates after it, ascending. */
  readonly estimates: readonly ZonePoint[];
  /** Whether anything up to the report's time says that work had begun. */
  readonly hasBegun: boolean;
}

/** Below this many percent nothing has begun (docs/progress-method.md#status). */
export const BEGUN_PERCENT = 0.5;

/**
 * Sorts what is known of a zone by time. At one time the report's own capture counts after other captures,
 * and a person after both. A declared progress of more than 0 is a person's word at `declared_at`; one of 0
 * says nothing and comes before all evidence, however late the zone was drawn.
 */
export function zoneHistory(
  zone: Pick<WorkZone, "declared_progress" | "declared_at">,
  { estimates, current, observations }: ZoneEvidence,
  { captureId, captureDateMs }: ReportMoment,
): ZoneHistory {
  const declared: ZoneWord = {
    kind: "declared",
    atMs: Date.parse(zone.declared_at),
    progress: zone.declared_progress,
    interval: undefined,
    observation: undefined,
  };
  const points = estimates
    .filter((past) => past.captureId !== captureId && past.captureDateMs <= captureDateMs)
    .flatMap(({ estimate, isOfOtherTask = false, ...past }) =>
      pointOf(estimate, past.captureId, past.captureDateMs, isOfOtherTask),
    )
    .toSorted((a, b) => a.atMs - b.atMs);
  if (current !== undefined) points.push(...pointOf(current, captureId, captureDateMs, false));
  const ofTask = points.filter(({ isOfOtherTask }) => !isOfOtherTask);
  const counting = ofTask.length > 0 ? ofTask : points;
  const words = observations
    .map(
      (observation): ZoneWord => ({
        kind: "observation",
        atMs: Date.parse(observation.observed_at),
        progress: observation.progress,
        interval: observation.interval_95,
        observation,
      }),
    )
    .concat(declared.progress > 0 ? [declared] : [])
    .filter(({ atMs }) => atMs <= captureDateMs)
    // At one time what was observed counts after what was declared.
    .toSorted(
      (a, b) => a.atMs - b.atMs || (a.kind === b.kind ? 0 : a.kind === "declared" ? -1 : 1),
    );
  const word = words.at(-1);
  return {
    start: word ?? declared,
    estimates: word === undefined ? counting : counting.filter(({ atMs }) => atMs > word.atMs),
    hasBegun: [...points.map(({ raw }) => raw), ...words.map(({ progress }) => progress)].some(
      (percent) => percent >= BEGUN_PERCENT,
    ),
  };
}

function pointOf(
  estimate: ZoneEstimate,
  captureId: CaptureId,
  atMs: number,
  isOfOtherTask: boolean,
): ZonePoint[] {
  const raw = estimate.raw_progress;
  if (raw === undefined) return [];
  return [{ kind: "estimate", atMs, captureId, raw, estimate, isOfOtherTask }];
}
