import { type FleetFormat, joinJson, round, roundDeg } from "../device/format.ts";

/**
 * OwnTracks JSON of a Queclink tracker behind qtripp (booklet, tech/json): whole seconds, metres, degrees
 * and km/h; what is zero is left out. It says nothing at all without a fix.
 */
export const owntracks: FleetFormat = {
  name: "owntracks",
  topicFormat: "owntracks",
  transport: "mqtt",
  needsFix: true,
  maxReadings: 1,
  encode(m, { id }) {
    return JSON.stringify({
      _type: "location",
      ...unlessZero("acc", m.accuracyM),
      ...unlessZero("alt", m.altitudeM),
      ...unlessZero("cog", roundDeg(m.headingDeg, 1)),
      flvl: Math.round(m.vitals.fuelLevelPercent),
      // Called "hours of operation", and counted in seconds.
      hmc: Math.round(m.vitals.engineHours * 3_600),
      ign: m.engineOn,
      // Seven decimals are 1.1 cm.
      lat: Number(m.location?.latitude.toFixed(7)),
      lon: Number(m.location?.longitude.toFixed(7)),
      t: "u",
      tid: id.slice(-2),
      // A fix lies at or before the second that is sent.
      tst: Math.floor(m.deviceTimeMs / 1_000),
      uext: round(m.vitals.batteryVoltage, 100),
      ...unlessZero("vel", m.speedKmh),
    });
  },
  join: joinJson,
};

function unlessZero(name: string, value: number | undefined) {
  const whole = Math.round(value ?? 0);
  return whole === 0 ? {} : { [name]: whole };
}
