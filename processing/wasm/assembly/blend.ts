import { along, columnsOf, entry, isInView, radialOf, rowsOf } from "./camera/two-cells";

/**
 * Colours of images laid over a block of an orthophoto. All is worked out in double precision, projection and weight
 * of two cells at a time; sums are kept in single.
 *
 * A view is 42 f64: those of a camera (`camera/two-cells.ts`), then [20, 21] west and north edge of the block, [22]
 * edge of a cell, metres; [23, 24] last column and row of the image; [25] 1 / width of the border over which it fades;
 * [26, 27] first and [28, 29] last column and row of the part at hand, pixels of the image; [30] pixels of the depth
 * buffer for one of the image; [31] share of its inverse depth from which a cell is seen; [32] what squared pixels from
 * the principal point are times, 1 at half the diagonal; [33..36] factors of red, green, blue, and 1; [37..40] their
 * fall-off, and 0; [41] squared tangent of the angle past the vertical by which weights fall.
 */

/** A number of the view. */
function number(view: usize, index: usize): f64 {
  return load<f64>(view + (index << 3));
}

/**
 * Adds weighted red, green, blue (0 to 255) and the weight to `sums`, four f32 a cell, of the `columns * rows` cells
 * that the view sees; with `onlyGaps` only where the weight is still 0. `heights`: f32, NaN = none; one more is read.
 * `rgb`: three bytes a pixel of the part, in rows of `stride` bytes; one byte more is read. `depths`: its inverse
 * depths, f32, in rows of `depthColumns`.
 */
export function blend(
  view: usize,
  heights: usize,
  columns: i32,
  rows: i32,
  onlyGaps: i32,
  rgb: usize,
  stride: i32,
  depths: usize,
  depthColumns: i32,
  sums: usize,
): void {
  const one = f64x2.splat(1);
  const two = f64x2.splat(2);
  const zero = f64x2.splat(0);
  const lastU = entry(view, 23);
  const lastV = entry(view, 24);
  for (let row = 0; row < rows; row++) {
    const north = number(view, 21) - (<f64>row + 0.5) * number(view, 22) - number(view, 18);
    const dy = f64x2.splat(north);
    let column = f64x2(0.5, 1.5);
    for (let col = 0; col < columns; col += 2) {
      const at = <usize>(row * columns + col);
      const east = f64x2.add(entry(view, 20), f64x2.mul(column, entry(view, 22)));
      column = f64x2.add(column, two);
      const dx = f64x2.sub(east, entry(view, 17));
      const height = f64x2.promote_low_f32x4(v128.load_zero<u64>(heights + (at << 2)));
      const dz = f64x2.sub(height, entry(view, 19));
      const depth = along(view, 2, dx, dy, dz);
      const inverse = f64x2.div(one, depth);
      const x = f64x2.mul(along(view, 0, dx, dy, dz), inverse);
      const y = f64x2.mul(along(view, 1, dx, dy, dz), inverse);
      const q = f64x2.add(f64x2.mul(x, x), f64x2.mul(y, y));
      const radial = radialOf(view, q);
      const u = columnsOf(view, x, y, q, radial);
      const v = rowsOf(view, x, y, q, radial);
      // All of these are false where the height is NaN.
      let isSeen = isInView(view, depth, q);
      isSeen = v128.and(isSeen, v128.and(f64x2.gt(u, zero), f64x2.gt(v, zero)));
      isSeen = v128.and(isSeen, v128.and(f64x2.lt(u, lastU), f64x2.lt(v, lastV)));
      isSeen = v128.and(
        isSeen,
        v128.and(f64x2.ge(u, entry(view, 26)), f64x2.ge(v, entry(view, 27))),
      );
      isSeen = v128.and(
        isSeen,
        v128.and(f64x2.lt(u, entry(view, 28)), f64x2.lt(v, entry(view, 29))),
      );
      const lanes = i64x2.bitmask(isSeen);
      if (lanes === 0) continue;
      const nearest = f64x2.pmin(
        f64x2.pmin(u, v),
        f64x2.pmin(f64x2.sub(lastU, u), f64x2.sub(lastV, v)),
      );
      const border = f64x2.pmin(f64x2.mul(nearest, entry(view, 25)), one);
      const aside = f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy));
      const below = f64x2.mul(f64x2.mul(dz, dz), entry(view, 41));
      const lean = f64x2.div(one, f64x2.add(one, f64x2.div(aside, below)));
      const lean2 = f64x2.mul(lean, lean);
      const lean4 = f64x2.mul(lean2, lean2);
      const weight = f64x2.mul(f64x2.mul(lean4, lean4), border);
      if (lanes & 1) {
        addCell(
          view,
          f64x2.extract_lane(u, 0),
          f64x2.extract_lane(v, 0),
          f64x2.extract_lane(inverse, 0),
          f64x2.extract_lane(weight, 0),
          onlyGaps,
          rgb,
          stride,
          depths,
          depthColumns,
          sums + (at << 4),
        );
      }
      if (lanes & 2 && col + 1 < columns) {
        addCell(
          view,
          f64x2.extract_lane(u, 1),
          f64x2.extract_lane(v, 1),
          f64x2.extract_lane(inverse, 1),
          f64x2.extract_lane(weight, 1),
          onlyGaps,
          rgb,
          stride,
          depths,
          depthColumns,
          sums + (at << 4) + 16,
        );
      }
    }
  }
}

/** Adds what the image has at (u, v) to the sums of one cell, unless something nearer hides it. */
function addCell(
  view: usize,
  u: f64,
  v: f64,
  inverse: f64,
  weight: f64,
  onlyGaps: i32,
  rgb: usize,
  stride: i32,
  depths: usize,
  depthColumns: i32,
  sum: usize,
): void {
  if (onlyGaps && load<f32>(sum, 12) !== 0) return;
  const left = number(view, 26);
  const top = number(view, 27);
  const across = <i32>((u + 0.5 - left) * number(view, 30));
  const down = <i32>((v + 0.5 - top) * number(view, 30));
  const nearest = <f64>load<f32>(depths + ((<usize>(down * depthColumns + across)) << 2));
  if (inverse < nearest * number(view, 31)) return;
  const u0 = <i32>u;
  const v0 = <i32>v;
  const fu = u - <f64>u0;
  const fv = v - <f64>v0;
  const w11 = fu * fv;
  const w10 = fu - w11;
  const w01 = fv - w11;
  const w00 = 1 - fu - w01;
  const pixel = rgb + <usize>((v0 - <i32>top) * stride + (u0 - <i32>left) * 3);
  const p00 = bytes(pixel);
  const p10 = bytes(pixel + 3);
  const p01 = bytes(pixel + <usize>stride);
  const p11 = bytes(pixel + <usize>stride + 3);
  const du = u - number(view, 10);
  const dv = v - number(view, 11);
  const radius2 = (du * du + dv * dv) * number(view, 32);
  const redGreen = weighted(p00, p10, p01, p11, w00, w10, w01, w11);
  const blue = weighted(
    upperHalf(p00),
    upperHalf(p10),
    upperHalf(p01),
    upperHalf(p11),
    w00,
    w10,
    w01,
    w11,
  );
  // The fourth colour is 1, so that its weighted sum is that of the weights.
  const blueOne = f64x2.replace_lane(blue, 1, 1);
  const sums = v128.load(sum);
  const lower = f64x2.add(
    f64x2.promote_low_f32x4(sums),
    brought(view, 33, redGreen, weight, radius2),
  );
  const upper = f64x2.add(
    f64x2.promote_low_f32x4(upperHalf(sums)),
    brought(view, 35, blueOne, weight, radius2),
  );
  const singles = v128.shuffle<f32>(
    f32x4.demote_f64x2_zero(lower),
    f32x4.demote_f64x2_zero(upper),
    0,
    1,
    4,
    5,
  );
  v128.store(sum, singles);
}

/** Four bytes as i32. */
function bytes(at: usize): v128 {
  return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load_zero<u32>(at)));
}

function upperHalf(values: v128): v128 {
  return v128.shuffle<i32>(values, values, 2, 3, 2, 3);
}

/** Weighted sum of the lower two values of four pixels. */
function weighted(
  p00: v128,
  p10: v128,
  p01: v128,
  p11: v128,
  w00: f64,
  w10: f64,
  w01: f64,
  w11: f64,
): v128 {
  let sum = f64x2.mul(f64x2.convert_low_i32x4_u(p00), f64x2.splat(w00));
  sum = f64x2.add(sum, f64x2.mul(f64x2.convert_low_i32x4_u(p10), f64x2.splat(w10)));
  sum = f64x2.add(sum, f64x2.mul(f64x2.convert_low_i32x4_u(p01), f64x2.splat(w01)));
  return f64x2.add(sum, f64x2.mul(f64x2.convert_low_i32x4_u(p11), f64x2.splat(w11)));
}

/** Two colours times their weight, brought to the common brightness by the gains at `gain` and their fall-off. */
function brought(view: usize, gain: usize, colours: v128, weight: f64, radius2: f64): v128 {
  const gained = f64x2.mul(f64x2.mul(f64x2.splat(weight), colours), v128.load(view + (gain << 3)));
  return f64x2.mul(
    gained,
    growth(f64x2.mul(v128.load(view + ((gain + 4) << 3)), f64x2.splat(radius2))),
  );
}

/** exp(a) by its series to the third power: 0.1 % off at a = 0.4, more than any lens loses. */
function growth(a: v128): v128 {
  const third = f64x2.mul(a, f64x2.splat(1.0 / 6.0));
  const second = f64x2.mul(a, f64x2.add(f64x2.splat(0.5), third));
  return f64x2.add(f64x2.splat(1), f64x2.mul(a, f64x2.add(f64x2.splat(1), second)));
}

/** 1 when a cell with a height has no weight yet. */
export function hasGap(heights: usize, sums: usize, cells: i32): i32 {
  for (let i: usize = 0; i < <usize>cells; i++) {
    // False for NaN.
    const isKnown = load<f32>(heights + (i << 2)) < Infinity;
    if (isKnown && load<f32>(sums + (i << 4), 12) === 0) return 1;
  }
  return 0;
}

/** Mean red, green, blue and 255 of each cell, a byte each; zeros where there is no weight. */
export function colours(sums: usize, cells: i32, out: usize): void {
  const half = f64x2.splat(0.5);
  const most = f64x2.splat(255);
  for (let i: usize = 0; i < <usize>cells; i++) {
    const sum = v128.load(sums + (i << 4));
    const weight = f32x4.extract_lane(sum, 3);
    if (weight === 0) {
      store<u32>(out + (i << 2), 0);
      continue;
    }
    const scale = f64x2.splat(1 / <f64>weight);
    const lower = f64x2.add(f64x2.mul(f64x2.promote_low_f32x4(sum), scale), half);
    const upper = f64x2.add(f64x2.mul(f64x2.promote_low_f32x4(upperHalf(sum)), scale), half);
    const whole = v128.shuffle<i32>(
      i32x4.trunc_sat_f64x2_s_zero(f64x2.pmin(lower, most)),
      i32x4.trunc_sat_f64x2_s_zero(f64x2.pmin(upper, most)),
      0,
      1,
      4,
      5,
    );
    const narrow = i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_s(whole, whole), whole);
    store<u32>(out + (i << 2), <u32>i32x4.extract_lane(narrow, 0) | 0xff000000);
  }
}
