import type { Location } from "../../../domain/geodesy.ts";
import type { FleetFormat } from "../device/format.ts";
import type { Measurement } from "../device/measurement.ts";

const KMH_PER_KNOT = 1.852;
/** Metres of accuracy per unit of HDOP (docs/rules.md#accuracy): a receiver reports dilution, not metres. */
const METERS_PER_HDOP = 5;
/** Height of the geoid over the ellipsoid between Main and Baltic, m; GGA's altitude is above the geoid. */
const GEOID_M = 43;
/** Decimals of the minutes: 1e-5 minutes are 1.9 cm. */
const MINUTE_DECIMALS = 5;
/** Sentences of a reading may join those of many others; well below `MAX_READINGS`. */
const MAX_READINGS_OF_NMEA = 200;

/**
 * Sentences of an NMEA 0183 receiver, as many devices put them in one message: RMC, VTG, GGA and GSA of
 * each second with talker GN. It knows nothing of the machine; without a fix RMC is void.
 */
export const nmea: FleetFormat = {
  name: "nmea",
  topicFormat: "nmea",
  transport: "mqtt",
  needsFix: false,
  maxReadings: MAX_READINGS_OF_NMEA,
  encode(m) {
    const bodies = m.location === undefined ? voidBodies(m) : fixBodies(m, m.location);
    return bodies.map((body) => `$${body}*${checksum(body)}\r\n`).join("");
  },
  join: (pieces) => pieces.join(""),
};

function fixBodies(m: Measurement, location: Location): readonly string[] {
  const { time, date } = clockOf(m.deviceTimeMs);
  const place = `${angle(location.latitude, 2, "N", "S")},${angle(location.longitude, 3, "E", "W")}`;
  const knots = (m.speedKmh / KMH_PER_KNOT).toFixed(3);
  const course = (Number(m.headingDeg.toFixed(2)) % 360).toFixed(2);
  const hdop = m.accuracyM === undefined ? "" : (m.accuracyM / METERS_PER_HDOP).toFixed(2);
  return [
    `GNRMC,${time},A,${place},${knots},${course},${date},,,A`,
    `GNVTG,${course},T,,M,${knots},N,${m.speedKmh.toFixed(3)},K,A`,
    `GNGGA,${time},${place},1,11,${hdop},${m.altitudeM.toFixed(1)},M,${GEOID_M}.0,M,,`,
    `GNGSA,A,3,02,05,07,09,13,16,20,25,29,30,31,,,${hdop},`,
  ];
}

/** A receiver without satellites keeps its clock. */
function voidBodies(m: Measurement): readonly string[] {
  const { time, date } = clockOf(m.deviceTimeMs);
  return [`GNRMC,${time},V,,,,,,,${date},,,N`, `GNGGA,${time},,,,,0,00,,,M,,M,,`];
}

/** `hhmmss.ss` and `ddmmyy`, UTC. */
function clockOf(timeMs: number): { readonly time: string; readonly date: string } {
  // Hundredths of a second, cut as receivers do.
  const [day = "", clock = ""] = new Date(timeMs).toISOString().split("T");
  const [year = "", month = "", dayOfMonth = ""] = day.split("-");
  return {
    time: clock.replaceAll(":", "").slice(0, 9),
    date: `${dayOfMonth}${month}${year.slice(2)}`,
  };
}

/** `ddmm.mmmmm` with its hemisphere; whole minutes never round up to 60. */
function angle(deg: number, degDigits: number, positive: string, negative: string): string {
  const perMinute = 10 ** MINUTE_DECIMALS;
  const parts = Math.round(Math.abs(deg) * 60 * perMinute);
  const degrees = Math.floor(parts / (60 * perMinute));
  const minutes = (parts - degrees * 60 * perMinute) / perMinute;
  const width = 3 + MINUTE_DECIMALS;
  return `${String(degrees).padStart(degDigits, "0")}${minutes.toFixed(MINUTE_DECIMALS).padStart(width, "0")},${deg < 0 ? negative : positive}`;
}

/** The exclusive or of everything between `$` and `*`, two hexadecimal digits. */
function checksum(body: string): string {
  let sum = 0;
  for (let i = 0; i < body.length; i += 1) sum ^= body.charCodeAt(i);
  return sum.toString(16).toUpperCase().padStart(2, "0");
}
