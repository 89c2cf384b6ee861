/** Rays from cameras, three numbers each; `direction` has unit length. */
export interface Rays {
  readonly origin: Float64Array;
  readonly direction: Float64Array;
}

/** Smallest determinant, per ray cubed, at which rays still fix a point; parallel rays have 0. */
const MIN_DETERMINANT = 1e-9;

/**
 * The point with the least sum of squared distances to the first `count` rays (the midpoint method
 * for n rays; Hartley and Sturm 1997, doi:10.1006/cviu.1997.0547, section 5.3).
 * @returns `false`, and `out` untouched, when the rays are parallel.
 */
export function meetRays({ origin, direction }: Rays, count: number, out: Float64Array): boolean {
  let a00 = 0;
  let a01 = 0;
  let a02 = 0;
  let a11 = 0;
  let a12 = 0;
  let a22 = 0;
  let b0 = 0;
  let b1 = 0;
  let b2 = 0;
  for (let i = 0; i < count * 3; i += 3) {
    const x = direction[i] ?? 0;
    const y = direction[i + 1] ?? 0;
    const z = direction[i + 2] ?? 0;
    const ox = origin[i] ?? 0;
    const oy = origin[i + 1] ?? 0;
    const oz = origin[i + 2] ?? 0;
    // I - d d': what is left of a vector across the ray.
    const along = x * ox + y * oy + z * oz;
    a00 += 1 - x * x;
    a01 -= x * y;
    a02 -= x * z;
    a11 += 1 - y * y;
    a12 -= y * z;
    a22 += 1 - z * z;
    b0 += ox - x * along;
    b1 += oy - y * along;
    b2 += oz - z * along;
  }
  const c00 = a11 * a22 - a12 * a12;
  const c01 = a02 * a12 - a01 * a22;
  const c02 = a01 * a12 - a02 * a11;
  const determinant = a00 * c00 + a01 * c01 + a02 * c02;
  if (!(determinant > MIN_DETERMINANT * count ** 3)) return false;
  const c11 = a00 * a22 - a02 * a02;
  const c12 = a01 * a02 - a00 * a12;
  const c22 = a00 * a11 - a01 * a01;
  out[0] = (c00 * b0 + c01 * b1 + c02 * b2) / determinant;
  out[1] = (c01 * b0 + c11 * b1 + c12 * b2) / determinant;
  out[2] = (c02 * b0 + c12 * b1 + c22 * b2) / determinant;
  return true;
}

/** Cosine of the widest angle between any two of the first `count` rays: 1 when they are parallel. */
export function widestAngleCosine({ direction }: Rays, count: number): number {
  let least = 1;
  for (let i = 0; i < count * 3; i += 3) {
    const x = direction[i] ?? 0;
    const y = direction[i + 1] ?? 0;
    const z = direction[i + 2] ?? 0;
    for (let j = 0; j < i; j += 3) {
      const cosine =
        x * (direction[j] ?? 0) + y * (direction[j + 1] ?? 0) + z * (direction[j + 2] ?? 0);
      if (cosine < least) least = cosine;
    }
  }
  return least;
}
