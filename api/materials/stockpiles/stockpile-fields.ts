import type { FastifyRequest } from "fastify";
import { DomainError } from "../../../domain/errors.ts";
import { distanceM, type Location } from "../../../domain/geodesy.ts";
import type { Ring } from "../../../domain/geometry/geofence.ts";
import type { GeofenceId, ProjectId } from "../../../domain/ids.ts";
import { MAX_FOOTPRINT_M2, type StockpileThresholds } from "../../../domain/sites/stockpile.ts";
import type { GeofenceRecords } from "../../../storage/ports/equipment/geofences.ts";
import { visibleGeofence } from "../../access/record-access.ts";
import { readInstant } from "../../schemas/instant.ts";
import { readPolygon } from "../../schemas/polygon.ts";
import { invalidParameter } from "../../validation/validation.ts";

/** Cubic metres rounded to a litre, as the API gives them. */
export const toLitres = (volumeM3: number): number => Math.round(volumeM3 * 1_000) / 1_000;

/** @throws ParameterError naming the vertex, as `footprint[3]`, or the footprint. */
export function readFootprint(footprint: unknown): Ring {
  const { ring, areaM2 } = readPolygon(footprint, "footprint");
  if (areaM2 <= MAX_FOOTPRINT_M2) return ring;
  throw invalidParameter(
    "footprint",
    `has an area of ${Math.round(areaM2)} m2; a footprint has at most ${MAX_FOOTPRINT_M2} m2`,
  );
}

/**
 * Farthest that a stockpile lies from its project's place, metres. A larger value would miss sites whose latitude and
 * longitude are alike, a smaller one doubt sites whose project was placed at an office.
 */
const NEAR_M = 200_000;

/**
 * Refuses a footprint whose corners have longitude before latitude, as GeoJSON and map programs write them:
 * it lies far from the project as it is given, and near it with the axes swapped. Where both lie far, a
 * person may know why.
 * @throws ParameterError
 */
export function checkFootprintOrder(ring: Ring, place: Location): void {
  const corners = ring.slice(0, -1);
  const mean = (axis: 0 | 1) =>
    corners.reduce((sum, corner) => sum + corner[axis] / corners.length, 0);
  const [longitude, latitude] = [mean(0), mean(1)];
  if (Math.abs(longitude) > 90) return;
  const givenM = distanceM({ latitude, longitude }, place);
  const turnedM = distanceM({ latitude: longitude, longitude: latitude }, place);
  if (givenM <= NEAR_M || turnedM > NEAR_M) return;
  const km = (metres: number) => Math.round(metres / 1_000);
  throw invalidParameter(
    "footprint",
    `lies ${km(givenM)} km from its project, and ${km(turnedM)} km with the numbers of each pair exchanged: a pair is [latitude, longitude]`,
  );
}

/** Thresholds with the shares that a body names in the place of those before; they must rise. */
export function changedThresholds(
  before: StockpileThresholds,
  change: { readonly [Share in keyof StockpileThresholds]?: number | undefined } | undefined,
): StockpileThresholds {
  const thresholds: StockpileThresholds = {
    empty_percent: change?.empty_percent ?? before.empty_percent,
    low_percent: change?.low_percent ?? before.low_percent,
    full_percent: change?.full_percent ?? before.full_percent,
  };
  const { empty_percent: empty, low_percent: low, full_percent: full } = thresholds;
  if (!(empty < low)) {
    throw invalidParameter(
      "thresholds.low_percent",
      `must be above empty_percent: ${low} is not above ${empty}`,
    );
  }
  if (!(low < full)) {
    throw invalidParameter(
      "thresholds.full_percent",
      `must be above low_percent: ${full} is not above ${low}`,
    );
  }
  return thresholds;
}

/** When a declared volume lay there, ISO 8601; now where no time is named. */
export function readMeasuredAt(measuredAt: string | undefined, nowMs: number): string {
  const atMs = measuredAt === undefined ? nowMs : readInstant("measured_at", measuredAt);
  if (atMs > nowMs) throw invalidParameter("measured_at", "must not lie in the future");
  return new Date(atMs).toISOString();
}

/**
 * The fence whose visits are a stockpile's loads.
 * @throws ParameterError for one that is not there, not the key's to see, or another project's: alike.
 */
export async function readGeofence(
  geofences: GeofenceRecords,
  request: FastifyRequest,
  id: GeofenceId,
  projectId: ProjectId,
): Promise<GeofenceId> {
  try {
    const fence = await visibleGeofence(geofences, request, id);
    if (fence.project_id === projectId) return fence.id;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "GEOFENCE_NOT_FOUND") throw error;
  }
  throw invalidParameter("geofence_id", "names no geofence of the stockpile's project");
}
