import { MAX_READINGS } from "../../../domain/equipment/reading.ts";
import { type FleetFormat, joinJson, round, roundDeg } from "../device/format.ts";

/**
 * Device telemetry of ThingsBoard: epoch milliseconds and free keys, here those of its own simulators and
 * ours where they have none. Numbers and booleans alone, so fault codes are not sent.
 */
export const thingsboard: FleetFormat = {
  name: "thingsboard",
  topicFormat: "thingsboard",
  transport: "mqtt",
  needsFix: false,
  maxReadings: MAX_READINGS,
  encode(m) {
    return JSON.stringify({
      ts: m.deviceTimeMs,
      values: {
        ...(m.location && {
          latitude: round(m.location.latitude, 1e7),
          longitude: round(m.location.longitude, 1e7),
          ...(m.accuracyM !== undefined && { accuracy: round(m.accuracyM, 10) }),
          altitude: round(m.altitudeM, 10),
          speed: round(m.speedKmh, 100),
          course: roundDeg(m.headingDeg, 10),
        }),
        ignition: m.engineOn,
        operatingHours: round(m.vitals.engineHours, 1_000),
        fuel: round(m.vitals.fuelLevelPercent, 10),
        coolantTemperature: round(m.vitals.coolantTemperatureC, 10),
        engineLoad: round(m.motion.loadPercent, 10),
        oil_pressure_kpa: Math.round(m.vitals.oilPressureKpa),
        battery_voltage: round(m.vitals.batteryVoltage, 100),
        ...(m.carriesPayload && { payload_kg: Math.round(m.motion.payloadKg) }),
      },
    });
  },
  join: joinJson,
};
