import type { LayerSpecification, SourceSpecification } from "maplibre-gl";
import { baseStyle } from "./base-style.ts";

/** Raster tiles of another server, where an administrator set an address. */
export interface BaseTiles {
  readonly kind: "tiles";
  readonly url: string;
  readonly attribution: string;
  readonly maxZoom: number;
}

/** A map file of the service, as its header describes it. */
export interface Archive {
  /** Template of its tiles under the protocol that reads them out of the file. */
  readonly tiles: string;
  readonly isVector: boolean;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** West, south, east, north; degrees. */
  readonly bounds: [number, number, number, number];
  /** Whose data it is, as text without markup; empty: the file does not say. */
  readonly attribution: string;
}

/** What is drawn under everything. */
export type BaseMap =
  | BaseTiles
  | { readonly kind: "archives"; readonly archives: readonly Archive[] };

/** Side of a raster tile, pixels. */
const TILE = 256;
const nameOf = (index: number): string => `base-${index}`;

export function baseSources(base: BaseMap | undefined): Record<string, SourceSpecification> {
  if (base === undefined) return {};
  if (base.kind === "tiles") {
    const { url, attribution, maxZoom: maxzoom } = base;
    return { tiles: { type: "raster", tiles: [url], tileSize: TILE, maxzoom, attribution } };
  }
  return Object.fromEntries(
    base.archives.map((archive, index) => [nameOf(index), sourceOf(archive)]),
  );
}

function sourceOf(archive: Archive): SourceSpecification {
  const { tiles, isVector, bounds, attribution, minZoom: minzoom, maxZoom: maxzoom } = archive;
  const source = { tiles: [tiles], bounds, minzoom, maxzoom, attribution };
  return isVector ? { type: "vector", ...source } : { type: "raster", tileSize: TILE, ...source };
}

/** Layers of the base map, all below those of the site. */
export function baseLayers(
  base: BaseMap | undefined,
  theme: "light" | "dark",
  font: string[],
): LayerSpecification[] {
  if (base === undefined) return [];
  if (base.kind === "tiles") return [{ id: "tiles", type: "raster", source: "tiles" }];
  return base.archives.flatMap(({ isVector }, index): LayerSpecification[] => {
    const source = nameOf(index);
    return isVector ? baseStyle(source, theme, font) : [{ id: source, type: "raster", source }];
  });
}

/** The attribution of a file's metadata as text: it has links in it as a rule, and the map would take them as markup. */
export function attributionOf(metadata: unknown): string {
  const said: unknown =
    typeof metadata === "object" && metadata !== null && "attribution" in metadata
      ? metadata.attribution
      : "";
  if (typeof said !== "string") return "";
  return said
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("<", "&lt;")
    .trim();
}
