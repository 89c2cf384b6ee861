import { along, columnsOf, entry, isInView, radialOf, rowsOf } from "./camera/two-cells";

/**
 * A surface seen by an image, nearest first: rows of cells projected into a buffer coarser than the image, triangles
 * between them drawn by inverse depth, and the near side of edges grown. Places are worked out in double precision
 * and kept in single; `columns` is a multiple of 2.
 *
 * A row of projected cells is `columns` pairs of f32, the place across and down in the buffer's pixels, then
 * `columns` f32: 1 / distance along the view, NaN where the cell is not in view.
 *
 * A camera is 23 f64: those of `camera/two-cells.ts`, then [20] west edge of the surface, [21] edge of a cell, metres;
 * [22] pixels for one of the buffer.
 */

/**
 * Projects `columns` cells of a row of the surface, from column `first` on, into `out`. `heights`: f32, NaN = none.
 * `north`: of their middles from the camera, metres. Gives 1 when one of them is in view.
 */
export function projectRow(
  heights: usize,
  columns: i32,
  first: i32,
  north: f64,
  camera: usize,
  out: usize,
): i32 {
  const inverses = out + ((<usize>columns) << 3);
  const one = f64x2.splat(1);
  const two = f64x2.splat(2);
  const half = f64x2.splat(0.5);
  const dy = f64x2.splat(north);
  const step = entry(camera, 22);
  let column = f64x2.add(f64x2.splat(<f64>first), f64x2(0.5, 1.5));
  let anyInView = 0;
  for (let col: usize = 0; col < <usize>columns; col += 2) {
    const east = f64x2.add(entry(camera, 20), f64x2.mul(column, entry(camera, 21)));
    const dx = f64x2.sub(east, entry(camera, 17));
    const height = f64x2.promote_low_f32x4(v128.load_zero<u64>(heights + (col << 2)));
    const dz = f64x2.sub(height, entry(camera, 19));
    column = f64x2.add(column, two);
    const depth = along(camera, 2, dx, dy, dz);
    const inverse = f64x2.div(one, depth);
    const x = f64x2.mul(along(camera, 0, dx, dy, dz), inverse);
    const y = f64x2.mul(along(camera, 1, dx, dy, dz), inverse);
    const q = f64x2.add(f64x2.mul(x, x), f64x2.mul(y, y));
    // Also false where the height is NaN.
    const inView = isInView(camera, depth, q);
    anyInView |= i64x2.bitmask(inView);
    const radial = radialOf(camera, q);
    const u = columnsOf(camera, x, y, q, radial);
    const v = rowsOf(camera, x, y, q, radial);
    const across = f64x2.sub(f64x2.div(f64x2.add(u, half), step), half);
    const down = f64x2.sub(f64x2.div(f64x2.add(v, half), step), half);
    const acrossTwo = f32x4.demote_f64x2_zero(across);
    const downTwo = f32x4.demote_f64x2_zero(down);
    v128.store(out + (col << 3), v128.shuffle<f32>(acrossTwo, downTwo, 0, 4, 1, 5));
    const kept = v128.bitselect(inverse, f64x2.splat(NaN), inView);
    v128.store_lane<u64>(inverses + (col << 2), f32x4.demote_f64x2_zero(kept), 0);
  }
  return anyInView === 0 ? 0 : 1;
}

/** The place of a projected cell, in the lower two lanes. */
function place(row: usize, col: usize): v128 {
  return v128.load_zero<u64>(row + (col << 3));
}

/**
 * Draws two triangles for every four neighbouring cells of two rows, one where a single cell is missing, into a
 * buffer of `width * height` f32 whose rows are `stride` values apart.
 */
export function drawStrip(
  upper: usize,
  lower: usize,
  columns: i32,
  buffer: usize,
  width: i32,
  height: i32,
  stride: i32,
): void {
  const upperInverses = upper + ((<usize>columns) << 3);
  const lowerInverses = lower + ((<usize>columns) << 3);
  const last = f32x4(<f32>(width - 1), <f32>(height - 1), 0, 0);
  let nw: f32 = load<f32>(upperInverses);
  let sw: f32 = load<f32>(lowerInverses);
  for (let col: usize = 1; col < <usize>columns; col++) {
    const ne: f32 = load<f32>(upperInverses + (col << 2));
    const se: f32 = load<f32>(lowerInverses + (col << 2));
    const atNw = place(upper, col - 1);
    const atNe = place(upper, col);
    const atSw = place(lower, col - 1);
    const atSe = place(lower, col);
    // The diagonal goes where both of its ends have data; comparisons with NaN are false.
    if (nw > 0 && se > 0) {
      if (ne > 0) drawTriangle(buffer, stride, last, atNw, nw, atNe, ne, atSe, se);
      if (sw > 0) drawTriangle(buffer, stride, last, atNw, nw, atSe, se, atSw, sw);
    } else if (ne > 0 && sw > 0) {
      if (nw > 0) drawTriangle(buffer, stride, last, atNw, nw, atNe, ne, atSw, sw);
      else if (se > 0) drawTriangle(buffer, stride, last, atNe, ne, atSe, se, atSw, sw);
    }
    nw = ne;
    sw = se;
  }
}

/** Corners by place and inverse depth; the nearer surface stays. `last`: column and row of the last pixel. */
function drawTriangle(
  buffer: usize,
  stride: i32,
  last: v128,
  a: v128,
  za: f64,
  b: v128,
  zb: f64,
  c: v128,
  zc: f64,
): void {
  // Columns in the first lane, rows in the second.
  const least = f32x4.pmin(f32x4.pmin(a, b), c);
  const most = f32x4.pmax(f32x4.pmax(a, b), c);
  const from = f32x4.pmax(f32x4.ceil(least), f32x4.splat(0));
  const to = f32x4.pmin(f32x4.floor(most), last);
  if (v128.any_true(f32x4.gt(from, to))) return;
  const onePlace = f64x2.promote_low_f32x4(a);
  const ax = f64x2.extract_lane(onePlace, 0);
  const ay = f64x2.extract_lane(onePlace, 1);
  const ab = f64x2.sub(f64x2.promote_low_f32x4(b), onePlace);
  const ac = f64x2.sub(f64x2.promote_low_f32x4(c), onePlace);
  const abX = f64x2.extract_lane(ab, 0);
  const abY = f64x2.extract_lane(ab, 1);
  const acX = f64x2.extract_lane(ac, 0);
  const acY = f64x2.extract_lane(ac, 1);
  const area = abX * acY - abY * acX;
  if (area === 0) return;
  const scale = 1 / area;
  // Weights of the second and third corner are linear: their steps along x and along y.
  const bAlong = acY * scale;
  const bDown = -acX * scale;
  const cAlong = -abY * scale;
  const cDown = abX * scale;
  const left = <i32>f32x4.extract_lane(from, 0);
  const right = <i32>f32x4.extract_lane(to, 0);
  const bottom = <i32>f32x4.extract_lane(to, 1);
  for (let y = <i32>f32x4.extract_lane(from, 1); y <= bottom; y++) {
    let wb = (<f64>left - ax) * bAlong + (<f64>y - ay) * bDown;
    let wc = (<f64>left - ax) * cAlong + (<f64>y - ay) * cDown;
    let at = buffer + ((<usize>(y * stride + left)) << 2);
    for (let x = left; x <= right; x++) {
      if (wb >= 0 && wc >= 0 && wb + wc <= 1) {
        const inverse = za + wb * (zb - za) + wc * (zc - za);
        if (inverse > <f64>load<f32>(at)) store<f32>(at, <f32>inverse);
      }
      wb += bAlong;
      wc += cAlong;
      at += 4;
    }
  }
}

/**
 * Where the largest of the nine pixels around one is nearer by more than the share `keep`, it takes its place. The
 * rows of `buffer` are `stride` values apart, a multiple of 4 above `width`; those beyond `width`, and the four
 * before the buffer, are 0. `rows` is as large. `out`: rows of `width` values, with room for three more.
 */
export function growNearSide(
  buffer: usize,
  width: i32,
  height: i32,
  stride: i32,
  keep: f64,
  rows: usize,
  out: usize,
): void {
  const rowBytes = (<usize>stride) << 2;
  const bytes = rowBytes * <usize>height;
  for (let at: usize = 0; at < bytes; at += 16) {
    const beside = f32x4.pmax(v128.load(buffer + at - 4), v128.load(buffer + at + 4));
    v128.store(rows + at, f32x4.pmax(beside, v128.load(buffer + at)));
  }
  const share = f64x2.splat(keep);
  const outBytes = (<usize>width) << 2;
  for (let y = 0; y < height; y++) {
    const middle = rows + <usize>y * rowBytes;
    const above = y > 0 ? middle - rowBytes : middle;
    const below = y + 1 < height ? middle + rowBytes : middle;
    const own = buffer + <usize>y * rowBytes;
    const to = out + <usize>y * outBytes;
    // What is written beyond a row is overwritten by the next.
    for (let x: usize = 0; x < outBytes; x += 16) {
      const beside = f32x4.pmax(v128.load(above + x), v128.load(below + x));
      const nearest = f32x4.pmax(beside, v128.load(middle + x));
      const value = v128.load(own + x);
      const isBehind = v128.shuffle<i32>(
        isBelow(value, nearest, share),
        isBelow(upperHalf(value), upperHalf(nearest), share),
        0,
        2,
        4,
        6,
      );
      v128.store(to + x, v128.bitselect(nearest, value, isBehind));
    }
  }
}

function upperHalf(values: v128): v128 {
  return v128.shuffle<f32>(values, values, 2, 3, 2, 3);
}

/** Which of the lower two values are below that share of the other two, in 64 bits each. */
function isBelow(values: v128, others: v128, share: v128): v128 {
  const limit = f64x2.mul(f64x2.promote_low_f32x4(others), share);
  return f64x2.lt(f64x2.promote_low_f32x4(values), limit);
}
