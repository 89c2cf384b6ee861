import { gradients, INNER, WHOLE } from "./gradients";

/**
 * Histogram of 36 gradient directions around a keypoint, each gradient weighed by its length and the
 * window (20 values, used along both axes) and shared between the two nearest bins (Lowe 2004 section
 * 5). `scratch` holds 1328 values.
 */
export function orientations(
  plane: usize,
  width: i32,
  height: i32,
  stride: i32,
  x: f32,
  y: f32,
  step: f32,
  window: usize,
  scratch: usize,
  histogram: usize,
): void {
  const lengths = scratch + 528 * 4;
  const directions = lengths + 400 * 4;
  gradients(plane, width, height, stride, x, y, 1, 0, step, 36, scratch, lengths, directions);
  memory.fill(histogram, 0, 36 * 4);
  for (let v = 0; v < INNER; v++) {
    const weightV = load<f32>(window + ((<usize>v) << 2));
    for (let u = 0; u < INNER; u++) {
      const place = (<usize>(v * INNER + u)) << 2;
      const weight = weightV * load<f32>(window + ((<usize>u) << 2)) * load<f32>(lengths + place);
      const direction = load<f32>(directions + place);
      let bin = <i32>direction;
      const share = direction - <f32>bin;
      if (bin >= 36) bin -= 36;
      const first = histogram + ((<usize>bin) << 2);
      const second = histogram + ((<usize>(bin === 35 ? 0 : bin + 1)) << 2);
      store<f32>(first, load<f32>(first) + weight * (1 - share));
      store<f32>(second, load<f32>(second) + weight * share);
    }
  }
}

/**
 * RootSIFT descriptor (Lowe 2004 section 6; Arandjelovic and Zisserman, CVPR 2012), 128 bytes of length
 * 512: 4 x 4 cells of 8 directions. `step` is a quarter of a cell; `shares` says for each of 20 places
 * along an axis its window weight times its share of each of the four cells, 80 values.
 * `scratch` holds 1456 values.
 */
export function describe(
  plane: usize,
  width: i32,
  height: i32,
  stride: i32,
  x: f32,
  y: f32,
  cosine: f32,
  sine: f32,
  step: f32,
  shares: usize,
  scratch: usize,
  descriptor: usize,
): void {
  const lengths = scratch + 528 * 4;
  const directions = lengths + 400 * 4;
  const cells = directions + 400 * 4;
  gradients(
    plane,
    width,
    height,
    stride,
    x,
    y,
    cosine,
    sine,
    step,
    8,
    scratch,
    lengths,
    directions,
  );
  memory.fill(cells, 0, 128 * 4);
  for (let v = 0; v < INNER; v++) {
    const places = (<usize>(v * INNER)) << 2;
    const rows = shares + ((<usize>v) << 4);
    // Places 4k to 4k + 3 lie between the middles of the cells k - 1 and k: of both, what the row gives so far.
    let low0 = f32x4.splat(0);
    let high0 = low0;
    for (let k = 0; k <= 4; k++) {
      let low1 = f32x4.splat(0);
      let high1 = low1;
      for (let u = 4 * k; u < 4 * k + 4; u++) {
        const place = places + ((<usize>u) << 2);
        const direction = v128.load32_splat(directions + place);
        const length = v128.load32_splat(lengths + place);
        const low = f32x4.mul(length, nearness(direction, f32x4(0, 1, 2, 3)));
        const high = f32x4.mul(length, nearness(direction, f32x4(4, 5, 6, 7)));
        const share = shares + ((<usize>u) << 4);
        if (k > 0) {
          const before = v128.load32_splat(share + ((<usize>(k - 1)) << 2));
          low0 = f32x4.add(low0, f32x4.mul(before, low));
          high0 = f32x4.add(high0, f32x4.mul(before, high));
        }
        if (k < 4) {
          const after = v128.load32_splat(share + ((<usize>k) << 2));
          low1 = f32x4.add(low1, f32x4.mul(after, low));
          high1 = f32x4.add(high1, f32x4.mul(after, high));
        }
      }
      if (k > 0) addToColumn(cells + ((<usize>(k - 1)) << 5), v >> 2, rows, low0, high0);
      low0 = low1;
      high0 = high1;
    }
  }
  finish(cells, descriptor);
}

/** Adds a row's part of a column of cells to those two of it that the row lies between. */
function addToColumn(column: usize, group: i32, shares: usize, low: v128, high: v128): void {
  for (let cell = max(group - 1, 0); cell <= min(group, 3); cell++) {
    const at = column + ((<usize>cell) << 7);
    const share = v128.load32_splat(shares + ((<usize>cell) << 2));
    v128.store(at, f32x4.add(v128.load(at), f32x4.mul(share, low)));
    v128.store(at, f32x4.add(v128.load(at, 16), f32x4.mul(share, high)), 16);
  }
}

/** Share of a direction in each of four bins, all in eighths of a turn: 1 at the bin, 0 beside the next. */
function nearness(direction: v128, bins: v128): v128 {
  const apart = f32x4.abs(f32x4.sub(direction, bins));
  const around = f32x4.pmin(apart, f32x4.sub(f32x4.splat(8), apart));
  return f32x4.pmax(f32x4.splat(0), f32x4.sub(f32x4.splat(1), around));
}

/** To unit length, no value above 0.2 (against glare), then the square roots of the parts of the sum. */
function finish(cells: usize, descriptor: usize): void {
  let squares: f32 = 0;
  for (let i: usize = 0; i < 512; i += 4) squares += load<f32>(cells + i) * load<f32>(cells + i);
  const scale: f32 = squares > 0 ? 1 / sqrt<f32>(squares) : 0;
  let sum: f32 = 0;
  for (let i: usize = 0; i < 512; i += 4) {
    const value = min(load<f32>(cells + i) * scale, <f32>0.2);
    store<f32>(cells + i, value);
    sum += value;
  }
  const part: f32 = sum > 0 ? 1 / sum : 0;
  for (let i: usize = 0; i < 128; i += 8) {
    const at = cells + (i << 2);
    const whole = i16x8.narrow_i32x4_s(root(v128.load(at), part), root(v128.load(at, 16), part));
    v128.store_lane<u64>(descriptor + i, i8x16.narrow_i16x8_u(whole, whole), 0);
  }
}

/** Whole parts of 512 of the square roots. */
function root(values: v128, part: f32): v128 {
  const roots = f32x4.mul(f32x4.sqrt(f32x4.mul(values, f32x4.splat(part))), f32x4.splat(512));
  return i32x4.sub(f32x4.add(roots, f32x4.splat(WHOLE)), f32x4.splat(WHOLE));
}
