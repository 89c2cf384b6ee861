import type { DecodedReading } from "../../../domain/reading.ts";
import { FieldSet } from "../field-set.ts";
import { isJsonObject } from "../json-payload.ts";
import { looseBoolean } from "../loose-boolean.ts";
import { KMH_PER_KNOT } from "../units.ts";
import {
  bit,
  type JsonObject,
  keepValue,
  readKnown,
  readNumber,
  readTime,
  scaled,
  setPosition,
} from "./values.ts";

const HOURS_PER_MS = 1 / 3_600_000;

/** Fields of ours that Traccar has no word for; another Plumbline passes them on as they are. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  "def_level_percent",
  "idle_hours",
  "load_count",
  "oil_pressure_kpa",
  "payload_kg",
]);

/**
 * Traccar's attributes that are ours in another unit (`Position.java`): volts, percent, litres, l/h, C
 * and rpm as they are, metres, and milliseconds for `hours`. `fuel` is litres in one version and percent
 * in another, `battery` is the tracker's own cell: both stay under their names.
 */
const FIELD_BY_ATTRIBUTE: ReadonlyMap<string, { readonly field: string; readonly factor: number }> =
  new Map([
    ["batteryLevel", { field: "battery_percent", factor: 1 }],
    ["coolantTemp", { field: "coolant_temperature_c", factor: 1 }],
    ["engineLoad", { field: "load_percent", factor: 1 }],
    ["fuelConsumption", { field: "fuel_rate_lph", factor: 1 }],
    ["fuelLevel", { field: "fuel_level_percent", factor: 1 }],
    ["fuelUsed", { field: "fuel_used_liters", factor: 1 }],
    ["hdop", { field: "hdop", factor: 1 }],
    ["hours", { field: "engine_hours", factor: HOURS_PER_MS }],
    ["odometer", { field: "odometer_km", factor: 1e-3 }],
    ["pdop", { field: "pdop", factor: 1 }],
    ["power", { field: "battery_voltage", factor: 1 }],
    ["rpm", { field: "engine_speed_rpm", factor: 1 }],
    ["sat", { field: "satellites", factor: 1 }],
  ]);

/**
 * A position as a Traccar server forwards it: knots, metres.
 * @throws DomainError `DECODE_FAILED`.
 */
export function readPosition(position: JsonObject): DecodedReading {
  const set = new FieldSet();
  const { attributes } = position;
  // `outdated`: the message had no fix, and the server repeats the last one it knew.
  const hasFix =
    looseBoolean(position["valid"]) !== false &&
    looseBoolean(position["outdated"]) !== true &&
    setPosition(position, set);
  if (hasFix) {
    // 0: the device did not say. No receiver is that good.
    const accuracyM = readKnown(position, "accuracy", set);
    if (accuracyM !== 0) set.set("accuracy_meters", accuracyM);
    set.set("altitude_meters", readNumber(position, "altitude", set));
    set.set("speed_kmh", scaled(readKnown(position, "speed", set), KMH_PER_KNOT));
    set.set("heading", readKnown(position, "course", set));
  }
  if (isJsonObject(attributes)) setAttributes(attributes, set);
  const fixTimeMs = readTime(position, "fixTime", set);
  const deviceTimeMs = readTime(position, "deviceTime", set);
  // Without a fix `fixTime` is that of the last one.
  const timeMs = hasFix ? (fixTimeMs ?? deviceTimeMs) : (deviceTimeMs ?? fixTimeMs);
  return {
    deviceTimeMs: timeMs ?? readTime(position, "serverTime", set),
    seq: undefined,
    fields: set.fields,
    faults: undefined,
  };
}

function setAttributes(attributes: JsonObject, set: FieldSet): void {
  for (const name in attributes) {
    const known = FIELD_BY_ATTRIBUTE.get(name);
    if (known !== undefined) {
      set.set(known.field, scaled(readNumber(attributes, name, set), known.factor));
    } else if (name === "ignition") {
      set.set("engine_on", bit(attributes[name]));
    } else if (OWN_FIELDS.has(name)) {
      set.set(name, readNumber(attributes, name, set));
    } else if (name !== "totalDistance") {
      keepValue(set, name, attributes[name]);
    }
  }
  // The way between the fixes, added up by the server; the machine's own counter is better.
  if (set.fields["odometer_km"] === undefined) {
    set.set("odometer_km", scaled(readNumber(attributes, "totalDistance", set), 1e-3));
  }
}
