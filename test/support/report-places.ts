import { PATIENT_MS } from "./patience.ts";
import { until } from "./until.ts";

/** Degrees, WGS 84. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Least time between two reports, ms: 44 m in less are no way that a machine drives, and the service ignores such. */
const PACE_MS = 3_000;

/** Reports the places of a machine as readings, no faster than a machine drives. */
export function reportPlaces(
  publish: (reading: object) => Promise<unknown>,
): (place: Place) => Promise<void> {
  let reportedMs = 0;
  return async (place) => {
    await until("the machine has driven", () => Date.now() - reportedMs >= PACE_MS, PATIENT_MS);
    reportedMs = Date.now();
    await publish({ timestamp: new Date().toISOString(), ...place, accuracy_meters: 1 });
  };
}
