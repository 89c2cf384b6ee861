import type { LayerSpecification, StyleSpecification } from "maplibre-gl";
import { lineColour } from "../theme/line-colours.ts";
import type { BaseMap } from "./base-map.ts";
import { MAP_COLOURS } from "./colours.ts";
import { liveStyle } from "./style.ts";
import { classLooks } from "./track-looks.ts";

/** Zoom from which crossings have names: above it they cover each other. */
const NAMES = 13;
/** Between the two dashed lines beside a late stretch, CSS pixels: the widest line of a track and some ground. */
const LATE_GAP = 11;
const FONT = ["sans-serif"];
const EMPTY = { type: "FeatureCollection" as const, features: [] };

/** The live map's ground, fences and machines with tracks between them: one by speed, several by machine. */
export function trackStyle(
  theme: "light" | "dark",
  base: BaseMap | undefined,
  trackCount: number,
): StyleSpecification {
  const live = liveStyle(theme, base, false);
  const above = live.layers.findIndex(({ id }) => id === "accuracy");
  const { text, halo, ground } = MAP_COLOURS[theme];
  const looks = classLooks(theme);
  const byClass = (value: (place: number) => string | number) => [
    "match",
    ["get", "speed"],
    ...looks.flatMap((_, place) => [place, value(place)]),
    value(0),
  ];
  const byTrack = [
    "match",
    ["get", "track"],
    ...Array.from({ length: trackCount }, (_, place) => [place, lineColour(place, theme)]).flat(),
    text,
  ];
  const colour = trackCount > 1 ? byTrack : byClass((place) => looks[place]?.colour ?? text);
  const width = byClass((place) => looks[place]?.width ?? 1);
  const label = { "text-color": text, "text-halo-color": halo, "text-halo-width": 1.5 };
  const tracks = [
    {
      id: "gaps",
      type: "line",
      source: "gaps",
      paint: { "line-color": text, "line-width": 1.5, "line-dasharray": [3, 3] },
    },
    {
      id: "gap-lengths",
      type: "symbol",
      source: "gaps",
      layout: {
        "symbol-placement": "line-center",
        "text-field": ["get", "label"],
        "text-font": FONT,
        "text-size": 11,
      },
      paint: label,
    },
    {
      id: "runs-edge",
      type: "line",
      source: "runs",
      layout: { "line-cap": "round", "line-join": "round" },
      paint: { "line-color": ground, "line-width": ["+", 2.5, width] },
    },
    {
      id: "runs",
      type: "line",
      source: "runs",
      layout: { "line-cap": "round", "line-join": "round" },
      paint: { "line-color": colour, "line-width": width },
    },
    {
      id: "late",
      type: "line",
      source: "late",
      filter: ["==", ["geometry-type"], "LineString"],
      paint: {
        "line-color": text,
        "line-width": 1.5,
        "line-gap-width": LATE_GAP,
        "line-dasharray": [3, 2],
      },
    },
    {
      id: "late-ends",
      type: "circle",
      source: "late",
      filter: ["==", ["geometry-type"], "Point"],
      paint: {
        "circle-radius": LATE_GAP / 2 + 4,
        "circle-opacity": 0,
        "circle-stroke-color": text,
        "circle-stroke-width": 1.5,
      },
    },
    {
      id: "stops",
      type: "circle",
      source: "places",
      filter: ["==", ["get", "kind"], "stop"],
      paint: {
        "circle-radius": 6,
        "circle-color": halo,
        "circle-stroke-color": text,
        "circle-stroke-width": 2.5,
      },
    },
    {
      id: "crossings",
      type: "circle",
      source: "places",
      filter: ["==", ["get", "kind"], "crossing"],
      paint: {
        "circle-radius": 3.5,
        "circle-color": text,
        "circle-stroke-color": halo,
        "circle-stroke-width": 1.5,
      },
    },
    {
      id: "stop-lengths",
      type: "symbol",
      source: "places",
      filter: ["==", ["get", "kind"], "stop"],
      layout: {
        "text-field": ["get", "label"],
        "text-font": FONT,
        "text-size": 12,
        "text-anchor": "left",
        "text-offset": [0.9, 0],
      },
      paint: label,
    },
    {
      id: "late-names",
      type: "symbol",
      source: "late",
      filter: ["!=", ["get", "label"], ""],
      layout: {
        "text-field": ["get", "label"],
        "text-font": FONT,
        "text-size": 11,
        "text-anchor": "top",
        "text-offset": [0, 1],
      },
      paint: label,
    },
    {
      id: "crossing-names",
      type: "symbol",
      source: "places",
      minzoom: NAMES,
      filter: ["==", ["get", "kind"], "crossing"],
      layout: {
        "text-field": ["get", "label"],
        "text-font": FONT,
        "text-size": 11,
        "text-anchor": "right",
        "text-offset": [-0.8, 0],
      },
      paint: label,
    },
  ] as LayerSpecification[];
  return {
    ...live,
    sources: {
      ...live.sources,
      gaps: { type: "geojson", data: EMPTY },
      runs: { type: "geojson", data: EMPTY },
      places: { type: "geojson", data: EMPTY },
      late: { type: "geojson", data: EMPTY },
    },
    layers: [...live.layers.slice(0, above), ...tracks, ...live.layers.slice(above)],
  };
}
