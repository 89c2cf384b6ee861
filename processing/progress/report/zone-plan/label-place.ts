import { isInside } from "../../../volume/inside-polygon.ts";
import type { PlanPolygon } from "../../../volume/polygon-weights.ts";

/** Places that are tried along each side of the polygon's box. Chosen. */
const TRIES = 25;
/** How much room a place nearer to the middle is worth, of the distance between. Chosen. */
const ASIDE = 0.1;

/**
 * A place inside a polygon far from its edges, where a label has room: the best of a lattice, which is a
 * twentieth of the box off at most. Of bent shapes the centroid may lie outside.
 */
export function labelPlace(polygon: PlanPolygon): readonly [number, number] {
  const xs = polygon.map(([x]) => x);
  const ys = polygon.map(([, y]) => y);
  const [west, south] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - west, Math.max(...ys) - south];
  let best: readonly [number, number] = polygon[0] ?? [0, 0];
  let most = -Infinity;
  for (let row = 0; row < TRIES; row += 1) {
    for (let col = 0; col < TRIES; col += 1) {
      const x = west + ((col + 0.5) / TRIES) * width;
      const y = south + ((row + 0.5) / TRIES) * height;
      if (!isInside(polygon, x, y)) continue;
      // Of places as far from the edges, as the middle line of a long zone, the one in the middle.
      const aside = Math.hypot(x - west - width / 2, y - south - height / 2);
      const room = distanceToEdge(polygon, x, y) - ASIDE * aside;
      if (room <= most) continue;
      most = room;
      best = [x, y];
    }
  }
  return best;
}

function distanceToEdge(polygon: PlanPolygon, x: number, y: number): number {
  let least = Infinity;
  let [fromX, fromY] = polygon.at(-1) ?? [0, 0];
  for (const [toX, toY] of polygon) {
    const [ex, ey] = [toX - fromX, toY - fromY];
    const length2 = ex * ex + ey * ey;
    const t = length2 === 0 ? 0 : ((x - fromX) * ex + (y - fromY) * ey) / length2;
    const along = Math.min(1, Math.max(0, t));
    least = Math.min(least, Math.hypot(x - fromX - along * ex, y - fromY - along * ey));
    [fromX, fromY] = [toX, toY];
  }
  return least;
}
