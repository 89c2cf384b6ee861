/**
 * Nearest descriptors of two images by product, without most of the products: a part of what is in each row bounds
 * them from above (`match/sketch.ts`), and only those that might decide are multiplied out, some 2 %. The results
 * are those of all products.
 */
import { bounds, product, ROW_BYTES } from "./match/sketch";

// biome-ignore lint/performance/noBarrelFile: what is exported here is what the compiled module has.
export { sketch } from "./match/sketch";

/** Bound of a product that was multiplied out: it is not again. */
const DONE: f32 = -1;

/**
 * For each row of `a` the best row of `b`, its product, and the second best product, i32 each, as far as a ratio test
 * needs them: `squared - first < share * (squared - second)` is true of them when it is of all products, and then the
 * best is the best of all. Counts are multiples of 16, and `countB` is not 0; rows of padding are zeros.
 * `most`: `4 * countB` f32. `found`: three numbers a row of `a`.
 */
export function nearest(
  rowsA: usize,
  sketchesA: usize,
  restsA: usize,
  countA: i32,
  rowsB: usize,
  foursB: usize,
  restsB: usize,
  countB: i32,
  squared: f32,
  share: f32,
  most: usize,
  found: usize,
): void {
  for (let i = 0; i < countA; i += 4) {
    bounds(sketchesA, restsA, i, i + 1, i + 2, i + 3, foursB, restsB, countB, most);
    for (let row = 0; row < 4; row++) {
      const own = most + ((<usize>(row * countB)) << 2);
      settle(rowsA + <usize>(i + row) * ROW_BYTES, rowsB, countB, squared, share, own, found);
      found += 12;
    }
  }
}

/** Finds the three numbers of one row, given what each product is at most. */
function settle(
  row: usize,
  rowsB: usize,
  countB: i32,
  squared: f32,
  share: f32,
  most: usize,
  found: usize,
): void {
  store<i32>(found, 0);
  store<i64>(found, -1, 4);
  // Four that promise much, one a lane, so that the limit is high from the start.
  const end = most + ((<usize>countB) << 2);
  let highest = f32x4.splat(DONE);
  let promising = i32x4.splat(0);
  let columns = i32x4(0, 1, 2, 3);
  for (let at = most; at < end; at += 16) {
    const bound = v128.load(at);
    promising = v128.bitselect(columns, promising, f32x4.gt(bound, highest));
    highest = f32x4.pmax(highest, bound);
    columns = i32x4.add(columns, i32x4.splat(4));
  }
  for (let lane = 0; lane < 4; lane++) {
    multiply(row, rowsB, i32x4.extract_lane(promising, 0), most, found);
    // Lanes are turned one place instead of being taken by number, which must be a constant.
    promising = v128.shuffle<i32>(promising, promising, 1, 2, 3, 0);
  }
  sweep(row, rowsB, countB, squared, share, most, found);
  // Those before the best one were left out by another limit than the one it now has.
  if (passes(squared, share, found)) sweep(row, rowsB, countB, squared, share, most, found);
}

/** Multiplies out what may decide about the best product so far. */
function sweep(
  row: usize,
  rowsB: usize,
  countB: i32,
  squared: f32,
  share: f32,
  most: usize,
  found: usize,
): void {
  let limit = f32x4.splat(limitOf(squared, share, found));
  for (let j = 0; j < countB; j += 16) {
    let lanes = above(most + ((<usize>j) << 2), limit);
    if (lanes === 0) continue;
    for (; lanes !== 0; lanes &= lanes - 1) multiply(row, rowsB, j + ctz(lanes), most, found);
    limit = f32x4.splat(limitOf(squared, share, found));
  }
}

/** Which of sixteen values are above the limit, a bit each. */
function above(at: usize, limit: v128): i32 {
  const a = v128.load(at);
  const b = v128.load(at, 16);
  const c = v128.load(at, 32);
  const d = v128.load(at, 48);
  const most = f32x4.pmax(f32x4.pmax(a, b), f32x4.pmax(c, d));
  if (!v128.any_true(f32x4.gt(most, limit))) return 0;
  const low = i32x4.bitmask(f32x4.gt(a, limit)) | (i32x4.bitmask(f32x4.gt(b, limit)) << 4);
  return low | (i32x4.bitmask(f32x4.gt(c, limit)) << 8) | (i32x4.bitmask(f32x4.gt(d, limit)) << 12);
}

function multiply(row: usize, rowsB: usize, column: i32, most: usize, found: usize): void {
  store<f32>(most + ((<usize>column) << 2), DONE);
  const value = product(row, rowsB + <usize>column * ROW_BYTES);
  const first = load<i32>(found, 4);
  if (value > first) {
    store<i32>(found, column);
    store<i32>(found, value, 4);
    store<i32>(found, first, 8);
  } else if (value > load<i32>(found, 8)) {
    store<i32>(found, value, 8);
  }
}

/** Whether the best so far stands the test, or nearly so: the caller's own test is the one that counts. */
function passes(squared: f32, share: f32, found: usize): bool {
  const first = <f32>load<i32>(found, 4);
  const second = <f32>load<i32>(found, 8);
  return squared - first < share * (squared - second) + 1;
}

/** Products up to this change nothing: the best fails it with them, or those that fail now fail beside them too. */
function limitOf(squared: f32, share: f32, found: usize): f32 {
  const first = <f32>load<i32>(found, 4);
  const second = <f32>load<i32>(found, 8);
  return passes(squared, share, found)
    ? squared - (squared - first) / share
    : squared - share * (squared - second);
}

/**
 * Of `count` rows of `a`, each with a row of `b` and their product (i32 each, in turn, in `pairs`), leaves those whose
 * row of `b` has no better row of `a`, of equals the first; of others the product becomes -1. `most`: `4 * countA` f32.
 */
export function keepMutual(
  rowsA: usize,
  foursA: usize,
  restsA: usize,
  countA: i32,
  rowsB: usize,
  sketchesB: usize,
  restsB: usize,
  pairs: usize,
  count: i32,
  most: usize,
): void {
  for (let n = 0; n < count; n += 4) {
    // Beyond the last one, it is done again.
    const second = columnOf(pairs, min(n + 1, count - 1));
    const third = columnOf(pairs, min(n + 2, count - 1));
    const fourth = columnOf(pairs, min(n + 3, count - 1));
    const first = columnOf(pairs, n);
    bounds(sketchesB, restsB, first, second, third, fourth, foursA, restsA, countA, most);
    for (let i = 0; i < min(4, count - n); i++) {
      const pair = pairs + <usize>(n + i) * 12;
      const own = most + ((<usize>(i * countA)) << 2);
      if (isOutdone(rowsA, countA, rowsB, pair, own)) store<i32>(pair, -1, 8);
    }
  }
}

function columnOf(pairs: usize, n: i32): i32 {
  return load<i32>(pairs + <usize>n * 12, 4);
}

/** Whether another row of `a` is better for the pair's row of `b`, given what each product is at most. */
function isOutdone(rowsA: usize, countA: i32, rowsB: usize, pair: usize, most: usize): bool {
  const own = load<i32>(pair);
  const row = rowsB + <usize>load<i32>(pair, 4) * ROW_BYTES;
  const best = load<i32>(pair, 8);
  const limit = f32x4.splat(<f32>best);
  for (let i = 0; i < countA; i += 16) {
    let lanes = above(most + ((<usize>i) << 2), limit);
    for (; lanes !== 0; lanes &= lanes - 1) {
      const other = i + ctz(lanes);
      const value = product(row, rowsA + <usize>other * ROW_BYTES);
      if (value > best || (value === best && other < own)) return true;
    }
  }
  return false;
}
