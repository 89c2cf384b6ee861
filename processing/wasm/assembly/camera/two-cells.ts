/**
 * Two cells of a surface at a time, seen by a camera, in double precision.
 *
 * A camera is 20 f64: [0..8] rotation from the world, row by row; [9] focal length, [10, 11] principal point, pixels;
 * [12..15] k1, k2, p1, p2; [16] squared distance from the axis beyond which nothing is seen; [17..19] its east, north
 * and up, metres. What else a kernel needs of it follows.
 */

/** Distance along the view below which a cell counts as behind the camera, metres. */
const MIN_DEPTH_M: f64 = 0.01;

/** A number of the camera in both lanes. */
export function entry(camera: usize, index: usize): v128 {
  return v128.load64_splat(camera + (index << 3));
}

/** One axis of the camera of two cells, by where they lie from it, not yet divided by depth. */
export function along(camera: usize, axis: usize, dx: v128, dy: v128, dz: v128): v128 {
  const across = f64x2.add(
    f64x2.mul(entry(camera, 3 * axis), dx),
    f64x2.mul(entry(camera, 3 * axis + 1), dy),
  );
  return f64x2.add(across, f64x2.mul(entry(camera, 3 * axis + 2), dz));
}

/** Whether the lens sees them, `q` from its axis squared; false where `depth` is NaN. */
export function isInView(camera: usize, depth: v128, q: v128): v128 {
  return v128.and(f64x2.gt(depth, f64x2.splat(MIN_DEPTH_M)), f64x2.lt(q, entry(camera, 16)));
}

/** What the lens makes of a distance from its axis. */
export function radialOf(camera: usize, q: v128): v128 {
  const bend = f64x2.add(entry(camera, 12), f64x2.mul(entry(camera, 13), q));
  return f64x2.add(f64x2.splat(1), f64x2.mul(q, bend));
}

/** Columns of the image, pixels. */
export function columnsOf(camera: usize, x: v128, y: v128, q: v128, radial: v128): v128 {
  const two = f64x2.splat(2);
  const p2 = entry(camera, 15);
  const tangential = f64x2.mul(f64x2.mul(f64x2.mul(two, entry(camera, 14)), x), y);
  const square = f64x2.mul(p2, f64x2.add(q, f64x2.mul(f64x2.mul(two, x), x)));
  const onPlane = f64x2.add(f64x2.add(f64x2.mul(x, radial), tangential), square);
  return f64x2.add(f64x2.mul(entry(camera, 9), onPlane), entry(camera, 10));
}

/** Rows of the image, pixels. */
export function rowsOf(camera: usize, x: v128, y: v128, q: v128, radial: v128): v128 {
  const two = f64x2.splat(2);
  const p1 = entry(camera, 14);
  const tangential = f64x2.mul(f64x2.mul(f64x2.mul(two, entry(camera, 15)), x), y);
  const square = f64x2.mul(p1, f64x2.add(q, f64x2.mul(f64x2.mul(two, y), y)));
  const onPlane = f64x2.add(f64x2.add(f64x2.mul(y, radial), square), tangential);
  return f64x2.add(f64x2.mul(entry(camera, 9), onPlane), entry(camera, 11));
}
