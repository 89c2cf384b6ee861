import type { Map as MapLibre } from "maplibre-gl";
import type { MapGuest } from "./fleet-map.ts";

/** Pictures of a survey that can be laid on a map. */
export const SURVEY_LAYERS = ["orthophoto", "hillshade", "heights"] as const;
export type SurveyLayer = (typeof SURVEY_LAYERS)[number];

/** What is drawn of a survey: signed tiles of one of its pictures. */
export interface SurveyPicture {
  readonly urlTemplate: string;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** West, south, east, north; degrees. */
  readonly bounds: readonly [number, number, number, number];
  /** 0 to 1. */
  readonly opacity: number;
}

/** Side of a tile, pixels. */
const TILE = 256;
/** The lowest layer of the site: pictures of a survey are the ground below all that is drawn of it. */
const BELOW = "graticule";

const idOf = (index: number): string => `survey-picture-${index}`;

/** Lays pictures of surveys under what is drawn of a site. */
export class SurveyLayers implements MapGuest {
  #map: MapLibre | undefined;
  #pictures: readonly SurveyPicture[] = [];

  begin(map: MapLibre): void {
    this.#map = map;
    this.#add();
  }

  end(): void {
    this.#remove();
    this.#map = undefined;
  }

  /** Shows other pictures, or none; the first one is on top. */
  show(pictures: readonly SurveyPicture[]): void {
    const before = this.#pictures;
    const isSame =
      pictures.length === before.length &&
      pictures.every(({ urlTemplate }, i) => urlTemplate === before[i]?.urlTemplate);
    if (!isSame) this.#remove();
    this.#pictures = pictures;
    if (!isSame) this.#add();
    else {
      for (const [i, { opacity }] of pictures.entries()) {
        this.#map?.setPaintProperty(idOf(i), "raster-opacity", opacity);
      }
    }
  }

  #add(): void {
    const map = this.#map;
    if (map === undefined) return;
    // Each is put right below the site, and so above those before it.
    for (const [i, picture] of [...this.#pictures.entries()].reverse()) {
      map.addSource(idOf(i), {
        type: "raster",
        tiles: [picture.urlTemplate],
        tileSize: TILE,
        minzoom: picture.minZoom,
        maxzoom: picture.maxZoom,
        bounds: [...picture.bounds],
      });
      map.addLayer(
        {
          id: idOf(i),
          type: "raster",
          source: idOf(i),
          paint: { "raster-opacity": picture.opacity, "raster-fade-duration": 0 },
        },
        BELOW,
      );
    }
  }

  #remove(): void {
    for (const i of this.#pictures.keys()) {
      const id = idOf(i);
      if (this.#map?.getLayer(id) !== undefined) this.#map.removeLayer(id);
      if (this.#map?.getSource(id) !== undefined) this.#map.removeSource(id);
    }
  }
}
