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

/** Distance along the view below which a cell counts as behind the camera, metres. */
const MIN_DEPTH: f32 = 0.01;

/** Where the cells of row `j` appear at `dz` above the surface: u to `at`, then v, then the depth, a row each. */
function projectRow(surface: usize, columns: i32, j: i32, camera: usize, dz: f32, at: usize): void {
  const rowBytes = (<usize>columns) << 2;
  const heights = surface + <usize>j * rowBytes;
  const one = f32x4.splat(1);
  const two = f32x4.splat(2);
  const south = f32x4.splat(<f32>j);
  const southX = f32x4.mul(v128.load32_splat(camera, 24), south);
  const southY = f32x4.mul(v128.load32_splat(camera, 28), south);
  const southZ = f32x4.mul(v128.load32_splat(camera, 32), south);
  let east = f32x4(0, 1, 2, 3);
  for (let place: usize = 0; place < rowBytes; place += 16) {
    const height = f32x4.add(v128.load(heights + place), f32x4.splat(dz));
    const x = along(camera, height, east, southX);
    const y = along(camera + 4, height, east, southY);
    const z = along(camera + 8, height, east, southZ);
    east = f32x4.add(east, f32x4.splat(4));
    const inverse = f32x4.div(one, f32x4.pmax(z, f32x4.splat(MIN_DEPTH)));
    const px = f32x4.mul(x, inverse);
    const py = f32x4.mul(y, inverse);
    const xx = f32x4.mul(px, px);
    const yy = f32x4.mul(py, py);
    const r2 = f32x4.add(xx, yy);
    const k = f32x4.add(
      v128.load32_splat(camera, 60),
      f32x4.mul(v128.load32_splat(camera, 64), r2),
    );
    const radial = f32x4.add(one, f32x4.mul(r2, k));
    const p1 = v128.load32_splat(camera, 68);
    const p2 = v128.load32_splat(camera, 72);
    const xy2 = f32x4.mul(two, f32x4.mul(px, py));
    const du = f32x4.add(f32x4.mul(p1, xy2), f32x4.mul(p2, f32x4.add(r2, f32x4.mul(two, xx))));
    const dv = f32x4.add(f32x4.mul(p2, xy2), f32x4.mul(p1, f32x4.add(r2, f32x4.mul(two, yy))));
    const focal = v128.load32_splat(camera, 48);
    const u = f32x4.add(f32x4.mul(px, radial), du);
    const v = f32x4.add(f32x4.mul(py, radial), dv);
    const to = at + place;
    v128.store(to, f32x4.add(f32x4.mul(focal, u), v128.load32_splat(camera, 52)));
    v128.store(to + rowBytes, f32x4.add(f32x4.mul(focal, v), v128.load32_splat(camera, 56)));
    v128.store(to + 2 * rowBytes, z);
  }
}

/** One axis of the camera, of four cells. */
function along(axis: usize, heights: v128, east: v128, south: v128): v128 {
  return f32x4.add(
    f32x4.add(v128.load32_splat(axis), f32x4.mul(v128.load32_splat(axis, 36), heights)),
    f32x4.add(f32x4.mul(v128.load32_splat(axis, 12), east), south),
  );
}

/**
 * Takes `bit` from the mask (one byte a cell) of the cells that, at `dz` above the surface, lie
 * outside the piece of image of `width * height` pixels. `scratch`: three rows of f32.
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
  const rowBytes = (<usize>columns) << 2;
  for (let j = 0; j < rows; j++) {
    projectRow(surface, columns, j, camera, dz, scratch);
    for (let i = 0; i < columns; i += 4) {
      const place = scratch + ((<usize>i) << 2);
      const u = v128.load(place);
      const v = v128.load(place + rowBytes);
      const ahead = f32x4.gt(v128.load(place + 2 * rowBytes), f32x4.splat(MIN_DEPTH));
      const inU = v128.and(f32x4.ge(u, zero), f32x4.lt(u, maxU));
      const inV = v128.and(f32x4.ge(v, zero), f32x4.lt(v, maxV));
      const lanes = i32x4.bitmask(v128.and(ahead, v128.and(inU, inV)));
      if (lanes === 15) continue;
      const cell = mask + <usize>(j * columns + i);
      for (let lane = 0; lane < 4; lane++) {
        if ((lanes >> lane) & 1) continue;
        const at = cell + <usize>lane;
        store<u8>(at, load<u8>(at) & ~(<u8>bit));
      }
    }
  }
}

/** Added to a number from 0 to below 2^23, it leaves the nearest whole number in the lowest bits. */
const WHOLE: f32 = 8388608;

/**
 * Grey levels of the piece of image where it shows the cells at `dz` above the surface, bilinear, less
 * `mean`, in eighths, whole numbers as f32. Cells outside take the nearest pixel (the mask marks them).
 * Neither edge of the piece has 2^23 pixels. `scratch`: three rows of f32.
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
  const whole = f32x4.splat(WHOLE);
  const stride = i32x4.splat(width);
  const byte = i32x4.splat(255);
  const below = pixels + <usize>width;
  const rowBytes = (<usize>columns) << 2;
  for (let j = 0; j < rows; j++) {
    projectRow(surface, columns, j, camera, dz, scratch);
    for (let place: usize = 0; place < rowBytes; place += 16) {
      const u = f32x4.pmin(f32x4.pmax(v128.load(scratch + place), zero), maxU);
      const v = f32x4.pmin(f32x4.pmax(v128.load(scratch + rowBytes + place), zero), maxV);
      const left = f32x4.floor(u);
      const top = f32x4.floor(v);
      const a = f32x4.sub(u, left);
      const b = f32x4.sub(v, top);
      const column = i32x4.sub(f32x4.add(left, whole), whole);
      const row = i32x4.sub(f32x4.add(top, whole), whole);
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
      const upper = f32x4.add(p00, f32x4.mul(a, f32x4.sub(p10, p00)));
      const lower = f32x4.add(p01, f32x4.mul(a, f32x4.sub(p11, p01)));
      const grey = f32x4.add(upper, f32x4.mul(b, f32x4.sub(lower, upper)));
      const centred = f32x4.mul(f32x4.sub(grey, f32x4.splat(mean)), f32x4.splat(EIGHTHS));
      v128.store(sheet + place, f32x4.nearest(centred));
    }
    sheet += rowBytes;
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

/**
 * Adds the products of two rows to the column sums, and takes out those of the rows `leaving` bytes before them
 * unless that is 0.
 */
function slideProducts(sums: usize, a: usize, b: usize, bytes: usize, leaving: usize): void {
  if (leaving === 0) {
    for (let x: usize = 0; x < bytes; x += 16) {
      const product = f32x4.mul(v128.load(a + x), v128.load(b + x));
      v128.store(sums + x, f32x4.add(v128.load(sums + x), product));
    }
    return;
  }
  const oldA = a - leaving;
  const oldB = b - leaving;
  for (let x: usize = 0; x < bytes; x += 16) {
    const product = f32x4.mul(v128.load(a + x), v128.load(b + x));
    const old = f32x4.mul(v128.load(oldA + x), v128.load(oldB + x));
    v128.store(sums + x, f32x4.sub(f32x4.add(v128.load(sums + x), product), old));
  }
}

/** The same with a row itself. */
function slideRow(sums: usize, a: usize, bytes: usize, leaving: usize): void {
  for (let x: usize = 0; x < bytes; x += 16) {
    let sum = f32x4.add(v128.load(sums + x), v128.load(a + x));
    if (leaving !== 0) sum = f32x4.sub(sum, v128.load(a - leaving + x));
    v128.store(sums + x, sum);
  }
}

/** Lets row `j` of all sheets into the column sums, and takes out the one `leaving` bytes before it. */
function slide(
  sheets: usize,
  views: i32,
  sheetBytes: usize,
  rowBytes: usize,
  j: i32,
  leaving: usize,
  pairs: usize,
  pairCount: i32,
  sums: usize,
): void {
  const row = sheets + <usize>j * rowBytes;
  for (let m = 0; m < views; m++) {
    const at = row + <usize>m * sheetBytes;
    slideRow(sums, at, rowBytes, leaving);
    slideProducts(sums + rowBytes, at, at, rowBytes, leaving);
    sums += 2 * rowBytes;
  }
  for (let p = 0; p < pairCount; p++) {
    const a = row + <usize>load<i32>(pairs + ((<usize>p) << 4)) * sheetBytes;
    const b = row + <usize>load<i32>(pairs + ((<usize>p) << 4), 4) * sheetBytes;
    slideProducts(sums, a, b, rowBytes, leaving);
    sums += rowBytes;
  }
}

/**
 * Sum of the best `most` of `count` values, added from the best on, of which each lane takes the first `counts`.
 * Three are found at a time, and the rest moves up by three places: it overwrites the values, and the 48 bytes
 * before them.
 */
function sumOfBest(values: usize, count: i32, most: i32, counts: v128): v128 {
  const none = f32x4.splat(-4);
  let sum = f32x4.splat(0);
  let end = values + ((<usize>count) << 4);
  for (let t: f32 = 0; t < <f32>most; t += 3) {
    let first = none;
    let second = none;
    let third = none;
    for (let at = values; at < end; at += 16) {
      const value = v128.load(at);
      const afterFirst = f32x4.pmin(first, value);
      first = f32x4.pmax(first, value);
      const afterSecond = f32x4.pmin(second, afterFirst);
      second = f32x4.pmax(second, afterFirst);
      v128.store(at - 48, f32x4.pmin(third, afterSecond));
      third = f32x4.pmax(third, afterSecond);
    }
    end -= 48;
    sum = f32x4.add(sum, v128.and(first, f32x4.gt(counts, f32x4.splat(t))));
    sum = f32x4.add(sum, v128.and(second, f32x4.gt(counts, f32x4.splat(t + 1))));
    sum = f32x4.add(sum, v128.and(third, f32x4.gt(counts, f32x4.splat(t + 2))));
  }
  return sum;
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
  const whole = f32x4.splat(WHOLE);
  const everybody = full * 0x01010101;
  for (let j = 0; j < rows; j++) {
    const leaving = j < side ? 0 : <usize>side * rowBytes;
    slide(sheets, views, sheetBytes, rowBytes, j, leaving, pairs, pairCount, scratch);
    const y = j - radius;
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
        const inverse = f32x4.div(one, f32x4.sqrt(f32x4.pmax(variance, least)));
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
        const value = f32x4.pmax(f32x4.mul(covariance, scale), floor);
        v128.store(found + (p << 4), v128.bitselect(value, none, both));
        at += rowBytes;
      }
      // What moves up in front of the values takes the place of `spread`, which is done with.
      const sum = sumOfBest(found, pairCount, maxKeep, counts);
      const mean = f32x4.div(sum, f32x4.pmax(counts, one));
      const price = f32x4.mul(f32x4.sub(one, mean), f32x4.splat(COST_STEPS));
      const seenPrice = v128.bitselect(
        i32x4.sub(f32x4.add(price, whole), whole),
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
