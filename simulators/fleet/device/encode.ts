import type { Location } from "../../../domain/geodesy.ts";
import type { Motion } from "../machines/activity.ts";
import type { Vitals } from "../machines/engine.ts";
import type { DeviceHabits } from "./habits.ts";

/** Everything one reading says, measured but not yet written. */
export interface Measurement {
  readonly seq: number;
  /** The device's clock, ms since the Unix epoch. */
  readonly deviceTimeMs: number;
  /** `undefined` without satellites. */
  readonly location: Location | undefined;
  /** `undefined`: the device does not say. */
  readonly accuracyM: number | undefined;
  readonly altitudeM: number;
  readonly speedKmh: number;
  readonly headingDeg: number;
  readonly motion: Motion;
  readonly engineOn: boolean;
  readonly vitals: Vitals;
  readonly carriesPayload: boolean;
}

/** Writes one reading in our JSON (DESIGN section 4), under the API's own names. */
export function encodeReading(m: Measurement, timeFormat: DeviceHabits["timeFormat"]): string {
  return JSON.stringify({
    seq: m.seq,
    timestamp: timeFormat === "iso" ? new Date(m.deviceTimeMs).toISOString() : m.deviceTimeMs,
    ...(m.location && {
      latitude: round(m.location.latitude, 1e7),
      longitude: round(m.location.longitude, 1e7),
      ...(m.accuracyM !== undefined && { accuracy_meters: round(m.accuracyM, 10) }),
      altitude_meters: round(m.altitudeM, 10),
      speed_kmh: round(m.speedKmh, 100),
      heading: round(m.headingDeg, 10) % 360,
    }),
    engine_on: m.engineOn,
    engine_hours: round(m.vitals.engineHours, 1_000),
    fuel_level_percent: round(m.vitals.fuelLevelPercent, 10),
    coolant_temperature_c: round(m.vitals.coolantTemperatureC, 10),
    oil_pressure_kpa: Math.round(m.vitals.oilPressureKpa),
    battery_voltage: round(m.vitals.batteryVoltage, 100),
    load_percent: round(m.motion.loadPercent, 10),
    ...(m.carriesPayload && { payload_kg: Math.round(m.motion.payloadKg) }),
    fault_codes: m.vitals.faults,
  });
}

function round(value: number, perUnit: number): number {
  return Math.round(value * perUnit) / perUnit;
}
