import { MOCKED_FIELD } from "../../../domain/equipment/mocked-position.ts";
import { FIELD_RANGES } from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import { type Decoder, readingsOnly } from "../fields/decoder.ts";
import { degreesOf } from "../fields/degrees.ts";
import { parseDeviceTime } from "../fields/device-time.ts";
import { FieldSet } from "../fields/field-set.ts";
import { MissingHalfSearch } from "../fields/half-position.ts";
import { inUnit, KMH_PER_KNOT } from "../fields/units.ts";
import { looseBoolean } from "../payload/loose-boolean.ts";
import { looseNumber } from "../payload/loose-number.ts";
import { payloadText } from "../payload/payload-text.ts";
import { safeFieldName } from "../payload/safe-field-name.ts";
import { readQuery } from "./query.ts";

/** Below this a number is seconds, as Traccar's server reads it: ms before 1970-01-25, s until 2038. */
const SECONDS_BELOW = 2 ** 31;
/** One of these makes text an OsmAnd query. */
const MARKS = new Set(["id", "deviceid", "timestamp", "lat", "lon", "location"]);
/** Parameters that are not numbers of the machine; the ids were read where the message came in. */
const NOT_KEPT = new Set(["id", "deviceid", "valid", "driverUniqueId", "cell", "wifi"]);
/** Parameters that are a field as they are. */
const FIELD_BY_PARAMETER: ReadonlyMap<string, string> = new Map([
  ["hdop", "hdop"],
  ["pdop", "pdop"],
  ["rpm", "engine_speed_rpm"],
  ["sat", "satellites"],
]);
/** Those that only a fix has: all are without worth when the sender calls it invalid. */
const OF_FIX = new Set([
  "accuracy",
  "altitude",
  "bearing",
  "hdop",
  "heading",
  "lat",
  "location",
  "lon",
  "pdop",
  "speed",
]);

/**
 * The query string of the OsmAnd protocol, as Traccar Client before version 9, OsmAnd and many a script
 * send it: speed in knots, metres, percent. Unknown numbers are kept; those in the names of
 * `domain/equipment/reading.ts` are taken in its units.
 */
export const osmand: Decoder = {
  name: "osmand",
  topicFormat: "osmand",
  decode(payload) {
    const parameters = readQuery(queryOf(payload));
    if (!parameters.some(([name]) => MARKS.has(name))) {
      throw new DomainError("DECODE_FAILED", "no query of the OsmAnd protocol");
    }
    const set = new FieldSet();
    const isVoid = parameters.some(
      ([name, value]) => name === "valid" && value !== "" && looseBoolean(value) !== true,
    );
    let deviceTimeMs: number | undefined;
    let latitude: number | undefined;
    let longitude: number | undefined;
    for (const [name, value] of parameters) {
      if (value === "" || (isVoid && OF_FIX.has(name))) continue;
      if (name === "timestamp") deviceTimeMs = readTime(value, set);
      else if (name === "lat") latitude = degreesOf(value, name, set);
      else if (name === "lon") longitude = degreesOf(value, name, set);
      else if (name === "location") {
        const comma = value.indexOf(",");
        if (comma < 0) throw set.failure("location is not latitude,longitude");
        latitude = degreesOf(value.slice(0, comma), name, set);
        longitude = degreesOf(value.slice(comma + 1), name, set);
      } else setParameter(name, value, set);
    }
    if (latitude !== undefined && longitude !== undefined) set.setPosition(latitude, longitude);
    else if (latitude !== longitude) {
      const others = parameters.map(([name]) => name).filter((name) => !MARKS.has(name));
      const missing = latitude === undefined ? "latitude" : "longitude";
      throw set.failure(
        new MissingHalfSearch().problem(missing, others, { latitude: "lat", longitude: "lon" }),
      );
    }
    return readingsOnly([set.toReading(deviceTimeMs)]);
  },
};

/** The part behind `?` where the sender put the whole path into the message. */
function queryOf(payload: Uint8Array): string {
  const text = payloadText(payload).trim();
  return text.startsWith("/") || text.startsWith("?") ? text.slice(text.indexOf("?") + 1) : text;
}

function setParameter(name: string, value: string, set: FieldSet): void {
  const field = FIELD_BY_PARAMETER.get(name);
  if (field !== undefined) set.take(field, name, unsigned(value));
  else if (name === "speed") takeKnown("speed_kmh", name, value, set, KMH_PER_KNOT);
  else if (name === "bearing" || name === "heading") takeKnown("heading", name, value, set);
  else if (name === "altitude") set.take("altitude_meters", name, unsigned(value));
  else if (name === "accuracy") {
    // 0 is what a phone says that does not know.
    if (looseNumber(unsigned(value)) !== 0) takeKnown("accuracy_meters", name, value, set);
  } else if (name === "batt") takeKnown("battery_percent", name, value, set);
  else if (name === "ignition" || name === "engine_on" || name === "charge") {
    const said = bitOf(value);
    if (said === undefined) set.suspect(name, value, "neither true nor false");
    else if (name === "charge") set.keep("is_charging", said);
    else set.set("engine_on", said);
  } else if (name === "mock") {
    // Forks of Traccar Client before version 9 (traccar-client-android issue 74).
    if (bitOf(value) === 1) set.keep(MOCKED_FIELD, 1);
  } else if (!NOT_KEPT.has(name)) keepParameter(name, value, set);
}

/** A parameter of the sender's own choice. Text is left out. */
function keepParameter(name: string, value: string, set: FieldSet): void {
  const said = looseNumber(value) ?? bitOf(value);
  if (said === undefined) return;
  const isOurs = Object.hasOwn(FIELD_RANGES, name) && name !== "latitude" && name !== "longitude";
  if (isOurs) set.set(name, said);
  else set.keep(safeFieldName(name), said);
}

function bitOf(value: string): number | undefined {
  const said = looseBoolean(value);
  return said === undefined ? undefined : Number(said);
}

/** A plus sign that the sender did not encode has become a blank. */
const unsigned = (value: string): string => (value.startsWith(" ") ? value.slice(1) : value);

/** As `FieldSet.take`; negative is how phones say "unknown". */
function takeKnown(field: string, name: string, value: string, set: FieldSet, factor = 1): void {
  const given = unsigned(value);
  const number = looseNumber(given);
  if (number === undefined) set.take(field, name, given);
  else if (number >= 0) set.set(field, inUnit(number, factor), name, number);
}

/** Epoch seconds or milliseconds, ISO 8601, or `yyyy-MM-dd HH:mm:ss` in UTC. */
function readTime(value: string, set: FieldSet): number {
  const number = looseNumber(value);
  if (number !== undefined) return Math.round(number < SECONDS_BELOW ? number * 1_000 : number);
  // A `+` that the sender did not encode has become a space.
  const text = value.includes("T") ? value.replace(" ", "+") : value.replace(" ", "T");
  const timeMs = parseDeviceTime(text);
  if (timeMs === undefined)
    throw set.failure("timestamp is neither epoch time nor a date and time");
  return timeMs;
}
