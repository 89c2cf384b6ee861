import type { FeatureCollection, Polygon } from "geojson";
import type { LayerSpecification } from "maplibre-gl";
import { MAP_COLOURS } from "./colours.ts";
import { closed } from "./features.ts";

/** Places of a site that are drawn beside its fences. */
export const PLACE_KINDS = ["zones", "piles"] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

/** What is drawn of a place: `[latitude, longitude]` of its corners, degrees; absent: it is nowhere on the map. */
export interface Place {
  readonly id: string;
  readonly name: string;
  readonly corners: readonly (readonly number[])[] | undefined;
}

/** Zoom from which places have names: above it they cover each other. */
const NAMES = 14;
/** Width of the casing of a line, pixels: one or so to each side. */
const CASING = 4;
/** Lines of each kind, in widths of the line: they differ from each other and from fences without their colours. */
export const PLACE_DASHES = { zones: [1, 2], piles: undefined } as const;

export function placeFeatures(places: readonly Place[]): FeatureCollection<Polygon> {
  return {
    type: "FeatureCollection",
    features: places.flatMap(({ id, name, corners }) =>
      corners === undefined
        ? []
        : {
            type: "Feature" as const,
            properties: { id, name },
            geometry: {
              type: "Polygon" as const,
              coordinates: [closed(corners.map(([lat = 0, lng = 0]) => [lng, lat]))],
            },
          },
    ),
  };
}

/** What lines have below them, so that they are seen on photographs of any brightness. */
export const lineCasing = (source: string, halo: string): LayerSpecification => ({
  id: `${source}-casing`,
  type: "line",
  source,
  paint: { "line-color": halo, "line-width": CASING, "line-opacity": 0.75 },
});

/** Area, outline and name of each kind of place. */
export function placeLayers(theme: "light" | "dark", font: string[]): LayerSpecification[] {
  const { halo, places } = MAP_COLOURS[theme];
  return PLACE_KINDS.flatMap((kind): LayerSpecification[] => {
    const colour = places[kind];
    const dash = PLACE_DASHES[kind];
    return [
      {
        id: `${kind}-area`,
        type: "fill",
        source: kind,
        paint: { "fill-color": colour, "fill-opacity": 0.14 },
      },
      lineCasing(kind, halo),
      {
        id: kind,
        type: "line",
        source: kind,
        paint: {
          "line-color": colour,
          "line-width": 2,
          ...(dash === undefined ? {} : { "line-dasharray": [...dash] }),
        },
      },
      {
        id: `${kind}-names`,
        type: "symbol",
        source: kind,
        minzoom: NAMES,
        layout: {
          "text-field": ["get", "name"],
          "text-font": font,
          "text-size": 11,
          // A name that another one covers goes beside its place: a site has many small zones.
          "text-variable-anchor": ["center", "left", "right", "top", "bottom"],
          "text-radial-offset": 1.4,
          "text-justify": "auto",
          "text-padding": 1,
        },
        paint: { "text-color": colour, "text-halo-color": halo, "text-halo-width": 1.5 },
      },
    ];
  });
}
