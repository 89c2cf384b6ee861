/** Shares of a picture's width and height. */
type Point = readonly [x: number, y: number];

/** Andrew's monotone chain (1979); collinear points are left out. */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (ordered: readonly Point[]): Point[] => {
    const line: Point[] = [];
    for (const point of ordered) {
      for (;;) {
        const [a, b] = [line.at(-2), line.at(-1)];
        if (a === undefined || b === undefined) break;
        const turn = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]);
        if (turn > 1e-12) break;
        line.pop();
      }
      line.push(point);
    }
    return line.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.toReversed())];
}

/** Sutherland and Hodgman 1974, against the four edges of the unit square. */
export function clipToFrame(ring: readonly Point[]): Point[] {
  let points = [...ring];
  for (const [axis, sign, edge] of [
    [0, 1, 0],
    [0, -1, 1],
    [1, 1, 0],
    [1, -1, 1],
  ] as const) {
    const inside = (point: Point) => sign * (point[axis] - edge);
    const kept: Point[] = [];
    for (const [i, point] of points.entries()) {
      const before = points.at(i - 1) ?? point;
      const [a, b] = [inside(before), inside(point)];
      if (a < 0 !== b < 0) {
        const t = a / (a - b);
        kept.push([before[0] + t * (point[0] - before[0]), before[1] + t * (point[1] - before[1])]);
      }
      if (b >= 0) kept.push(point);
    }
    points = kept;
  }
  return points;
}

/** Of a ring that does not cross itself. */
export function areaOf(ring: readonly Point[]): number {
  let twice = 0;
  for (const [i, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(i + 1) % ring.length] ?? [x, y];
    twice += x * nextY - nextX * y;
  }
  return Math.abs(twice) / 2;
}
