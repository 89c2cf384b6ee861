import { elevationAt } from "../../processing/grid/elevation-at.ts";
import type { HeightField } from "../../processing/grid/elevation-grid.ts";
import type { PlanPolygon } from "../../processing/grid/polygon-weights.ts";
import { type BaseSurface, levelBase } from "../../processing/volume/base/base-surface.ts";

/** Level bases from the heights of single vertices, as WebODM offers them. */
export const SINGLE_VERTEX_BASES = ["average", "lowest", "highest"] as const;
export type SingleVertexBase = (typeof SINGLE_VERTEX_BASES)[number];

export function singleVertexBase(
  method: SingleVertexBase,
  surface: HeightField,
  polygon: PlanPolygon,
): BaseSurface {
  const heights = polygon.map(([x, y]) => elevationAt(surface, x, y));
  switch (method) {
    case "average":
      return levelBase(heights.reduce((sum, z) => sum + z, 0) / heights.length);
    case "lowest":
      return levelBase(Math.min(...heights));
    case "highest":
      return levelBase(Math.max(...heights));
  }
}
