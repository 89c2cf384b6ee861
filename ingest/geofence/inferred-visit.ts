import type { FenceFix } from "./crossing.ts";
import { edgeDistanceM, type FenceShape, holds } from "./fence-shape.ts";
import type { JudgeContext, Way } from "./judge-context.ts";
import { missShiftM } from "./miss-shift.ts";
import { type Passage, passageThrough } from "./passage.ts";
import { type Phase, phaseOf, type Stand } from "./stand.ts";
import { placeOf, setOpenWay, wasInForce } from "./tell-crossing.ts";

/** Longest gap between two fixes over which a visit is inferred, ms (DESIGN 5, Geofence). */
const MAX_INFERRED_GAP_MS = 15 * 60_000;
/**
 * Least shift by which the way misses the fence, in accuracies of its poorer end: `direct` between two
 * fixes outside, `over` fixes that lie inside within their accuracy, of which noise shows the deepest.
 * Chosen by the curve of bench/geofence-inference.ts.
 */
export const LEAST_ACCURACIES = { direct: 0.5, over: 1 } as const;
/** The same in metres, for receivers that report a smaller error than they have. */
export const LEAST_M = 2;
/** Errors of the receiver up to which an asset that seems to be outside may be inside. */
const DOUBT_SIGMAS = 3;
/** Most fixes of a way that is remembered: an asset that is near an edge for longer is judged by its mean. */
const MAX_KNOTS = 8;

/**
 * The ways that led to a fix, oldest first. While an asset stands its fixes wander, and the lines between
 * them mean nothing; once it is seen to have left, the way to the first fix away counts after all.
 */
export function waysTo(
  fix: FenceFix,
  phase: Phase,
  previous: FenceFix | undefined,
  left: Stand | undefined,
): readonly Way[] {
  if (phase !== "moving" || previous === undefined) return [];
  const ways: Way[] = [];
  if (left?.away !== undefined && isUnjudgedWay(left))
    ways.push({ from: left.last, to: left.away });
  ways.push({ from: previous, to: fix });
  return ways.filter(({ from, to }) => to.tMs - from.tMs <= MAX_INFERRED_GAP_MS);
}

/** Whether the way from a stand that was left to the first fix away from it has not been looked at. */
export const isUnjudgedWay = (left: Stand | undefined): boolean =>
  left !== undefined && phaseOf(left, undefined) !== "moving";

/**
 * Follows the way that led to the fix past a fence that the asset is not in: infers a visit where it is
 * surely outside again, and remembers the way while it may be inside. `isDoubtful`: the fix lies inside,
 * or a fix before it may still tell that the asset is.
 */
export function followWay(context: JudgeContext, shape: FenceShape, isDoubtful: boolean): void {
  const { fold, fix, ways } = context;
  const { geofenceId } = shape.version;
  let knots = fold.openWays.find((one) => one.geofenceId === geofenceId)?.knots;
  const isOpen = knots !== undefined;
  for (const { from, to } of ways) {
    if (knots === undefined && !holds(shape, from)) knots = [from];
    if (knots === undefined) continue;
    // Beyond the bound the newest fix takes the place of the one before it.
    knots = [...knots.slice(0, MAX_KNOTS - 1), to];
    if (to === fix ? isDoubtful : holds(shape, to)) continue;
    const passage = passageThrough(shape, knots);
    if (passage !== undefined && edgeDistanceM(shape, to, shape.scale) <= doubtM(context, to))
      continue;
    if (passage !== undefined) inferVisit(context, shape, knots, passage);
    knots = undefined;
  }
  // Where an asset stands near an edge, its way there is as doubtful as its place.
  if (ways.length === 0) knots = undefined;
  if (isOpen || knots !== undefined) setOpenWay(fold, geofenceId, knots);
}

/** Distance from an edge up to which a fix may lie on either side of it, metres. */
const doubtM = ({ stand }: JudgeContext, { accuracyM }: FenceFix): number =>
  Math.max(accuracyM, DOUBT_SIGMAS * Math.sqrt(stand.noiseM2));

/** Tells a visit that no fix told, where the way must have led through the fence. */
function inferVisit(
  context: JudgeContext,
  shape: FenceShape,
  knots: readonly FenceFix[],
  { entered, exited }: Passage,
): void {
  const { fold, fix, emit } = context;
  const [from, to] = [knots[0], knots.at(-1)];
  if (from === undefined || to === undefined) return;
  if (to.tMs - from.tMs > MAX_INFERRED_GAP_MS) return;
  if (exited.tMs - entered.tMs < shape.version.rules.min_dwell_s * 1000) return;
  if (!wasInForce(context, shape, entered.tMs)) return;
  const accuracies = knots.length > 2 ? LEAST_ACCURACIES.over : LEAST_ACCURACIES.direct;
  const enoughM = Math.max(accuracies * Math.max(from.accuracyM, to.accuracyM), LEAST_M);
  if (missShiftM(shape, knots, { enoughM }) < enoughM) return;
  const common = {
    fence: shape.version,
    cause: "crossing",
    inferred: true,
    bounds: { afterMs: from.tMs, beforeMs: to.tMs },
  } as const;
  emit({ ...common, ...placeOf(entered), type: "entered" });
  emit({ ...common, ...placeOf(exited), type: "exited" });
  fold.toldMs = fix.tMs;
}
