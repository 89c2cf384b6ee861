import type { HeightRange } from "../../grid/elevation-at.ts";
import type { HeightField } from "../../grid/elevation-grid.ts";
import type { Intrinsics, Pose } from "../camera/camera.ts";
import { type CellRange, cellsInView } from "./cells-in-view.ts";
import { lensReach2 } from "./lens-reach.ts";

/** What an image sees first of the surface, at a coarser raster than the image's. */
export interface DepthBuffer {
  readonly width: number;
  readonly height: number;
  /** Edge of one of its pixels, pixels of the image. */
  readonly stepPx: number;
  /** 1 / distance along the view (1/m) of the nearest surface; 0 = nothing; row-major, top row first. */
  readonly inverseDepth: Float32Array;
  /**
   * A point is seen when its own inverse depth is at least this share of the buffer's: it may lie
   * {@link HIDDEN_STEPS} of the buffer's pixels behind what the pixel holds.
   */
  readonly keep: number;
}

/** Pixels of the image for one of the buffer; lower = sharper edges of shadows, more work. */
export const DEPTH_STEP_PX = 2;
/**
 * Tolerance of "behind", in the buffer's pixels on the ground: a slope of 63 degrees to the view passes. More
 * paints what lies just behind an edge, less hides slopes from views that see them.
 */
const HIDDEN_STEPS = 2;
/**
 * A step from pixel to pixel beyond this many of its own widths is an edge, not a slope (72 degrees). More takes
 * walls for slopes, less grows slopes as edges.
 */
const EDGE_STEPS = 3;
const MIN_DEPTH_M = 0.01;

/**
 * Draws the surface, as triangles between the middles of its cells, into a z-buffer of the image
 * (Amhar, Jansa & Ries 1998, "The generation of true orthophotos using a 3D building model"). Inverse
 * depth is linear across a plane's image, so that it is interpolated without perspective division.
 * At edges the near side is grown by one pixel: a surface from matching is soft there, and what
 * belongs to a roof must not be painted on the ground beside it.
 * @param heights of the whole surface
 */
export function drawDepthBuffer(
  surface: HeightField,
  heights: HeightRange,
  lens: Intrinsics,
  pose: Pose,
  stepPx = DEPTH_STEP_PX,
): DepthBuffer {
  const width = Math.ceil(lens.widthPx / stepPx);
  const height = Math.ceil(lens.heightPx / stepPx);
  const buffer = new Float32Array(width * height);
  const target = { inverseDepth: buffer, width, height };
  const range = cellsInView(surface, heights, lens, pose);
  const columns = Math.max(0, range.right - range.left);
  const project = rowProjector(surface, range, lens, pose, stepPx);
  let upper = projectedRow(columns);
  let lower = projectedRow(columns);
  project(range.top, upper);
  for (let row = range.top + 1; row < range.bottom; row += 1) {
    project(row, lower);
    if (lower.isVisible && upper.isVisible) drawStrip(upper, lower, columns, target);
    [upper, lower] = [lower, upper];
  }
  const stepRad = stepPx / lens.focalPx;
  return {
    width,
    height,
    stepPx,
    inverseDepth: growNearSide(buffer, width, height, 1 - EDGE_STEPS * stepRad),
    keep: 1 - HIDDEN_STEPS * stepRad,
  };
}

/** The cells in view of one row, in the buffer: position in its pixels and inverse depth; NaN = not in view. */
interface ProjectedRow {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly inverse: Float32Array;
  isVisible: boolean;
}

function projectedRow(columns: number): ProjectedRow {
  return {
    x: new Float32Array(columns),
    y: new Float32Array(columns),
    inverse: new Float32Array(columns),
    isVisible: false,
  };
}

function rowProjector(
  surface: HeightField,
  { left, right }: CellRange,
  lens: Intrinsics,
  { rotation, centre }: Pose,
  stepPx: number,
): (row: number, out: ProjectedRow) => void {
  const [r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0, r6 = 0, r7 = 0, r8 = 0] = rotation;
  const { focalPx: f, cxPx, cyPx, k1, k2, p1, p2 } = lens;
  const { cellM, westM, northM, width, elevationM } = surface;
  const reach2 = lensReach2(lens);
  return (row, out) => {
    const dy = northM - (row + 0.5) * cellM - centre[1];
    let isVisible = false;
    for (let cell = left; cell < right; cell += 1) {
      const col = cell - left;
      const dx = westM + (cell + 0.5) * cellM - centre[0];
      const dz = (elevationM[row * width + cell] ?? 0) - centre[2];
      const depth = r6 * dx + r7 * dy + r8 * dz;
      const inverse = 1 / depth;
      const x = (r0 * dx + r1 * dy + r2 * dz) * inverse;
      const y = (r3 * dx + r4 * dy + r5 * dz) * inverse;
      const q = x * x + y * y;
      // Also false when the height is NaN.
      if (!(depth > MIN_DEPTH_M && q < reach2)) {
        out.inverse[col] = Number.NaN;
        continue;
      }
      const radial = 1 + q * (k1 + k2 * q);
      const u = f * (x * radial + 2 * p1 * x * y + p2 * (q + 2 * x * x)) + cxPx;
      const v = f * (y * radial + p1 * (q + 2 * y * y) + 2 * p2 * x * y) + cyPx;
      out.x[col] = (u + 0.5) / stepPx - 0.5;
      out.y[col] = (v + 0.5) / stepPx - 0.5;
      out.inverse[col] = inverse;
      isVisible = true;
    }
    out.isVisible = isVisible;
  };
}

/** Two triangles for every four neighbouring cells; one where a single cell is missing. */
function drawStrip(
  upper: ProjectedRow,
  lower: ProjectedRow,
  columns: number,
  target: Target,
): void {
  const { x: ux, y: uy, inverse: uz } = upper;
  const { x: lx, y: ly, inverse: lz } = lower;
  for (let col = 1; col < columns; col += 1) {
    const nw = uz[col - 1] ?? 0;
    const ne = uz[col] ?? 0;
    const sw = lz[col - 1] ?? 0;
    const se = lz[col] ?? 0;
    const nwX = ux[col - 1] ?? 0;
    const nwY = uy[col - 1] ?? 0;
    const neX = ux[col] ?? 0;
    const neY = uy[col] ?? 0;
    const swX = lx[col - 1] ?? 0;
    const swY = ly[col - 1] ?? 0;
    const seX = lx[col] ?? 0;
    const seY = ly[col] ?? 0;
    // The diagonal goes where both of its ends have data; comparisons with NaN are false.
    if (nw > 0 && se > 0) {
      if (ne > 0) drawTriangle(target, nwX, nwY, nw, neX, neY, ne, seX, seY, se);
      if (sw > 0) drawTriangle(target, nwX, nwY, nw, seX, seY, se, swX, swY, sw);
    } else if (ne > 0 && sw > 0) {
      if (nw > 0) drawTriangle(target, nwX, nwY, nw, neX, neY, ne, swX, swY, sw);
      else if (se > 0) drawTriangle(target, neX, neY, ne, seX, seY, se, swX, swY, sw);
    }
  }
}

interface Target {
  readonly inverseDepth: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** Corners by position in the buffer and inverse depth; the nearer surface stays. */
function drawTriangle(
  { inverseDepth, width, height }: Target,
  ax: number,
  ay: number,
  za: number,
  bx: number,
  by: number,
  zb: number,
  cx: number,
  cy: number,
  zc: number,
): void {
  const left = Math.max(0, Math.ceil(ax < bx ? (ax < cx ? ax : cx) : bx < cx ? bx : cx));
  const right = Math.min(width - 1, Math.floor(ax > bx ? (ax > cx ? ax : cx) : bx > cx ? bx : cx));
  if (left > right) return;
  const top = Math.max(0, Math.ceil(ay < by ? (ay < cy ? ay : cy) : by < cy ? by : cy));
  const bottom = Math.min(
    height - 1,
    Math.floor(ay > by ? (ay > cy ? ay : cy) : by > cy ? by : cy),
  );
  if (top > bottom) return;
  const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  if (area === 0) return;
  const scale = 1 / area;
  // Weights of the second and third corner are linear: their steps along x and along y.
  const bAlong = (cy - ay) * scale;
  const bDown = (ax - cx) * scale;
  const cAlong = (ay - by) * scale;
  const cDown = (bx - ax) * scale;
  for (let y = top; y <= bottom; y += 1) {
    let wb = (left - ax) * bAlong + (y - ay) * bDown;
    let wc = (left - ax) * cAlong + (y - ay) * cDown;
    for (let x = left; x <= right; x += 1) {
      if (wb >= 0 && wc >= 0 && wb + wc <= 1) {
        const inverse = za + wb * (zb - za) + wc * (zc - za);
        const at = y * width + x;
        if (inverse > (inverseDepth[at] ?? 0)) inverseDepth[at] = inverse;
      }
      wb += bAlong;
      wc += cAlong;
    }
  }
}

function growNearSide(
  buffer: Float32Array,
  width: number,
  height: number,
  keep: number,
): Float32Array {
  const rows = new Float32Array(buffer.length);
  for (let y = 0; y < height; y += 1) {
    // The window slides: each pixel is read once. Beyond the edges nothing is seen.
    let before = 0;
    let own = buffer[y * width] ?? 0;
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      const after = x + 1 < width ? (buffer[at + 1] ?? 0) : 0;
      const larger = before > own ? before : own;
      rows[at] = larger > after ? larger : after;
      before = own;
      own = after;
    }
  }
  const grown = new Float32Array(buffer.length);
  for (let y = 0; y < height; y += 1) {
    const above = y > 0 ? -width : 0;
    const below = y + 1 < height ? width : 0;
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      const up = rows[at + above] ?? 0;
      const middle = rows[at] ?? 0;
      const down = rows[at + below] ?? 0;
      const larger = up > middle ? up : middle;
      const nearest = larger > down ? larger : down;
      const own = buffer[at] ?? 0;
      grown[at] = own < nearest * keep ? nearest : own;
    }
  }
  return grown;
}
