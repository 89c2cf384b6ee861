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
const ID = "survey-picture";
/** The lowest layer of the site: pictures of a survey are the ground below all that is drawn of it. */
const BELOW = "graticule";

/** Lays a picture of a survey under what is drawn of a site. */
export class SurveyLayers implements MapGuest {
  #map: MapLibre | undefined;
  #picture: SurveyPicture | undefined;

  begin(map: MapLibre): void {
    this.#map = map;
    this.#add();
  }

  end(): void {
    this.#remove();
    this.#map = undefined;
  }

  /** Shows another picture, or none. */
  show(picture: SurveyPicture | undefined): void {
    const before = this.#picture;
    this.#picture = picture;
    if (picture !== undefined && picture.urlTemplate === before?.urlTemplate) {
      this.#map?.setPaintProperty(ID, "raster-opacity", picture.opacity);
      return;
    }
    this.#remove();
    this.#add();
  }

  #add(): void {
    const map = this.#map;
    const picture = this.#picture;
    if (map === undefined || picture === undefined) return;
    map.addSource(ID, {
      type: "raster",
      tiles: [picture.urlTemplate],
      tileSize: TILE,
      minzoom: picture.minZoom,
      maxzoom: picture.maxZoom,
      bounds: [...picture.bounds],
    });
    map.addLayer(
      {
        id: ID,
        type: "raster",
        source: ID,
        paint: { "raster-opacity": picture.opacity, "raster-fade-duration": 0 },
      },
      BELOW,
    );
  }

  #remove(): void {
    if (this.#map?.getLayer(ID) !== undefined) this.#map.removeLayer(ID);
    if (this.#map?.getSource(ID) !== undefined) this.#map.removeSource(ID);
  }
}
