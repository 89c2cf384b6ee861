import type { FenceFix } from "./crossing.ts";
import { emitCrossing, setRun, wasInForce } from "./emit-crossing.ts";
import type { EvaluationContext } from "./evaluation-context.ts";
import { farBeyondM } from "./far-beyond.ts";
import type { PendingRun } from "./fence-fold.ts";
import { edgeDistanceM, type FenceShape, holds } from "./fence-shape.ts";
import { followPath } from "./inferred-visit.ts";
import { meanOf, newStay, type Stay, sureMeanM } from "./stay.ts";

/**
 * Errors of the receiver beyond the edge at which a fix counts although the asset is stationary. One
 * day has some 1,400 independent errors: with 5 a parked machine would be out once in some weeks, with
 * 6 never. With 7 a pass of 40 m is lost where the error is 6 m.
 */
const SURE_STAY_SIGMAS = 6;

/**
 * Evaluates one fence for a fix: emits a crossing of its edge, or remembers that there may be one.
 * Returns true if fix and asset are on the same side and nothing is remembered: then nothing can
 * follow before the asset goes over the edge.
 */
export function evaluateFence(context: EvaluationContext, shape: FenceShape): boolean {
  const { fold, phase, fix, stay } = context;
  const { geofenceId } = shape.version;
  const isHeld = fold.held.includes(geofenceId);
  const run = fold.runs.find((one) => one.geofenceId === geofenceId);
  const isBeyond = holds(shape, fix) !== isHeld;
  const isMeanBeyond = phase === "stationary" && holds(shape, meanOf(stay)) !== isHeld;
  if (isMeanBeyond && reportByMean(context, shape)) return false;
  if (isBeyond || run !== undefined) {
    const edgeM = edgeDistanceM(shape, fix, shape.scale);
    const isReported = evaluateRun(context, shape, run, isBeyond ? edgeM : -edgeM);
    // As long as the run may still become a crossing, the asset may be inside.
    const isPending = fold.runs.some((one) => one.geofenceId === geofenceId);
    if (!isHeld && !isReported) followPath(context, shape, isBeyond || isPending);
    return false;
  }
  if (!isHeld) followPath(context, shape, false);
  return !isMeanBeyond;
}

/**
 * While the asset is stationary: whether the mean lies beyond the edge by more than chance and was
 * reported.
 */
function reportByMean(context: EvaluationContext, shape: FenceShape): boolean {
  const { fold, fix, stay } = context;
  const { startMs } = stay;
  const mean = meanOf(stay);
  if (fix.tMs - startMs < minDwellMs(shape)) return false;
  if (edgeDistanceM(shape, mean, shape.scale) <= sureMeanM(stay)) return false;
  // Dated at the stop, unless a crossing was reported or the fence drawn since.
  const isSince = startMs > fold.reportedMs && wasInForce(context, shape, startMs);
  const tMs = isSince ? startMs : fix.tMs;
  emitCrossing(context, shape, { ...mean, tMs, accuracyM: fix.accuracyM });
  return true;
}

/**
 * Goes on with a run of fixes on the other side, or begins or ends it; `beyondM`: metres beyond the edge.
 * Returns whether it emitted a crossing.
 */
function evaluateRun(
  context: EvaluationContext,
  shape: FenceShape,
  run: PendingRun | undefined,
  beyondM: number,
): boolean {
  const { fold, phase, fix, stay } = context;
  const { geofenceId, rules } = shape.version;
  const isOpen = phase === "moving" || phase === "starting";
  if (beyondM > fix.accuracyM) {
    const { first, count } = run ?? { first: fix, count: 0 };
    setRun(fold, geofenceId, { geofenceId, first, count: count + 1, lastMs: fix.tMs });
    const isFar = beyondM > farBeyondM(shape, fix);
    const isConfirmed = count + 1 >= rules.confirm_fixes;
    const isEnough = isOpen
      ? isFar || (phase === "moving" && isConfirmed)
      : isFar && isConfirmed && beyondM > sureStayM(stay, shape, fix);
    if (isEnough && fix.tMs - first.tMs >= minDwellMs(shape)) {
      emitCrossing(context, shape, first);
      // The stay is over: otherwise its mean would report the return at the next fix.
      if (!isOpen) fold.stay = newStay(fix, stay);
      return true;
    }
  } else if (run !== undefined && !isOpen) {
    // Noise wanders over the edge and back; only the run on which the asset leaves counts.
    setRun(fold, geofenceId, undefined);
  } else if (run !== undefined && beyondM < -fix.accuracyM) {
    setRun(fold, geofenceId, undefined);
    // There and back again: the return is one more proof of the crossing.
    const isProved = phase === "moving" && run.count >= rules.confirm_fixes - 1;
    if (isProved && run.lastMs - run.first.tMs >= minDwellMs(shape)) {
      emitCrossing(context, shape, run.first);
      emitCrossing(context, shape, fix);
      return true;
    }
  }
  return false;
}

/** How far beyond the edge a fix must lie to count while the asset is stationary, metres. */
const sureStayM = ({ noiseM2 }: Stay, { version }: FenceShape, { accuracyM }: FenceFix): number =>
  Math.max(version.rules.exit_buffer_m + accuracyM, SURE_STAY_SIGMAS * Math.sqrt(noiseM2));

const minDwellMs = ({ version }: FenceShape): number => version.rules.min_dwell_s * 1000;
