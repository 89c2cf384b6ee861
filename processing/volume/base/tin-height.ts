/** A triangulated surface: ENU, metres. */
export interface Tin {
  /** x, y, z of each vertex in turn. */
  readonly vertices: readonly number[];
  /** Three indices of vertices for each triangle. */
  readonly triangles: readonly number[];
}

/** Barycentric coordinates below it lie outside: rounding along shared edges. */
const INSIDE = -1e-9;

/**
 * Height on a triangulated surface at any place in plan, linear within triangles. Beyond the surface's rim
 * it is the height of the rim's nearest triangle, held within those of its corners. Cells looked up in
 * turn cost little: the triangle that held the last is tried first.
 */
export function tinHeight({ vertices, triangles }: Tin): (x: number, y: number) => number {
  const count = Math.floor(triangles.length / 3);
  let last = 0;
  /** Weights of the corners at a place, into `at`; yields the least of them. */
  const at = new Float64Array(3);
  const locate = (triangle: number, x: number, y: number): number => {
    const corner = (k: number) => 3 * (triangles[3 * triangle + k] ?? 0);
    const [a, b, c] = [corner(0), corner(1), corner(2)];
    const ax = (vertices[a] ?? 0) - x;
    const ay = (vertices[a + 1] ?? 0) - y;
    const bx = (vertices[b] ?? 0) - x;
    const by = (vertices[b + 1] ?? 0) - y;
    const cx = (vertices[c] ?? 0) - x;
    const cy = (vertices[c + 1] ?? 0) - y;
    const wa = bx * cy - by * cx;
    const wb = cx * ay - cy * ax;
    const wc = ax * by - ay * bx;
    const sum = wa + wb + wc;
    at[0] = wa / sum;
    at[1] = wb / sum;
    at[2] = wc / sum;
    return Math.min(at[0], at[1], at[2]);
  };
  const heightIn = (triangle: number): number => {
    let sum = 0;
    let height = 0;
    for (let k = 0; k < 3; k += 1) {
      const weight = Math.max(0, at[k] ?? 0);
      sum += weight;
      height += weight * (vertices[3 * (triangles[3 * triangle + k] ?? 0) + 2] ?? 0);
    }
    return height / sum;
  };
  return (x, y) => {
    if (count === 0) return Number.NaN;
    if (locate(last, x, y) >= INSIDE) return heightIn(last);
    let nearest = last;
    let most = Number.NEGATIVE_INFINITY;
    for (let triangle = 0; triangle < count; triangle += 1) {
      const least = locate(triangle, x, y);
      if (least <= most) continue;
      most = least;
      nearest = triangle;
      if (least >= INSIDE) break;
    }
    last = nearest;
    locate(nearest, x, y);
    return heightIn(nearest);
  };
}
