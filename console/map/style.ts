import type { LayerSpecification, SourceSpecification, StyleSpecification } from "maplibre-gl";
import { type BaseMap, baseLayers, baseSources } from "./base-map.ts";
import { MAP_COLOURS } from "./colours.ts";
import { lineCasing, placeLayers } from "./place-layers.ts";

/** Zoom from which fences have names: above it they cover each other. */
const FENCE_NAMES = 13;
/** Fonts of the machine itself: a style without `glyphs` loads none. */
const FONT = ["sans-serif"];
const EMPTY = { type: "FeatureCollection" as const, features: [] };

/** All layers of the live map, without any address of another server but that of `base`. */
export function liveStyle(
  theme: "light" | "dark",
  base: BaseMap | undefined,
  isClustered: boolean,
): StyleSpecification {
  const { ground, grid, text, halo, accent, restricted } = MAP_COLOURS[theme];
  const empty = (): SourceSpecification => ({ type: "geojson", data: EMPTY });
  const fenceColour = ["match", ["get", "kind"], "restricted", restricted, accent];
  return {
    version: 8,
    sources: {
      ...baseSources(base),
      graticule: empty(),
      fences: empty(),
      zones: empty(),
      piles: empty(),
      accuracy: empty(),
      machines: {
        type: "geojson",
        data: EMPTY,
        promoteId: "id",
        ...(isClustered ? { cluster: true, clusterRadius: 40, clusterMaxZoom: 14 } : {}),
      },
    },
    layers: [
      { id: "ground", type: "background", paint: { "background-color": ground } },
      ...baseLayers(base, theme, FONT),
      {
        id: "graticule",
        type: "line",
        source: "graticule",
        paint: { "line-color": grid, "line-width": 1 },
      },
      {
        id: "graticule-degrees",
        type: "symbol",
        source: "graticule",
        layout: {
          "symbol-placement": "line",
          "symbol-spacing": 400,
          "text-field": ["get", "label"],
          "text-font": FONT,
          "text-size": 10,
        },
        paint: {
          "text-color": text,
          "text-opacity": 0.6,
          "text-halo-color": ground,
          "text-halo-width": 2,
        },
      },
      ...placeLayers(theme, FONT),
      {
        id: "fences-area",
        type: "fill",
        source: "fences",
        paint: { "fill-color": fenceColour, "fill-opacity": 0.08 },
      },
      lineCasing("fences", halo),
      {
        id: "fences",
        type: "line",
        source: "fences",
        paint: { "line-color": fenceColour, "line-width": 1.5, "line-dasharray": [4, 2] },
      },
      {
        id: "fence-names",
        type: "symbol",
        source: "fences",
        minzoom: FENCE_NAMES,
        layout: { "text-field": ["get", "name"], "text-font": FONT, "text-size": 11 },
        paint: { "text-color": fenceColour, "text-halo-color": halo, "text-halo-width": 1.5 },
      },
      {
        id: "accuracy",
        type: "fill",
        source: "accuracy",
        paint: { "fill-color": accent, "fill-opacity": 0.15, "fill-outline-color": accent },
      },
      {
        id: "selected",
        type: "circle",
        source: "machines",
        filter: ["==", ["get", "id"], ""],
        paint: {
          "circle-radius": 17,
          "circle-color": accent,
          "circle-opacity": 0.2,
          "circle-stroke-color": accent,
          "circle-stroke-width": 2,
        },
      },
      {
        id: "clusters",
        type: "circle",
        source: "machines",
        filter: ["has", "point_count"],
        paint: { "circle-radius": 16, "circle-color": accent },
      },
      {
        id: "cluster-counts",
        type: "symbol",
        source: "machines",
        filter: ["has", "point_count"],
        layout: {
          "text-field": ["get", "point_count_abbreviated"],
          "text-font": FONT,
          "text-size": 12,
          "text-allow-overlap": true,
        },
        paint: { "text-color": ground },
      },
      {
        id: "machines",
        type: "symbol",
        source: "machines",
        filter: ["!", ["has", "point_count"]],
        layout: {
          "icon-image": ["get", "look"],
          "icon-rotate": ["get", "turn"],
          "icon-rotation-alignment": "map",
          "icon-allow-overlap": true,
          "icon-ignore-placement": true,
          "text-field": ["get", "name"],
          "text-font": FONT,
          "text-size": 12,
          "text-anchor": "top",
          "text-offset": [0, 1.1],
          "text-optional": true,
        },
        paint: { "text-color": text, "text-halo-color": halo, "text-halo-width": 1.5 },
      },
    ] as LayerSpecification[],
  };
}
