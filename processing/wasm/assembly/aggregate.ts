/**
 * Semi-global matching (Hirschmueller 2008, eq. 13 and 14): adds up the costs of paths that reach a
 * cell from eight directions. Costs are u16, `heights` a cell (a multiple of 8), north row first.
 *
 * A path's costs of one cell take `heights + 8` u16; the eight beside them are a wall, higher than any
 * cost, so that the height below the first and above the last never wins. Of every cell four paths are
 * kept, for two rows, with one cell more on either side: a path that starts at the border follows
 * costs of zero.
 */
const WALL: u16 = 0x7fff;

/** Bytes of `paths` that `aggregate` needs. */
export function pathBytes(columns: i32, heights: i32): i32 {
  return 2 * (columns + 2) * 4 * (heights + 8) * 2 + 32;
}

/**
 * Sums of all eight paths into `total`, which has the layout of `cost`. `small` is the price of a
 * step of one height to the next cell, `large` of any other; `8 * (highest cost + large)` stays below
 * 2^16.
 */
export function aggregate(
  cost: usize,
  columns: i32,
  rows: i32,
  heights: i32,
  small: i32,
  large: i32,
  paths: usize,
  total: usize,
): void {
  const bytes = (<usize>(columns * rows * heights)) << 1;
  memory.fill(total, 0, bytes);
  scan(cost, columns, rows, heights, small, large, paths, total, false);
  scan(cost, columns, rows, heights, small, large, paths, total, true);
}

/** Four of the directions: from the west, north-west, north and north-east, or their opposites. */
function scan(
  cost: usize,
  columns: i32,
  rows: i32,
  heights: i32,
  small: i32,
  large: i32,
  paths: usize,
  total: usize,
  back: bool,
): void {
  const path = (<usize>(heights + 8)) << 1;
  const cell = path << 2;
  const row = cell * <usize>(columns + 2);
  // The wall below the first height of the first path lies before the block.
  const base = paths + 16;
  memory.fill(paths, 0, 2 * row + 32);
  store<u16>(base - 2, WALL);
  for (let at = base; at < base + 2 * row; at += path) {
    v128.store(at + path - 16, i16x8.splat(WALL));
  }
  const penalty = i16x8.splat(<i16>small);
  const jump = i16x8.splat(<i16>large);
  const bytes = (<usize>heights) << 1;
  const ahead: isize = back ? -(<isize>cell) : <isize>cell;
  let current = base;
  let previous = base + row;
  for (let n = 0; n < rows; n++) {
    const j = back ? rows - 1 - n : n;
    for (let m = 0; m < columns; m++) {
      const i = back ? columns - 1 - m : m;
      const place = <usize>(j * columns + i) * bytes;
      const inRow = <usize>(i + 1) * cell;
      const here = current + inRow;
      const behind = previous + inRow;
      const west = here - ahead;
      const northWest = behind - ahead + path;
      const north = behind + 2 * path;
      const northEast = behind + ahead + 3 * path;
      step(here, west, cost + place, total + place, bytes, penalty, jump);
      step(here + path, northWest, cost + place, total + place, bytes, penalty, jump);
      step(here + 2 * path, north, cost + place, total + place, bytes, penalty, jump);
      step(here + 3 * path, northEast, cost + place, total + place, bytes, penalty, jump);
    }
    const swap = current;
    current = previous;
    previous = swap;
  }
}

/** One cell of one path, from the cell before it. */
function step(
  out: usize,
  from: usize,
  cost: usize,
  total: usize,
  bytes: usize,
  penalty: v128,
  jump: v128,
): void {
  let least = v128.load(from);
  for (let k: usize = 16; k < bytes; k += 16) least = i16x8.min_u(least, v128.load(from + k));
  least = i16x8.min_u(least, v128.shuffle<i16>(least, least, 4, 5, 6, 7, 0, 1, 2, 3));
  least = i16x8.min_u(least, v128.shuffle<i16>(least, least, 2, 3, 0, 1, 6, 7, 4, 5));
  least = i16x8.min_u(least, v128.shuffle<i16>(least, least, 1, 0, 3, 2, 5, 4, 7, 6));
  const anywhere = i16x8.add_sat_u(least, jump);
  for (let k: usize = 0; k < bytes; k += 16) {
    const beside = i16x8.min_u(v128.load(from + k - 2), v128.load(from + k + 2));
    const near = i16x8.min_u(v128.load(from + k), i16x8.add_sat_u(beside, penalty));
    const way = i16x8.sub(i16x8.min_u(near, anywhere), least);
    const sum = i16x8.add_sat_u(v128.load(cost + k), way);
    v128.store(out + k, sum);
    v128.store(total + k, i16x8.add_sat_u(v128.load(total + k), sum));
  }
}
