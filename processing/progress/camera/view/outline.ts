import type { ImagePoint } from "../../../../domain/sites/site-camera.ts";
import { FRAME } from "./view-frame.ts";

/** The outline of a photograph that is read whole. */
export const WHOLE_IMAGE: readonly ImagePoint[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
];

/** Whether a point lies inside an open ring, by the even-odd rule. */
export function insideOutline(outline: readonly ImagePoint[], x: number, y: number): boolean {
  let isInside = false;
  let [px, py] = outline.at(-1) ?? [0, 0];
  for (const [qx, qy] of outline) {
    if (qy > y !== py > y && x < ((px - qx) * (y - qy)) / (py - qy) + qx) isInside = !isInside;
    [px, py] = [qx, qy];
  }
  return isInside;
}

/**
 * A hundredth counts within zones: a camera that sees little else is still registered by what is lasting there.
 * More, and the work pulls the registration along; none, and such a camera has nothing to go by.
 */
const WITHIN_ZONES = 0.01;
/**
 * Of the picture, the least share that must lie outside of all zones for these to be left out. Smaller, a strip
 * of the picture decides alone; larger, changing zones count in more cameras.
 */
const LEAST_OUTSIDE = 0.25;

/** Where a reference view stays as it is, 0 to 1 by pixel of the frame: outside of the zones. */
export function lastingWeights(outlines: readonly (readonly ImagePoint[])[]): Float32Array {
  const weights = new Float32Array(FRAME.width * FRAME.height).fill(1);
  for (const outline of outlines) {
    for (let row = 0; row < FRAME.height; row++) {
      const ends = crossings(outline, (row + 0.5) / FRAME.height);
      for (let i = 0; i + 1 < ends.length; i += 2) {
        const from = columnFrom(ends[i] ?? 0);
        const to = columnFrom(ends[i + 1] ?? 0);
        if (from < to) weights.fill(WITHIN_ZONES, row * FRAME.width + from, row * FRAME.width + to);
      }
    }
  }
  const outside = weights.reduce((count, weight) => (weight === 1 ? count + 1 : count), 0);
  return outside < LEAST_OUTSIDE * weights.length ? weights.fill(1) : weights;
}

/** Where a ring crosses a height, from left to right: between the first and the second it is inside, and so on. */
function crossings(outline: readonly ImagePoint[], y: number): readonly number[] {
  const xs: number[] = [];
  let [px, py] = outline.at(-1) ?? [0, 0];
  for (const [qx, qy] of outline) {
    if (qy > y !== py > y) xs.push(((px - qx) * (y - qy)) / (py - qy) + qx);
    [px, py] = [qx, qy];
  }
  return xs.sort((a, b) => a - b);
}

/** The first column whose middle is right of a share of the width. */
const columnFrom = (x: number): number =>
  Math.max(0, Math.min(FRAME.width, Math.ceil(x * FRAME.width - 0.5)));
