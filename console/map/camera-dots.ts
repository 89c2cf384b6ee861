import type { FeatureCollection } from "geojson";
import type { GeoJSONSource, MapLayerMouseEvent, Map as MapLibre } from "maplibre-gl";
import type { MapGuest } from "./fleet-map.ts";
import type { LngLat } from "./site-map.ts";

const ID = "survey-cameras";
const CHOSEN = "survey-camera-chosen";
/** On photographs, relief and colours alike: dark within white. */
const DOT = { fill: "#0b4f6c", line: "#ffffff" };

/** Where the photographs of a survey were taken, as dots above its picture; a press chooses one. */
export class CameraDots implements MapGuest {
  readonly #places: readonly LngLat[];
  readonly #onChoose: (index: number) => void;
  #map: MapLibre | undefined;
  #chosen: number | undefined;

  constructor(places: readonly LngLat[], onChoose: (index: number) => void) {
    this.#places = places;
    this.#onChoose = onChoose;
  }

  begin(map: MapLibre): void {
    this.#map = map;
    map.addSource(ID, { type: "geojson", data: pointsOf(this.#places) });
    map.addSource(CHOSEN, { type: "geojson", data: pointsOf([]) });
    map.addLayer({
      id: ID,
      type: "circle",
      source: ID,
      paint: {
        "circle-radius": 5,
        "circle-color": DOT.fill,
        "circle-stroke-color": DOT.line,
        "circle-stroke-width": 1.5,
      },
    });
    map.addLayer({
      id: CHOSEN,
      type: "circle",
      source: CHOSEN,
      paint: {
        "circle-radius": 10,
        "circle-color": DOT.fill,
        "circle-stroke-color": DOT.line,
        "circle-stroke-width": 4,
      },
    });
    map.on("click", ID, this.#press);
    this.choose(this.#chosen);
  }

  end(): void {
    const map = this.#map;
    this.#map = undefined;
    if (map === undefined) return;
    map.off("click", ID, this.#press);
    for (const id of [ID, CHOSEN]) {
      if (map.getLayer(id) !== undefined) map.removeLayer(id);
      if (map.getSource(id) !== undefined) map.removeSource(id);
    }
  }

  /** Marks one of the places, or none. */
  choose(index: number | undefined): void {
    this.#chosen = index;
    const place = index === undefined ? undefined : this.#places[index];
    const source = this.#map?.getSource<GeoJSONSource>(CHOSEN);
    source?.setData(pointsOf(place === undefined ? [] : [place]));
  }

  readonly #press = ({ features }: MapLayerMouseEvent): void => {
    const id = features?.[0]?.id;
    if (typeof id === "number") this.#onChoose(id);
  };
}

const pointsOf = (places: readonly LngLat[]): FeatureCollection => ({
  type: "FeatureCollection",
  features: places.map(({ longitude, latitude }, id) => ({
    type: "Feature",
    id,
    properties: {},
    geometry: { type: "Point", coordinates: [longitude, latitude] },
  })),
});
