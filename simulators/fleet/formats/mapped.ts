import type { PayloadMapping } from "../../../domain/equipment/payload-mapping.ts";
import { type FleetFormat, round, roundDeg } from "../device/format.ts";

/**
 * JSON as an unforeseen gateway might write it: samples below a header, places in an array with
 * the longitude first, epoch seconds, m/s, millivolts, tonnes, "run" and "stop", -1 where nothing is known.
 */
export const mapped: FleetFormat = {
  name: "mapping",
  topicFormat: "mapping",
  transport: "mqtt",
  needsFix: false,
  maxReadings: 200,
  encode(m) {
    const { location, vitals } = m;
    return JSON.stringify({
      when: m.deviceTimeMs / 1_000,
      no: m.seq,
      ...(location && {
        place: {
          at: [
            round(location.longitude, 1e7),
            round(location.latitude, 1e7),
            round(m.altitudeM, 10),
          ],
          sure: m.accuracyM === undefined ? -1 : round(m.accuracyM, 10),
          moves: { speed: round(m.speedKmh / 3.6, 1_000), course: roundDeg(m.headingDeg, 10) },
        },
      }),
      motor: {
        state: m.engineOn ? "run" : "stop",
        seconds: Math.round(vitals.engineHours * 3_600),
        load: round(m.motion.loadPercent / 100, 1_000),
        coolant: round(vitals.coolantTemperatureC * 1.8 + 32, 10),
        oil: round(vitals.oilPressureKpa / 100, 100),
        codes: vitals.faults.map(({ spn, fmi, occurrence_count: count }) => [spn, fmi, count]),
      },
      tank: round(vitals.fuelLevelPercent, 10),
      supply: Math.round(vitals.batteryVoltage * 1_000),
      ...(m.carriesPayload && { carries: round(m.motion.payloadKg / 1_000, 1_000) }),
    });
  },
  join: (pieces) => `{"gateway":{"rev":3},"samples":[${pieces.join(",")}]}`,
  mapping: {
    readings: "/samples",
    time: { pointer: "/when", unit: "s" },
    seq: { pointer: "/no" },
    fields: {
      longitude: { pointer: "/place/at/0" },
      latitude: { pointer: "/place/at/1" },
      altitude_meters: { pointer: "/place/at/2" },
      accuracy_meters: { pointer: "/place/sure", ignore: [-1] },
      speed_kmh: { pointer: "/place/moves/speed", unit: "m/s" },
      heading: { pointer: "/place/moves/course" },
      engine_on: { pointer: "/motor/state", values: { run: 1, stop: 0 } },
      engine_hours: { pointer: "/motor/seconds", unit: "s" },
      load_percent: { pointer: "/motor/load", unit: "ratio" },
      coolant_temperature_c: { pointer: "/motor/coolant", unit: "degF" },
      oil_pressure_kpa: { pointer: "/motor/oil", unit: "bar" },
      fuel_level_percent: { pointer: "/tank" },
      battery_voltage: { pointer: "/supply", unit: "mV" },
      payload_kg: { pointer: "/carries", unit: "t" },
    },
    faults: { pointer: "/motor/codes", spn: "/0", fmi: "/1", occurrence_count: "/2" },
  } satisfies PayloadMapping,
};
