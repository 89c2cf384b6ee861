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
  const zero = f32x4.splat(0);
  for (let y = border; y < height - border; y++) {
    for (let x = border; x < width - border; x += 4) {
      const place = (<usize>(y * stride + x)) << 2;
      const here = at + place;
      const value = v128.load(here);
      const strong = f32x4.gt(f32x4.abs(value), limit);
      if (!v128.any_true(strong)) continue;
      let most = f32x4.max(v128.load(here - 4), v128.load(here, 4));
      let least = f32x4.min(v128.load(here - 4), v128.load(here, 4));
      most = f32x4.max(most, most3(here - row));
      most = f32x4.max(most, most3(here + row));
      least = f32x4.min(least, least3(here - row));
      least = f32x4.min(least, least3(here + row));
      let top = v128.and(f32x4.gt(value, zero), f32x4.ge(value, most));
      let bottom = v128.and(f32x4.lt(value, zero), f32x4.le(value, least));
      if (!v128.any_true(v128.and(strong, v128.or(top, bottom)))) continue;
      most = f32x4.max(most9(finer + place, row), most9(coarser + place, row));
      least = f32x4.min(least9(finer + place, row), least9(coarser + place, row));
      top = v128.and(top, f32x4.ge(value, most));
      bottom = v128.and(bottom, f32x4.le(value, least));
      const lanes = i32x4.bitmask(v128.and(strong, v128.or(top, bottom)));
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
  return f32x4.max(f32x4.max(v128.load(at - 4), v128.load(at)), v128.load(at, 4));
}

function least3(at: usize): v128 {
  return f32x4.min(f32x4.min(v128.load(at - 4), v128.load(at)), v128.load(at, 4));
}

function most9(at: usize, row: usize): v128 {
  return f32x4.max(f32x4.max(most3(at - row), most3(at)), most3(at + row));
}

function least9(at: usize, row: usize): v128 {
  return f32x4.min(f32x4.min(least3(at - row), least3(at)), least3(at + row));
}
