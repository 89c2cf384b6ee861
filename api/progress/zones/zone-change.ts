import type { Ring } from "../../../domain/geometry/geofence.ts";
import {
  MAX_ZONE_M2,
  SURFACE_METRICS,
  type WorkZone,
  type ZoneActivities,
  type ZoneMetric,
} from "../../../domain/sites/work-zone.ts";
import { readInstant } from "../../schemas/instant.ts";
import { readPolygon } from "../../schemas/polygon.ts";
import { invalidParameter } from "../../validation/validation.ts";
import type { ZoneChange } from "./zone-schemas.ts";

/** A body of PATCH whose metric and outline have been read; `undefined`: stays, `null`: goes. */
export interface ReadChange extends Omit<ZoneChange, "metric" | "polygon"> {
  readonly metric: ZoneMetric | undefined;
  readonly polygon: Ring | null | undefined;
}

/** Of no activity. */
export const NO_ACTIVITIES: ZoneActivities = { codes: [], wbs: [], names: [] };

/** @throws ParameterError naming the vertex, as `polygon[3]`, or the polygon. */
export function readOutline(polygon: unknown): Ring {
  const { ring, areaM2 } = readPolygon(polygon, "polygon");
  if (areaM2 <= MAX_ZONE_M2) return ring;
  throw invalidParameter(
    "polygon",
    `has an area of ${Math.round(areaM2)} m2; a zone has at most ${MAX_ZONE_M2} m2`,
  );
}

/** @throws ParameterError where a metric of surfaces has no outline. */
export function checkOutline(metric: ZoneMetric, polygon: Ring | undefined): void {
  if (polygon !== undefined || !SURFACE_METRICS.includes(metric.kind)) return;
  throw invalidParameter("polygon", `is required for the metric ${metric.kind}`);
}

/** When a declared progress was true, ISO 8601; now where no time is named. */
export function readDeclaredAt(declaredAt: string | undefined, nowMs: number): string {
  const atMs = declaredAt === undefined ? nowMs : readInstant("declared_at", declaredAt);
  if (atMs > nowMs) throw invalidParameter("declared_at", "must not lie in the future");
  return new Date(atMs).toISOString();
}

/** Activities with the lists that a body names in the place of those before. */
export const changedActivities = (
  before: ZoneActivities,
  change: { readonly [List in keyof ZoneActivities]?: readonly string[] | undefined },
): ZoneActivities => ({
  codes: change.codes ?? before.codes,
  wbs: change.wbs ?? before.wbs,
  names: change.names ?? before.names,
});

/**
 * What a change makes of a zone.
 * @throws ParameterError for what contradicts the zone as it is.
 */
export function changedZone(before: WorkZone, change: ReadChange, nowMs: number): WorkZone {
  const metric = change.metric ?? before.metric;
  const polygon = replaced(before.polygon, change.polygon);
  checkOutline(metric, polygon);
  return {
    ...before,
    name: change.name ?? before.name,
    metric,
    polygon,
    weight: replaced(before.weight, change.weight),
    ...declared(before, change, nowMs),
    activities:
      change.activities === null
        ? NO_ACTIVITIES
        : changedActivities(before.activities, change.activities ?? {}),
    updated_at: new Date(nowMs).toISOString(),
  };
}

/** The field after a change in which absent keeps and null removes. */
const replaced = <T>(before: T | undefined, change: T | null | undefined): T | undefined =>
  change === undefined ? before : (change ?? undefined);

function declared(before: WorkZone, change: ReadChange, nowMs: number) {
  if (change.declared_progress !== undefined) {
    return {
      declared_progress: change.declared_progress,
      declared_at: readDeclaredAt(change.declared_at, nowMs),
    };
  }
  if (change.declared_at !== undefined) {
    throw invalidParameter("declared_at", "goes with declared_progress, which is absent");
  }
  return { declared_progress: before.declared_progress, declared_at: before.declared_at };
}
