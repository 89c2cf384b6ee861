import { type FenceShape, signedDistanceM } from "./fence-shape.ts";
import { inferVisit } from "./inferred-visit.ts";
import type { JudgeContext } from "./judge-context.ts";
import type { Position } from "./planar.ts";
import { meanOf, sureMeanM } from "./stand.ts";
import { setRun, tellCrossing, wasInForce } from "./tell-crossing.ts";

/**
 * Accuracies beyond the edge at which one fix is enough: a 68 % radius is 1.5 sigma of one axis, so
 * this is 3 sigma. With one accuracy (DESIGN 5) it would be 1.5, which happens every few minutes.
 */
const SURE_ACCURACIES = 2;
/** Least distance beyond the edge at which one fix is enough, metres (DESIGN 5, Geofence). */
const SURE_M = 10;

/** Judges one fence by a fix: tells that the asset went over its edge, or remembers that it may have. */
export function judgeFence(context: JudgeContext, shape: FenceShape): void {
  const { fold, fix, stand, phase, ways } = context;
  if (phase === "standing" && isMeanBeyond(context, shape)) {
    // It came to stand there; unless something was told, or drawn, since.
    const isSince = stand.startMs > fold.toldMs && wasInForce(context, shape, stand.startMs);
    const tMs = isSince ? stand.startMs : fix.tMs;
    tellCrossing(context, shape, { ...meanOf(stand), tMs, accuracyM: fix.accuracyM });
    return;
  }
  const { geofenceId, rules } = shape.version;
  const run = fold.runs.find((one) => one.geofenceId === geofenceId);
  const beyondM = beyondEdgeM(context, shape, fix);
  const isOpen = phase === "moving" || phase === "starting";
  if (beyondM > fix.accuracyM) {
    const { first, count } = run ?? { first: fix, count: 0 };
    setRun(fold, geofenceId, { geofenceId, first, count: count + 1, lastMs: fix.tMs });
    const isFar = beyondM > Math.max(SURE_ACCURACIES * fix.accuracyM, SURE_M, rules.exit_buffer_m);
    const isConfirmed = phase === "moving" && count + 1 >= rules.confirm_fixes;
    const isSure = isOpen && (isFar || isConfirmed);
    if (isSure && fix.tMs - first.tMs >= rules.min_dwell_s * 1000) {
      tellCrossing(context, shape, first);
    }
  } else if (!isOpen) {
    // Noise wanders over the edge and back; only the run on which the asset leaves counts.
    if (run !== undefined) setRun(fold, geofenceId, undefined);
  } else if (run !== undefined && beyondM < -fix.accuracyM) {
    setRun(fold, geofenceId, undefined);
    // There and back again: the way back is one more proof of the way there.
    const isProved = phase === "moving" && run.count >= rules.confirm_fixes - 1;
    if (isProved && run.lastMs - run.first.tMs >= rules.min_dwell_s * 1000) {
      tellCrossing(context, shape, run.first);
      tellCrossing(context, shape, fix);
    }
  } else if (run === undefined && !isHeld(context, shape)) {
    for (const way of ways) inferVisit(context, shape, way);
  }
}

function isMeanBeyond(context: JudgeContext, shape: FenceShape): boolean {
  const { stand, fix } = context;
  if (fix.tMs - stand.startMs < shape.version.rules.min_dwell_s * 1000) return false;
  return beyondEdgeM(context, shape, meanOf(stand)) > sureMeanM(stand);
}

/** Metres beyond the edge, on the side where the asset is not. */
function beyondEdgeM(context: JudgeContext, shape: FenceShape, place: Position): number {
  const insideM = signedDistanceM(shape, place);
  return isHeld(context, shape) ? -insideM : insideM;
}

const isHeld = ({ fold }: JudgeContext, { version }: FenceShape): boolean =>
  fold.held.includes(version.geofenceId);
