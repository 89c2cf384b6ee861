import type { FilterSpecification, LayerSpecification } from "maplibre-gl";
import { MAP_COLOURS } from "./colours.ts";

/**
 * Colours of the ground, near to the plain one: machines and fences are read above it, so that no pair of these has
 * the contrast that text and lines of the site have.
 */
const GROUND = {
  light: { land: "#f6f4ef", green: "#e2ebd9", water: "#bcd8e6", built: "#dfdbd3", road: "#ffffff" },
  dark: { land: "#151d24", green: "#182720", water: "#16303f", built: "#232c34", road: "#33404b" },
} as const;

/** Zooms from which buildings and names of roads are drawn: above them they are a grey mass. */
const BUILDINGS = 14;
const ROAD_NAMES = 15;

/** Names of a layer of tiles: in the Protomaps schema (version 4), and in that of OpenMapTiles. */
const SCHEMAS = {
  land: ["earth"],
  green: ["landcover", "landuse", "park"],
  water: ["water"],
  rivers: ["water", "waterway"],
  buildings: ["buildings", "building"],
  roads: ["roads", "transportation"],
  roadNames: ["roads", "transportation_name"],
  borders: ["boundaries", "boundary"],
  places: ["places", "place"],
} as const;

const ofKind = (kind: "Polygon" | "LineString" | "Point"): FilterSpecification => [
  "==",
  ["geometry-type"],
  kind,
];

/** A quiet map of a vector archive; a layer that its schema does not have stays empty. */
export function baseStyle(
  source: string,
  theme: "light" | "dark",
  font: string[],
): LayerSpecification[] {
  const { land, green, water, built, road } = GROUND[theme];
  const { text, halo, grid } = MAP_COLOURS[theme];
  const names = { "text-color": text, "text-opacity": 0.75, "text-halo-color": halo };
  const each = (
    part: keyof typeof SCHEMAS,
    layer: (id: string, sourceLayer: string) => LayerSpecification,
  ) => SCHEMAS[part].map((name) => layer(`${source}-${part}-${name}`, name));
  const fill = (part: keyof typeof SCHEMAS, colour: string, minzoom = 0) =>
    each(part, (id, name) => ({
      id,
      type: "fill",
      source,
      "source-layer": name,
      minzoom,
      filter: ofKind("Polygon"),
      paint: { "fill-color": colour },
    }));
  const line = (
    part: keyof typeof SCHEMAS,
    colour: string,
    [thin, wide]: readonly [number, number],
  ) =>
    each(part, (id, name) => ({
      id,
      type: "line",
      source,
      "source-layer": name,
      filter: ofKind("LineString"),
      layout: { "line-cap": "round", "line-join": "round" },
      paint: {
        "line-color": colour,
        "line-width": ["interpolate", ["exponential", 1.6], ["zoom"], 8, thin, 19, wide],
      },
    }));
  const labels = (
    part: keyof typeof SCHEMAS,
    geometry: "LineString" | "Point",
    size: number,
    minzoom = 0,
  ) =>
    each(part, (id, name) => ({
      id: `${id}-names`,
      type: "symbol",
      source,
      "source-layer": name,
      minzoom,
      filter: ofKind(geometry),
      layout: {
        "symbol-placement": geometry === "Point" ? "point" : "line",
        "text-field": ["get", "name"],
        "text-font": font,
        "text-size": size,
      },
      paint: { ...names, "text-halo-width": 1 },
    }));
  return [
    ...fill("land", land),
    ...fill("green", green),
    ...fill("water", water),
    ...line("rivers", water, [0.5, 4]),
    ...fill("buildings", built, BUILDINGS),
    ...line("roads", road, [0.5, 14]),
    ...line("borders", grid, [0.5, 2]),
    ...labels("roadNames", "LineString", 10, ROAD_NAMES),
    ...labels("places", "Point", 11),
  ];
}
