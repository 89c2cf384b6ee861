import type { GeoTIFFImage } from "geotiff";
import type { VerticalSystem } from "../../coordinates/coordinate-system.ts";
import { type EpsgEntry, epsgEntry } from "../../coordinates/epsg-table.ts";
import { verticalSystem } from "../../coordinates/find-coordinate-system.ts";
import { isProblem } from "../../coordinates/problem.ts";

/** The system that a raster's heights are in, by its own words. */
export interface StatedHeights extends Omit<VerticalSystem, "unitM"> {
  /** Metres of one unit of its heights; `undefined`: it is named in words that give none. */
  readonly unitM: number | undefined;
  /** Heights above an ellipsoid that is WGS 84's, or the same within a millimetre: a geoid may be taken off. */
  readonly isEllipsoidal: boolean;
}

/** Codes of GeoTIFF 1.0 for heights above an ellipsoid (section 6.3.4.1): its EPSG code less 2000. */
const OLD_ELLIPSOIDAL = { first: 5_001, last: 5_033, grs80: 5_019, wgs84: 5_030 } as const;
/** GeoTIFF 1.1 section 7.5: the code of what the file itself defines. */
const USER_DEFINED = 32_767;
/** The ellipsoids of WGS 84 and GRS 80, as PROJ strings and names in words have them. */
const LIKE_WGS_84 = /\+datum=WGS84|\+ellps=(GRS80|WGS84)/;
const NAMED_WGS_84 = /(WGS[ _]?(19)?84|GRS[ _]?(19)?80|ETRS[ _]?(19)?89|ITRF)/i;

/**
 * The system of heights that a file names: by a vertical code, alone or in a compound system; by a geographic
 * system of three dimensions, as the vertical code (GeoTIFF 1.1) or as the system itself; by a code of
 * GeoTIFF 1.0; or in words. `undefined`: none that is known.
 */
export function statedHeights(
  keys: ReturnType<GeoTIFFImage["getGeoKeys"]>,
): StatedHeights | undefined {
  const vertical: unknown = keys?.["VerticalCSTypeGeoKey"];
  if (typeof vertical === "number" && vertical !== USER_DEFINED) return ofVerticalCode(vertical);
  const worded = inWords(keys?.["VerticalCitationGeoKey"]);
  if (worded !== undefined) return worded;
  const horizontal: unknown = keys?.["ProjectedCSTypeGeoKey"] ?? keys?.["GeographicTypeGeoKey"];
  const entry = typeof horizontal === "number" ? epsgEntry(horizontal) : undefined;
  if (entry?.kind === "compound") return ofVerticalCode(Number(entry.definition.split("+")[1]));
  return entry?.is3d === true ? ofThreeDimensions(entry) : undefined;
}

function ofVerticalCode(code: number): StatedHeights | undefined {
  const system = verticalSystem(code);
  if (!isProblem(system)) return { ...system, isEllipsoidal: false };
  const entry = epsgEntry(code);
  if (entry?.is3d === true) return ofThreeDimensions(entry);
  const { first, last, grs80, wgs84 } = OLD_ELLIPSOIDAL;
  if (code < first || code > last) return undefined;
  return aboveEllipsoid(
    `above the ellipsoid EPSG:${code + 2_000}`,
    undefined,
    code === grs80 || code === wgs84,
  );
}

const ofThreeDimensions = ({ code, name, definition }: EpsgEntry): StatedHeights =>
  aboveEllipsoid(
    `above the ellipsoid of EPSG:${code} (${name})`,
    code,
    LIKE_WGS_84.test(definition),
  );

function inWords(citation: unknown): StatedHeights | undefined {
  if (typeof citation !== "string" || !/ellipsoid/i.test(citation)) return undefined;
  const name = citation.replace(/[|\0]+$/, "").trim();
  const isEllipsoidal = NAMED_WGS_84.test(name);
  return { ...aboveEllipsoid(`"${name}"`, undefined, isEllipsoidal), unitM: undefined };
}

/** Its unit is the metre, unless a key of the file says otherwise. */
const aboveEllipsoid = (
  name: string,
  epsg: number | undefined,
  isEllipsoidal: boolean,
): StatedHeights => ({ name, epsg, unitM: 1, isDepth: false, isEllipsoidal });
