import type { GridFrame } from "../../grid/elevation-grid.ts";
import { MAD_TO_SIGMA, upperMedian } from "../../numeric/median.ts";
import { createNeighbours, createPointBins } from "./point-bins.ts";

/** Tie points that make the height of a cell, nearest first. */
const NEIGHBOURS = 8;
/** A point further than this many robust spreads from its neighbours' median is a wrong match. */
const OUTLIER_SPREADS = 4;
/** ... and further than this share of its neighbours' distance, so that true slopes and edges stay. */
const OUTLIER_SLOPE = 2;

/**
 * Heights of the frame's cells from scattered tie points (three numbers each, ENU metres): points that
 * their neighbours contradict are left out, then the nearest ones count by the inverse fourth power of
 * their distance. Every cell gets a height; far outside the points it is a guess.
 */
export function initialSurface(points: Float64Array, frame: GridFrame): Float32Array {
  const kept = trustedPoints(points, frame);
  // All against all only when the points are few and wild: then they are better than nothing.
  const trusted = kept.length > 0 ? kept : points;
  const bins = createPointBins(trusted, frame);
  const near = createNeighbours(NEIGHBOURS);
  // Half a cell keeps a point in the middle of a cell from having infinite weight.
  const least2 = (frame.cellM / 2) ** 2;
  const surface = new Float32Array(frame.width * frame.height);
  for (let row = 0; row < frame.height; row += 1) {
    const y = frame.northM - (row + 0.5) * frame.cellM;
    for (let column = 0; column < frame.width; column += 1) {
      bins.nearest(frame.westM + (column + 0.5) * frame.cellM, y, near);
      let weights = 0;
      let sum = 0;
      for (let n = 0; n < near.count; n += 1) {
        const weight = 1 / ((near.distance2[n] ?? 0) + least2) ** 2;
        weights += weight;
        sum += weight * (trusted[3 * (near.index[n] ?? 0) + 2] ?? 0);
      }
      surface[row * frame.width + column] = sum / weights;
    }
  }
  return surface;
}

/** The points that their neighbours do not contradict. */
function trustedPoints(points: Float64Array, frame: GridFrame): Float64Array {
  const bins = createPointBins(points, frame);
  // One more: the nearest point to a point is itself.
  const near = createNeighbours(NEIGHBOURS + 1);
  const trusted: number[] = [];
  for (let i = 0; 3 * i < points.length; i += 1) {
    const [x = 0, y = 0, z = 0] = points.subarray(3 * i, 3 * i + 3);
    bins.nearest(x, y, near);
    const heights: number[] = [];
    const distances: number[] = [];
    for (let n = 0; n < near.count; n += 1) {
      const other = near.index[n] ?? 0;
      if (other === i) continue;
      heights.push(points[3 * other + 2] ?? 0);
      distances.push(Math.sqrt(near.distance2[n] ?? 0));
    }
    if (!contradicts(z, heights, distances)) trusted.push(x, y, z);
  }
  return Float64Array.from(trusted);
}

function contradicts(z: number, heights: number[], distances: number[]): boolean {
  if (heights.length < NEIGHBOURS / 2) return false;
  const middle = medianOf(heights);
  const spread = MAD_TO_SIGMA * medianOf(heights.map((height) => Math.abs(height - middle)));
  const reachM = medianOf(distances);
  return Math.abs(z - middle) > Math.max(OUTLIER_SPREADS * spread, OUTLIER_SLOPE * reachM);
}

function medianOf(values: readonly number[]): number {
  return upperMedian(values) ?? 0;
}
