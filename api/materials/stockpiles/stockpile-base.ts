import type { HeightUnit } from "../../../domain/geometry/vertical-datum.ts";
import type { StockpileId } from "../../../domain/ids.ts";
import { BASE_METHODS, type BaseChoice, type BaseMethod } from "../../../domain/sites/stockpile.ts";
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

/** A base as a body asks for it: its surface is yet to be found by its address. */
type AskedBase =
  | Exclude<BaseChoice, { readonly method: "survey" }>
  | {
      readonly method: "survey";
      readonly url: string;
      readonly heightUnit: HeightUnit | undefined;
    };

const URL_NAME = "base.surface_url";
const UNIT_NAME = "base.surface_height_unit";

/** Everything that is kept for one stockpile. */
export const stockpileFolder = (id: StockpileId): string => `stockpiles/${id}/`;

/** @throws ParameterError naming `base` or the field of it that is wrong. */
export function readBase(base: unknown): AskedBase {
  if (typeof base !== "object" || base === null || Array.isArray(base)) {
    throw invalidParameter("base", `must be an object with a method, not ${kindOf(base)}`);
  }
  const { method, height_m, surface_url, surface_height_unit } = base as Readonly<
    Record<string, unknown>
  >;
  if (!isMethod(method)) {
    throw invalidParameter("base.method", `must be one of ${BASE_METHODS.join(", ")}`);
  }
  const heightUnit = readHeightUnit(surface_height_unit, UNIT_NAME);
  if (method === "survey") return { method, url: readUrl(surface_url), heightUnit };
  if (heightUnit !== undefined) throw invalidParameter(UNIT_NAME, "goes with the method survey");
  if (method === "level")
    return {
      method,
      height_m: readSurfaceHeight(height_m, "base.height_m", "for the method level"),
    };
  return { method };
}

const isMethod = (method: unknown): method is BaseMethod =>
  BASE_METHODS.some((known) => known === method);

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
 * uploads are kept for some days only. The unit of the base that `pile` has stays where its own address is given
 * back without one.
 * @throws ParameterError for an address that is not ours, or not of a surface; DomainError
 *   `STORE_UNAVAILABLE`.
 */
export async function keepBase(
  base: AskedBase,
  pile: { readonly id: StockpileId; readonly base: BaseChoice | undefined },
  files: SurfaceFiles | undefined,
): Promise<BaseChoice> {
  if (base.method !== "survey") return base;
  const key = surfaceKey(base.url, URL_NAME, files);
  const surface_key = files && (await keptSurface(key, pile.id, files.store));
  if (surface_key !== undefined) {
    const height_unit = base.heightUnit ?? unitOf(pile.base, key);
    return {
      ...{ method: "survey", surface_key },
      ...(height_unit === undefined ? {} : { height_unit }),
    };
  }
  throw surfaceIsGone(URL_NAME);
}

/** What was said of the heights of that surface; `undefined`: nothing, or it is not the base. */
const unitOf = (base: BaseChoice | undefined, key: string): HeightUnit | undefined =>
  base?.method === "survey" && base.surface_key === key ? base.height_unit : undefined;

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
  const kept = `${folder}base/${uploadedTiff(key, URL_NAME, "stockpile")}.tif`;
  if ((await store.stat(kept)) !== undefined) return kept;
  const opened = await store.get(key);
  if (opened === undefined) return undefined;
  await store.put(kept, opened.body);
  return kept;
}
