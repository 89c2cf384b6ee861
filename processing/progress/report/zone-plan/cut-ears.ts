import type { PlanPolygon } from "../../../volume/polygon-weights.ts";

/**
 * Triangles that fill a simple polygon: ears are cut off one after the other (Meisters 1975). Indices of its
 * vertices, three a triangle, anticlockwise whichever way round the polygon is. Work grows with the cube of
 * the vertices at worst; a zone of 1,000 takes some hundredths of a second. A polygon that crosses itself
 * yields triangles all the same, some of them outside.
 */
export function cutEars(polygon: PlanPolygon): number[] {
  const ring = polygon.map((_, i) => i);
  if (signedArea(polygon) < 0) ring.reverse();
  const triangles: number[] = [];
  while (ring.length > 2) {
    const at = findEar(polygon, ring);
    const [a, b, c] = corner(ring, at);
    // Three corners on one line have no area, and a triangle of them no normal.
    if (turn(polygon, a, b, c) > 0) triangles.push(a, b, c);
    ring.splice(at, 1);
  }
  return triangles;
}

/** Where in the ring the next ear is; the first corner when rounding hides them all. */
function findEar(polygon: PlanPolygon, ring: readonly number[]): number {
  const hollow = ring.filter((_, i) => turn(polygon, ...corner(ring, i)) < 0);
  for (let i = 0; i < ring.length; i += 1) {
    const [a, b, c] = corner(ring, i);
    if (turn(polygon, a, b, c) < 0) continue;
    const isFree = hollow.every(
      (p) => p === a || p === b || p === c || !isWithin(polygon, p, a, b, c),
    );
    if (isFree) return i;
  }
  return 0;
}

function corner(ring: readonly number[], i: number): [a: number, b: number, c: number] {
  const count = ring.length;
  return [ring[(i + count - 1) % count] ?? 0, ring[i] ?? 0, ring[(i + 1) % count] ?? 0];
}

/** Twice the area of a triangle; above 0: anticlockwise. */
function turn(polygon: PlanPolygon, a: number, b: number, c: number): number {
  const [ax, ay] = polygon[a] ?? [0, 0];
  const [bx, by] = polygon[b] ?? [0, 0];
  const [cx, cy] = polygon[c] ?? [0, 0];
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

function isWithin(polygon: PlanPolygon, p: number, a: number, b: number, c: number): boolean {
  return turn(polygon, a, b, p) >= 0 && turn(polygon, b, c, p) >= 0 && turn(polygon, c, a, p) >= 0;
}

function signedArea(polygon: PlanPolygon): number {
  let sum = 0;
  let [fromX, fromY] = polygon.at(-1) ?? [0, 0];
  for (const [toX, toY] of polygon) {
    sum += fromX * toY - toX * fromY;
    [fromX, fromY] = [toX, toY];
  }
  return sum / 2;
}
