import { FOOT_M, US_SURVEY_FOOT_M } from "../../../domain/geometry/length-units.ts";
import { SURFACE_HEIGHT_M } from "../../../domain/geometry/surface-height.ts";
import type { CoordinateSystem } from "../../coordinates/coordinate-system.ts";
import { systemOfCode } from "../../coordinates/find-coordinate-system.ts";
import { isProblem } from "../../coordinates/problem.ts";
import { quoted } from "../../uploads/file-words.ts";
import type { FileSurface } from "./file-surface.ts";
import { surfaceError } from "./surface-error.ts";
import type { TinSurface } from "./tin-file.ts";

/** Metres of the linear units of LandXML 1.2 (`metLinear` and `impLinear` of its schema). */
const UNIT_M: Readonly<Record<string, number>> = {
  millimeter: 0.001,
  centimeter: 0.01,
  meter: 1,
  kilometer: 1_000,
  inch: 0.0254,
  foot: FOOT_M,
  USSurveyFoot: US_SURVEY_FOOT_M,
  mile: 1_609.344,
};

/**
 * Metres of the file's unit.
 * @throws DomainError `SURFACE_INVALID` for a unit that LandXML does not have.
 */
export function unitOf({ linearUnit }: Pick<FileSurface, "linearUnit">): number | undefined {
  if (linearUnit === undefined) return undefined;
  const { name, line } = linearUnit;
  const metres = Object.hasOwn(UNIT_M, name) ? UNIT_M[name] : undefined;
  if (metres !== undefined) return metres;
  const known = Object.keys(UNIT_M).join(", ");
  throw surfaceError(`line ${line}`, `has the unit ${quoted(name)}, not ${known}`);
}

/**
 * The system of the file's EPSG code, or of the one that was given beside it.
 * @throws DomainError `SURFACE_INVALID` without either, for one that is not known, or for two different ones.
 */
export function systemOf(
  { epsg }: Pick<FileSurface, "epsg">,
  given: number | undefined,
): CoordinateSystem {
  if (epsg === undefined && given === undefined) {
    throw surfaceError("file", "names no EPSG code (CoordinateSystem epsgCode): give it as ?epsg=");
  }
  const where = epsg === undefined ? "file" : `line ${epsg.line}`;
  const named = epsg && Number(epsg.code.replace(/^EPSG:/i, ""));
  if (named !== undefined && given !== undefined && named !== given) {
    throw surfaceError(where, `names EPSG:${quoted(epsg?.code ?? "")}, and ?epsg= ${given}`);
  }
  const code = named ?? given;
  const system = systemOfCode(code ?? Number.NaN);
  if (!isProblem(system)) return system;
  const shown = named === undefined ? String(given) : quoted(epsg?.code ?? "");
  throw surfaceError(where, `has the coordinate system EPSG ${shown}, which ${system.problem}`);
}

/**
 * Brings a surface to WGS 84, point by point as it is iterated, and yields it at the end; points of no
 * visible face are left out. Degrees of a geographic system have no unit of length.
 * @throws DomainError `SURFACE_INVALID` for a point that lies nowhere, or beyond all heights.
 */
export function* placeSurface(
  surface: FileSurface,
  system: CoordinateSystem,
  unitM: number,
): Generator<undefined, TinSurface> {
  const { points } = surface;
  const unitXy = system.unitM === undefined ? 1 : unitM / system.unitM;
  const placeOf = new Int32Array(points.length / 3).fill(-1);
  const [lon, lat, height]: [number[], number[], number[]] = [[], [], []];
  const faces = new Uint32Array(surface.faces.length);
  for (const [at, point] of surface.faces.entries()) {
    if ((placeOf[point] ?? -1) < 0) {
      placeOf[point] = lon.length;
      const [northing = 0, easting = 0, elevation = 0] = points.slice(point * 3, point * 3 + 3);
      const [lonDeg, latDeg] = system.toGeodetic(easting * unitXy, northing * unitXy);
      const heightM = elevation * unitM;
      const given = `northing ${northing}, easting ${easting}, elevation ${elevation}`;
      if (!(Math.abs(lonDeg) <= 180 && Math.abs(latDeg) <= 90)) {
        throw surfaceError("file", `has a point that lies nowhere in ${system.name}: ${given}`);
      }
      if (!(heightM >= SURFACE_HEIGHT_M.min && heightM <= SURFACE_HEIGHT_M.max)) {
        const { min, max } = SURFACE_HEIGHT_M;
        throw surfaceError("file", `has a point outside ${min} to ${max} m: ${given}`);
      }
      lon.push(lonDeg);
      lat.push(latDeg);
      height.push(heightM);
      yield;
    }
    faces[at] = placeOf[point] ?? 0;
  }
  return {
    lonDeg: Float64Array.from(lon),
    latDeg: Float64Array.from(lat),
    heightM: Float64Array.from(height),
    faces,
  };
}
