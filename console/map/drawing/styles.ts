import type { GeoJSONStoreFeatures, HexColor } from "terra-draw";
import { MAP_COLOURS } from "../colours.ts";
import type { Shape } from "./draft.ts";

/** Of the corners of a circle each so many-th is a handle that shows. */
const CIRCLE_HANDLE = 12;

/** How terra-draw draws: shapes in the accent, corners as large as a pointer needs, the middle of an edge smaller. */
export function drawingStyles(theme: "light" | "dark", shape: () => Shape) {
  const { accent, halo } = MAP_COLOURS[theme];
  const [colour, around] = [accent as HexColor, halo as HexColor];
  const ofHandle = (px: number) => (feature: GeoJSONStoreFeatures) => {
    const index = Number(feature.properties["index"] ?? 0);
    return shape() === "circle" && index % CIRCLE_HANDLE !== 0 ? 0 : px;
  };
  return {
    draw: {
      fillColor: colour,
      fillOpacity: 0.18,
      outlineColor: colour,
      outlineWidth: 2.5,
      lineStringColor: colour,
      lineStringWidth: 2.5,
      closingPointColor: around,
      closingPointWidth: 7,
      closingPointOutlineColor: colour,
      closingPointOutlineWidth: 3,
    },
    point: {
      pointColor: colour,
      pointWidth: 7,
      pointOutlineColor: around,
      pointOutlineWidth: 3,
    },
    select: {
      selectedPolygonColor: colour,
      selectedPolygonFillOpacity: 0.18,
      selectedPolygonOutlineColor: colour,
      selectedPolygonOutlineWidth: 2.5,
      selectedLineStringColor: colour,
      selectedLineStringWidth: 2.5,
      selectionPointColor: around,
      selectionPointWidth: ofHandle(6),
      selectionPointOutlineColor: colour,
      selectionPointOutlineWidth: ofHandle(2.5),
      midPointColor: colour,
      midPointWidth: 4,
      midPointOutlineColor: around,
      midPointOutlineWidth: 1.5,
    },
  };
}
