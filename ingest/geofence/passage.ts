import { type FenceShape, holds, lonBeside, signedDistanceM } from "./fence-shape.ts";
import { between, type Position, shortWayDeg } from "./planar.ts";

/** The longest part of a straight way that lies in a fence, as shares of the way. */
export interface Passage {
  readonly fromShare: number;
  readonly toShare: number;
}

/**
 * Where the straight way between two positions outside leads through the fence; `undefined` when it does
 * not, or when an end lies inside.
 */
export function passageThrough(shape: FenceShape, a: Position, b: Position): Passage | undefined {
  if (holds(shape, a) || holds(shape, b)) return undefined;
  const ax = lonBeside(shape, a.lonDeg);
  const dx = shortWayDeg(b.lonDeg - a.lonDeg);
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
  shares.sort((one, other) => one - other);
  let longest: Passage | undefined;
  for (const [i, fromShare] of shares.entries()) {
    const toShare = shares[i + 1];
    if (toShare === undefined) break;
    if (longest !== undefined && toShare - fromShare <= longest.toShare - longest.fromShare)
      continue;
    if (holds(shape, between(a, b, (fromShare + toShare) / 2))) longest = { fromShare, toShare };
  }
  return longest;
}

/** Metres from the middle of the passage to the fence's edge. */
export function depthM(shape: FenceShape, a: Position, b: Position, passage: Passage): number {
  return signedDistanceM(shape, between(a, b, (passage.fromShare + passage.toShare) / 2));
}
