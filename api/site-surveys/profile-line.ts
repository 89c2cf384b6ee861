import type { LonLat } from "../../domain/geometry/geofence.ts";
import { createEnuFrame } from "../../processing/geometry/enu.ts";
import { invalidParameter } from "../validation/validation.ts";

/**
 * Lengths of profiles, metres. A shorter one is a point; a longer one is no line of a site, and would read every
 * block of a large survey.
 */
const LENGTH_M = { least: 0.01, most: 10_000 } as const;

/** Reads a place that a request gives as text. @throws ParameterError naming the range */
export function readPlace(text: string, parameter: string): LonLat {
  const parts = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [latDeg = Number.NaN, lonDeg = Number.NaN] = parts;
  if (parts.length === 2 && Math.abs(latDeg) <= 90 && Math.abs(lonDeg) <= 180) {
    return [lonDeg, latDeg];
  }
  throw invalidParameter(
    parameter,
    "must be LATITUDE,LONGITUDE in degrees: -90 to 90 and -180 to 180",
  );
}

/** Points of a straight line, with their distances from its start in plan, metres. */
export interface ProfileLine {
  readonly lengthM: number;
  readonly places: readonly LonLat[];
  readonly distancesM: readonly number[];
}

/**
 * Points at even distances, both ends included.
 * @param count points, 2 or more
 * @throws ParameterError for a line that is too short or too long
 */
export function profileLine(from: LonLat, to: LonLat, count: number): ProfileLine {
  const [lonDeg, latDeg] = from;
  const frame = createEnuFrame({ lonDeg, latDeg, heightM: 0 });
  const [east, north, up] = frame.toEnu({ lonDeg: to[0], latDeg: to[1], heightM: 0 });
  const lengthM = Math.hypot(east, north);
  if (!(lengthM >= LENGTH_M.least && Math.hypot(lengthM, up) <= LENGTH_M.most)) {
    throw invalidParameter(
      "to",
      `lies ${Math.hypot(lengthM, up).toFixed(2)} m from the start; a profile is ${LENGTH_M.least} to ${LENGTH_M.most} m long`,
    );
  }
  const shares = Array.from({ length: count }, (_, i) => i / (count - 1));
  return {
    lengthM,
    distancesM: shares.map((share) => share * lengthM),
    places: shares.map((share, i) => {
      if (i === 0) return from;
      if (i === count - 1) return to;
      const place = frame.toGeodetic([share * east, share * north, share * up]);
      return [place.lonDeg, place.latDeg];
    }),
  };
}
