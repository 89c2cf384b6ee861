import {
  type GeoJSONSource,
  LngLatBounds,
  Map as MapLibre,
  type MapMouseEvent,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from "maplibre-gl";
import "maplibre-gl/dist/maplibre-gl.css";
import type { FeatureCollection } from "geojson";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import type { MachineFeature } from "./features.ts";
import { graticule } from "./graticule.ts";
import { drawIcons, ICON_DENSITY } from "./icons.ts";
import type { BaseTiles } from "./style.ts";
import { trackStyle } from "./track-style.ts";

// A file of this origin: the content security policy lets no script of any other kind run.
setWorkerUrl(workerUrl);

/** Most zoom of a first view: a machine that stood still is shown with what is around it. */
const FIRST_ZOOM = 17;
/** Least zoom of a map that follows. */
const FOLLOW_ZOOM = 15;
/** Room of a pointer around a line, CSS pixels. */
const REACH = 8;

interface LngLat {
  readonly longitude: number;
  readonly latitude: number;
}

/** What tracks are drawn from. */
export interface TrackDrawing {
  readonly runs: FeatureCollection;
  readonly gaps: FeatureCollection;
  readonly places: FeatureCollection;
  readonly trackCount: number;
  /** All of it, for the first view. */
  readonly bounds: readonly LngLat[];
}

export interface TrackMapOptions {
  readonly container: HTMLElement;
  readonly theme: "light" | "dark";
  readonly tiles: BaseTiles | undefined;
  readonly drawing: TrackDrawing;
  /** Names of the buttons that MapLibre draws. */
  readonly zoomIn: string;
  readonly zoomOut: string;
  /** Somebody points at a line. */
  readonly onPoint: (track: number, place: LngLat) => void;
  /** Somebody chose a stop or a crossing, by its time, ms since the Unix epoch. */
  readonly onChoose: (ms: number) => void;
  /** The map was moved by hand. */
  readonly onMove: () => void;
}

/** A map of tracks, with the machines where they were at a time. The camera moves at first, and when it is told to. */
export class TrackMap {
  readonly #map: MapLibre;
  readonly #options: TrackMapOptions;
  #theme: "light" | "dark";
  #drawing: TrackDrawing;
  #isReady = false;
  #machines: readonly MachineFeature[] = [];
  #fences: FeatureCollection = { type: "FeatureCollection", features: [] };

  constructor(options: TrackMapOptions) {
    const { container, theme, tiles, drawing } = options;
    this.#options = options;
    this.#theme = theme;
    this.#drawing = drawing;
    const bounds = boundsOf(drawing.bounds);
    const map = new MapLibre({
      container,
      style: trackStyle(theme, tiles, drawing.trackCount),
      ...(bounds === undefined ? { center: [0, 20], zoom: 1 } : { bounds }),
      fitBoundsOptions: { padding: 56, maxZoom: FIRST_ZOOM },
      attributionControl: { compact: false },
      dragRotate: false,
      pitchWithRotate: false,
      fadeDuration: 0,
      locale: {
        "NavigationControl.ZoomIn": options.zoomIn,
        "NavigationControl.ZoomOut": options.zoomOut,
      },
    });
    this.#map = map;
    map.touchZoomRotate.disableRotation();
    map.addControl(new NavigationControl({ showCompass: false }), "top-right");
    map.addControl(new ScaleControl({}), "bottom-left");
    map.on("style.load", () => this.#begin());
    map.on("moveend", (event) => {
      this.#drawGraticule();
      if ("originalEvent" in event && event.originalEvent !== undefined) options.onMove();
    });
    map.on("mousemove", (event) => this.#point(event));
    map.on("click", (event) => this.#choose(event));
  }

  setDrawing(drawing: TrackDrawing): void {
    if (drawing === this.#drawing) return;
    this.#drawing = drawing;
    this.#drawTracks();
  }

  setFences(fences: FeatureCollection): void {
    this.#fences = fences;
    if (this.#isReady) this.#source("fences")?.setData(fences);
  }

  /** Machines where they were at the time that is shown. */
  setMachines(machines: readonly MachineFeature[]): void {
    this.#machines = machines;
    if (!this.#isReady) return;
    this.#source("machines")?.setData({ type: "FeatureCollection", features: [...machines] });
  }

  setTheme(theme: "light" | "dark"): void {
    if (theme === this.#theme) return;
    this.#theme = theme;
    this.#isReady = false;
    const { tiles } = this.#options;
    this.#map.setStyle(trackStyle(theme, tiles, this.#drawing.trackCount), { diff: false });
  }

  /** Shows all of the tracks. */
  showAll(): void {
    const bounds = boundsOf(this.#drawing.bounds);
    if (bounds === undefined) return;
    this.#map.fitBounds(bounds, { padding: 56, maxZoom: FIRST_ZOOM, animate: false });
  }

  /** Puts a place into the middle, at once. */
  centre({ longitude, latitude }: LngLat): void {
    const zoom = Math.max(this.#map.getZoom(), FOLLOW_ZOOM);
    this.#map.jumpTo({ center: [longitude, latitude], zoom });
  }

  close(): void {
    this.#isReady = false;
    this.#map.remove();
  }

  #begin(): void {
    for (const [look, picture] of drawIcons(this.#theme)) {
      if (!this.#map.hasImage(look)) {
        this.#map.addImage(look, picture, { pixelRatio: ICON_DENSITY });
      }
    }
    this.#isReady = true;
    this.#drawGraticule();
    this.setFences(this.#fences);
    this.#drawTracks();
    this.setMachines(this.#machines);
  }

  #drawTracks(): void {
    if (!this.#isReady) return;
    const { runs, gaps, places } = this.#drawing;
    this.#source("runs")?.setData(runs);
    this.#source("gaps")?.setData(gaps);
    this.#source("places")?.setData(places);
  }

  #drawGraticule(): void {
    if (!this.#isReady) return;
    const bounds = this.#map.getBounds();
    const [west, south] = [bounds.getWest(), bounds.getSouth()];
    const [east, north] = [bounds.getEast(), bounds.getNorth()];
    this.#source("graticule")?.setData(graticule({ west, south, east, north }));
  }

  #point(event: MapMouseEvent): void {
    const run = this.#at(event, ["runs"]);
    const place = this.#at(event, ["stops", "crossings"]);
    this.#map.getCanvas().style.cursor = run === undefined && place === undefined ? "" : "pointer";
    // A mouse that drags the map points at nothing.
    if (event.originalEvent.buttons === 0 && place === undefined) this.#pointAt(event, run);
  }

  #choose(event: MapMouseEvent): void {
    const ms: unknown = this.#at(event, ["stops", "crossings"])?.["ms"];
    if (typeof ms === "number") this.#options.onChoose(ms);
    else this.#pointAt(event, this.#at(event, ["runs"]));
  }

  #pointAt({ lngLat }: MapMouseEvent, run: Readonly<Record<string, unknown>> | undefined): void {
    const track: unknown = run?.["track"];
    if (typeof track !== "number") return;
    const { lng, lat } = lngLat.wrap();
    this.#options.onPoint(track, { longitude: lng, latitude: lat });
  }

  /** What is drawn at a place of the screen, with room for a finger. */
  #at(
    { point: { x, y } }: MapMouseEvent,
    layers: string[],
  ): Readonly<Record<string, unknown>> | undefined {
    if (!this.#isReady) return undefined;
    const [found] = this.#map.queryRenderedFeatures(
      [
        [x - REACH, y - REACH],
        [x + REACH, y + REACH],
      ],
      { layers },
    );
    return found?.properties;
  }

  #source(id: string): GeoJSONSource | undefined {
    return this.#map.getSource<GeoJSONSource>(id);
  }
}

function boundsOf(places: readonly LngLat[]): LngLatBounds | undefined {
  const bounds = new LngLatBounds();
  for (const { longitude, latitude } of places) bounds.extend([longitude, latitude]);
  return bounds.isEmpty() ? undefined : bounds;
}
