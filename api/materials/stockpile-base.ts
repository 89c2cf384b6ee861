import type { StockpileId } from "../../domain/ids.ts";
import { BASE_METHODS, type BaseChoice, type BaseMethod } from "../../domain/stockpile.ts";
import { imageKeyParts } from "../../processing/images/image-key.ts";
import type { Files } from "../../storage/open.ts";
import { invalidParameter } from "../plugins/validation.ts";
import { kindOf } from "../schemas/kind-of.ts";
import { BASE_HEIGHT_M } from "./stockpile-schemas.ts";

/** Where reference surfaces are found by their addresses, and kept. */
export interface SurfaceFiles extends Pick<Files, "keyOf"> {
  readonly store: Pick<Files["store"], "stat" | "get" | "put">;
}

/** A base as a body asks for it: its surface is yet to be found by its address. */
type AskedBase =
  | Exclude<BaseChoice, { readonly method: "survey" }>
  | { readonly method: "survey"; readonly url: string };

const URL_NAME = "base.surface_url";

/** Everything that is kept for one stockpile. */
export const stockpileFolder = (id: StockpileId): string => `stockpiles/${id}/`;

/** @throws ParameterError naming `base` or the field of it that is wrong. */
export function readBase(base: unknown): AskedBase {
  if (typeof base !== "object" || base === null || Array.isArray(base)) {
    throw invalidParameter("base", `must be an object with a method, not ${kindOf(base)}`);
  }
  const { method, height_m, surface_url } = base as Readonly<Record<string, unknown>>;
  if (!isMethod(method)) {
    throw invalidParameter("base.method", `must be one of ${BASE_METHODS.join(", ")}`);
  }
  if (method === "level") return { method, height_m: readHeight(height_m) };
  if (method === "survey") return { method, url: readUrl(surface_url) };
  return { method };
}

const isMethod = (method: unknown): method is BaseMethod =>
  BASE_METHODS.some((known) => known === method);

function readHeight(heightM: unknown): number {
  const { min, max } = BASE_HEIGHT_M;
  const range = `metres, ${min} to ${max}`;
  if (heightM === undefined) {
    throw invalidParameter("base.height_m", `is required for the method level: ${range}`);
  }
  // JSON can say -0, and the stores need not keep it.
  if (typeof heightM === "number" && heightM >= min && heightM <= max) return heightM + 0;
  const given = typeof heightM === "number" ? String(heightM) : kindOf(heightM);
  throw invalidParameter("base.height_m", `must be a number of ${range}, not ${given}`);
}

function readUrl(url: unknown): string {
  if (typeof url === "string") return url;
  throw invalidParameter(
    URL_NAME,
    url === undefined
      ? "is required for the method survey: the address of a GeoTIFF that POST /progress/images gave"
      : `must be a text, not ${kindOf(url)}`,
  );
}

/**
 * The base as it is stored. A surface that was uploaded is copied to the stockpile's own files, because
 * uploads are kept for some days only.
 * @throws ParameterError for an address that is none of ours, or of no surface; DomainError
 * `STORE_UNAVAILABLE`.
 */
export async function keepBase(
  base: AskedBase,
  id: StockpileId,
  files: SurfaceFiles | undefined,
): Promise<BaseChoice> {
  if (base.method !== "survey") return base;
  const key = files?.keyOf(base.url);
  if (files === undefined || key === undefined) {
    throw invalidParameter(
      URL_NAME,
      "must be an address that POST /progress/images gave, and that has not expired",
    );
  }
  const surface_key = await keptSurface(key, id, files.store);
  if (surface_key !== undefined) return { method: "survey", surface_key };
  throw invalidParameter(URL_NAME, "leads to a file that is not there any more");
}

/** The key of the surface among the stockpile's files; `undefined`: it is gone. */
async function keptSurface(
  key: string,
  id: StockpileId,
  store: SurfaceFiles["store"],
): Promise<string | undefined> {
  const folder = stockpileFolder(id);
  if (key.startsWith(folder) && key.endsWith(".tif")) {
    return (await store.stat(key)) && key;
  }
  const upload = imageKeyParts(key);
  if (upload?.kind !== "tif") {
    throw invalidParameter(
      URL_NAME,
      "must be the address of a TIFF file that was uploaded, or of a surface of this stockpile",
    );
  }
  const kept = `${folder}base/${upload.sha256}.tif`;
  if ((await store.stat(kept)) !== undefined) return kept;
  const opened = await store.get(key);
  if (opened === undefined) return undefined;
  await store.put(kept, opened.body);
  return kept;
}
