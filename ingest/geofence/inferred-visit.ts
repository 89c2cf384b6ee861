import type { FenceFix } from "./crossing.ts";
import type { FenceShape } from "./fence-shape.ts";
import type { JudgeContext, Way } from "./judge-context.ts";
import { depthM, passageThrough } from "./passage.ts";
import { between, planarDistanceM } from "./planar.ts";
import { type Phase, phaseOf, type Stand } from "./stand.ts";
import { placeOf, wasInForce } from "./tell-crossing.ts";

/** Longest gap between two fixes over which a visit is inferred, ms (DESIGN 5, Geofence). */
const MAX_INFERRED_GAP_MS = 15 * 60_000;
/** Least way through the fence: this many accuracies (DESIGN 5, Geofence), and metres. Chosen: as for a single fix. */
const LEAST_ACCURACIES = 2;
const LEAST_M = 10;

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

/** Tells a visit that lies wholly between two fixes outside, on the straight way between them. */
export function inferVisit(context: JudgeContext, shape: FenceShape, { from, to }: Way): void {
  const { fold, fix, emit } = context;
  const passage = passageThrough(shape, from, to);
  if (passage === undefined) return;
  const { fromShare, toShare } = passage;
  const accuracyM = Math.max(from.accuracyM, to.accuracyM);
  const lengthM = planarDistanceM(from, to, shape.scale) * (toShare - fromShare);
  if (lengthM <= Math.max(LEAST_ACCURACIES * accuracyM, LEAST_M)) return;
  // Along an edge the way may be long and yet never surely inside.
  if (depthM(shape, from, to, passage) <= Math.max(accuracyM, LEAST_M)) return;
  const spanMs = to.tMs - from.tMs;
  const enteredMs = Math.round(from.tMs + spanMs * fromShare);
  const exitedMs = Math.round(from.tMs + spanMs * toShare);
  if (exitedMs - enteredMs < shape.version.rules.min_dwell_s * 1000) return;
  if (!wasInForce(context, shape, enteredMs)) return;
  const common = {
    fence: shape.version,
    cause: "crossing",
    inferred: true,
    bounds: { afterMs: from.tMs, beforeMs: to.tMs },
  } as const;
  const ends = [
    ["entered", enteredMs, fromShare],
    ["exited", exitedMs, toShare],
  ] as const;
  for (const [type, tMs, share] of ends) {
    emit({ ...common, ...placeOf({ ...between(from, to, share), tMs, accuracyM }), type });
  }
  fold.toldMs = fix.tMs;
}
