import Delaunator from "delaunator";

/**
 * Delaunay triangulation of places in plan.
 * @param plan x, y in turn, metres; no two places equal
 * @returns indices of vertices, three a triangle, anticlockwise; none of fewer than three places, or of places on
 * one line
 */
export function triangulatePlan(plan: Float64Array): number[] {
  const { triangles } = new Delaunator(plan);
  // The library's are anticlockwise where y points down.
  return Array.from(triangles).reverse();
}
