import { DomainError } from "../../domain/errors.ts";
import { FOOT_M, US_SURVEY_FOOT_M } from "../../domain/geometry/length-units.ts";
import type { Area } from "./epsg-table.ts";
import { coordinateSystem } from "./find-coordinate-system.ts";
import type { MapProjection } from "./utm.ts";

/** A system for products: projected, by its EPSG code, with east and north in metres or feet. */
export interface OutputSystem {
  readonly projection: MapProjection;
  readonly area: Area;
}

/** Units that GeoTIFF names by a code: metre, foot, US survey foot. */
const UNITS_M = [1, FOOT_M, US_SURVEY_FOOT_M];
/** Two factors of one unit differ by less. */
const SAME_UNIT = 1e-8;
/** What axes are tried with, degrees. */
const STEP_DEG = 0.001;

/**
 * The system that products are asked to be in.
 * @throws DomainError `PARAMETER_INVALID` for one that a north-up GeoTIFF cannot have, naming why
 */
export function outputSystem(text: string): OutputSystem {
  const system = coordinateSystem(text);
  const { name, epsg, unitM, area } = system;
  const refuse = (problem: string) =>
    new DomainError("PARAMETER_INVALID", `products cannot be in ${name}: ${problem}`);
  if (epsg === undefined || area === undefined) throw refuse("it has no EPSG code");
  if (unitM === undefined) throw refuse("it counts degrees; give a projected system");
  const unit = UNITS_M.find((known) => Math.abs(known / unitM - 1) < SAME_UNIT);
  if (unit === undefined) throw refuse("it counts neither metres nor feet");
  const [lonDeg, latDeg] = middleOf(area);
  const [x, y] = system.fromGeodetic(lonDeg, latDeg);
  const [eastX] = system.fromGeodetic(lonDeg + STEP_DEG, latDeg);
  const [, northY] = system.fromGeodetic(lonDeg, latDeg + STEP_DEG);
  if (!(eastX > x && northY > y)) throw refuse("its axes do not count east and north");
  return {
    area,
    projection: {
      ...{ epsg, name: epsgName(name), unitM: unit },
      toMap(place) {
        const [east, north] = system.fromGeodetic(place.lonDeg, place.latDeg);
        return [east * unit, north * unit];
      },
      fromMap(east, north) {
        const [lon, lat] = system.toGeodetic(east / unit, north / unit);
        return { lonDeg: lon, latDeg: lat };
      },
    },
  };
}

/** Degrees by which a place lies outside of an area; 0: inside. */
export function degreesOutside(
  [west, south, east, north]: Area,
  place: {
    readonly lonDeg: number;
    readonly latDeg: number;
  },
): number {
  const width = (east - west + 360) % 360 || 360;
  const from = (place.lonDeg - west + 720) % 360;
  const aside = from <= width ? 0 : Math.min(from - width, 360 - from);
  return Math.max(aside, south - place.latDeg, place.latDeg - north, 0);
}

function middleOf([west, south, east, north]: Area): readonly [lonDeg: number, latDeg: number] {
  const width = (east - west + 360) % 360 || 360;
  return [((west + width / 2 + 540) % 360) - 180, (south + north) / 2];
}

/** "ETRF2000-PL / CS92" of "EPSG:2180 (ETRF2000-PL / CS92)". */
const epsgName = (name: string): string => /\((.*)\)$/.exec(name)?.[1] ?? name;
