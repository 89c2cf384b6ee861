import { MINUTE_MS } from "../../domain/time.ts";
import type { FenceFix } from "./crossing.ts";
import { placeOf, setOpenPath, wasInForce } from "./emit-crossing.ts";
import type { EvaluationContext, Leg } from "./evaluation-context.ts";
import { farBeyondM } from "./far-beyond.ts";
import { edgeDistanceM, type FenceShape, holds } from "./fence-shape.ts";
import { missShiftM } from "./miss-shift.ts";
import { type Passage, passageThrough } from "./passage.ts";
import { type Phase, phaseOf, type Stay } from "./stay.ts";

/** Longest gap between two fixes over which a visit is inferred, ms (docs/rules.md#geofence). */
const MAX_INFERRED_GAP_MS = 15 * MINUTE_MS;
/**
 * Least shift by which the path misses the fence, in accuracies of its poorer end. `direct`:
 * between two fixes outside. `over`: across fixes that lie inside within their accuracy, of which
 * noise shows the deepest. Chosen by the curve of bench/geofence-inference.ts.
 */
export const LEAST_ACCURACIES = { direct: 0.5, over: 1 } as const;
/** The same in metres, for receivers that report a smaller error than they have. */
export const LEAST_M = 2;
/**
 * Least shifts from which a visit is reported although the path ends near the edge. The one that was
 * reported twice had 1.5; 8 m of haul road between fixes 6 m from either side, 3.
 */
const SURE_SHIFTS = 2;
/** Errors of the receiver up to which an asset that seems to be outside may be inside. */
const DOUBT_SIGMAS = 3;
/** Most fixes of a remembered path: an asset that is near an edge for longer is evaluated by its mean. */
const MAX_KNOTS = 8;

/**
 * The legs that led to a fix, oldest first. While an asset is stationary its fixes wander, and the lines
 * between them mean nothing. Once it has left, the leg to the first fix away counts after all.
 */
export function legsTo(
  fix: FenceFix,
  phase: Phase,
  previous: FenceFix | undefined,
  left: Stay | undefined,
): readonly Leg[] {
  if (phase !== "moving" || previous === undefined) return [];
  const legs: Leg[] = [];
  if (left?.away !== undefined && isUnevaluatedLeg(left))
    legs.push({ from: left.last, to: left.away });
  legs.push({ from: previous, to: fix });
  return legs.filter(({ from, to }) => to.tMs - from.tMs <= MAX_INFERRED_GAP_MS);
}

/** Whether the leg from a stay to the first fix away from it has not been evaluated. */
export const isUnevaluatedLeg = (left: Stay | undefined): boolean =>
  left !== undefined && phaseOf(left, undefined) !== "moving";

/**
 * Follows the path to the fix past a fence that the asset is not in. Infers a visit where the asset is
 * surely outside again, and remembers the path while it may be inside. A visit inferred by a small margin
 * ends like an observed one: by one fix far beyond the edge, or by a second one outside. Otherwise a machine
 * that goes round a corner of the fence just before it comes in would be reported twice. `isDoubtful`: the
 * fix lies inside, or an earlier one may still show that the asset is.
 */
export function followPath(
  context: EvaluationContext,
  shape: FenceShape,
  isDoubtful: boolean,
): void {
  const { fold, fix, legs } = context;
  const { geofenceId } = shape.version;
  let knots = fold.openPaths.find((one) => one.geofenceId === geofenceId)?.knots;
  const isOpen = knots !== undefined;
  const isOut = (at: FenceFix): boolean => !(at === fix ? isDoubtful : holds(shape, at));
  for (const { from, to } of legs) {
    if (isOut(to) && knots !== undefined && inferEnded(context, shape, knots, to))
      knots = undefined;
    if (knots === undefined && !holds(shape, from)) knots = [from];
    if (knots === undefined) continue;
    // Beyond the bound the newest fix takes the place of the one before it.
    knots = [...knots.slice(0, MAX_KNOTS - 1), to];
    if (!isOut(to)) continue;
    const passage = passageThrough(shape, knots);
    if (passage !== undefined) {
      const beyondM = edgeDistanceM(shape, to, shape.scale);
      if (beyondM <= doubtM(context, to)) continue;
      const isFar = beyondM > farBeyondM(shape, to);
      const isReported = inferVisit(context, shape, knots, passage, isFar ? 1 : SURE_SHIFTS);
      if (!isReported && !isFar) continue;
    }
    knots = undefined;
  }
  if (legs.length === 0) {
    if (knots !== undefined && isOut(fix)) inferEnded(context, shape, knots, fix);
    // Where an asset stops near an edge, its path there is as doubtful as its place.
    knots = undefined;
  }
  if (isOpen || knots !== undefined) setOpenPath(fold, geofenceId, knots);
}

/** Infers the visit of a path that ended outside, near the edge, where the next fix is surely outside too. */
function inferEnded(
  context: EvaluationContext,
  shape: FenceShape,
  knots: readonly FenceFix[],
  next: FenceFix,
): boolean {
  const last = knots.at(-1);
  if (last === undefined || holds(shape, last)) return false;
  const isSure = (at: FenceFix): boolean =>
    edgeDistanceM(shape, at, shape.scale) > doubtM(context, at);
  if (!isSure(last) || !isSure(next) || passageThrough(shape, [last, next]) !== undefined) {
    return false;
  }
  const passage = passageThrough(shape, knots);
  if (passage !== undefined) inferVisit(context, shape, knots, passage, 1);
  return true;
}

/** Distance from an edge up to which a fix may lie on either side of it, metres. */
const doubtM = ({ stay }: EvaluationContext, { accuracyM }: FenceFix): number =>
  Math.max(accuracyM, DOUBT_SIGMAS * Math.sqrt(stay.noiseM2));

/**
 * Reports a visit that no fix lies in, where the path must have led through the fence: by `margins` times the
 * least shift. Returns whether it did.
 */
function inferVisit(
  context: EvaluationContext,
  shape: FenceShape,
  knots: readonly FenceFix[],
  { entered, exited }: Passage,
  margins: number,
): boolean {
  const { fold, fix, emit } = context;
  const [from, to] = [knots[0], knots.at(-1)];
  if (from === undefined || to === undefined) return false;
  if (to.tMs - from.tMs > MAX_INFERRED_GAP_MS) return false;
  if (exited.tMs - entered.tMs < shape.version.rules.min_dwell_s * 1000) return false;
  if (!wasInForce(context, shape, entered.tMs)) return false;
  const accuracies = knots.length > 2 ? LEAST_ACCURACIES.over : LEAST_ACCURACIES.direct;
  const leastM = Math.max(accuracies * Math.max(from.accuracyM, to.accuracyM), LEAST_M);
  const enoughM = margins * leastM;
  if (missShiftM(shape, knots, { enoughM }) < enoughM) return false;
  const common = {
    fence: shape.version,
    cause: "crossing",
    inferred: true,
    bounds: { afterMs: from.tMs, beforeMs: to.tMs },
  } as const;
  emit({ ...common, ...placeOf(entered), type: "entered" });
  emit({ ...common, ...placeOf(exited), type: "exited" });
  fold.reportedMs = fix.tMs;
  return true;
}
