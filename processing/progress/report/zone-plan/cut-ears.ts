import earcut from "earcut";
import type { PlanPolygon } from "../../../grid/polygon-weights.ts";

/**
 * Triangles that fill a simple polygon. Indices of its vertices, three a triangle, anticlockwise whichever way
 * round the polygon is; none of a line. A polygon that crosses itself yields triangles all the same, some of them
 * outside.
 */
export function cutEars(polygon: PlanPolygon): number[] {
  return earcut(polygon.flat());
}
