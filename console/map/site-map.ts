import { effect } from "@preact/signals";
import {
  type GeoJSONSource,
  LngLatBounds,
  Map as MapLibre,
  type MapMouseEvent,
  type MapOptions,
  NavigationControl,
  ScaleControl,
  type StyleSpecification,
  setWorkerUrl,
} from "maplibre-gl";
import "maplibre-gl/dist/maplibre-gl.css";
import type { FeatureCollection } from "geojson";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import { preferences } from "../state/preferences.ts";
import { graticule } from "./graticule.ts";
import { drawIcons, ICON_DENSITY } from "./icons.ts";

// A file of this origin: the content security policy lets no script of any other kind run.
setWorkerUrl(workerUrl);

/** Least zoom of a map that follows. */
const FOLLOW_ZOOM = 15;
/** Room around what is shown as a whole, CSS pixels. */
const PADDING = 56;
/** Room of a pointer around what is drawn, CSS pixels: a finger's. */
const REACH = 8;

/** Degrees. */
export interface LngLat {
  readonly longitude: number;
  readonly latitude: number;
}

/** What every map of a site is made with. */
export interface SiteMapOptions {
  readonly container: HTMLElement;
  readonly theme: "light" | "dark";
  /** Names of the buttons that MapLibre draws. */
  readonly zoomIn: string;
  readonly zoomOut: string;
}

interface SiteMapWork {
  /** The first view. */
  readonly camera: Pick<MapOptions, "bounds" | "center" | "zoom">;
  /** Most zoom of a view of all. */
  readonly mostZoom: number;
  readonly styleOf: (theme: "light" | "dark") => StyleSpecification;
  /** A style has loaded: nothing of the one before is there. */
  readonly onBegin: () => void;
  readonly onMove: (isByHand: boolean) => void;
}

/**
 * The ground of a map: buttons, scale, icons, fences and a grid of degrees, in either appearance. What it is given
 * before its style has loaded is drawn then. North stays up: a turned site plan helps nobody who reads names.
 */
export class SiteMap {
  readonly map: MapLibre;
  readonly #work: SiteMapWork;
  #theme: "light" | "dark";
  #isReady = false;
  #fences: FeatureCollection = { type: "FeatureCollection", features: [] };

  constructor({ container, theme, zoomIn, zoomOut }: SiteMapOptions, work: SiteMapWork) {
    this.#work = work;
    this.#theme = theme;
    const map = new MapLibre({
      container,
      style: work.styleOf(theme),
      ...work.camera,
      fitBoundsOptions: { padding: PADDING, maxZoom: work.mostZoom },
      attributionControl: { compact: false },
      dragRotate: false,
      pitchWithRotate: false,
      fadeDuration: 0,
      locale: { "NavigationControl.ZoomIn": zoomIn, "NavigationControl.ZoomOut": zoomOut },
    });
    this.map = map;
    map.touchZoomRotate.disableRotation();
    map.addControl(new NavigationControl({ showCompass: false }), "top-right");
    const scale = new ScaleControl({});
    map.addControl(scale, "bottom-left");
    const end = effect(() => scale.setUnit(preferences.value.units));
    map.on("remove", end);
    map.on("style.load", () => this.#begin());
    map.on("moveend", (event) => {
      this.#drawGraticule();
      work.onMove("originalEvent" in event && event.originalEvent !== undefined);
    });
  }

  /** Whether a style has loaded, so that its sources are there. */
  get isReady(): boolean {
    return this.#isReady;
  }

  get theme(): "light" | "dark" {
    return this.#theme;
  }

  setFences(fences: FeatureCollection): void {
    this.#fences = fences;
    if (this.#isReady) this.source("fences")?.setData(fences);
  }

  setTheme(theme: "light" | "dark"): void {
    this.#theme = theme;
    this.restyle();
  }

  /** Loads the style anew; what is drawn comes back with `onBegin`. */
  restyle(): void {
    this.#isReady = false;
    this.map.setStyle(this.#work.styleOf(this.#theme), { diff: false });
  }

  /** Shows places as a whole, at once; nothing where there are none. */
  show(bounds: LngLatBounds | undefined, maxZoom = this.#work.mostZoom): void {
    if (bounds === undefined) return;
    this.map.fitBounds(bounds, { padding: PADDING, maxZoom, animate: false });
  }

  /** Puts a place into the middle, at once. */
  centre({ longitude, latitude }: LngLat): void {
    const zoom = Math.max(this.map.getZoom(), FOLLOW_ZOOM);
    this.map.jumpTo({ center: [longitude, latitude], zoom });
  }

  /** What is drawn at a place of the screen. */
  at({ point: { x, y } }: MapMouseEvent, layers: string[]): Readonly<Record<string, unknown>> {
    if (!this.#isReady) return {};
    const [found] = this.map.queryRenderedFeatures(
      [
        [x - REACH, y - REACH],
        [x + REACH, y + REACH],
      ],
      { layers },
    );
    return found?.properties ?? {};
  }

  source(id: string): GeoJSONSource | undefined {
    return this.map.getSource<GeoJSONSource>(id);
  }

  close(): void {
    this.#isReady = false;
    this.map.remove();
  }

  #begin(): void {
    for (const [look, picture] of drawIcons(this.#theme)) {
      if (!this.map.hasImage(look)) this.map.addImage(look, picture, { pixelRatio: ICON_DENSITY });
    }
    this.#isReady = true;
    this.#drawGraticule();
    this.setFences(this.#fences);
    this.#work.onBegin();
  }

  #drawGraticule(): void {
    if (!this.#isReady) return;
    const bounds = this.map.getBounds();
    const [west, south] = [bounds.getWest(), bounds.getSouth()];
    const [east, north] = [bounds.getEast(), bounds.getNorth()];
    this.source("graticule")?.setData(graticule({ west, south, east, north }));
  }
}

/** The smallest rectangle around places; `undefined`: there are none. */
export function boundsOf(places: readonly LngLat[]): LngLatBounds | undefined {
  const bounds = new LngLatBounds();
  for (const { longitude, latitude } of places) bounds.extend([longitude, latitude]);
  return bounds.isEmpty() ? undefined : bounds;
}
