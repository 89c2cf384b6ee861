import type { FeatureCollection } from "geojson";
import type { LngLatBounds, Map as MapLibre, MapMouseEvent, MapOptions } from "maplibre-gl";
import type { Machine } from "../state/machine.ts";
import type { BaseMap } from "./base-map.ts";
import { accuracyCircle, changesOf, type MachineFeature, machineFeature } from "./features.ts";
import { PLACE_KINDS, type PlaceKind } from "./place-layers.ts";
import { boundsOf, type LngLat, SiteMap, type SiteMapOptions } from "./site-map.ts";
import { liveStyle } from "./style.ts";

/** Machines above which near ones are drawn as one: a phone still moves a map of so many smoothly. */
const CLUSTERED_ABOVE = 300;
/** Zoom of a first view with one machine, and the most of any first view: a whole site, not a single digger. */
const FIRST_ZOOM = 16;

/** Most zoom of a view of one place: a stockpile of 20 m is some 150 pixels wide. */
const PLACE_ZOOM = 19;

/** Where a map looks: degrees and zoom. */
export interface View extends LngLat {
  readonly zoom: number;
}

export interface FleetMapOptions extends SiteMapOptions {
  readonly base: BaseMap | undefined;
  /** Of the address; absent: the first machines decide. */
  readonly view: View | undefined;
  /** Those that are known already: the map begins where they are, in the style that so many have. */
  readonly machines?: readonly Machine[];
  readonly onSelect: (id: string | undefined) => void;
  /** The person moved the map, or it moved for them. */
  readonly onMove: (view: View, isByHand: boolean) => void;
}

type Camera = Pick<MapOptions, "bounds" | "center" | "zoom">;

function cameraOf(view: View | undefined, bounds: LngLatBounds | undefined): Camera {
  if (view !== undefined) return { center: [view.longitude, view.latitude], zoom: view.zoom };
  return bounds === undefined ? { center: [0, 20], zoom: 1 } : { bounds };
}

/** What else is drawn on the map, or reads it. */
export interface MapGuest {
  /** A style has loaded: nothing of the one before is there. */
  begin(map: MapLibre): void;
  /** Before the next style, and before the map goes. */
  end(): void;
}

/** The live map. The camera moves only for the first machines, and when it is told to. */
export class FleetMap {
  readonly #site: SiteMap;
  #isPlaced: boolean;
  #isClustered = false;
  #machines: readonly Machine[] = [];
  #drawn = new Map<string, MachineFeature>();
  #selected: string | undefined;
  /** The machine that has a ring around it on the map. */
  #ringed: string | undefined;
  #hasCircle = false;
  readonly #places = new Map<PlaceKind, FeatureCollection>();
  readonly #guests = new Set<MapGuest>();

  constructor(options: FleetMapOptions) {
    const { base, view, machines = [], onSelect, onMove } = options;
    this.#isPlaced = view !== undefined;
    this.#machines = machines;
    this.#isClustered = machines.length > CLUSTERED_ABOVE;
    this.#site = new SiteMap(options, {
      camera: cameraOf(view, boundsOf(machines)),
      mostZoom: FIRST_ZOOM,
      styleOf: (theme) => liveStyle(theme, base, this.#isClustered),
      onBegin: () => this.#begin(),
      onMove: (isByHand) => {
        const { lat, lng } = map.getCenter();
        onMove({ latitude: lat, longitude: lng, zoom: map.getZoom() }, isByHand);
      },
    });
    const { map } = this.#site;
    map.on("click", (event) => {
      const { id, cluster_id } = this.#at(event);
      if (typeof cluster_id === "number") void this.#enter(cluster_id, event.lngLat);
      else onSelect(typeof id === "string" ? id : undefined);
    });
    map.on("mousemove", (event) => {
      const { id, cluster_id } = this.#at(event);
      map.getCanvas().style.cursor = (id ?? cluster_id) === undefined ? "" : "pointer";
    });
  }

  setMachines(machines: readonly Machine[]): void {
    this.#machines = machines;
    if (!this.#site.isReady) return;
    if (machines.length > CLUSTERED_ABOVE !== this.#isClustered) {
      this.#isClustered = machines.length > CLUSTERED_ABOVE;
      this.#endGuests();
      this.#site.restyle();
      return;
    }
    this.#drawMachines();
  }

  setFences(fences: FeatureCollection): void {
    this.#site.setFences(fences);
  }

  setPlaces(kind: PlaceKind, places: FeatureCollection): void {
    this.#places.set(kind, places);
    if (this.#site.isReady) this.#site.source(kind)?.setData(places);
  }

  setTheme(theme: "light" | "dark"): void {
    if (theme === this.#site.theme) return;
    this.#endGuests();
    this.#site.setTheme(theme);
  }

  select(id: string | undefined): void {
    this.#selected = id;
    if (this.#site.isReady) this.#drawSelected();
  }

  /** Shows all machines. */
  showAll(): void {
    this.#site.show(boundsOf(this.#machines));
  }

  /** Shows places, `[longitude, latitude]` in degrees, unless all of them are in view. */
  reveal(places: readonly (readonly [number, number])[]): void {
    const bounds = boundsOf(places.map(([longitude, latitude]) => ({ longitude, latitude })));
    if (bounds === undefined) return;
    const view = this.#site.map.getBounds();
    if (view.contains(bounds.getNorthEast()) && view.contains(bounds.getSouthWest())) return;
    this.#isPlaced = true;
    this.#site.show(bounds);
  }

  /** Shows a place that somebody asked for, `[longitude, latitude]` of its corners in degrees. */
  showPlace(corners: readonly (readonly [number, number])[]): void {
    this.#isPlaced = true;
    const places = corners.map(([longitude, latitude]) => ({ longitude, latitude }));
    this.#site.show(boundsOf(places), PLACE_ZOOM);
  }

  /** Lets something else draw on the map; yields what ends it. */
  invite(guest: MapGuest): () => void {
    this.#guests.add(guest);
    if (this.#site.isReady) guest.begin(this.#site.map);
    return () => {
      if (this.#guests.delete(guest) && this.#site.isReady) guest.end();
    };
  }

  /** Puts a machine into the middle. */
  centre(machine: Machine): void {
    this.#site.centre(machine);
  }

  close(): void {
    this.#endGuests();
    this.#site.close();
  }

  #begin(): void {
    this.#drawn = new Map();
    this.#ringed = undefined;
    this.#hasCircle = false;
    for (const kind of PLACE_KINDS) {
      const places = this.#places.get(kind);
      if (places !== undefined) this.#site.source(kind)?.setData(places);
    }
    this.setMachines(this.#machines);
    for (const guest of this.#guests) guest.begin(this.#site.map);
  }

  #endGuests(): void {
    if (this.#site.isReady) for (const guest of this.#guests) guest.end();
  }

  #drawMachines(): void {
    const features = this.#machines.map(machineFeature);
    const changes = changesOf(this.#drawn, features);
    if (changes.add.length > 0 || changes.remove.length > 0) {
      void this.#site.source("machines")?.updateData({ add: changes.add, remove: changes.remove });
      this.#drawn = new Map(features.map((feature) => [feature.properties.id, feature]));
    }
    this.#drawSelected();
    if (this.#isPlaced || this.#machines.length === 0) return;
    this.#isPlaced = true;
    this.showAll();
  }

  #drawSelected(): void {
    const chosen = this.#selected;
    // A filter that is set has the whole style looked through again, also where it is as before.
    if (chosen !== this.#ringed) {
      this.#site.map.setFilter("selected", ["==", ["get", "id"], chosen ?? ""]);
      this.#ringed = chosen;
    }
    const machine =
      chosen === undefined ? undefined : this.#machines.find(({ id }) => id === chosen);
    // Data that are set are laid out and drawn anew, also where they are as before.
    if (machine === undefined && !this.#hasCircle) return;
    this.#hasCircle = machine !== undefined;
    this.#site.source("accuracy")?.setData(accuracyCircle(machine));
  }

  /** Zooms in until a cluster falls apart. */
  async #enter(
    cluster: number,
    { lng, lat }: Readonly<Record<"lng" | "lat", number>>,
  ): Promise<void> {
    const source = this.#site.source("machines");
    const zoom = await source?.getClusterExpansionZoom(cluster).catch(() => undefined);
    // The cluster or the map is gone meanwhile.
    if (zoom === undefined || !this.#site.isReady) return;
    this.#site.map.jumpTo({ center: [lng, lat], zoom });
  }

  /** The machine or the group of machines that is drawn on top there. */
  #at(event: MapMouseEvent): Readonly<Record<string, unknown>> {
    return this.#site.at(event, ["machines", "clusters"]);
  }
}
