import type { HeightUnit } from "../../../domain/geometry/vertical-datum.ts";
import {
  type WorkZone,
  type ZoneSurface,
  type ZoneSurfaceName,
  zoneFolder,
} from "../../../domain/sites/work-zone.ts";
import {
  readHeightUnit,
  readSurfaceHeight,
  type SurfaceFiles,
  surfaceIsGone,
  surfaceKey,
  uploadedTiff,
} from "../../schemas/given-surface.ts";
import { kindOf } from "../../schemas/kind-of.ts";
import { invalidParameter } from "../../validation/validation.ts";
import {
  checkedRaster,
  type KeptSurface,
  keepRaster,
  type SurfaceStore,
} from "./zone-surface-file.ts";

/** Where the files of zones, and uploads, are. */
export interface ZoneFiles extends SurfaceFiles {
  readonly store: SurfaceStore & SurfaceFiles["store"];
}

type Level = Extract<ZoneSurface, { readonly kind: "level" }>;
/** A surface as JSON asks for it: its file is yet to be found by its address. */
type AskedSurface =
  | Level
  | { readonly kind: "file"; readonly url: string; readonly heightUnit: HeightUnit | undefined };

const URL_NAME = "surface_url";
const UNIT_NAME = "surface_height_unit";

/** @throws ParameterError naming the field that is wrong. */
export function readSurfaceBody(body: unknown, name: ZoneSurfaceName): AskedSurface {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalidParameter("body", `must be an object, not ${kindOf(body)}`);
  }
  const { height_m, reference, surface_url, surface_height_unit } = body as Readonly<
    Record<string, unknown>
  >;
  const heightUnit = readHeightUnit(surface_height_unit, UNIT_NAME);
  if (surface_url !== undefined) {
    if (height_m !== undefined || reference !== undefined) {
      throw invalidParameter(URL_NAME, "goes without height_m and reference");
    }
    if (typeof surface_url === "string") return { kind: "file", url: surface_url, heightUnit };
    throw invalidParameter(URL_NAME, `must be a text, not ${kindOf(surface_url)}`);
  }
  if (heightUnit !== undefined) throw invalidParameter(UNIT_NAME, "goes with surface_url");
  const heightM = readSurfaceHeight(height_m, "height_m", "where there is no surface_url");
  return { kind: "level", height_m: heightM, reference: readReference(reference, name) };
}

function readReference(reference: unknown, name: ZoneSurfaceName): Level["reference"] {
  if (reference === undefined || reference === "survey") return "survey";
  if (reference !== "baseline") {
    throw invalidParameter("reference", "must be one of survey, baseline");
  }
  if (name === "design") return "baseline";
  throw invalidParameter("reference", "must be survey: a baseline does not lie above itself");
}

/**
 * The surface as it is stored. A GeoTIFF that was uploaded is copied to the zone's own files, because
 * uploads are kept for some days only.
 * @throws ParameterError for an address that is not ours, or not of a surface; DomainError `SURFACE_INVALID`,
 *   `STORE_UNAVAILABLE`.
 */
export async function keepAskedSurface(
  asked: AskedSurface,
  zone: WorkZone,
  name: ZoneSurfaceName,
  files: ZoneFiles | undefined,
): Promise<KeptSurface> {
  if (asked.kind === "level") return { surface: asked, warnings: [] };
  const key = surfaceKey(asked.url, URL_NAME, files);
  if (files === undefined) throw surfaceIsGone(URL_NAME);
  const { store } = files;
  const own = ownSurface(key, zone, name);
  if (own !== undefined) {
    if ((await store.stat(key)) === undefined) throw surfaceIsGone(URL_NAME);
    if (asked.heightUnit === undefined) return { surface: own, warnings: [] };
    if (own.kind !== "raster") throw invalidParameter(UNIT_NAME, "is for GeoTIFFs that were given");
    return await checkedRaster(zone, key, asked.heightUnit, store);
  }
  const kept = `${zoneFolder(zone.id)}${name}/${uploadedTiff(key, URL_NAME, "zone")}.tif`;
  const opened = await store.get(key);
  if (opened === undefined) throw surfaceIsGone(URL_NAME);
  return await keepRaster(opened.body, zone, kept, asked.heightUnit, store);
}

/** A surface that the zone has, or had: an answer's own address may be sent back. */
function ownSurface(
  key: string,
  { id, baseline, design }: WorkZone,
  name: ZoneSurfaceName,
): ZoneSurface | undefined {
  for (const known of [baseline, design]) {
    if (known === undefined || known.kind === "level" || known.surface_key !== key) continue;
    const isTaken = known.kind === "flight" && name === "design";
    return isTaken ? { kind: "raster", surface_key: key } : known;
  }
  if (!key.startsWith(zoneFolder(id))) return undefined;
  if (key.endsWith(".tif")) return { kind: "raster", surface_key: key };
  return key.endsWith(".tin") ? { kind: "tin", surface_key: key } : undefined;
}
