import polylabel from "polylabel";
import type { PlanPolygon } from "../../../grid/polygon-weights.ts";

/** How much farther from the edges another place may be, as a share of the box: smaller takes longer. */
const PRECISION = 0.02;

/**
 * A place inside a polygon far from its edges, where a label has room. Of bent shapes the centroid may lie
 * outside; where many places are as far from the edges, it is the one nearest to the centroid.
 */
export function labelPlace(polygon: PlanPolygon): readonly [number, number] {
  const xs = polygon.map(([x]) => x);
  const ys = polygon.map(([, y]) => y);
  const size = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  const [x, y] = polylabel([polygon.map(([east, north]) => [east, north])], PRECISION * size);
  return [x, y];
}
