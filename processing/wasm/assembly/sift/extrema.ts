/**
 * Pixels of the plane `at` that are not below (or not above) all 26 neighbours in it and in the planes
 * of the next finer and coarser scale, and farther than `threshold` from 0; none within `border` pixels
 * of the edge. Writes x and y, i32, of at most `capacity` pixels in row order; gives their number.
 */
export function extrema(
  finer: usize,
  at: usize,
  coarser: usize,
  width: i32,
  height: i32,
  stride: i32,
  border: i32,
  threshold: f32,
  out: usize,
  capacity: i32,
): i32 {
  let count = 0;
  const row = (<usize>stride) << 2;
  const limit = f32x4.splat(threshold);
  for (let y = border; y < height - border; y++) {
    for (let x = border; x < width - border; x += 4) {
      const place = (<usize>(y * stride + x)) << 2;
      const here = at + place;
      const value = v128.load(here);
      let top = f32x4.gt(value, limit);
      let bottom = f32x4.lt(value, f32x4.neg(limit));
      if (!v128.any_true(v128.or(top, bottom))) continue;
      // The four nearest first: they decide nearly everywhere.
      const west = v128.load(here - 4);
      const east = v128.load(here, 4);
      const north = v128.load(here - row);
      const south = v128.load(here + row);
      const most = f32x4.pmax(f32x4.pmax(west, east), f32x4.pmax(north, south));
      const least = f32x4.pmin(f32x4.pmin(west, east), f32x4.pmin(north, south));
      top = v128.and(top, f32x4.ge(value, most));
      bottom = v128.and(bottom, f32x4.le(value, least));
      if (v128.any_true(top)) {
        let all = f32x4.pmax(most3(here - row), most3(here + row));
        all = f32x4.pmax(all, most9(finer + place, row));
        all = f32x4.pmax(all, most9(coarser + place, row));
        top = v128.and(top, f32x4.ge(value, all));
      }
      if (v128.any_true(bottom)) {
        let all = f32x4.pmin(least3(here - row), least3(here + row));
        all = f32x4.pmin(all, least9(finer + place, row));
        all = f32x4.pmin(all, least9(coarser + place, row));
        bottom = v128.and(bottom, f32x4.le(value, all));
      }
      const lanes = i32x4.bitmask(v128.or(top, bottom));
      if (lanes === 0) continue;
      for (let lane = 0; lane < 4; lane++) {
        if ((lanes & (1 << lane)) === 0 || x + lane >= width - border) continue;
        if (count === capacity) return count;
        const entry = out + ((<usize>count) << 3);
        store<i32>(entry, x + lane);
        store<i32>(entry, y, 4);
        count++;
      }
    }
  }
  return count;
}

function most3(at: usize): v128 {
  return f32x4.pmax(f32x4.pmax(v128.load(at - 4), v128.load(at)), v128.load(at, 4));
}

function least3(at: usize): v128 {
  return f32x4.pmin(f32x4.pmin(v128.load(at - 4), v128.load(at)), v128.load(at, 4));
}

function most9(at: usize, row: usize): v128 {
  return f32x4.pmax(f32x4.pmax(most3(at - row), most3(at)), most3(at + row));
}

function least9(at: usize, row: usize): v128 {
  return f32x4.pmin(f32x4.pmin(least3(at - row), least3(at)), least3(at + row));
}
