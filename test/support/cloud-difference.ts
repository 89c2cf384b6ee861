import type { ElevationGrid } from "../../processing/grid/elevation-grid.ts";

/** What is left between a cloud and a surface when place, scale and a quadratic trend are taken off. */
export interface CloudDifference {
  readonly points: number;
  readonly nmadM: number;
  /** Share of the points within 10 cm. */
  readonly within10Cm: number;
}

/** Shift east and north, scale less one, turn in rad: takes the cloud onto the surface. */
type Similarity = readonly [number, number, number, number];

const TREND_TERMS = 6;
/** Trend terms are of the order of one at this distance, metres. */
const TREND_REACH_M = 30;
const SLOPE_REACH_M = 0.3;
/** One of so many points is compared while the cloud is moved. */
const COARSE = 401;
const FINE = 23;
const ALL = 3;
const ROUNDS = 10;
/** Steps are shortened: slopes are those of the surface as it lies. */
const DAMPING = 0.7;

/**
 * Moves a cloud onto a surface: two programs place and bend one flight differently (see
 * docs/photogrammetry.md#real-flights). A plane similarity moves it, a quadratic trend lifts it, both fitted robustly. What is left is
 * what the two say of the ground itself.
 * @returns the moved points, ENU metres: x, y, z in turn
 */
export function cloudOnSurface(cloud: Float64Array, surface: ElevationGrid): Float64Array {
  let place: Similarity = [0, 0, 0, 0];
  for (const stepM of [1, 0.5, 0.25]) place = bestShift(cloud, surface, place, stepM);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { solution } = fitTrend(cloud, surface, place, FINE, true);
    const move = (i: 0 | 1 | 2 | 3) => place[i] + DAMPING * (solution[TREND_TERMS + i] ?? 0);
    place = [move(0), move(1), move(2), move(3)];
  }
  const { solution } = fitTrend(cloud, surface, place, ALL, false);
  const moved = new Float64Array(cloud.length);
  for (let i = 0; i < cloud.length; i += 3) {
    const [x, y] = placed(cloud, i, place);
    const lift = trendTerms(x, y).reduce((sum, term, k) => sum + term * (solution[k] ?? 0), 0);
    moved.set([x, y, (cloud[i + 2] ?? 0) - lift], i);
  }
  return moved;
}

/** Heights of a cloud that lies on the surface (`cloudOnSurface`) against the surface's. */
export function cloudDifference(moved: Float64Array, surface: ElevationGrid): CloudDifference {
  const differences: number[] = [];
  for (let i = 0; i < moved.length; i += 3 * ALL) {
    const z = heightAt(surface, moved[i] ?? 0, moved[i + 1] ?? 0);
    if (!Number.isNaN(z)) differences.push((moved[i + 2] ?? 0) - z);
  }
  const within = differences.filter((difference) => Math.abs(difference) <= 0.1).length;
  return {
    points: differences.length,
    nmadM: spread(Float64Array.from(differences)),
    within10Cm: within / differences.length,
  };
}

/** Place in plan of a point of the cloud. */
function placed(
  cloud: Float64Array,
  at: number,
  [east, north, scale, turn]: Similarity,
): readonly [number, number] {
  const [x, y] = [cloud[at] ?? 0, cloud[at + 1] ?? 0];
  return [x * (1 + scale) - turn * y + east, y * (1 + scale) + turn * x + north];
}

function trendTerms(x: number, y: number): readonly number[] {
  const [u, v] = [x / TREND_REACH_M, y / TREND_REACH_M];
  return [1, u, v, u * u, u * v, v * v];
}

function bestShift(
  cloud: Float64Array,
  surface: ElevationGrid,
  [east, north]: Similarity,
  stepM: number,
): Similarity {
  let best: Similarity = [east, north, 0, 0];
  let least = Number.POSITIVE_INFINITY;
  for (let i = -3; i <= 3; i += 1) {
    for (let j = -3; j <= 3; j += 1) {
      const place: Similarity = [east + i * stepM, north + j * stepM, 0, 0];
      const value = spread(fitTrend(cloud, surface, place, COARSE, false).residuals);
      if (value < least) [best, least] = [place, value];
    }
  }
  return best;
}

/** Height differences as a trend, and with `moves` as shift, scale and turn; Cauchy-like weights. */
function fitTrend(
  cloud: Float64Array,
  surface: ElevationGrid,
  place: Similarity,
  every: number,
  moves: boolean,
): { readonly solution: Float64Array; readonly residuals: Float64Array } {
  const rows: Float64Array[] = [];
  const differences: number[] = [];
  for (let i = 0; i < cloud.length; i += 3 * every) {
    const [x, y] = placed(cloud, i, place);
    const z = heightAt(surface, x, y);
    const slope = (dx: number, dy: number) =>
      (heightAt(surface, x + dx, y + dy) - heightAt(surface, x - dx, y - dy)) / (2 * SLOPE_REACH_M);
    const [gx, gy] = moves ? [slope(SLOPE_REACH_M, 0), slope(0, SLOPE_REACH_M)] : [0, 0];
    if (Number.isNaN(z + gx + gy)) continue;
    const trend = trendTerms(x, y);
    rows.push(
      Float64Array.from(moves ? [...trend, gx, gy, gx * x + gy * y, gy * x - gx * y] : trend),
    );
    differences.push((cloud[i + 2] ?? 0) - z);
  }
  const size = moves ? TREND_TERMS + 4 : TREND_TERMS;
  const solution = new Float64Array(size);
  solution[0] = median(Float64Array.from(differences));
  let residuals = new Float64Array(differences.length);
  for (let round = 0; round < 12; round += 1) {
    residuals = residuals.map((_, k) => {
      const row = rows[k] ?? new Float64Array(size);
      return (differences[k] ?? 0) - row.reduce((sum, a, c) => sum + a * (solution[c] ?? 0), 0);
    });
    const step = weightedStep(rows, residuals, 1.5 * spread(residuals), size);
    for (let c = 0; c < size; c += 1) solution[c] = (solution[c] ?? 0) + (step[c] ?? 0);
  }
  return { solution, residuals };
}

function weightedStep(
  rows: readonly Float64Array[],
  residuals: Float64Array,
  limit: number,
  size: number,
): Float64Array {
  const stride = size + 1;
  const normal = new Float64Array(size * stride);
  const add = (at: number, value: number) => {
    normal[at] = (normal[at] ?? 0) + value;
  };
  for (const [k, row] of rows.entries()) {
    const residual = residuals[k] ?? 0;
    const weight = 1 / (1 + (residual / limit) ** 2) ** 2;
    for (let a = 0; a < size; a += 1) {
      for (let b = 0; b < size; b += 1) {
        add(a * stride + b, weight * (row[a] ?? 0) * (row[b] ?? 0));
      }
      add(a * stride + size, weight * (row[a] ?? 0) * residual);
    }
  }
  for (let c = 0; c < size; c += 1) {
    add(c * stride + c, 1e-6);
    for (let q = 0; q < size; q += 1) {
      if (q === c) continue;
      const factor = (normal[q * stride + c] ?? 0) / (normal[c * stride + c] ?? 1);
      for (let k = c; k < stride; k += 1)
        add(q * stride + k, -factor * (normal[c * stride + k] ?? 0));
    }
  }
  return Float64Array.from(
    { length: size },
    (_, c) => (normal[c * stride + size] ?? 0) / (normal[c * stride + c] ?? 1),
  );
}

function heightAt(
  { westM, northM, cellM, width, height, elevationM }: ElevationGrid,
  x: number,
  y: number,
) {
  const column = (x - westM) / cellM - 0.5;
  const row = (northM - y) / cellM - 0.5;
  const [i, j] = [Math.floor(column), Math.floor(row)];
  if (!(i >= 0 && j >= 0 && i + 1 < width && j + 1 < height)) return Number.NaN;
  const at = (c: number, r: number) => elevationM[r * width + c] ?? Number.NaN;
  const [p, q] = [column - i, row - j];
  return (
    (at(i, j) * (1 - p) + at(i + 1, j) * p) * (1 - q) +
    (at(i, j + 1) * (1 - p) + at(i + 1, j + 1) * p) * q
  );
}

function spread(residuals: Float64Array): number {
  return residuals.length === 0
    ? Number.POSITIVE_INFINITY
    : 1.4826 * median(residuals.map(Math.abs));
}

function median(values: Float64Array): number {
  return values.slice().sort()[values.length >> 1] ?? 0;
}
