/** Edge of the square of samples around a keypoint, and of the gradients inside it. */
const PATCH: i32 = 22;
export const INNER: i32 = 20;

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
  for (let v = 0; v < PATCH; v++) {
    const down = (<f32>v - middle) * step;
    for (let u = 0; u < PATCH; u++) {
      const right = (<f32>u - middle) * step;
      const px = min(max(x + cosine * right - sine * down, 0), <f32>(width - 1));
      const py = min(max(y + sine * right + cosine * down, 0), <f32>(height - 1));
      const ix = min(<i32>px, width - 2);
      const iy = min(<i32>py, height - 2);
      const fx = px - <f32>ix;
      const at = plane + ((<usize>(iy * stride + ix)) << 2);
      const next = at + ((<usize>stride) << 2);
      const above = load<f32>(at) + fx * (load<f32>(at, 4) - load<f32>(at));
      const below = load<f32>(next) + fx * (load<f32>(next, 4) - load<f32>(next));
      store<f32>(patch + ((<usize>(v * 24 + u)) << 2), above + (py - <f32>iy) * (below - above));
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

/** The angle from x to y in turns, 0 to 1: Abramowitz and Stegun 4.4.49, good to 1e-5 rad. */
function turns(x: v128, y: v128): v128 {
  const absX = f32x4.abs(x);
  const absY = f32x4.abs(y);
  const zero = f32x4.splat(0);
  const larger = f32x4.max(f32x4.max(absX, absY), f32x4.splat(1e-30));
  const a = f32x4.div(f32x4.min(absX, absY), larger);
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
