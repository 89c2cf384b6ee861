import type { FenceFix } from "./crossing.ts";
import { type FenceShape, holds, lonBeside } from "./fence-shape.ts";
import { between, planarDistanceM, shortestDeltaDeg } from "./planar.ts";

/** The longest part of a path that lies in a fence: where and when it begins and ends. */
export interface Passage {
  readonly entered: FenceFix;
  readonly exited: FenceFix;
}

/**
 * Where the path over `knots`, straight between two, leads through the fence; `undefined` when it
 * does not. The ends of the path lie outside.
 */
export function passageThrough(shape: FenceShape, knots: readonly FenceFix[]): Passage | undefined {
  let longest: Passage | undefined;
  let longestM = 0;
  let entered: FenceFix | undefined;
  let insideM = 0;
  for (const [i, to] of knots.entries()) {
    const from = knots[i - 1];
    if (from === undefined) continue;
    const shares = sharesOverEdges(shape, from, to);
    let start = from;
    for (const share of [...shares, 1]) {
      const end = share === 1 ? to : fixBetween(from, to, share);
      // A leg that crosses no edge stays on its side. Otherwise the middle of each part decides: a
      // touched corner is not a change of sides.
      const isInside =
        shares.length === 0 ? entered !== undefined : holds(shape, between(start, end, 0.5));
      if (isInside) {
        entered ??= start;
        insideM += planarDistanceM(start, end, shape.scale);
        if (insideM > longestM) [longest, longestM] = [{ entered, exited: end }, insideM];
      } else {
        [entered, insideM] = [undefined, 0];
      }
      start = end;
    }
  }
  return longest;
}

/** Where the straight line from `a` to `b` crosses edges, as shares of it, ascending. */
function sharesOverEdges(shape: FenceShape, a: FenceFix, b: FenceFix): readonly number[] {
  const ax = lonBeside(shape, a.lonDeg);
  const dx = shortestDeltaDeg(b.lonDeg - a.lonDeg);
  const dy = b.latDeg - a.latDeg;
  const corners = shape.cornersDeg;
  const shares: number[] = [];
  for (let i = 2; i < corners.length; i += 2) {
    const px = (corners[i - 2] ?? 0) - ax;
    const py = (corners[i - 1] ?? 0) - a.latDeg;
    const ex = (corners[i] ?? 0) - ax - px;
    const ey = (corners[i + 1] ?? 0) - a.latDeg - py;
    const cross = dx * ey - dy * ex;
    if (cross === 0) continue;
    const u = (px * ey - py * ex) / cross;
    const v = (px * dy - py * dx) / cross;
    if (u > 0 && u < 1 && v >= 0 && v <= 1) shares.push(u);
  }
  return shares.sort((one, other) => one - other);
}

/** The fix that would have been taken at a share of the path, at an even speed; the poorer accuracy of both. */
function fixBetween(from: FenceFix, to: FenceFix, share: number): FenceFix {
  return {
    ...between(from, to, share),
    tMs: Math.round(from.tMs + (to.tMs - from.tMs) * share),
    accuracyM: Math.max(from.accuracyM, to.accuracyM),
  };
}
