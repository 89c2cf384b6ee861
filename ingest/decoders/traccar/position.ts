import { MOCKED_FIELD } from "../../../domain/equipment/mocked-position.ts";
import type { DecodedReading } from "../../../domain/equipment/reading.ts";
import { HOUR_MS } from "../../../domain/time.ts";
import { FieldSet } from "../fields/field-set.ts";
import { KMH_PER_KNOT } from "../fields/units.ts";
import { isJsonObject } from "../payload/json-payload.ts";
import { looseBoolean } from "../payload/loose-boolean.ts";
import { looseNumber } from "../payload/loose-number.ts";
import { bit, type JsonObject, keepValue, readTime, setPosition, takeKnown } from "./values.ts";

const HOURS_PER_MS = 1 / HOUR_MS;

/** Fields of ours that Traccar has no word for; another Plumbline passes them on as they are. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  "def_level_percent",
  "idle_hours",
  "load_count",
  "oil_pressure_kpa",
  "payload_kg",
]);

/**
 * Attributes by which a position says that it is made up. Traccar's server makes some of what its client and
 * phones with OsmAnd's parameters send; one is our own, as another Plumbline passes it on.
 */
const MOCK_ATTRIBUTES: ReadonlySet<string> = new Set(["mock", "isMock", "mocked", MOCKED_FIELD]);

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
 * Attributes whose unit Traccar defines and that are not among our fields: volts of the tracker's own cell,
 * percent, km/h, C (`Position.java`). Its decoders pass on what a tracker sends, also 65535.
 */
const RANGE_BY_ATTRIBUTE: ReadonlyMap<string, { readonly min: number; readonly max: number }> =
  new Map([
    ["battery", { min: 0, max: 60 }],
    ["deviceTemp", { min: -100, max: 200 }],
    ["humidity", { min: 0, max: 100 }],
    ["obdSpeed", { min: 0, max: 1_000 }],
    ["throttle", { min: 0, max: 100 }],
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
    if (looseNumber(position["accuracy"]) !== 0) {
      takeKnown(set, "accuracy_meters", position, "accuracy");
    }
    set.take("altitude_meters", "altitude", position["altitude"]);
    takeKnown(set, "speed_kmh", position, "speed", KMH_PER_KNOT);
    takeKnown(set, "heading", position, "course");
  }
  if (isJsonObject(attributes)) setAttributes(attributes, set);
  // Without a fix `fixTime` is that of the last one.
  const [first, second] = hasFix ? ["fixTime", "deviceTime"] : ["deviceTime", "fixTime"];
  const timeMs = readTime(position, first, set) ?? readTime(position, second, set);
  return set.toReading(timeMs ?? readTime(position, "serverTime", set));
}

function setAttributes(attributes: JsonObject, set: FieldSet): void {
  for (const name in attributes) {
    const known = FIELD_BY_ATTRIBUTE.get(name);
    if (known !== undefined) {
      set.take(known.field, name, attributes[name], known.factor);
    } else if (name === "ignition") {
      const said = bit(attributes[name]);
      if (said !== undefined) set.set("engine_on", said);
      else set.suspect(name, attributes[name], "neither true nor false");
    } else if (MOCK_ATTRIBUTES.has(name)) {
      if (looseBoolean(attributes[name]) === true) set.keep(MOCKED_FIELD, 1);
    } else if (OWN_FIELDS.has(name)) {
      set.take(name, name, attributes[name]);
    } else if (name !== "totalDistance") {
      const range = RANGE_BY_ATTRIBUTE.get(name);
      if (range === undefined) keepValue(set, name, attributes[name]);
      else set.keepWithin(name, attributes[name], range);
    }
  }
  // The distance between the fixes, added up by the server; the machine's own counter is better.
  if (set.fields["odometer_km"] === undefined) {
    set.take("odometer_km", "totalDistance", attributes["totalDistance"], 1e-3);
  }
}
