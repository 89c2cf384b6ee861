import { MAX_READINGS } from "../../../domain/reading.ts";
import { type FleetFormat, joinJson, round, roundDeg } from "./format.ts";

/**
 * Device telemetry of ThingsBoard: epoch milliseconds and free keys, for which a machine's gateway takes
 * our names; numbers and booleans alone, so fault codes are not told.
 */
export const thingsboard: FleetFormat = {
  name: "thingsboard",
  topicFormat: "thingsboard",
  needsFix: false,
  maxReadings: MAX_READINGS,
  encode(m) {
    return JSON.stringify({
      ts: m.deviceTimeMs,
      values: {
        ...(m.location && {
          latitude: round(m.location.latitude, 1e7),
          longitude: round(m.location.longitude, 1e7),
          ...(m.accuracyM !== undefined && { accuracy_meters: round(m.accuracyM, 10) }),
          altitude_meters: round(m.altitudeM, 10),
          speed_kmh: round(m.speedKmh, 100),
          heading: roundDeg(m.headingDeg, 10),
        }),
        engine_on: m.engineOn,
        engine_hours: round(m.vitals.engineHours, 1_000),
        fuel_level_percent: round(m.vitals.fuelLevelPercent, 10),
        coolant_temperature_c: round(m.vitals.coolantTemperatureC, 10),
        battery_voltage: round(m.vitals.batteryVoltage, 100),
        load_percent: round(m.motion.loadPercent, 10),
      },
    });
  },
  join: joinJson,
};
