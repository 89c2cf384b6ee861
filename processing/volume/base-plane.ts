import type { HeightField } from "../photogrammetry/ortho/depth-buffer.ts";
import type { BaseSurface } from "./base-surface.ts";
import { type PlanPolygon, polygonWeights } from "./polygon-weights.ts";

/** A plane through the ground around a stockpile. */
export interface BasePlane extends BaseSurface {
  readonly kind: "plane";
  /** Steepness, metres a metre. */
  readonly slope: number;
  /** Cells of the ring that the plane was fitted to. */
  readonly cells: number;
  /** Share of them that lies within 3 NMAD of the plane, 0 to 1: low = the ground is no plane. */
  readonly inlierShare: number;
}

/**
 * Width of the ring, metres. Wider takes in more ground that is not the pile's, narrower fewer cells;
 * 0.8 m was used for all figures of PHOTOGRAMMETRY.md 3.1 and 3.2.
 */
const RING_M = 0.8;
/** Fewer cells cannot tell a plane from what stands on it. Chosen. */
const MIN_CELLS = 24;
/**
 * Planes through three cells that compete for the start: with 45 % of the ring in error, all triples
 * of 200 are spoilt once in 10^15 cases. Judged on a sample of the ring.
 */
const START_TRIPLES = 200;
const START_SAMPLE = 500;
/** Rounds of Tukey's biweight from there; the plane moves by less than 0.1 mm after six. */
const TUKEY_ROUNDS = 10;
/** Tukey's constant for 95 % efficiency at normal errors (Holland & Welsch 1977). */
const TUKEY = 4.685;
const MAD_TO_SIGMA = 1.4826;
/** Least scale, metres: exact data must not divide by zero. */
const MIN_SCALE_M = 1e-4;

/**
 * Fits a plane to a ring outside a polygon (the toe of a pile): iteratively reweighted least squares
 * from the plane of least median deviation (Rousseeuw 1984). Machines, blocks and spill on up to some
 * 45 % of the ring do not count, on one side of it as well. Same input, same plane.
 * @returns `undefined` when the ring has too few cells with data: near the edge of the survey.
 */
export function fitBasePlane(
  surface: HeightField,
  polygon: PlanPolygon,
  ringM = RING_M,
): BasePlane | undefined {
  const ring = ringCells(surface, polygon, ringM);
  const count = ring.length / 3;
  if (count < MIN_CELLS) return undefined;
  const centre = [0, 1, 2].map((k) => mean(ring, k));
  const [x0 = 0, y0 = 0, z0 = 0] = centre;
  let plane = startPlane(ring, centre);
  for (let round = 0; round < TUKEY_ROUNDS; round += 1) {
    const residuals = residualsOf(ring, centre, plane);
    const scale = Math.max(MIN_SCALE_M, MAD_TO_SIGMA * median(residuals.map(Math.abs)));
    const weights = residuals.map((residual) => {
      const u = residual / (TUKEY * scale);
      return Math.abs(u) < 1 ? (1 - u * u) ** 2 : 0;
    });
    const next = weightedPlane(ring, centre, weights);
    // All weight on one line: the plane before it is the last that the ring can tell.
    if (next === undefined) break;
    plane = next;
  }
  const residuals = residualsOf(ring, centre, plane).map(Math.abs);
  const nmadM = MAD_TO_SIGMA * median(residuals);
  const { a, b, c } = plane;
  return {
    kind: "plane",
    nmadM,
    slope: Math.hypot(a, b),
    cells: count,
    inlierShare: residuals.filter((r) => r <= 3 * Math.max(MIN_SCALE_M, nmadM)).length / count,
    heightAt: (x, y) => z0 + c + a * (x - x0) + b * (y - y0),
  };
}

/** z - z0 = c + a (x - x0) + b (y - y0). */
interface Plane {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** The plane through three of the cells that has the least median deviation from the others. */
function startPlane(ring: Float64Array, centre: readonly number[]): Plane {
  const count = ring.length / 3;
  const step = Math.max(1, Math.floor(count / START_SAMPLE));
  const sample = ring.filter((_, i) => Math.floor(i / 3) % step === 0);
  let best: Plane = { a: 0, b: 0, c: 0 };
  let least = Number.POSITIVE_INFINITY;
  let state = 1;
  for (let triple = 0; triple < START_TRIPLES; triple += 1) {
    const cells = [0, 1, 2].flatMap(() => {
      // Park & Miller's generator (1988): picks must be spread, and the same every time.
      state = (state * 48_271) % 2_147_483_647;
      const at = (state % count) * 3;
      return [...ring.subarray(at, at + 3)];
    });
    const plane = weightedPlane(Float64Array.from(cells), centre, Float64Array.of(1, 1, 1));
    if (plane === undefined) continue;
    const deviation = median(residualsOf(sample, centre, plane).map(Math.abs));
    if (deviation < least) {
      least = deviation;
      best = plane;
    }
  }
  return best;
}

/** Middles of the cells with data that the polygon does not touch and that lie within the ring: x, y, z. */
function ringCells(surface: HeightField, polygon: PlanPolygon, ringM: number): Float64Array {
  const { westM, northM, cellM, width, height, elevationM } = surface;
  const inside = polygonWeights(surface, polygon);
  const margin = Math.ceil(ringM / cellM) + 1;
  const ring: number[] = [];
  const rows = [inside.firstRow - margin, inside.firstRow + inside.height + margin] as const;
  const cols = [inside.firstCol - margin, inside.firstCol + inside.width + margin] as const;
  for (let row = Math.max(0, rows[0]); row < Math.min(height, rows[1]); row += 1) {
    const y = northM - (row + 0.5) * cellM;
    for (let col = Math.max(0, cols[0]); col < Math.min(width, cols[1]); col += 1) {
      const z = elevationM[row * width + col] ?? Number.NaN;
      if (Number.isNaN(z)) continue;
      const [r, c] = [row - inside.firstRow, col - inside.firstCol];
      const isInWindow = r >= 0 && c >= 0 && r < inside.height && c < inside.width;
      if (isInWindow && inside.share[r * inside.width + c] !== 0) continue;
      const x = westM + (col + 0.5) * cellM;
      if (distance2(polygon, x, y) < ringM * ringM) ring.push(x, y, z);
    }
  }
  return Float64Array.from(ring);
}

/** Squared distance to the polygon's line. */
function distance2(polygon: PlanPolygon, x: number, y: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < polygon.length; i += 1) {
    const from = polygon[i];
    const to = polygon[(i + 1) % polygon.length];
    if (from === undefined || to === undefined) continue;
    const ex = to[0] - from[0];
    const ey = to[1] - from[1];
    const length2 = ex * ex + ey * ey;
    const along = length2 === 0 ? 0 : ((x - from[0]) * ex + (y - from[1]) * ey) / length2;
    const t = Math.min(1, Math.max(0, along));
    nearest = Math.min(nearest, (x - from[0] - t * ex) ** 2 + (y - from[1] - t * ey) ** 2);
  }
  return nearest;
}

function weightedPlane(
  ring: Float64Array,
  [x0 = 0, y0 = 0, z0 = 0]: readonly number[],
  weights: Float64Array,
): Plane | undefined {
  let [n, sx, sy, sz, sxx, sxy, syy, sxz, syz] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < weights.length; i += 1) {
    const w = weights[i] ?? 0;
    const x = (ring[i * 3] ?? 0) - x0;
    const y = (ring[i * 3 + 1] ?? 0) - y0;
    const z = (ring[i * 3 + 2] ?? 0) - z0;
    n += w;
    sx += w * x;
    sy += w * y;
    sz += w * z;
    sxx += w * x * x;
    sxy += w * x * y;
    syy += w * y * y;
    sxz += w * x * z;
    syz += w * y * z;
  }
  if (!(n > 0)) return undefined;
  const [mx, my, mz] = [sx / n, sy / n, sz / n];
  const xx = sxx - n * mx * mx;
  const xy = sxy - n * mx * my;
  const yy = syy - n * my * my;
  const determinant = xx * yy - xy * xy;
  if (!(determinant > 1e-12 * xx * yy)) return undefined;
  const xz = sxz - n * mx * mz;
  const yz = syz - n * my * mz;
  const a = (xz * yy - yz * xy) / determinant;
  const b = (yz * xx - xz * xy) / determinant;
  return { a, b, c: mz - a * mx - b * my };
}

function residualsOf(
  ring: Float64Array,
  [x0 = 0, y0 = 0, z0 = 0]: readonly number[],
  { a, b, c }: Plane,
): Float64Array {
  return heightsOf(ring).map(
    (z, i) => z - z0 - c - a * ((ring[i * 3] ?? 0) - x0) - b * ((ring[i * 3 + 1] ?? 0) - y0),
  );
}

function heightsOf(ring: Float64Array): Float64Array {
  return Float64Array.from({ length: ring.length / 3 }, (_, i) => ring[i * 3 + 2] ?? 0);
}

function mean(ring: Float64Array, k: number): number {
  let sum = 0;
  for (let i = k; i < ring.length; i += 3) sum += ring[i] ?? 0;
  return sum / (ring.length / 3);
}

function median(values: Float64Array): number {
  const sorted = values.toSorted();
  return sorted[sorted.length >> 1] ?? 0;
}
