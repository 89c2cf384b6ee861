import type { BaseMap } from "./base-map.ts";
import type { MapGuest } from "./fleet-map.ts";
import { boundsOf, type LngLat, SiteMap, type SiteMapOptions } from "./site-map.ts";
import { ABOVE_PICTURES, surveyStyle } from "./survey-style.ts";

/** Side of a tile, pixels. */
const TILE = 256;
/** Most zoom of a first view: a survey of a few metres is still seen with its edges. */
const FIRST_ZOOM = 21;
const ID = "survey-picture";

/** What is drawn of a survey: tiles of one of its layers. */
export interface SurveyPicture {
  readonly urlTemplate: string;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** 0 to 1. */
  readonly opacity: number;
}

/** Edges of a survey, degrees. */
export interface SurveyEdges {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Where a map looks. */
export interface Camera extends LngLat {
  readonly zoom: number;
}

export interface SurveyMapOptions extends SiteMapOptions {
  readonly base: BaseMap | undefined;
  /** Of the survey: the first view, and all that tiles are asked for. */
  readonly edges: SurveyEdges;
  /** The map looks elsewhere. */
  readonly onMove: (camera: Camera) => void;
}

/** A map of one survey. */
export class SurveyMap {
  readonly #site: SiteMap;
  readonly #edges: SurveyEdges;
  #picture: SurveyPicture | undefined;
  readonly #guests = new Set<MapGuest>();

  constructor(options: SurveyMapOptions) {
    const { base, edges, onMove } = options;
    this.#edges = edges;
    const bounds = boundsOf(cornersOf(edges));
    this.#site = new SiteMap(options, {
      camera: bounds === undefined ? { center: [0, 20], zoom: 1 } : { bounds },
      mostZoom: FIRST_ZOOM,
      styleOf: (theme) => surveyStyle(theme, base),
      onBegin: () => {
        this.#draw();
        for (const guest of this.#guests) guest.begin(this.#site.map);
      },
      onMove: () => onMove(this.camera),
    });
    this.#site.map.on("move", () => onMove(this.camera));
  }

  get camera(): Camera {
    const { lng, lat } = this.#site.map.getCenter();
    return { longitude: lng, latitude: lat, zoom: this.#site.map.getZoom() };
  }

  /** Looks where another map does, at once. */
  look({ longitude, latitude, zoom }: Camera): void {
    this.#site.map.jumpTo({ center: [longitude, latitude], zoom });
  }

  /** Shows a layer of the survey, or none. */
  setPicture(picture: SurveyPicture | undefined): void {
    const isSame = picture?.urlTemplate === this.#picture?.urlTemplate;
    this.#picture = picture;
    if (!this.#site.isReady) return;
    if (!isSame) this.#draw();
    else if (picture !== undefined) {
      this.#site.map.setPaintProperty(ID, "raster-opacity", picture.opacity);
    }
  }

  setTheme(theme: "light" | "dark"): void {
    if (theme === this.#site.theme) return;
    this.#endGuests();
    this.#site.setTheme(theme);
  }

  showAll(): void {
    this.#site.show(boundsOf(cornersOf(this.#edges)));
  }

  /** Lets something else draw on the map; yields what ends it. */
  invite(guest: MapGuest): () => void {
    this.#guests.add(guest);
    if (this.#site.isReady) guest.begin(this.#site.map);
    return () => {
      if (this.#guests.delete(guest) && this.#site.isReady) guest.end();
    };
  }

  close(): void {
    this.#endGuests();
    this.#site.close();
  }

  #endGuests(): void {
    if (this.#site.isReady) for (const guest of this.#guests) guest.end();
  }

  #draw(): void {
    const { map } = this.#site;
    if (map.getLayer(ID) !== undefined) map.removeLayer(ID);
    if (map.getSource(ID) !== undefined) map.removeSource(ID);
    const picture = this.#picture;
    if (picture === undefined) return;
    const { urlTemplate, minZoom: minzoom, maxZoom: maxzoom, opacity } = picture;
    const { west, south, east, north } = this.#edges;
    map.addSource(ID, {
      type: "raster",
      tiles: [urlTemplate],
      tileSize: TILE,
      minzoom,
      maxzoom,
      bounds: [west, south, east, north],
    });
    map.addLayer(
      {
        id: ID,
        type: "raster",
        source: ID,
        paint: { "raster-opacity": opacity, "raster-fade-duration": 0 },
      },
      ABOVE_PICTURES,
    );
  }
}

const cornersOf = ({ west, south, east, north }: SurveyEdges): readonly LngLat[] => [
  { longitude: west, latitude: south },
  { longitude: east, latitude: north },
];
