import type { Feature, FeatureCollection, Position } from "geojson";
import type { GeoJSONSource, Map as MapLibre } from "maplibre-gl";
import { MAP_COLOURS } from "../colours.ts";
import type { Draft } from "./draft.ts";

const OUTLINE = "draft-outline";
const BAND = "draft-band";
const CORNERS = "draft-corners";
const SOURCES = [OUTLINE, BAND, CORNERS] as const;
const EMPTY: FeatureCollection = { type: "FeatureCollection", features: [] };

/** Pixels of the map's equator at zoom 0 (a tile of 512), and its length, metres. */
const EQUATOR_PX = 512;
const EQUATOR_M = 40_075_016.686;
const MOST_ZOOM = 24;

/** What is drawn of a draft beside the shape itself: how wide a corridor is, chosen and wrong corners, the outline. */
export class DraftMarks {
  #map: MapLibre | undefined;
  #draft: Draft | undefined;
  #chosen: number | undefined;
  #wrong: readonly number[] = [];
  #outline: Position[] | undefined;

  begin(map: MapLibre, theme: "light" | "dark"): void {
    const { accent, restricted } = MAP_COLOURS[theme];
    for (const source of SOURCES) map.addSource(source, { type: "geojson", data: EMPTY });
    map.addLayer({
      id: BAND,
      type: "line",
      source: BAND,
      layout: { "line-cap": "round", "line-join": "round" },
      paint: { "line-color": accent, "line-opacity": 0.2, "line-width": 0 },
    });
    map.addLayer({
      id: OUTLINE,
      type: "line",
      source: OUTLINE,
      paint: { "line-color": accent, "line-width": 1.5, "line-dasharray": [3, 2] },
    });
    map.addLayer({
      id: CORNERS,
      type: "circle",
      source: CORNERS,
      paint: {
        "circle-radius": 13,
        "circle-color": ["case", ["get", "isWrong"], restricted, accent],
        "circle-opacity": 0.25,
        "circle-stroke-color": ["case", ["get", "isWrong"], restricted, accent],
        "circle-stroke-width": 2.5,
      },
    });
    this.#map = map;
    this.#drawBand();
    this.#drawCorners();
    this.#drawOutline();
  }

  end(): void {
    for (const id of SOURCES) {
      if (this.#map?.getLayer(id) !== undefined) this.#map.removeLayer(id);
      if (this.#map?.getSource(id) !== undefined) this.#map.removeSource(id);
    }
    this.#map = undefined;
  }

  show(draft: Draft): void {
    this.#draft = draft;
    this.#drawBand();
    this.#drawCorners();
  }

  setCorners(chosen: number | undefined, wrong: readonly number[]): void {
    this.#chosen = chosen;
    this.#wrong = wrong;
    this.#drawCorners();
  }

  /** Longitude first; none: it is not known for the draft as it is. */
  setOutline(outline: Position[] | undefined): void {
    this.#outline = outline;
    this.#drawOutline();
  }

  /** A line as wide as the corridor, by the scale of web mercator, which doubles with each zoom. */
  #drawBand(): void {
    const { shape, points = [], sizeM } = this.#draft ?? {};
    const isBand = shape === "corridor" && points.length > 1 && sizeM !== undefined;
    const coordinates = points.map(([lat, lng]) => [lng, lat]);
    this.#set(BAND, isBand ? [feature({ type: "LineString", coordinates })] : []);
    const [[latitude] = [0]] = points;
    const scale = EQUATOR_M * Math.cos((latitude * Math.PI) / 180);
    const px = isBand ? (sizeM * EQUATOR_PX) / scale : 0;
    this.#map?.setPaintProperty(BAND, "line-width", [
      "interpolate",
      ["exponential", 2],
      ["zoom"],
      0,
      px,
      MOST_ZOOM,
      px * 2 ** MOST_ZOOM,
    ]);
  }

  #drawCorners(): void {
    const { points = [] } = this.#draft ?? {};
    const marked = new Set([...this.#wrong, ...(this.#chosen === undefined ? [] : [this.#chosen])]);
    const corners = [...marked].flatMap((index) => {
      const [lat, lng] = points[index] ?? [];
      if (lat === undefined || lng === undefined) return [];
      const isWrong = this.#wrong.includes(index);
      return [feature({ type: "Point", coordinates: [lng, lat] }, { isWrong })];
    });
    this.#set(CORNERS, corners);
  }

  #drawOutline(): void {
    const coordinates = this.#outline;
    this.#set(
      OUTLINE,
      coordinates === undefined ? [] : [feature({ type: "LineString", coordinates })],
    );
  }

  #set(source: string, features: Feature[]): void {
    this.#map?.getSource<GeoJSONSource>(source)?.setData({ type: "FeatureCollection", features });
  }
}

const feature = (geometry: Feature["geometry"], properties = {}): Feature => ({
  type: "Feature",
  properties,
  geometry,
});
