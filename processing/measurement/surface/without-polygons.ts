import type { HeightField } from "../../grid/elevation-grid.ts";
import { type PlanPolygon, polygonWeights } from "../../grid/polygon-weights.ts";

/** The surface with holes where polygons lie; all in one frame. */
export function withoutPolygons<Surface extends HeightField>(
  surface: Surface,
  polygons: readonly PlanPolygon[],
): Surface {
  const { width, height } = surface;
  const elevationM = surface.elevationM.slice();
  for (const polygon of polygons) {
    const { firstCol, firstRow, width: columns, share } = polygonWeights(surface, polygon);
    for (const [i, inside] of share.entries()) {
      const column = firstCol + (i % columns);
      const row = firstRow + Math.floor(i / columns);
      const isOnGrid = column >= 0 && row >= 0 && column < width && row < height;
      if (inside > 0 && isOnGrid) elevationM[row * width + column] = Number.NaN;
    }
  }
  return { ...surface, elevationM };
}
