import { type FleetFormat, joinJson, roundDeg } from "../device/format.ts";

/** Satellites of a good fix; the simulator does not count them. Below 4 it would be no fix. */
const SATELLITES = 11;
/** Metres of accuracy per unit of HDOP (docs/rules.md#accuracy): a Teltonika reports dilution, not metres. */
const METERS_PER_HDOP = 5;

/**
 * Codec JSON of a Teltonika tracker over MQTT: one record a message, AVL ids as names, the position as
 * one text, "0.000000,0.000000" and no satellites without a fix.
 */
export const teltonika: FleetFormat = {
  name: "teltonika",
  topicFormat: "teltonika",
  transport: "mqtt",
  needsFix: false,
  maxReadings: 1,
  encode(m) {
    const { location, accuracyM } = m;
    const speed = location === undefined ? 0 : Math.round(m.speedKmh);
    const reported = {
      ts: m.deviceTimeMs,
      pr: 0,
      latlng: `${(location?.latitude ?? 0).toFixed(6)},${(location?.longitude ?? 0).toFixed(6)}`,
      alt: location === undefined ? 0 : Math.round(m.altitudeM),
      ang: location === undefined ? 0 : roundDeg(m.headingDeg, 1),
      sat: location === undefined ? 0 : SATELLITES,
      sp: speed,
      evt: 0,
      239: m.engineOn ? 1 : 0,
      240: m.motion.speedMps > 0 ? 1 : 0,
      24: speed,
      66: Math.round(m.vitals.batteryVoltage * 1_000),
      // HDOP in tenths.
      ...(location !== undefined &&
        accuracyM !== undefined && { 182: Math.round((accuracyM * 10) / METERS_PER_HDOP) }),
    };
    return JSON.stringify({ state: { reported } });
  },
  join: joinJson,
};
