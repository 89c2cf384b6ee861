import { DomainError } from "../errors.ts";
import { distanceM } from "../geodesy.ts";
import type { DrawnShape, LonLat } from "./geofence.ts";
import { SAME_PLACE_DEG } from "./ring-flaws.ts";

/**
 * Radius of a circle, metres. Below 1 m it is smaller than the error of every receiver on a machine. Above
 * 100 km the flat map by which distances to an edge are measured is wrong by more than 1 %.
 */
export const RADIUS_M = { min: 1, max: 100_000 } as const;
/**
 * Width of a corridor, metres. Below 0.5 m no machine fits in it; above 2 km the outline would be off by more
 * than 0.1 m at the ends of the longest line.
 */
export const WIDTH_M = { min: 0.5, max: 2_000 } as const;
/** Points of a corridor's line: 200 give an outline of some 850 corners, of the 1,000 that a fence may have. */
export const LINE_POINTS = { min: 2, max: 200 } as const;
/** Farthest that a line may go from its middle, metres: the plane of the outline is 0.012 % too long there. */
const MAX_REACH_M = 100_000;

/** A circle or corridor that cannot be a fence, and why. */
export class DrawnShapeError extends DomainError {
  /** Where, within the shape: `radius_m`, `line[3]`; "": the shape as a whole. */
  readonly path: string;

  constructor(path: string, reason: string) {
    super("PARAMETER_INVALID", reason);
    this.path = path;
  }
}

/**
 * Checks what can be checked of a shape without its outline. Coordinates are finite, within [-180, 180]
 * and [-90, 90].
 * @throws DrawnShapeError for sizes out of range. Also for lines with too few or too many points, no
 * length, a step of 180 degrees of longitude, or points more than 200 km apart.
 */
export function requireDrawable(drawn: DrawnShape): void {
  if (drawn.type === "circle") {
    requireSize("radius_m", drawn.radius_m, RADIUS_M);
    return;
  }
  const { line, width_m } = drawn;
  requireSize("width_m", width_m, WIDTH_M);
  if (line.length < LINE_POINTS.min || line.length > LINE_POINTS.max) {
    throw new DrawnShapeError(
      "line",
      `has ${line.length} points; a line has ${LINE_POINTS.min} to ${LINE_POINTS.max}`,
    );
  }
  const [first] = line;
  if (first === undefined || line.every((point) => isSamePlace(first, point))) {
    throw new DrawnShapeError(
      "line",
      "has no length: all of its points are one place; draw a circle instead",
    );
  }
  const middle = middleOf(line);
  for (const [i, point] of line.entries()) {
    const before = line[i - 1];
    if (before !== undefined && Math.abs(point[0] - before[0]) === 180) {
      throw new DrawnShapeError(
        `line[${i}]`,
        `is 180 degrees of longitude from point ${i - 1}, so that either direction could be meant`,
      );
    }
    const reachM = distanceM(locationOf(middle), locationOf(point));
    if (reachM > MAX_REACH_M) {
      throw new DrawnShapeError(
        `line[${i}]`,
        `is ${Math.round(reachM / 1_000)} km from the middle of the line; ${MAX_REACH_M / 1_000} km are allowed`,
      );
    }
  }
}

/** The middle of the box around a line, longitude within [-180, 180]. */
export function middleOf(line: readonly LonLat[]): LonLat {
  const [[originDeg] = [0]] = line;
  let [west, east, south, north] = [0, 0, 90, -90];
  for (const [lonDeg, latDeg] of line) {
    const fromOriginDeg = turnedDeg(lonDeg - originDeg);
    west = Math.min(west, fromOriginDeg);
    east = Math.max(east, fromOriginDeg);
    south = Math.min(south, latDeg);
    north = Math.max(north, latDeg);
  }
  return [turnedDeg(originDeg + (west + east) / 2), (south + north) / 2];
}

/** Whether two positions are one place, also where one is written as 180 and the other as -180 degrees. */
export function isSamePlace(a: LonLat, b: LonLat): boolean {
  return (
    Math.abs(turnedDeg(a[0] - b[0])) <= SAME_PLACE_DEG && Math.abs(a[1] - b[1]) <= SAME_PLACE_DEG
  );
}

/** The same direction within [-180, 180]; exact for what lies there already. */
export function turnedDeg(lonDeg: number): number {
  if (lonDeg > 180) return lonDeg - 360;
  return lonDeg < -180 ? lonDeg + 360 : lonDeg;
}

function requireSize(
  path: string,
  sizeM: number,
  { min, max }: { readonly min: number; readonly max: number },
): void {
  // Also false for NaN.
  if (sizeM >= min && sizeM <= max) return;
  throw new DrawnShapeError(path, `is ${sizeM}; ${min} to ${max} metres are allowed`);
}

const locationOf = ([longitude, latitude]: LonLat) => ({ longitude, latitude });
