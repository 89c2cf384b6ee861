import { FOOT_M, US_SURVEY_FOOT_M } from "../../domain/geometry/length-units.ts";
import type { DatumShift, Projection, VerticalSystem } from "./coordinate-system.ts";
import { loadGrid } from "./grid-folder.ts";
import { isProblem, type Problem } from "./problem.ts";
import { proj4 } from "./proj4.ts";

/** What a PROJ string says. */
export interface ProjString {
  /** Without grids of shifts. */
  readonly projection: string;
  readonly shift: DatumShift;
  readonly vertical: VerticalSystem | undefined;
  readonly angleDeg: number;
}

/** Parameters that proj4 reads, or that change nothing. Others would be ignored silently. */
const KNOWN = new Set(
  (
    "proj datum ellps a b rf f r r_a towgs84 nadgrids units to_meter vunits vto_meter pm axis " +
    "lat_0 lat_1 lat_2 lat_ts lon_0 lon_1 lon_2 lonc alpha gamma x_0 y_0 k k_0 zone south h azi h_0 " +
    "no_uoff no_off no_rot over approx angle no_defs type wktext sweep geoidgrids geoid_crs lon_wrap"
  ).split(" "),
);
/** Metres of the units of PROJ (`proj -lu`, version 9.1). */
const UNIT_M: Readonly<Record<string, number>> = {
  ...{
    km: 1000,
    m: 1,
    dm: 0.1,
    cm: 0.01,
    mm: 0.001,
    kmi: 1852,
    in: 0.0254,
    ft: FOOT_M,
    yd: 0.9144,
  },
  ...{ mi: 1609.344, fath: 1.8288, ch: 20.1168, link: 0.201168, "us-in": 100 / 3937 },
  ...{
    "us-ft": US_SURVEY_FOOT_M,
    "us-yd": 3600 / 3937,
    "us-ch": 79_200 / 3937,
    "us-mi": 6_336_000 / 3937,
  },
  ...{ "ind-yd": 0.91439523, "ind-ft": 0.30479841, "ind-ch": 20.11669506 },
};
/** Ellipsoids of PROJ that proj4 does not have, or not to the last digit (`proj -le`, version 9.1). */
const ELLIPSOIDS: Readonly<Record<string, string>> = {
  GSK2011: "+a=6378136.5 +rf=298.2564151",
  PZ90: "+a=6378136 +rf=298.25784",
  CGCS2000: "+a=6378137 +rf=298.257222101",
  WGS72: "+a=6378135 +rf=298.26",
  danish: "+a=6377019.2563 +rf=300",
};
const SEMI_MAJOR_M = 6_378_137;
/** Datums on the ellipsoid of GRS 80 or WGS 84 follow the earth as WGS 84 does, within some 2 m. */
const GEOCENTRIC_M = 2;
/** NAD27 as the EPSG Dataset has it: PROJ knows it by grids alone. */
const NAD27 = "+ellps=clrk66 +nadgrids=conus,NTv2_0.gsb,alaska +towgs84=-8,160,176";
const GRAD_DEG = 0.9;

/** Reads a PROJ string and checks that proj4 means the same by it. */
export function readProjString(text: string, accuracyM?: number): ProjString | Problem {
  const given = parametersOf(text.replace(/\+datum=NAD27\b/i, NAD27));
  const unknown = [...given.keys()].find((key) => !KNOWN.has(key));
  if (unknown !== undefined)
    return { problem: `has the parameter +${unknown}, which is not known` };
  const name = given.get("proj") ?? "";
  if (name === "geocent" || name === "cart") return { problem: "is geocentric" };
  if (!["longlat", "latlong", "latlon", "lonlat"].includes(name)) {
    const projection = proj4.Proj.projections.get(name);
    if (projection === undefined)
      return { problem: `has the projection "${name}", which is not known` };
  }
  const ellipsoid = ellipsoidOf(given);
  if ("problem" in ellipsoid) return ellipsoid;
  const unit = given.get("units");
  const unitM = given.has("to_meter") ? Number(given.get("to_meter")) : UNIT_M[unit ?? "m"];
  if (!(unitM !== undefined && unitM > 0))
    return { problem: `counts a unit that is not known ("${unit}")` };
  const heights = heightsOf(given);
  if (heights !== undefined && "problem" in heights) return heights;
  const without = shiftOf(given, accuracyM);
  const grid = gridOf(without.missingGrids);
  if (isProblem(grid)) return grid;
  const shift =
    grid.key === undefined
      ? without
      : ({ by: "grid", accuracyM: undefined, missingGrids: [] } as const);
  const left = [
    "nadgrids",
    "units",
    "to_meter",
    "vunits",
    "vto_meter",
    "angle",
    "geoidgrids",
    "geoid_crs",
  ];
  const kept = [...given].filter(
    ([key]) =>
      !left.includes(key) &&
      !(key === "ellps" && ellipsoid.text !== undefined) &&
      !(key === "towgs84" && grid.key !== undefined),
  );
  const projection = [
    ...kept.map(([key, value]) => (value === "" ? `+${key}` : `+${key}=${value}`)),
    ...(ellipsoid.text === undefined ? [] : [ellipsoid.text]),
    ...(given.get("nadgrids") === "@null" ? ["+nadgrids=@null"] : []),
    ...(grid.key === undefined ? [] : [`+nadgrids=${grid.key}`]),
    `+to_meter=${unitM}`,
    "+no_defs",
  ].join(" ");
  const angleDeg = given.get("angle") === "grad" ? GRAD_DEG : 1;
  return { projection, shift, vertical: heights, angleDeg };
}

function gridOf(names: readonly string[]): { readonly key: string | undefined } | Problem {
  try {
    return { key: names.length === 0 ? undefined : loadGrid(names) };
  } catch (error) {
    return {
      problem: `has a grid that cannot be used: ${error instanceof Error ? error.message : error}`,
    };
  }
}

function parametersOf(text: string): ReadonlyMap<string, string> {
  const parameters = text
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => word.replace(/^\+/, "").split("="));
  return new Map(parameters.map(([key = "", value = ""]) => [key.toLowerCase(), value]));
}

function ellipsoidOf(given: ReadonlyMap<string, string>): { readonly text?: string } | Problem {
  const datum = given.get("datum");
  if (datum !== undefined && !isKnownDatum(datum)) {
    return { problem: `has the datum "${datum}", which is not known` };
  }
  const ellps = given.get("ellps");
  if (ellps === undefined) return {};
  const text = ELLIPSOIDS[ellps];
  if (text !== undefined) return { text };
  const sphere = new proj4.Proj(`+proj=longlat +ellps=${ellps} +no_defs`);
  // proj4 takes WGS 84 for what it does not know.
  return sphere.a === SEMI_MAJOR_M && !/^(WGS84|GRS80)$/i.test(ellps)
    ? { problem: `has the ellipsoid "${ellps}", which is not known` }
    : {};
}

/** proj4 takes WGS 84 for a datum that it does not know. */
function isKnownDatum(datum: string): boolean {
  const { datumName } = new proj4.Proj(`+proj=longlat +datum=${datum} +no_defs`) as Projection;
  return datumName !== undefined;
}

function heightsOf(given: ReadonlyMap<string, string>): VerticalSystem | Problem | undefined {
  const grid = given.get("geoidgrids");
  const unit = given.get("vunits");
  const factor = given.get("vto_meter");
  if (grid === undefined && unit === undefined && factor === undefined) return undefined;
  const unitM = factor === undefined ? UNIT_M[unit ?? "m"] : Number(factor);
  if (unitM === undefined)
    return { problem: `counts heights in a unit that is not known ("${unit}")` };
  const name =
    grid === undefined ? "heights of a system that is not named" : `heights above ${grid}`;
  return { name, epsg: undefined, unitM, isDepth: false };
}

function shiftOf(given: ReadonlyMap<string, string>, accuracyM: number | undefined): DatumShift {
  const grids = (given.get("nadgrids") ?? "").split(",").map((name) => name.replace(/^@/, ""));
  const missingGrids = grids.filter((name) => name !== "" && name !== "null");
  if (given.get("nadgrids") === "@null") return { by: "none", accuracyM, missingGrids };
  const parameters = given.get("towgs84")?.split(",").map(Number);
  if (parameters?.some((value) => value !== 0) === true) {
    return { by: "parameters", accuracyM, missingGrids };
  }
  const datum = given.get("datum")?.toUpperCase();
  if (datum === "WGS84") return { by: "none", accuracyM: accuracyM ?? 0, missingGrids };
  if (datum !== undefined && datum !== "NAD83")
    return { by: "parameters", accuracyM, missingGrids };
  const isGeocentric =
    parameters !== undefined ||
    datum === "NAD83" ||
    /^(WGS84|GRS80|CGCS2000|GSK2011)$/i.test(given.get("ellps") ?? (given.has("a") ? "" : "WGS84"));
  return isGeocentric
    ? { by: "none", accuracyM: accuracyM ?? GEOCENTRIC_M, missingGrids }
    : { by: "unknown", accuracyM: undefined, missingGrids };
}
