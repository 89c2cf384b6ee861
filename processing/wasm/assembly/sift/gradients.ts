/** Edge of the square of samples around a keypoint, and of the gradients inside it. */
const PATCH: i32 = 22;
export const INNER: i32 = 20;

/** Added to a number from 0 to below 2^23, it leaves the nearest whole number in the lowest bits. */
export const WHOLE: f32 = 8388608;

/**
 * Length and direction of the gradient at 20 x 20 places around (x, y), `step` pixels apart, in a frame
 * whose axes are turned by the angle of `cosine` and `sine`. The plane is read between pixels on a grid
 * of 22 x 22 and differences are taken on that grid, so that a keypoint costs the same at each scale.
 * Directions come in parts of a turn times `turn`, from 0 to below `turn` up to rounding.
 * `patch` holds 22 x 24 values; `lengths` and `directions` 20 x 20 each.
 */
export function gradients(
  plane: usize,
  width: i32,
  height: i32,
  stride: i32,
  x: f32,
  y: f32,
  cosine: f32,
  sine: f32,
  step: f32,
  turn: f32,
  patch: usize,
  lengths: usize,
  directions: usize,
): void {
  const middle: f32 = 0.5 * <f32>(PATCH - 1);
  const zero = f32x4.splat(0);
  const whole = f32x4.splat(WHOLE);
  const lastX = f32x4.splat(<f32>(width - 1));
  const lastY = f32x4.splat(<f32>(height - 1));
  const lastLeft = f32x4.splat(<f32>(width - 2));
  const lastTop = f32x4.splat(<f32>(height - 2));
  for (let v = 0; v < PATCH; v++) {
    const down = (<f32>v - middle) * step;
    const sineDown = f32x4.splat(sine * down);
    const cosineDown = f32x4.splat(cosine * down);
    // The two places beyond the last are read as well: rows of the patch have room for them.
    for (let u = 0; u < PATCH; u += 4) {
      const across = f32x4.add(f32x4.splat(<f32>u - middle), f32x4(0, 1, 2, 3));
      const right = f32x4.mul(across, f32x4.splat(step));
      const alongX = f32x4.add(f32x4.splat(x), f32x4.mul(f32x4.splat(cosine), right));
      const alongY = f32x4.add(f32x4.splat(y), f32x4.mul(f32x4.splat(sine), right));
      const px = f32x4.pmin(f32x4.pmax(f32x4.sub(alongX, sineDown), zero), lastX);
      const py = f32x4.pmin(f32x4.pmax(f32x4.add(alongY, cosineDown), zero), lastY);
      const left = f32x4.pmin(f32x4.floor(px), lastLeft);
      const top = f32x4.pmin(f32x4.floor(py), lastTop);
      const fx = f32x4.sub(px, left);
      const fy = f32x4.sub(py, top);
      const column = i32x4.sub(f32x4.add(left, whole), whole);
      const row = i32x4.sub(f32x4.add(top, whole), whole);
      const places = i32x4.shl(i32x4.add(i32x4.mul(row, i32x4.splat(stride)), column), 2);
      const above = between(plane, places, fx);
      const below = between(plane + ((<usize>stride) << 2), places, fx);
      const value = f32x4.add(above, f32x4.mul(fy, f32x4.sub(below, above)));
      v128.store(patch + ((<usize>(v * 24 + u)) << 2), value);
    }
  }
  for (let v = 0; v < INNER; v++) {
    for (let u = 0; u < INNER; u += 4) {
      const at = patch + ((<usize>((v + 1) * 24 + u + 1)) << 2);
      const gx = f32x4.sub(v128.load(at, 4), v128.load(at - 4));
      const gy = f32x4.sub(v128.load(at, 96), v128.load(at - 96));
      const place = (<usize>(v * INNER + u)) << 2;
      v128.store(lengths + place, f32x4.sqrt(f32x4.add(f32x4.mul(gx, gx), f32x4.mul(gy, gy))));
      v128.store(directions + place, f32x4.mul(turns(gx, gy), f32x4.splat(turn)));
    }
  }
}

/** Between four values, `places` bytes into the plane, and those to their right. */
function between(plane: usize, places: v128, fx: v128): v128 {
  let ab = v128.load_zero<u64>(plane + <usize>i32x4.extract_lane(places, 0));
  ab = v128.load_lane<u64>(plane + <usize>i32x4.extract_lane(places, 1), ab, 1);
  let cd = v128.load_zero<u64>(plane + <usize>i32x4.extract_lane(places, 2));
  cd = v128.load_lane<u64>(plane + <usize>i32x4.extract_lane(places, 3), cd, 1);
  const left = v128.shuffle<f32>(ab, cd, 0, 2, 4, 6);
  const right = v128.shuffle<f32>(ab, cd, 1, 3, 5, 7);
  return f32x4.add(left, f32x4.mul(fx, f32x4.sub(right, left)));
}

/** The angle from x to y in turns, 0 to 1: Abramowitz and Stegun 4.4.49, good to 1e-5 rad. */
function turns(x: v128, y: v128): v128 {
  const absX = f32x4.abs(x);
  const absY = f32x4.abs(y);
  const zero = f32x4.splat(0);
  const larger = f32x4.pmax(f32x4.pmax(absX, absY), f32x4.splat(1e-30));
  const a = f32x4.div(f32x4.pmin(absX, absY), larger);
  const a2 = f32x4.mul(a, a);
  let p = f32x4.splat(0.0208351);
  p = f32x4.add(f32x4.mul(p, a2), f32x4.splat(-0.085133));
  p = f32x4.add(f32x4.mul(p, a2), f32x4.splat(0.180141));
  p = f32x4.add(f32x4.mul(p, a2), f32x4.splat(-0.3302995));
  p = f32x4.add(f32x4.mul(p, a2), f32x4.splat(0.999866));
  p = f32x4.mul(f32x4.mul(p, a), f32x4.splat(0.15915494));
  p = v128.bitselect(f32x4.sub(f32x4.splat(0.25), p), p, f32x4.gt(absY, absX));
  p = v128.bitselect(f32x4.sub(f32x4.splat(0.5), p), p, f32x4.lt(x, zero));
  return v128.bitselect(f32x4.sub(f32x4.splat(1), p), p, f32x4.lt(y, zero));
}
