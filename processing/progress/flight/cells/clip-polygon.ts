import type { PlanPolygon } from "../../../grid/polygon-weights.ts";
import type { PlanBox } from "./lattice.ts";

type Point = readonly [number, number];

/**
 * The part of a polygon within a box (Sutherland & Hodgman 1974): a zone far larger than a survey is analysed
 * where the survey is. Parts of concave polygons stay joined along the box's edges, by lines that hold no
 * area.
 * @returns fewer than three points where they have nothing in common
 */
export function clipPolygon(polygon: PlanPolygon, box: PlanBox): PlanPolygon {
  let points = polygon;
  for (const [axis, bound, sign] of [
    [0, box.westM, 1],
    [0, box.eastM, -1],
    [1, box.southM, 1],
    [1, box.northM, -1],
  ] as const) {
    const depth = (point: Point) => sign * (point[axis] - bound);
    points = points.flatMap((to, i) => {
      const from = points.at(i - 1) ?? to;
      const [a, b] = [depth(from), depth(to)];
      const crossing = (): Point => {
        const t = a / (a - b);
        return [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])];
      };
      if (a < 0 !== b < 0) return b < 0 ? [crossing()] : [crossing(), to];
      return b < 0 ? [] : [to];
    });
  }
  return points;
}
