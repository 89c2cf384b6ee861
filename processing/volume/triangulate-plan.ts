/** Indices of three places, anticlockwise, and the circle through them. */
interface Triangle {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly x: number;
  readonly y: number;
  readonly r2: number;
}

/** Reach of the triangle that holds all places, in spans of them; smaller cuts flat corners of the hull. */
const SPANS = 1e3;
/**
 * Places are moved by up to this share of their span while triangles are chosen: whether a place lies on
 * a circle must not hang on rounding, and of a regular ring or lattice all lie on circles.
 */
const JITTER = 1e-5;

/**
 * Delaunay triangulation of places in plan by insertion (Bowyer 1981, Watson 1981). Work grows with the
 * square of their number: for the 200 vertices of a base, a few milliseconds.
 * @param plan x, y in turn, metres; no two places equal
 * @returns indices of vertices, three a triangle, anticlockwise; none of fewer than three places.
 */
export function triangulatePlan(plan: Float64Array): number[] {
  const count = plan.length / 2;
  const bounds = boundsOf(plan);
  const reach = SPANS * Math.max(bounds.spanM, 1e-9);
  const [cx, cy] = [bounds.x, bounds.y];
  let state = 1;
  const jittered = plan.map((value, i) => {
    // Park & Miller's generator (1988): the same triangles every time.
    state = (state * 48_271) % 2_147_483_647;
    const moved = (state / 2_147_483_647 - 0.5) * JITTER * bounds.spanM;
    return value - (i % 2 === 0 ? cx : cy) + moved;
  });
  const points = Float64Array.of(...jittered, -reach, -reach, reach, -reach, 0, reach);
  let triangles: Triangle[] = [circled(points, count, count + 1, count + 2)];
  for (let i = 0; i < count; i += 1) {
    const [x, y] = [points[2 * i] ?? 0, points[2 * i + 1] ?? 0];
    const kept: Triangle[] = [];
    const rim = new Map<string, readonly [number, number]>();
    for (const triangle of triangles) {
      const isHit = (triangle.x - x) ** 2 + (triangle.y - y) ** 2 < triangle.r2;
      if (!isHit) {
        kept.push(triangle);
        continue;
      }
      const { a, b, c } = triangle;
      for (const [from, to] of [[a, b] as const, [b, c] as const, [c, a] as const]) {
        // An edge that two of the triangles share lies within the hole.
        if (!rim.delete(`${to},${from}`)) rim.set(`${from},${to}`, [from, to]);
      }
    }
    for (const [from, to] of rim.values()) kept.push(circled(points, from, to, i));
    triangles = kept;
  }
  return triangles.flatMap(({ a, b, c }) => (Math.max(a, b, c) < count ? [a, b, c] : []));
}

function circled(points: Float64Array, a: number, b: number, c: number): Triangle {
  const [ax, ay] = [points[2 * a] ?? 0, points[2 * a + 1] ?? 0];
  const [bx, by] = [(points[2 * b] ?? 0) - ax, (points[2 * b + 1] ?? 0) - ay];
  const [cx, cy] = [(points[2 * c] ?? 0) - ax, (points[2 * c + 1] ?? 0) - ay];
  const d = 2 * (bx * cy - by * cx);
  const b2 = bx * bx + by * by;
  const c2 = cx * cx + cy * cy;
  const ux = (cy * b2 - by * c2) / d;
  const uy = (bx * c2 - cx * b2) / d;
  return { a, b, c, x: ax + ux, y: ay + uy, r2: ux * ux + uy * uy };
}

function boundsOf(plan: Float64Array): { x: number; y: number; spanM: number } {
  let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < plan.length; i += 2) {
    west = Math.min(west, plan[i] ?? 0);
    east = Math.max(east, plan[i] ?? 0);
    south = Math.min(south, plan[i + 1] ?? 0);
    north = Math.max(north, plan[i + 1] ?? 0);
  }
  return {
    x: (west + east) / 2,
    y: (south + north) / 2,
    spanM: Math.max(east - west, north - south),
  };
}
