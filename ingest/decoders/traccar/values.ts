import { parseDeviceTime } from "../device-time.ts";
import type { FieldSet } from "../field-set.ts";
import { looseBoolean } from "../loose-boolean.ts";
import { looseNumber } from "../loose-number.ts";
import { safeFieldName } from "../safe-field-name.ts";
import { inUnit } from "../units.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The number under `name`; `undefined`: null or absent. Text that is a number counts as one.
 * @throws DomainError `DECODE_FAILED` for anything else.
 */
export function readNumber(object: JsonObject, name: string, set: FieldSet): number | undefined {
  const value = object[name];
  if (value === undefined || value === null) return undefined;
  const number = looseNumber(value);
  if (number === undefined) throw set.failure(`${name} is not a number`);
  return number;
}

/** As {@link readNumber}; negative is how Android and iOS say "unknown". */
export function readKnown(object: JsonObject, name: string, set: FieldSet): number | undefined {
  const number = readNumber(object, name, set);
  return number === undefined || number < 0 ? undefined : number;
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
  const latitude = readNumber(object, "latitude", set);
  const longitude = readNumber(object, "longitude", set);
  if (latitude === undefined && longitude === undefined) return false;
  if (latitude === undefined || longitude === undefined) {
    throw set.failure("latitude and longitude go together; one is missing");
  }
  return set.setPosition(latitude, longitude);
}

/** Keeps a number or a yes or no of the sender's own; texts and lists are left out. */
export function keepValue(set: FieldSet, name: string, value: unknown): void {
  if (typeof value === "number") set.keep(safeFieldName(name), value);
  else if (typeof value === "boolean") set.keep(safeFieldName(name), value ? 1 : 0);
}

/** 1, 0, or `undefined` for what is neither yes nor no. */
export function bit(value: unknown): number | undefined {
  const said = looseBoolean(value);
  return said === undefined ? undefined : Number(said);
}

/** As {@link inUnit}, of what may be missing. */
export const scaled = (value: number | undefined, factor: number): number | undefined =>
  value === undefined ? undefined : inUnit(value, factor);
