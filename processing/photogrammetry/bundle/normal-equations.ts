import {
  type BundleProblem,
  CAMERA_UNKNOWNS,
  LENS_UNKNOWNS,
  layoutOf,
  type UnknownLayout,
} from "./bundle-problem.ts";

/** Numbers in the tile of two cameras: 6x6, row-major. */
export const TILE = CAMERA_UNKNOWNS * CAMERA_UNKNOWNS;

/**
 * The reduced normal equations, S x = rhs, while terms are added. Cameras are kept as tiles of 36
 * numbers, so that what two cameras share lies in 5 cache lines and not in six rows of a wide matrix;
 * everything else (lenses, bias, marked points) is a border of full rows below them.
 */
export interface NormalEquations {
  readonly layout: UnknownLayout;
  /**
   * Tile of cameras a >= b at `(tileRow[a] + b) * TILE`, from b = `nearest[a]` on; of a tile a = b only the
   * lower triangle counts.
   */
  readonly tiles: Float64Array;
  readonly tileRow: Int32Array;
  /** First camera that sees a point in common with each camera: itself where none before it does. */
  readonly nearest: Int32Array;
  /** Rows from `lensOffset` on, `size` numbers each; only columns up to the diagonal count. */
  readonly border: Float64Array;
  readonly rhs: Float64Array;
  /** Unknowns that stay as they are. */
  readonly held: Uint8Array;
}

export function createNormalEquations(
  problem: BundleProblem,
  holdLenses: boolean,
): NormalEquations {
  const layout = layoutOf(problem);
  const { cameras, size, lensOffset, biasOffset } = layout;
  const nearest = nearestCameras(problem, cameras);
  const tileRow = new Int32Array(cameras);
  let tileCount = 0;
  for (let a = 0; a < cameras; a += 1) {
    tileRow[a] = tileCount - (nearest[a] ?? 0);
    tileCount += a + 1 - (nearest[a] ?? 0);
  }
  const held = new Uint8Array(size);
  problem.priors.lensSigma.forEach((sigma, i) => {
    if (holdLenses || sigma <= 0) held[lensOffset + i] = 1;
  });
  problem.priors.biasSigma.forEach((sigma, axis) => {
    if (sigma <= 0) held[biasOffset + axis] = 1;
  });
  return {
    layout,
    tiles: new Float64Array(tileCount * TILE),
    tileRow,
    nearest,
    border: new Float64Array((size - lensOffset) * size),
    rhs: new Float64Array(size),
    held,
  };
}

function nearestCameras({ observations }: BundleProblem, cameras: number): Int32Array {
  const nearest = Int32Array.from({ length: cameras }, (_, camera) => camera);
  let first = 0;
  observations.camera.forEach((camera, k) => {
    // Sorted by point, then by camera.
    if (k === 0 || observations.point[k] !== observations.point[k - 1]) first = camera;
    nearest[camera] = Math.min(nearest[camera] ?? 0, first);
  });
  return nearest;
}

export function clearNormalEquations({ tiles, border, rhs }: NormalEquations): void {
  tiles.fill(0);
  border.fill(0);
  rhs.fill(0);
}

/**
 * Adds one image of one point to what cameras and lenses have among themselves: J' w J and -J' w r of
 * a linearised observation (`observation-jacobian.ts`).
 */
export function addObservation(
  { layout, tiles, tileRow, border, rhs }: NormalEquations,
  camera: number,
  lens: number,
  jacobian: Float64Array,
  weight: number,
): void {
  const cameraSize = CAMERA_UNKNOWNS;
  const lensSize = LENS_UNKNOWNS;
  const tile = ((tileRow[camera] ?? 0) + camera) * TILE;
  const column = camera * cameraSize;
  const ru = weight * (jacobian[26] ?? 0);
  const rv = weight * (jacobian[27] ?? 0);
  for (let i = 0; i < cameraSize; i += 1) {
    const wu = weight * (jacobian[i] ?? 0);
    const wv = weight * (jacobian[6 + i] ?? 0);
    const at = tile + i * cameraSize;
    for (let j = 0; j <= i; j += 1) {
      tiles[at + j] = (tiles[at + j] ?? 0) + wu * (jacobian[j] ?? 0) + wv * (jacobian[6 + j] ?? 0);
    }
    rhs[column + i] =
      (rhs[column + i] ?? 0) - (jacobian[i] ?? 0) * ru - (jacobian[6 + i] ?? 0) * rv;
  }
  const lensColumn = layout.lensOffset + lens * lensSize;
  for (let i = 0; i < lensSize; i += 1) {
    const lu = jacobian[12 + i] ?? 0;
    const lv = jacobian[19 + i] ?? 0;
    const wu = weight * lu;
    const wv = weight * lv;
    const row = (lens * lensSize + i) * layout.size;
    for (let j = 0; j < cameraSize; j += 1) {
      const at = row + column + j;
      border[at] = (border[at] ?? 0) + wu * (jacobian[j] ?? 0) + wv * (jacobian[6 + j] ?? 0);
    }
    for (let j = 0; j <= i; j += 1) {
      const at = row + lensColumn + j;
      border[at] = (border[at] ?? 0) + wu * (jacobian[12 + j] ?? 0) + wv * (jacobian[19 + j] ?? 0);
    }
    rhs[lensColumn + i] = (rhs[lensColumn + i] ?? 0) - lu * ru - lv * rv;
  }
}

/** Adds to one entry of the matrix, by unknowns; `row >= column`, within one camera or in the border. */
export function addEntry(
  { layout, tiles, tileRow, border }: NormalEquations,
  row: number,
  column: number,
  value: number,
): void {
  if (row >= layout.lensOffset) {
    const at = (row - layout.lensOffset) * layout.size + column;
    border[at] = (border[at] ?? 0) + value;
    return;
  }
  const camera = Math.floor(row / CAMERA_UNKNOWNS);
  const first = camera * CAMERA_UNKNOWNS;
  const tile = ((tileRow[camera] ?? 0) + camera) * TILE;
  const at = tile + (row - first) * CAMERA_UNKNOWNS + column - first;
  tiles[at] = (tiles[at] ?? 0) + value;
}

/** Adds a squared residual `weight r^2` whose derivative by each listed unknown (ascending) is given. */
export function addResidual(
  normal: NormalEquations,
  unknowns: readonly number[],
  derivatives: readonly number[],
  residual: number,
  weight: number,
): void {
  unknowns.forEach((row, i) => {
    const scaled = weight * (derivatives[i] ?? 0);
    for (let j = 0; j <= i; j += 1) {
      addEntry(normal, row, unknowns[j] ?? 0, scaled * (derivatives[j] ?? 0));
    }
    normal.rhs[row] = (normal.rhs[row] ?? 0) - scaled * residual;
  });
}
