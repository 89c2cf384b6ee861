import { type FleetFormat, round, roundDeg, type Writer } from "../device/format.ts";
import type { Measurement } from "../device/measurement.ts";

/**
 * Readings of one pack: 14 records each, well below what a reader takes at once. Fewer only make more messages
 * of a backlog.
 */
const MAX_READINGS_OF_PACK = 100;

/**
 * SenML in JSON (RFC 8428) in units of its own registry: m/s, radians, seconds, ratios and pascal. Each
 * reading begins with its base name and base time in seconds. Fault codes have no unit, and are not sent.
 */
export const senml: FleetFormat = {
  name: "senml",
  topicFormat: "senml",
  transport: "mqtt",
  needsFix: false,
  maxReadings: MAX_READINGS_OF_PACK,
  encode(m, writer) {
    const [first, ...others] = records(m);
    return [{ ...base(m, writer), ...first }, ...others]
      .map((record) => JSON.stringify(record))
      .join(",");
  },
  join: (pieces) => `[${pieces.join(",")}]`,
};

/** 32473 is the organisation of examples (RFC 5612). */
function base(m: Measurement, { id }: Writer) {
  return { bn: `urn:dev:org:32473-${id}:`, bt: m.deviceTimeMs / 1_000 };
}

function records(m: Measurement) {
  const { vitals, location, accuracyM } = m;
  return [
    { n: "engine_on", vb: m.engineOn },
    { n: "engine_hours", u: "s", v: Math.round(vitals.engineHours * 3_600) },
    { n: "fuel_level", u: "/", v: round(vitals.fuelLevelPercent / 100, 1_000) },
    { n: "coolant_temperature", u: "Cel", v: round(vitals.coolantTemperatureC, 10) },
    { n: "oil_pressure", u: "Pa", v: Math.round(vitals.oilPressureKpa * 1_000) },
    { n: "battery_voltage", u: "V", v: round(vitals.batteryVoltage, 100) },
    { n: "load", u: "/", v: round(m.motion.loadPercent / 100, 1_000) },
    ...(m.carriesPayload ? [{ n: "payload", u: "kg", v: Math.round(m.motion.payloadKg) }] : []),
    ...(location === undefined
      ? []
      : [
          { n: "lat", u: "lat", v: round(location.latitude, 1e7) },
          { n: "lon", u: "lon", v: round(location.longitude, 1e7) },
          { n: "altitude", u: "m", v: round(m.altitudeM, 10) },
          { n: "speed", u: "m/s", v: round(m.speedKmh / 3.6, 1_000) },
          {
            n: "heading",
            u: "rad",
            v: round((roundDeg(m.headingDeg, 100) * Math.PI) / 180, 1e5),
          },
          ...(accuracyM === undefined ? [] : [{ n: "accuracy", u: "m", v: round(accuracyM, 10) }]),
        ]),
  ];
}
