import type { OrthoGrid } from "../../../grid/elevation-grid.ts";

/** Red, green and blue of what no orthophoto shows: a middle grey. */
const UNSEEN = 128;

/**
 * Colours of points by the cell of the orthophoto that they lie in, three bytes a point.
 * @param points three numbers each: ENU, metres
 */
export function pointColours(points: Float64Array, ortho: OrthoGrid | undefined): Uint8Array {
  const colours = new Uint8Array(points.length).fill(UNSEEN);
  if (ortho === undefined) return colours;
  const { westM, northM, cellM, width, height, rgba } = ortho;
  for (let i = 0; i < points.length; i += 3) {
    const col = Math.floor(((points[i] ?? 0) - westM) / cellM);
    const row = Math.floor((northM - (points[i + 1] ?? 0)) / cellM);
    if (col < 0 || row < 0 || col >= width || row >= height) continue;
    const from = (row * width + col) * 4;
    if (rgba[from + 3] === 0) continue;
    for (let k = 0; k < 3; k += 1) colours[i + k] = rgba[from + k] ?? UNSEEN;
  }
  return colours;
}
