/**
 * Dense matching of one tile of a height field: images warped onto the surface at one height, their
 * correlation in windows, and semi-global aggregation over heights. A sheet is a block of
 * `columns * rows` values of the tile's cells, north row first; `columns` is a multiple of 4.
 *
 * A camera is 19 f32: [0..2] the camera's x, y, z of the middle of the first cell at height 0 of the
 * sheet; what they change by [3..5] one column east, [6..8] one row south, [9..11] one metre up;
 * [12] focal length, [13, 14] centre in pixels of the piece of image given, [15..18] k1, k2, p1, p2.
 */

/** Warped grey levels are kept in eighths, so that sums down a column are whole numbers below 2^24. */
const EIGHTHS: f32 = 8;
/** Costs are unsigned 16 bit; one unit of correlation is this many steps. */
const COST_STEPS: f32 = 4000;
/** What a cell costs that no two images see: the same at all heights, so its neighbours decide. */
const UNSEEN_COST: u16 = 2800;
/** Correlations below this count as this: opposed is not worse than uncorrelated. */
const MIN_CORRELATION: f32 = -0.2;

/** Where four neighbouring cells at `height` appear: u to `at`, v after it; lanes: in front of the camera. */
function projectFour(camera: usize, column: f32, row: f32, heights: v128, at: usize): v128 {
  const i = f32x4.add(f32x4.splat(column), f32x4(0, 1, 2, 3));
  const j = f32x4.splat(row);
  const x = along(camera, i, j, heights);
  const y = along(camera + 4, i, j, heights);
  const z = along(camera + 8, i, j, heights);
  const one = f32x4.splat(1);
  const inverse = f32x4.div(one, f32x4.max(z, f32x4.splat(0.01)));
  const px = f32x4.mul(x, inverse);
  const py = f32x4.mul(y, inverse);
  const xx = f32x4.mul(px, px);
  const yy = f32x4.mul(py, py);
  const r2 = f32x4.add(xx, yy);
  const k = f32x4.add(v128.load32_splat(camera, 60), f32x4.mul(v128.load32_splat(camera, 64), r2));
  const radial = f32x4.add(one, f32x4.mul(r2, k));
  const p1 = v128.load32_splat(camera, 68);
  const p2 = v128.load32_splat(camera, 72);
  const two = f32x4.splat(2);
  const xy2 = f32x4.mul(two, f32x4.mul(px, py));
  const du = f32x4.add(f32x4.mul(p1, xy2), f32x4.mul(p2, f32x4.add(r2, f32x4.mul(two, xx))));
  const dv = f32x4.add(f32x4.mul(p2, xy2), f32x4.mul(p1, f32x4.add(r2, f32x4.mul(two, yy))));
  const focal = v128.load32_splat(camera, 48);
  const u = f32x4.add(f32x4.mul(px, radial), du);
  const v = f32x4.add(f32x4.mul(py, radial), dv);
  v128.store(at, f32x4.add(f32x4.mul(focal, u), v128.load32_splat(camera, 52)));
  v128.store(at, f32x4.add(f32x4.mul(focal, v), v128.load32_splat(camera, 56)), 16);
  return f32x4.gt(z, f32x4.splat(0.01));
}

/** One axis of the camera, of four cells. */
function along(axis: usize, i: v128, j: v128, heights: v128): v128 {
  return f32x4.add(
    f32x4.add(v128.load32_splat(axis), f32x4.mul(v128.load32_splat(axis, 36), heights)),
    f32x4.add(f32x4.mul(v128.load32_splat(axis, 12), i), f32x4.mul(v128.load32_splat(axis, 24), j)),
  );
}

/**
 * Takes `bit` from the mask (one byte a cell) of the cells that, at `dz` above the surface, lie
 * outside the piece of image of `width * height` pixels. `scratch`: 32 bytes.
 */
export function clipMask(
  surface: usize,
  columns: i32,
  rows: i32,
  camera: usize,
  width: i32,
  height: i32,
  dz: f32,
  bit: i32,
  mask: usize,
  scratch: usize,
): void {
  const zero = f32x4.splat(0);
  const maxU = f32x4.splat(<f32>(width - 1));
  const maxV = f32x4.splat(<f32>(height - 1));
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i += 4) {
      const cell = <usize>(j * columns + i);
      const heights = f32x4.add(v128.load(surface + (cell << 2)), f32x4.splat(dz));
      const ahead = projectFour(camera, <f32>i, <f32>j, heights, scratch);
      const u = v128.load(scratch);
      const v = v128.load(scratch, 16);
      const inU = v128.and(f32x4.ge(u, zero), f32x4.lt(u, maxU));
      const inV = v128.and(f32x4.ge(v, zero), f32x4.lt(v, maxV));
      const lanes = i32x4.bitmask(v128.and(ahead, v128.and(inU, inV)));
      for (let lane = 0; lane < 4; lane++) {
        if ((lanes >> lane) & 1) continue;
        const at = mask + cell + <usize>lane;
        store<u8>(at, load<u8>(at) & ~(<u8>bit));
      }
    }
  }
}

/**
 * Grey levels of the piece of image where it shows the cells at `dz` above the surface, bilinear, less
 * `mean`, in eighths, whole numbers as f32. Cells outside take the nearest pixel (the mask marks them).
 */
export function warp(
  surface: usize,
  columns: i32,
  rows: i32,
  camera: usize,
  pixels: usize,
  width: i32,
  height: i32,
  dz: f32,
  mean: f32,
  sheet: usize,
  scratch: usize,
): void {
  const zero = f32x4.splat(0);
  const maxU = f32x4.splat(<f32>(width - 1) - 0.01);
  const maxV = f32x4.splat(<f32>(height - 1) - 0.01);
  const stride = i32x4.splat(width);
  const byte = i32x4.splat(255);
  const below = pixels + <usize>width;
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i += 4) {
      const cell = (<usize>(j * columns + i)) << 2;
      const heights = f32x4.add(v128.load(surface + cell), f32x4.splat(dz));
      projectFour(camera, <f32>i, <f32>j, heights, scratch);
      const u = f32x4.min(f32x4.max(v128.load(scratch), zero), maxU);
      const v = f32x4.min(f32x4.max(v128.load(scratch, 16), zero), maxV);
      const column = i32x4.trunc_sat_f32x4_s(u);
      const row = i32x4.trunc_sat_f32x4_s(v);
      const a = f32x4.sub(u, f32x4.convert_i32x4_s(column));
      const b = f32x4.sub(v, f32x4.convert_i32x4_s(row));
      const at = i32x4.add(i32x4.mul(row, stride), column);
      // The four pixels around a place become the four bytes of a lane.
      const at0 = <usize>i32x4.extract_lane(at, 0);
      const at1 = <usize>i32x4.extract_lane(at, 1);
      const at2 = <usize>i32x4.extract_lane(at, 2);
      const at3 = <usize>i32x4.extract_lane(at, 3);
      let four = v128.load_zero<u32>(pixels + at0);
      four = v128.load_lane<u16>(below + at0, four, 1);
      four = v128.load_lane<u16>(pixels + at1, four, 2);
      four = v128.load_lane<u16>(below + at1, four, 3);
      four = v128.load_lane<u16>(pixels + at2, four, 4);
      four = v128.load_lane<u16>(below + at2, four, 5);
      four = v128.load_lane<u16>(pixels + at3, four, 6);
      four = v128.load_lane<u16>(below + at3, four, 7);
      const p00 = f32x4.convert_i32x4_s(v128.and(four, byte));
      const p10 = f32x4.convert_i32x4_s(v128.and(i32x4.shr_u(four, 8), byte));
      const p01 = f32x4.convert_i32x4_s(v128.and(i32x4.shr_u(four, 16), byte));
      const p11 = f32x4.convert_i32x4_s(i32x4.shr_u(four, 24));
      const top = f32x4.add(p00, f32x4.mul(a, f32x4.sub(p10, p00)));
      const bottom = f32x4.add(p01, f32x4.mul(a, f32x4.sub(p11, p01)));
      const grey = f32x4.add(top, f32x4.mul(b, f32x4.sub(bottom, top)));
      const centred = f32x4.mul(f32x4.sub(grey, f32x4.splat(mean)), f32x4.splat(EIGHTHS));
      v128.store(sheet + cell, f32x4.nearest(centred));
    }
  }
}

/** Sum of the four windows of `2 * radius + 1` columns around `at` and the three cells east of it. */
function windowSum(at: usize, radius: i32): v128 {
  let sum = v128.load(at);
  for (let d = <usize>(radius << 2); d > 0; d -= 4) {
    sum = f32x4.add(sum, f32x4.add(v128.load(at - d), v128.load(at + d)));
  }
  return sum;
}

/** Adds `sign` x the products of two rows to the column sums. */
function addProducts(sums: usize, a: usize, b: usize, bytes: usize, sign: f32): void {
  const factor = f32x4.splat(sign);
  for (let x: usize = 0; x < bytes; x += 16) {
    const product = f32x4.mul(v128.load(a + x), v128.load(b + x));
    v128.store(sums + x, f32x4.add(v128.load(sums + x), f32x4.mul(factor, product)));
  }
}

/** Adds `sign` x a row to the column sums. */
function addRow(sums: usize, a: usize, bytes: usize, sign: f32): void {
  const factor = f32x4.splat(sign);
  for (let x: usize = 0; x < bytes; x += 16) {
    v128.store(sums + x, f32x4.add(v128.load(sums + x), f32x4.mul(factor, v128.load(a + x))));
  }
}

/** Lets row `j` of all sheets into the column sums (`sign` 1) or takes it out (-1). */
function slide(
  sheets: usize,
  views: i32,
  sheetBytes: usize,
  rowBytes: usize,
  j: i32,
  pairs: usize,
  pairCount: i32,
  sums: usize,
  sign: f32,
): void {
  const row = sheets + <usize>j * rowBytes;
  for (let m = 0; m < views; m++) {
    const at = row + <usize>m * sheetBytes;
    addRow(sums, at, rowBytes, sign);
    addProducts(sums + rowBytes, at, at, rowBytes, sign);
    sums += 2 * rowBytes;
  }
  for (let p = 0; p < pairCount; p++) {
    const a = row + <usize>load<i32>(pairs + ((<usize>p) << 4)) * sheetBytes;
    const b = row + <usize>load<i32>(pairs + ((<usize>p) << 4), 4) * sheetBytes;
    addProducts(sums, a, b, rowBytes, sign);
    sums += rowBytes;
  }
}

/**
 * Cost of one height for every cell of the tile: 1 less the mean of the best correlations of the
 * pairs of views that see it, windows of `2 * radius + 1` cells (radius <= 3). Cells nearer than 4 to
 * the tile's border keep what their cost was before.
 *
 * `pairs`: 16 bytes each: the two views, the two bits of them in the mask, 0 (i32). `keep`: of each
 * mask value how many correlations count (f32, 256). `full`: the mask of all views. `scratch`:
 * `(2 * views + pairs) * columns` f32 for column sums, then `2 * views * 4 + pairs * 4` f32.
 * `cost`: u16, `heights` a cell, of which the one at index `k` is written.
 */
export function correlate(
  sheets: usize,
  views: i32,
  columns: i32,
  rows: i32,
  mask: usize,
  full: i32,
  pairs: usize,
  pairCount: i32,
  keep: usize,
  maxKeep: i32,
  radius: i32,
  minVariance: f32,
  scratch: usize,
  cost: usize,
  heights: i32,
  k: i32,
): void {
  const rowBytes = (<usize>columns) << 2;
  const sheetBytes = rowBytes * <usize>rows;
  const blocks = <usize>(2 * views + pairCount);
  memory.fill(scratch, 0, blocks * rowBytes);
  const spread = scratch + blocks * rowBytes;
  const found = spread + ((<usize>(2 * views)) << 4);
  const side = 2 * radius + 1;
  const cells = <f32>(side * side);
  const perCell = f32x4.splat(1 / cells);
  const least = f32x4.splat(minVariance * cells * EIGHTHS * EIGHTHS);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const floor = f32x4.splat(MIN_CORRELATION);
  const none = f32x4.splat(-2);
  const everybody = full * 0x01010101;
  for (let j = 0; j < rows; j++) {
    slide(sheets, views, sheetBytes, rowBytes, j, pairs, pairCount, scratch, 1);
    const y = j - radius;
    if (j > 2 * radius) {
      const old = j - 2 * radius - 1;
      slide(sheets, views, sheetBytes, rowBytes, old, pairs, pairCount, scratch, -1);
    }
    if (y < 4 || y >= rows - 4) continue;
    for (let x = 4; x < columns - 4; x += 4) {
      const cell = <usize>(y * columns + x);
      const seen = load<i32>(mask + cell);
      if (seen === 0) continue;
      let at = scratch + ((<usize>x) << 2);
      for (let m = 0; m < views; m++) {
        const sum = windowSum(at, radius);
        const squares = windowSum(at + rowBytes, radius);
        const variance = f32x4.sub(squares, f32x4.mul(f32x4.mul(sum, sum), perCell));
        const lively = f32x4.gt(variance, least);
        const inverse = f32x4.div(one, f32x4.sqrt(f32x4.max(variance, least)));
        v128.store(spread + ((<usize>m) << 5), sum);
        v128.store(spread + ((<usize>m) << 5), v128.and(inverse, lively), 16);
        at += 2 * rowBytes;
      }
      let counts = f32x4.splat(<f32>maxKeep);
      let lanes = i32x4.splat(full);
      if (seen !== everybody) {
        lanes = i32x4(
          load<u8>(mask + cell),
          load<u8>(mask + cell, 1),
          load<u8>(mask + cell, 2),
          load<u8>(mask + cell, 3),
        );
        counts = f32x4(
          load<f32>(keep + ((<usize>load<u8>(mask + cell)) << 2)),
          load<f32>(keep + ((<usize>load<u8>(mask + cell, 1)) << 2)),
          load<f32>(keep + ((<usize>load<u8>(mask + cell, 2)) << 2)),
          load<f32>(keep + ((<usize>load<u8>(mask + cell, 3)) << 2)),
        );
      }
      for (let p: usize = 0; p < <usize>pairCount; p++) {
        const a = spread + ((<usize>load<i32>(pairs + (p << 4))) << 5);
        const b = spread + ((<usize>load<i32>(pairs + (p << 4), 4)) << 5);
        const means = f32x4.mul(f32x4.mul(v128.load(a), v128.load(b)), perCell);
        const covariance = f32x4.sub(windowSum(at, radius), means);
        const scale = f32x4.mul(v128.load(a, 16), v128.load(b, 16));
        const bits = v128.load32_splat(pairs + (p << 4), 8);
        const both = i32x4.eq(v128.and(lanes, bits), bits);
        const value = f32x4.max(f32x4.mul(covariance, scale), floor);
        v128.store(found + (p << 4), v128.bitselect(value, none, both));
        at += rowBytes;
      }
      // The best go first, one by one: only the part that counts is sorted.
      let sum = zero;
      for (let t = 0; t < maxKeep; t++) {
        let best = v128.load(found);
        const last = found + ((<usize>(pairCount - t)) << 4);
        for (let q = found + 16; q < last; q += 16) {
          const other = v128.load(q);
          v128.store(q - 16, f32x4.min(best, other));
          best = f32x4.max(best, other);
        }
        sum = f32x4.add(sum, v128.and(best, f32x4.gt(counts, f32x4.splat(<f32>t))));
      }
      const mean = f32x4.div(sum, f32x4.max(counts, one));
      const price = f32x4.nearest(f32x4.mul(f32x4.sub(one, mean), f32x4.splat(COST_STEPS)));
      const seenPrice = v128.bitselect(
        i32x4.trunc_sat_f32x4_s(price),
        i32x4.splat(UNSEEN_COST),
        f32x4.gt(counts, zero),
      );
      const out = cost + ((cell * <usize>heights + <usize>k) << 1);
      const next = (<usize>heights) << 1;
      store<u16>(out, <u16>i32x4.extract_lane(seenPrice, 0));
      store<u16>(out + next, <u16>i32x4.extract_lane(seenPrice, 1));
      store<u16>(out + 2 * next, <u16>i32x4.extract_lane(seenPrice, 2));
      store<u16>(out + 3 * next, <u16>i32x4.extract_lane(seenPrice, 3));
    }
  }
}
