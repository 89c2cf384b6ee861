import { degreesOf } from "../fields/degrees.ts";
import { parseDeviceTime } from "../fields/device-time.ts";
import type { FieldSet } from "../fields/field-set.ts";
import { MissingHalfSearch } from "../fields/half-position.ts";
import { looseBoolean } from "../payload/loose-boolean.ts";
import { looseNumber } from "../payload/loose-number.ts";
import { nestedProblem } from "../payload/nested.ts";
import { safeFieldName } from "../payload/safe-field-name.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The number under `name`; `undefined`: null, absent, or noted as suspect. Text that is a number counts as
 * one.
 */
export function readNumber(object: JsonObject, name: string, set: FieldSet): number | undefined {
  const value = object[name];
  if (value === undefined || value === null) return undefined;
  const number = looseNumber(value);
  if (number === undefined) set.suspect(name, value, "not a number");
  return number;
}

/** As `FieldSet.take` of what is under `name`; negative is how Android and iOS say "unknown". */
export function takeKnown(
  set: FieldSet,
  field: string,
  object: JsonObject,
  name: string,
  factor = 1,
): void {
  const raw = object[name];
  if ((looseNumber(raw) ?? 0) >= 0) set.take(field, name, raw, factor);
}

/** The time under `name`, ms since the Unix epoch; `undefined`: null or absent. */
export function readTime(object: JsonObject, name: string, set: FieldSet): number | undefined {
  const value = object[name];
  if (value === undefined || value === null) return undefined;
  const timeMs = parseDeviceTime(value);
  if (timeMs === undefined) throw set.failure(`${name} is neither ISO 8601 nor epoch milliseconds`);
  return timeMs;
}

/**
 * Sets the position in `object`; `false`: it has none.
 * @throws DomainError `DECODE_FAILED` out of range or with half a position.
 */
export function setPosition(object: JsonObject, set: FieldSet): boolean {
  const latitude = degreesOf(object["latitude"], "latitude", set);
  const longitude = degreesOf(object["longitude"], "longitude", set);
  if (latitude === undefined && longitude === undefined) return false;
  if (latitude === undefined || longitude === undefined) {
    const others = Object.keys(object).filter(
      (name) => name !== "latitude" && name !== "longitude",
    );
    throw set.failure(
      new MissingHalfSearch().problem(latitude === undefined ? "latitude" : "longitude", others),
    );
  }
  return set.setPosition(latitude, longitude);
}

/** Keeps a number or a yes or no of the sender's own; texts are left out, and lists are noted. */
export function keepValue(set: FieldSet, name: string, value: unknown): void {
  if (typeof value === "number") set.keep(safeFieldName(name), value);
  else if (typeof value === "boolean") set.keep(safeFieldName(name), value ? 1 : 0);
  else {
    const nested = nestedProblem(value);
    if (nested !== undefined) set.notRead(name, nested);
  }
}

/** 1, 0, or `undefined` for what is neither yes nor no. */
export function bit(value: unknown): number | undefined {
  const said = looseBoolean(value);
  return said === undefined ? undefined : Number(said);
}
