import type { GeoTIFFImage } from "geotiff";
import type { CoordinateSystem } from "../../coordinates/coordinate-system.ts";
import { epsgEntry } from "../../coordinates/epsg-table.ts";
import { findCoordinateSystem, systemOfCode } from "../../coordinates/find-coordinate-system.ts";
import { isProblem, type Problem } from "../../coordinates/problem.ts";
import { unitOf } from "./height-unit.ts";
import { refusedRaster } from "./refused-raster.ts";

/** Keys of a GeoTIFF by name (GeoTIFF 1.1 annex B). */
type GeoKeys = NonNullable<ReturnType<GeoTIFFImage["getGeoKeys"]>>;

/** GeoTIFF 1.1 section 7.5: the code of what the file itself defines. */
const USER_DEFINED = 32_767;
/** Datums by the geographic system that has them (EPSG Dataset); WGS 84, ETRS89, NAD83, NAD27. */
const SYSTEM_OF_DATUM: Readonly<Record<number, number>> = {
  ...{ 6326: 4326, 6258: 4258, 6269: 4269, 6267: 4267 },
};
const DEGREES = 9102;
/** Two units of length are one: factors are stated to 9 digits or more. */
const SAME_UNIT = 1e-8;

/**
 * The system that a GeoTIFF names, by an EPSG code or by the parameters of its projection. Of a compound
 * one the horizontal part; the vertical one is for `heightUnitM`.
 * @throws DomainError `IMAGE_REFUSED` for one that is not known or not supported
 */
export function rasterSystem(keys: GeoKeys | null): CoordinateSystem {
  const code: unknown = keys?.ProjectedCSTypeGeoKey ?? keys?.GeographicTypeGeoKey;
  const epsg = typeof code === "number" && code !== USER_DEFINED ? code : undefined;
  if (epsg === undefined) return ownSystem(keys);
  const system = systemOfCode(epsg);
  if (isProblem(system))
    throw refusedRaster(`names the coordinate system EPSG:${epsg}, which ${system.problem}`);
  const unitM = unitOf(keys?.ProjLinearUnitsGeoKey, "x and y");
  if (system.unitM !== undefined && unitM !== undefined && !isSame(unitM, system.unitM)) {
    throw refusedRaster(
      `is in ${system.name}, one unit of which is ${system.unitM} m, and says that its unit is ${unitM} m`,
    );
  }
  return system;
}

const isSame = (a: number, b: number): boolean => Math.abs(a / b - 1) < SAME_UNIT;

function ownSystem(keys: GeoKeys | null): CoordinateSystem {
  const projection = keys === null ? undefined : ownProjection(keys);
  if (projection === undefined) {
    throw refusedRaster(
      "names no coordinate system: no EPSG code and no projection with parameters",
    );
  }
  const system = isProblem(projection) ? projection : findCoordinateSystem(projection.text);
  if (isProblem(system))
    throw refusedRaster(`spells out a coordinate system that ${system.problem}`);
  return system;
}

/** The PROJ string of a projection that the file spells out (GeoTIFF 1.1 section 7.4.4.3). */
function ownProjection(keys: GeoKeys): { readonly text: string } | Problem | undefined {
  const method: unknown = keys.ProjCoordTransGeoKey;
  if (typeof method !== "number") return undefined;
  const angles: unknown = keys.GeogAngularUnitsGeoKey ?? DEGREES;
  if (angles !== DEGREES) return { problem: "counts angles in another unit than degrees" };
  const unitM = unitOf(keys.ProjLinearUnitsGeoKey, "x and y") ?? 1;
  const projection = PROJECTIONS[method]?.(createReader(keys, unitM));
  if (projection === undefined) {
    return { problem: `has a projection that is not known (method ${method})` };
  }
  return { text: `${projection} ${datumOf(keys)} +to_meter=${unitM}` };
}

/** Parameters of the geographic system below, and of its shift to WGS 84 where one is known. */
function datumOf(keys: GeoKeys): string {
  const base = Number(keys.GeographicTypeGeoKey ?? USER_DEFINED);
  const datum = Number(keys.GeogGeodeticDatumGeoKey ?? USER_DEFINED);
  const entry = epsgEntry(base === USER_DEFINED ? (SYSTEM_OF_DATUM[datum] ?? 0) : base);
  if (entry?.kind === "geographic") {
    return entry.definition.replace("+proj=longlat", "").replace("+angle=grad", "").trim();
  }
  const a: unknown = keys.GeogSemiMajorAxisGeoKey;
  const rf: unknown = keys.GeogInvFlatteningGeoKey;
  if (typeof a !== "number") return "+ellps=GRS80";
  if (a === 6_378_137) return "+ellps=GRS80";
  return typeof rf === "number" && rf > 0 ? `+a=${a} +rf=${rf}` : `+a=${a} +b=${a}`;
}

interface KeyReader {
  degrees(name: string, fallback?: number): number;
  metres(name: string): number;
  readonly scale: number;
  /** Natural origin: latitude, longitude, false easting and northing. */
  readonly natural: string;
  readonly origin: string;
  readonly centre: string;
}

function createReader(keys: Readonly<Record<string, unknown>>, unitM: number): KeyReader {
  const degrees = (name: string, fallback = 0) => numberOr(keys[name], fallback);
  const metres = (name: string) => numberOr(keys[name], 0) * unitM;
  const at = (latitude: string, longitude: string, easting: string, northing: string) =>
    `+lat_0=${degrees(latitude)} +lon_0=${degrees(longitude)} +x_0=${metres(easting)} +y_0=${metres(northing)}`;
  const [fe, fn] = ["ProjFalseEastingGeoKey", "ProjFalseNorthingGeoKey"];
  return {
    ...{ degrees, metres },
    scale: numberOr(keys["ProjScaleAtNatOriginGeoKey"] ?? keys["ProjScaleAtCenterGeoKey"], 1),
    natural: at("ProjNatOriginLatGeoKey", "ProjNatOriginLongGeoKey", fe, fn),
    origin: at(
      "ProjFalseOriginLatGeoKey",
      "ProjFalseOriginLongGeoKey",
      "ProjFalseOriginEastingGeoKey",
      "ProjFalseOriginNorthingGeoKey",
    ),
    centre: at("ProjCenterLatGeoKey", "ProjCenterLongGeoKey", fe, fn),
  };
}

const PARALLELS = ({ degrees }: KeyReader): string =>
  `+lat_1=${degrees("ProjStdParallel1GeoKey")} +lat_2=${degrees("ProjStdParallel2GeoKey")}`;

/** By the codes of ProjCoordTransGeoKey: GeoTIFF 1.1 annex C. */
const PROJECTIONS: Readonly<Record<number, (keys: KeyReader) => string>> = {
  1: ({ natural, scale }) => `+proj=tmerc ${natural} +k=${scale}`,
  8: (keys) => `+proj=lcc ${PARALLELS(keys)} ${keys.origin}`,
  9: ({ natural, scale, degrees }) =>
    `+proj=lcc +lat_1=${degrees("ProjNatOriginLatGeoKey")} ${natural} +k_0=${scale}`,
  10: ({ centre }) => `+proj=laea ${centre}`,
  11: (keys) => `+proj=aea ${PARALLELS(keys)} ${keys.natural}`,
  15: ({ degrees, metres, scale }) => {
    const latitude = degrees("ProjNatOriginLatGeoKey");
    const longitude = degrees("ProjStraightVertPoleLongGeoKey");
    const origin =
      `+lon_0=${longitude} +x_0=${metres("ProjFalseEastingGeoKey")} ` +
      `+y_0=${metres("ProjFalseNorthingGeoKey")}`;
    return Math.abs(latitude) === 90
      ? `+proj=stere +lat_0=${latitude} +k=${scale} ${origin}`
      : `+proj=stere +lat_0=${Math.sign(latitude) * 90} +lat_ts=${latitude} ${origin}`;
  },
  16: ({ natural, scale }) => `+proj=sterea ${natural} +k=${scale}`,
};

function numberOr(value: unknown, fallback: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : fallback;
}
