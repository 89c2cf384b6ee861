import { signal } from "@preact/signals";
import { keepInAddress } from "./address.ts";

/** What the live map shows beside the machines; `ground`: orthophotos under all of it. */
export const MAP_LAYERS = ["fences", "zones", "piles", "ground"] as const;
export type MapLayer = (typeof MAP_LAYERS)[number];

const STORED_AS = "plumbline.map-layers";
const PARAMETER = "layers";
/** Orthophotos too: without a base map they alone show where on the site something is. */
const FIRST: readonly MapLayer[] = ["fences", "ground"];

/** Layers of a text such as `fences,piles`; an empty one has none, and no text says nothing. */
function layersOf(text: string | null): ReadonlySet<MapLayer> | undefined {
  if (text === null) return undefined;
  const named = text.split(",");
  return new Set(MAP_LAYERS.filter((layer) => named.includes(layer)));
}

/** Those that are switched on: by the address, else as this browser had them last. */
export const mapLayers = signal<ReadonlySet<MapLayer>>(firstLayers());

/** Switches a layer on or off; the address and this browser keep it. */
export function switchLayer(layer: MapLayer, isOn: boolean): void {
  const chosen = new Set(mapLayers.peek());
  if (isOn) chosen.add(layer);
  else chosen.delete(layer);
  mapLayers.value = chosen;
  const text = MAP_LAYERS.filter((one) => chosen.has(one)).join(",");
  keepInAddress(PARAMETER, text);
  try {
    localStorage.setItem(STORED_AS, text);
  } catch {
    // Storage is off or full: the address has it.
  }
}

function firstLayers(): ReadonlySet<MapLayer> {
  const named = layersOf(new URLSearchParams(location.search).get(PARAMETER));
  return named ?? layersOf(stored()) ?? new Set(FIRST);
}

function stored(): string | null {
  try {
    return localStorage.getItem(STORED_AS);
  } catch {
    return null;
  }
}
