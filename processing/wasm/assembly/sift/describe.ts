import { gradients, INNER } from "./gradients";

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
 * `scratch` holds 1488 values.
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
  const rowCells = cells + 128 * 4;
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
    memory.fill(rowCells, 0, 32 * 4);
    for (let u = 0; u < INNER; u++) {
      const place = (<usize>(v * INNER + u)) << 2;
      const direction = v128.load32_splat(directions + place);
      const length = v128.load32_splat(lengths + place);
      const low = f32x4.mul(length, nearness(direction, f32x4(0, 1, 2, 3)));
      const high = f32x4.mul(length, nearness(direction, f32x4(4, 5, 6, 7)));
      // Places 4k to 4k + 3 lie between the middles of the cells k - 1 and k.
      const group = u >> 2;
      for (let cell = max(group - 1, 0); cell <= min(group, 3); cell++) {
        addTo(rowCells + ((<usize>cell) << 5), low, high, shares + ((<usize>(u * 4 + cell)) << 2));
      }
    }
    const group = v >> 2;
    for (let cell = max(group - 1, 0); cell <= min(group, 3); cell++) {
      const share = shares + ((<usize>(v * 4 + cell)) << 2);
      for (let k: usize = 0; k < 128; k += 32) {
        const part = rowCells + k;
        addTo(cells + ((<usize>cell) << 7) + k, v128.load(part), v128.load(part, 16), share);
      }
    }
  }
  finish(cells, descriptor);
}

/** Share of a direction in each of four bins, all in eighths of a turn: 1 at the bin, 0 beside the next. */
function nearness(direction: v128, bins: v128): v128 {
  const apart = f32x4.abs(f32x4.sub(direction, bins));
  const around = f32x4.min(apart, f32x4.sub(f32x4.splat(8), apart));
  return f32x4.max(f32x4.splat(0), f32x4.sub(f32x4.splat(1), around));
}

function addTo(at: usize, low: v128, high: v128, shareAt: usize): void {
  const share = v128.load32_splat(shareAt);
  v128.store(at, f32x4.add(v128.load(at), f32x4.mul(share, low)));
  v128.store(at, f32x4.add(v128.load(at, 16), f32x4.mul(share, high)), 16);
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
  for (let i: usize = 0; i < 128; i++) {
    const root = sqrt<f32>(load<f32>(cells + (i << 2)) * part) * 512;
    store<u8>(descriptor + i, <u8>min(<i32>nearest(root), 255));
  }
}
