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
import type { Machine } from "../state/machine.ts";
import { accuracyCircle, changesOf, type MachineFeature, machineFeature } from "./features.ts";
import { graticule } from "./graticule.ts";
import { drawIcons, ICON_DENSITY } from "./icons.ts";
import { type BaseTiles, liveStyle } from "./style.ts";

// A file of this origin: the content security policy lets no script of any other kind run.
setWorkerUrl(workerUrl);

/** Machines above which near ones are drawn as one: a phone still moves a map of so many smoothly. */
const CLUSTERED_ABOVE = 300;
/** Zoom of a first view with one machine, and the most of any first view: a whole site, not a single digger. */
const FIRST_ZOOM = 16;

/** Where a map looks: degrees and zoom. */
export interface View {
  readonly latitude: number;
  readonly longitude: number;
  readonly zoom: number;
}

export interface FleetMapOptions {
  readonly container: HTMLElement;
  readonly theme: "light" | "dark";
  readonly tiles: BaseTiles | undefined;
  /** Of the address; absent: the first machines decide. */
  readonly view: View | undefined;
  /** Names of the buttons that MapLibre draws. */
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly onSelect: (id: string | undefined) => void;
  /** The person moved the map, or it moved for them. */
  readonly onMove: (view: View, isByHand: boolean) => void;
}

/** What else is drawn on the map, or reads it. */
export interface MapGuest {
  /** A style has loaded: nothing of the one before is there. */
  begin(map: MapLibre): void;
  /** Before the next style, and before the map goes. */
  end(): void;
}

/**
 * The live map. What it is given before its style has loaded is drawn then. The camera moves only for the first
 * machines, and when it is told to.
 */
export class FleetMap {
  readonly #map: MapLibre;
  readonly #tiles: BaseTiles | undefined;
  #theme: "light" | "dark";
  #isReady = false;
  #isPlaced: boolean;
  #isClustered = false;
  #machines: readonly Machine[] = [];
  #drawn = new Map<string, MachineFeature>();
  #fences: FeatureCollection = { type: "FeatureCollection", features: [] };
  #selected: string | undefined;
  readonly #guests = new Set<MapGuest>();

  constructor(options: FleetMapOptions) {
    const { container, theme, tiles, view, onSelect, onMove } = options;
    this.#theme = theme;
    this.#tiles = tiles;
    this.#isPlaced = view !== undefined;
    const map = new MapLibre({
      container,
      style: liveStyle(theme, tiles, false),
      center: [view?.longitude ?? 0, view?.latitude ?? 20],
      zoom: view?.zoom ?? 1,
      attributionControl: { compact: false },
      // A turned site plan helps nobody who reads names; north stays up.
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
      const { lat, lng } = map.getCenter();
      const isByHand = "originalEvent" in event && event.originalEvent !== undefined;
      onMove({ latitude: lat, longitude: lng, zoom: map.getZoom() }, isByHand);
    });
    map.on("click", (event) => onSelect(this.#at(event)));
    map.on("mousemove", (event) => {
      map.getCanvas().style.cursor = this.#at(event) === undefined ? "" : "pointer";
    });
  }

  setMachines(machines: readonly Machine[]): void {
    this.#machines = machines;
    if (!this.#isReady) return;
    if (machines.length > CLUSTERED_ABOVE !== this.#isClustered) {
      this.#isClustered = machines.length > CLUSTERED_ABOVE;
      this.#restyle();
      return;
    }
    this.#drawMachines();
  }

  setFences(fences: FeatureCollection): void {
    this.#fences = fences;
    if (this.#isReady) this.#source("fences")?.setData(fences);
  }

  setTheme(theme: "light" | "dark"): void {
    if (theme === this.#theme) return;
    this.#theme = theme;
    this.#restyle();
  }

  select(id: string | undefined): void {
    this.#selected = id;
    if (this.#isReady) this.#drawSelected();
  }

  /** Shows all machines. */
  showAll(): void {
    const bounds = new LngLatBounds();
    for (const { longitude, latitude } of this.#machines) bounds.extend([longitude, latitude]);
    if (bounds.isEmpty()) return;
    this.#map.fitBounds(bounds, { padding: 56, maxZoom: FIRST_ZOOM, animate: false });
  }

  /** Shows places, `[longitude, latitude]` in degrees, unless all of them are in view. */
  reveal(places: readonly (readonly [number, number])[]): void {
    const bounds = new LngLatBounds();
    for (const [longitude, latitude] of places) bounds.extend([longitude, latitude]);
    if (bounds.isEmpty()) return;
    const view = this.#map.getBounds();
    if (view.contains(bounds.getNorthEast()) && view.contains(bounds.getSouthWest())) return;
    this.#isPlaced = true;
    this.#map.fitBounds(bounds, { padding: 56, maxZoom: FIRST_ZOOM, animate: false });
  }

  /** Lets something else draw on the map; yields what ends it. */
  invite(guest: MapGuest): () => void {
    this.#guests.add(guest);
    if (this.#isReady) guest.begin(this.#map);
    return () => {
      if (this.#guests.delete(guest) && this.#isReady) guest.end();
    };
  }

  /** Puts a machine into the middle. */
  centre({ longitude, latitude }: Machine): void {
    this.#map.jumpTo({ center: [longitude, latitude], zoom: Math.max(this.#map.getZoom(), 15) });
  }

  close(): void {
    this.#endGuests();
    this.#isReady = false;
    this.#map.remove();
  }

  #restyle(): void {
    this.#endGuests();
    this.#isReady = false;
    this.#map.setStyle(liveStyle(this.#theme, this.#tiles, this.#isClustered), { diff: false });
  }

  #begin(): void {
    for (const [look, picture] of drawIcons(this.#theme)) {
      if (!this.#map.hasImage(look)) {
        this.#map.addImage(look, picture, { pixelRatio: ICON_DENSITY });
      }
    }
    this.#isReady = true;
    this.#drawn = new Map();
    this.#drawGraticule();
    this.setFences(this.#fences);
    this.setMachines(this.#machines);
    for (const guest of this.#guests) guest.begin(this.#map);
  }

  #endGuests(): void {
    if (this.#isReady) for (const guest of this.#guests) guest.end();
  }

  #drawMachines(): void {
    const features = this.#machines.map(machineFeature);
    const changes = changesOf(this.#drawn, features);
    if (changes.add.length > 0 || changes.remove.length > 0) {
      void this.#source("machines")?.updateData({ add: changes.add, remove: changes.remove });
      this.#drawn = new Map(features.map((feature) => [feature.properties.id, feature]));
    }
    this.#drawSelected();
    if (this.#isPlaced || this.#machines.length === 0) return;
    this.#isPlaced = true;
    this.showAll();
  }

  #drawSelected(): void {
    this.#map.setFilter("selected", ["==", ["get", "id"], this.#selected ?? ""]);
    const machine = this.#machines.find(({ id }) => id === this.#selected);
    this.#source("accuracy")?.setData(accuracyCircle(machine));
  }

  #drawGraticule(): void {
    if (!this.#isReady) return;
    const bounds = this.#map.getBounds();
    const [west, south] = [bounds.getWest(), bounds.getSouth()];
    const [east, north] = [bounds.getEast(), bounds.getNorth()];
    this.#source("graticule")?.setData(graticule({ west, south, east, north }));
  }

  /** A machine at a place of the screen, with room for a finger. */
  #at({ point: { x, y } }: MapMouseEvent): string | undefined {
    if (!this.#isReady) return undefined;
    const [found] = this.#map.queryRenderedFeatures(
      [
        [x - 8, y - 8],
        [x + 8, y + 8],
      ],
      { layers: ["machines"] },
    );
    const id: unknown = found?.properties["id"];
    return typeof id === "string" ? id : undefined;
  }

  #source(id: string): GeoJSONSource | undefined {
    return this.#map.getSource<GeoJSONSource>(id);
  }
}
