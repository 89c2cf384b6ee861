import { crc32 } from "node:zlib";
import type { Reading } from "../../domain/equipment/reading.ts";
import { offsetLocation } from "../../domain/geodesy.ts";
import { DEFAULT_CROSSING_RULES } from "../../domain/geometry/geofence.ts";
import type { GeofenceId, ProjectId } from "../../domain/ids.ts";
import type { GeofenceVersion } from "../../storage/ports/equipment/geofences.ts";

const CENTRE = { latitude: 52.5, longitude: 13.4 };
const HALF_M = 200;
const MINUTE_MS = 60_000;

/** Corners of a square of 400 m, as a ring. */
const SQUARE = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)];

/** A square fence in force from the beginning on. */
export function squareFence(
  id: string,
  projectId: ProjectId,
  extra: Partial<GeofenceVersion> = {},
): GeofenceVersion {
  return {
    geofenceId: id as GeofenceId,
    projectId,
    name: id,
    kind: "zone",
    ring: SQUARE,
    areaSqm: 4 * HALF_M ** 2,
    alertOn: ["both"],
    rules: DEFAULT_CROSSING_RULES,
    validFromMs: 0,
    validToMs: undefined,
    revision: 1,
    ...extra,
  };
}

/** A fix in the middle of the square, or 2 km east of it. */
export function fixAt(
  fixTimeMs: number,
  where: "in" | "out",
  extra: Readonly<Record<string, number>> = {},
): Reading {
  const { latitude, longitude } = offsetLocation(CENTRE, where === "in" ? 0 : 2_000, 0);
  const fields = { latitude, longitude, accuracy_meters: 5, ...extra };
  return {
    fixTimeMs,
    timeSource: "device",
    rawTimeMs: undefined,
    seq: -1,
    payloadHash: crc32(JSON.stringify(fields)),
    fields,
    faults: undefined,
  };
}

/** Two fixes a minute apart, the least that shows that an asset has left the place of its stay. */
export const stayAt = (fromMs: number, where: "in" | "out"): readonly Reading[] => [
  fixAt(fromMs, where),
  fixAt(fromMs + MINUTE_MS, where),
];

function corner(east: number, north: number): readonly [lonDeg: number, latDeg: number] {
  const { longitude, latitude } = offsetLocation(CENTRE, east * HALF_M, north * HALF_M);
  return [longitude, latitude];
}
