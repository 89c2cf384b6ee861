import type { StyleSpecification } from "maplibre-gl";
import { type BaseMap, baseLayers, baseSources } from "./base-map.ts";
import { MAP_COLOURS } from "./colours.ts";

/** Fonts of the machine itself: a style without `glyphs` loads none. */
const FONT = ["sans-serif"];

/** The lowest layer above the pictures of a survey. */
export const ABOVE_PICTURES = "graticule";

/** The ground of a survey: the base map and a grid of degrees. */
export function surveyStyle(
  theme: "light" | "dark",
  base: BaseMap | undefined,
): StyleSpecification {
  const { ground, grid } = MAP_COLOURS[theme];
  return {
    version: 8,
    sources: {
      ...baseSources(base),
      graticule: { type: "geojson", data: { type: "FeatureCollection", features: [] } },
    },
    layers: [
      { id: "ground", type: "background", paint: { "background-color": ground } },
      ...baseLayers(base, theme, FONT),
      {
        id: ABOVE_PICTURES,
        type: "line",
        source: "graticule",
        paint: { "line-color": grid, "line-width": 1, "line-opacity": 0.5 },
      },
    ],
  };
}
