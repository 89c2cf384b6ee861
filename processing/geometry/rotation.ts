/**
 * Rotations as 3x3 matrices, row-major, nine numbers. Everywhere in this folder a camera's rotation
 * takes a direction of the world (ENU) to the camera: x right, y down, z forward along the view.
 */
export type Rotation = Float64Array;

/** A vector or a point of three numbers. */
export type Vector3 = readonly [number, number, number];

/** Below this angle (rad) the series of sine and cosine is used: the division would lose all digits. */
const SMALL_RAD = 1e-7;

/** The rotation about `w` by its length in rad (Rodrigues; the exponential map of SO(3)). */
export function rotationFromVector([x, y, z]: Vector3): Rotation {
  const angle = Math.hypot(x, y, z);
  const a = angle < SMALL_RAD ? 1 - angle ** 2 / 6 : Math.sin(angle) / angle;
  const b = angle < SMALL_RAD ? 0.5 : (1 - Math.cos(angle)) / angle ** 2;
  return Float64Array.of(
    1 - b * (y * y + z * z),
    b * x * y - a * z,
    b * x * z + a * y,
    b * x * y + a * z,
    1 - b * (x * x + z * z),
    b * y * z - a * x,
    b * x * z - a * y,
    b * y * z + a * x,
    1 - b * (x * x + y * y),
  );
}

/** Inverse of {@link rotationFromVector}; the length of the result is 0 to pi rad. */
export function vectorFromRotation(r: Rotation): Vector3 {
  const at = (i: number) => r[i] ?? 0;
  const skew = [at(7) - at(5), at(2) - at(6), at(3) - at(1)] as const;
  const sine = Math.hypot(...skew) / 2;
  const cosine = (at(0) + at(4) + at(8) - 1) / 2;
  const angle = Math.atan2(sine, cosine);
  if (angle < SMALL_RAD) return [skew[0] / 2, skew[1] / 2, skew[2] / 2];
  if (Math.PI - angle > 1e-4) {
    const k = angle / (2 * sine);
    return [k * skew[0], k * skew[1], k * skew[2]];
  }
  // Near half a turn the skew part vanishes. The symmetric part less its share of I is a multiple of
  // the axis times itself: its longest column is the axis.
  const columns = [0, 1, 2].map((j) =>
    [0, 1, 2].map((i) => (at(i * 3 + j) + at(j * 3 + i)) / 2 - (i === j ? cosine : 0)),
  );
  const lengths = columns.map((column) => Math.hypot(...column));
  const j = lengths.indexOf(Math.max(...lengths));
  const [x = 0, y = 0, z = 0] = columns[j] ?? [];
  const length = lengths[j] ?? 1;
  const turnsBack = skew[0] * x + skew[1] * y + skew[2] * z < 0;
  const k = ((turnsBack ? -1 : 1) * angle) / length;
  return [k * x, k * y, k * z];
}

/** Half a turn about the view: what a picture viewer does to an image. It is its own inverse. */
export const HALF_TURN: Rotation = Float64Array.of(-1, 0, 0, 0, -1, 0, 0, 0, 1);

/** `a` less `b`. */
export function minus(a: Vector3, b: Vector3): Vector3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** `a b`: first `b`, then `a`. */
export function compose(a: Rotation, b: Rotation): Rotation {
  const c = new Float64Array(9);
  for (let i = 0; i < 3; i += 1) {
    for (let j = 0; j < 3; j += 1) {
      let sum = 0;
      for (let k = 0; k < 3; k += 1) sum += (a[i * 3 + k] ?? 0) * (b[k * 3 + j] ?? 0);
      c[i * 3 + j] = sum;
    }
  }
  return c;
}

/** The inverse, which is the transpose. */
export function inverse(r: Rotation): Rotation {
  const at = (i: number) => r[i] ?? 0;
  return Float64Array.of(at(0), at(3), at(6), at(1), at(4), at(7), at(2), at(5), at(8));
}

export function rotate(r: Rotation, [x, y, z]: Vector3): Vector3 {
  const at = (i: number) => r[i] ?? 0;
  return [
    at(0) * x + at(1) * y + at(2) * z,
    at(3) * x + at(4) * y + at(5) * z,
    at(6) * x + at(7) * y + at(8) * z,
  ];
}

/** The angle between two rotations, rad, 0 to pi. */
export function angleBetween(a: Rotation, b: Rotation): number {
  return Math.hypot(...vectorFromRotation(compose(a, inverse(b))));
}
