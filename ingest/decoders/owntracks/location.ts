import type { DecodedReading } from "../../../domain/equipment/reading.ts";
import { FieldSet } from "../fields/field-set.ts";
import { looseBoolean } from "../payload/loose-boolean.ts";
import { looseNumber } from "../payload/loose-number.ts";
import { safeFieldName } from "../payload/safe-field-name.ts";
import { readTst } from "./epoch-seconds.ts";
import { readPosition } from "./position.ts";

/** What becomes of one number of the format. */
interface Rule {
  /** Our field; one without a meaning of ours is kept under this name. */
  readonly field: string;
  readonly isKept?: true;
  /** Units of the format in one of ours. */
  readonly divisor?: number;
  /** Below zero is Core Location's "not valid" (owntracks/ios issue 347: -1, also -3). */
  readonly isUnknownBelowZero?: true;
}

/**
 * The apps leave `acc`, `alt`, `cog`, `vac` and `vel` out when zero, when not valid, and when
 * extended data is off. So an absent one says nothing and stays absent: zero would claim a
 * standstill or a heading north. The service finds a missing speed and heading from the fixes.
 */
const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["acc", { field: "accuracy_meters", isUnknownBelowZero: true }],
  ["alt", { field: "altitude_meters" }],
  ["vac", { field: "vertical_accuracy_meters", isKept: true, isUnknownBelowZero: true }],
  ["vel", { field: "speed_kmh", isUnknownBelowZero: true }],
  ["cog", { field: "heading", isUnknownBelowZero: true }],
  ["batt", { field: "battery_percent", isUnknownBelowZero: true }],
  ["p", { field: "pressure_kpa", isKept: true }],
  ["rad", { field: "rad", isKept: true }],
  // Queclink trackers behind qtripp; booklet "JSON", section Queclink.
  ["odometer", { field: "odometer_km" }],
  // Called "hours of operation" there, and counted in seconds.
  ["hmc", { field: "engine_hours", divisor: 3_600 }],
  ["rpm", { field: "engine_speed_rpm" }],
  ["flvl", { field: "fuel_level_percent" }],
  ["uext", { field: "battery_voltage" }],
]);

/**
 * Triggers `t` by which Queclink trackers behind qtripp report that the ignition went on or off. The phone
 * apps have none of them: theirs are p, c, C, b, r, u, t and v (booklet, `_type=location`).
 */
const IGNITION_ON = "I";
const IGNITION_OFF = "i";

/** Position and times, read elsewhere. `created_at` and `sent` give the message's age, not the fix's. */
const STRUCTURAL: ReadonlySet<string> = new Set(["lat", "lon", "tst", "created_at", "sent"]);

/**
 * Reads a `location` message. Without a fix it is telemetry all the same.
 * @throws DomainError `DECODE_FAILED`
 */
export function readLocation(message: Readonly<Record<string, unknown>>): DecodedReading {
  const fields = new FieldSet();
  const deviceTimeMs = readTst(message["tst"], fields);
  if (!isMarkedInvalid(message["acc"])) readPosition(message, fields);
  for (const name in message) {
    const value = message[name];
    const rule = RULES.get(name);
    if (rule !== undefined) applyRule(rule, name, value, fields);
    else if (name === "ign") setEngineOn(value, fields);
    else if (name === "t") setEngineByTrigger(value, message, fields);
    else if (STRUCTURAL.has(name)) continue;
    else if (typeof value === "number") fields.keep(safeFieldName(name), value);
    else if (typeof value === "boolean") fields.keep(safeFieldName(name), value ? 1 : 0);
  }
  return fields.toReading(deviceTimeMs);
}

/**
 * Core Location marks coordinates as invalid by an accuracy below zero, and Google's location services have
 * sent -2147473 with a place where the phone was not (owntracks/android issue 519).
 */
function isMarkedInvalid(acc: unknown): boolean {
  return (looseNumber(acc) ?? 0) < 0;
}

function applyRule(rule: Rule, name: string, value: unknown, fields: FieldSet): void {
  if (value === null) return;
  const given = looseNumber(value);
  if (given === undefined) {
    fields.suspect(name, value, "not a number");
    return;
  }
  if (given < 0 && rule.isUnknownBelowZero === true) return;
  const converted = rule.divisor === undefined ? given : given / rule.divisor;
  if (rule.isKept === true) fields.keep(rule.field, converted);
  else fields.set(rule.field, converted, name, given);
}

function setEngineOn(value: unknown, fields: FieldSet): void {
  const isOn = looseBoolean(value);
  if (isOn !== undefined) fields.set("engine_on", isOn ? 1 : 0);
  else fields.suspect("ign", value, "neither true nor false");
}

/** What the tracker says of its ignition line outright (`ign`) goes before the reason of its report. */
function setEngineByTrigger(
  trigger: unknown,
  { ign }: Readonly<Record<string, unknown>>,
  fields: FieldSet,
): void {
  // Not a map: finding a text in one takes longer than comparing it with both.
  if (trigger !== IGNITION_ON && trigger !== IGNITION_OFF) return;
  if (looseBoolean(ign) === undefined) fields.set("engine_on", trigger === IGNITION_ON ? 1 : 0);
}
