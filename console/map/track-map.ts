import type { FeatureCollection } from "geojson";
import type { MapMouseEvent } from "maplibre-gl";
import type { BaseMap } from "./base-map.ts";
import type { MachineFeature } from "./features.ts";
import { boundsOf, type LngLat, SiteMap, type SiteMapOptions } from "./site-map.ts";
import { trackStyle } from "./track-style.ts";

/** Most zoom of a first view: a machine that stood still is shown with what is around it. */
const FIRST_ZOOM = 17;

/** What tracks are drawn from. */
export interface TrackDrawing {
  readonly runs: FeatureCollection;
  readonly gaps: FeatureCollection;
  readonly places: FeatureCollection;
  readonly late: FeatureCollection;
  readonly trackCount: number;
  /** All of it, for the first view. */
  readonly bounds: readonly LngLat[];
}

export interface TrackMapOptions extends SiteMapOptions {
  readonly base: BaseMap | undefined;
  readonly drawing: TrackDrawing;
  /** Somebody points at a line. */
  readonly onPoint: (track: number, place: LngLat) => void;
  /** Somebody chose a stop, a crossing or an end of a late stretch, by its time, ms since the Unix epoch. */
  readonly onChoose: (ms: number) => void;
  /** The map was moved by hand. */
  readonly onMove: () => void;
}

/** A map of tracks, with the machines where they were at a time. The camera moves at first, and when it is told to. */
export class TrackMap {
  readonly #site: SiteMap;
  readonly #options: TrackMapOptions;
  #drawing: TrackDrawing;
  #machines: readonly MachineFeature[] = [];

  constructor(options: TrackMapOptions) {
    const { base, drawing, onMove } = options;
    this.#options = options;
    this.#drawing = drawing;
    const bounds = boundsOf(drawing.bounds);
    this.#site = new SiteMap(options, {
      camera: bounds === undefined ? { center: [0, 20], zoom: 1 } : { bounds },
      mostZoom: FIRST_ZOOM,
      styleOf: (theme) => trackStyle(theme, base, this.#drawing.trackCount),
      onBegin: () => {
        this.#drawTracks();
        this.setMachines(this.#machines);
      },
      onMove(isByHand) {
        if (isByHand) onMove();
      },
    });
    this.#site.map.on("mousemove", (event) => this.#point(event));
    this.#site.map.on("click", (event) => this.#choose(event));
  }

  setDrawing(drawing: TrackDrawing): void {
    if (drawing === this.#drawing) return;
    this.#drawing = drawing;
    this.#drawTracks();
  }

  setFences(fences: FeatureCollection): void {
    this.#site.setFences(fences);
  }

  /** Machines where they were at the time that is shown. */
  setMachines(machines: readonly MachineFeature[]): void {
    this.#machines = machines;
    if (!this.#site.isReady) return;
    this.#site.source("machines")?.setData({ type: "FeatureCollection", features: [...machines] });
  }

  setTheme(theme: "light" | "dark"): void {
    if (theme !== this.#site.theme) this.#site.setTheme(theme);
  }

  /** Shows all of the tracks. */
  showAll(): void {
    this.#site.show(boundsOf(this.#drawing.bounds));
  }

  /** Puts a place into the middle, at once. */
  centre(place: LngLat): void {
    this.#site.centre(place);
  }

  close(): void {
    this.#site.close();
  }

  #drawTracks(): void {
    if (!this.#site.isReady) return;
    const { runs, gaps, places, late } = this.#drawing;
    this.#site.source("runs")?.setData(runs);
    this.#site.source("gaps")?.setData(gaps);
    this.#site.source("places")?.setData(places);
    this.#site.source("late")?.setData(late);
  }

  #point(event: MapMouseEvent): void {
    const track = this.#trackAt(event);
    const ms = this.#timeAt(event);
    const isAtNothing = track === undefined && ms === undefined;
    this.#site.map.getCanvas().style.cursor = isAtNothing ? "" : "pointer";
    // A mouse that drags the map points at nothing.
    if (event.originalEvent.buttons === 0 && ms === undefined) this.#pointAt(event, track);
  }

  #choose(event: MapMouseEvent): void {
    const ms = this.#timeAt(event);
    if (ms !== undefined) this.#options.onChoose(ms);
    else this.#pointAt(event, this.#trackAt(event));
  }

  #pointAt({ lngLat }: MapMouseEvent, track: number | undefined): void {
    if (track === undefined) return;
    const { lng, lat } = lngLat.wrap();
    this.#options.onPoint(track, { longitude: lng, latitude: lat });
  }

  #trackAt(event: MapMouseEvent): number | undefined {
    const { track } = this.#site.at(event, ["runs"]);
    return typeof track === "number" ? track : undefined;
  }

  #timeAt(event: MapMouseEvent): number | undefined {
    const { ms } = this.#site.at(event, ["stops", "crossings", "late-ends"]);
    return typeof ms === "number" ? ms : undefined;
  }
}
