import type { PlanPolygon } from "./polygon-weights.ts";

/** Whether a place lies inside a polygon: rays to the east cross its line an odd number of times. */
export function isInside(polygon: PlanPolygon, x: number, y: number): boolean {
  let inside = false;
  let [fromX, fromY] = polygon.at(-1) ?? [0, 0];
  for (const [toX, toY] of polygon) {
    const isCrossed = fromY > y !== toY > y;
    if (isCrossed && x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX)) inside = !inside;
    [fromX, fromY] = [toX, toY];
  }
  return inside;
}
