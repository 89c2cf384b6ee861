import { fieldsBesideMocked, isMocked } from "../../domain/equipment/mocked-position.ts";
import { hasPosition, type Reading } from "../../domain/equipment/reading.ts";
import { accuracyOr } from "../geofence/accuracy.ts";
import type { UsageSample } from "./usage-sample.ts";

/** One reading, or several of one fix time, as the time line folds it. */
export interface TimelineSample extends UsageSample {
  readonly fields: Readonly<Record<string, number>>;
}

export function sampleOf({ fixTimeMs, fields }: Reading): TimelineSample {
  // A position that is made up is not where the machine is.
  const mocked = isMocked(fields);
  const isPositioned = !mocked && hasPosition(fields);
  return {
    tMs: fixTimeMs,
    latitude: isPositioned ? (fields["latitude"] ?? Number.NaN) : Number.NaN,
    longitude: isPositioned ? (fields["longitude"] ?? Number.NaN) : Number.NaN,
    accuracyM: accuracyOr(fields["accuracy_meters"], fields["hdop"]).meters,
    speedKmh: mocked ? Number.NaN : (fields["speed_kmh"] ?? Number.NaN),
    engineOn: fields["engine_on"] ?? Number.NaN,
    loadPercent: fields["load_percent"] ?? Number.NaN,
    engineHours: fields["engine_hours"] ?? Number.NaN,
    // What a phone has counted by such positions is no better.
    odometerKm: mocked ? Number.NaN : (fields["odometer_km"] ?? Number.NaN),
    tripKm: mocked ? Number.NaN : (fields["trip_odometer_km"] ?? Number.NaN),
    fields: mocked ? fieldsBesideMocked(fields) : fields,
  };
}

/** Whether the telemetry store keeps no row of it: it has nothing but fault codes. */
export function isBlank({ fields, rawTimeMs }: Reading): boolean {
  for (const _name in fields) return false;
  return rawTimeMs === undefined;
}
