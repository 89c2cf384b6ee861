import { MAX_READINGS } from "../../../domain/equipment/reading.ts";
import { type FleetFormat, joinJson, round, roundDeg, type Writer } from "../device/format.ts";
import type { Measurement } from "../device/measurement.ts";

/** Our own JSON (docs/mqtt.md), under the API's own names. */
export const plumbline: FleetFormat = {
  name: "plumbline",
  topicFormat: "telemetry",
  transport: "mqtt",
  needsFix: false,
  maxReadings: MAX_READINGS,
  encode: (m, writer) => JSON.stringify({ ...fixFields(m, writer), ...machineFields(m) }),
  join: joinJson,
};

/** What the receiver knows. */
function fixFields(m: Measurement, { timeFormat }: Writer) {
  return {
    seq: m.seq,
    timestamp: timeFormat === "iso" ? new Date(m.deviceTimeMs).toISOString() : m.deviceTimeMs,
    ...(m.location && {
      latitude: round(m.location.latitude, 1e7),
      longitude: round(m.location.longitude, 1e7),
      ...(m.accuracyM !== undefined && { accuracy_meters: round(m.accuracyM, 10) }),
      altitude_meters: round(m.altitudeM, 10),
      speed_kmh: round(m.speedKmh, 100),
      heading: roundDeg(m.headingDeg, 10),
    }),
  };
}

/** What the machine's own computers know. */
function machineFields(m: Measurement) {
  return {
    engine_on: m.engineOn,
    engine_hours: round(m.vitals.engineHours, 1_000),
    fuel_level_percent: round(m.vitals.fuelLevelPercent, 10),
    coolant_temperature_c: round(m.vitals.coolantTemperatureC, 10),
    oil_pressure_kpa: Math.round(m.vitals.oilPressureKpa),
    battery_voltage: round(m.vitals.batteryVoltage, 100),
    load_percent: round(m.motion.loadPercent, 10),
    ...(m.carriesPayload && { payload_kg: Math.round(m.motion.payloadKg) }),
    fault_codes: m.vitals.faults,
  };
}
