import type { DecodedReading } from "../../../domain/equipment/reading.ts";
import { FIELD_RANGES } from "../../../domain/equipment/reading.ts";
import { parseDeviceTime } from "../fields/device-time.ts";
import { FieldSet } from "../fields/field-set.ts";
import { type NameSearch, POSITION_NAMES, STRUCTURAL } from "./own-names.ts";

/** The JSON object of one reading. */
export type Source = Readonly<Record<string, unknown>>;

/** What errors call the reading with that place in the array; `undefined`: a single reading. */
export const whereOf = (index: number | undefined): string =>
  index === undefined ? "" : `reading ${index}`;

/** An error that says in which reading it is. */
export const failure = (index: number | undefined, problem: string): Error =>
  new FieldSet(whereOf(index)).failure(problem);

/** The first member of a reading that should be a field; `undefined`: it is a sign of life and no more. */
export function firstUnread(source: Source): string | undefined {
  for (const name in source) {
    if (source[name] !== null && !STRUCTURAL.has(name)) return name;
  }
  return undefined;
}

/** 1, 0, or `undefined` for what is neither yes nor no. */
export function readFlag(value: unknown): 0 | 1 | undefined {
  if (value === true || value === 1) return 1;
  return value === false || value === 0 ? 0 : undefined;
}

/** Whether a value is a sequence number. */
export const isSeq = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/** @throws DomainError `DECODE_FAILED` for anything but a time. */
export function readTime(source: Source, index: number | undefined): number | undefined {
  const value = source["timestamp"] ?? undefined;
  if (value === undefined) return undefined;
  const timeMs = parseDeviceTime(value);
  if (timeMs === undefined) {
    throw failure(index, "timestamp is neither ISO 8601 nor epoch milliseconds");
  }
  return timeMs;
}

/** @throws DomainError `DECODE_FAILED` for one coordinate without the other. */
export function checkPosition(
  fields: DecodedReading["fields"],
  source: Source,
  index: number | undefined,
  search: NameSearch,
): void {
  const hasLatitude = "latitude" in fields;
  if (hasLatitude === "longitude" in fields) return;
  const others = Object.keys(source).filter((name) => !isKnownName(name));
  throw failure(index, search.halves.problem(hasLatitude ? "longitude" : "latitude", others));
}

const isKnownName = (name: string): boolean =>
  Object.hasOwn(FIELD_RANGES, name) || POSITION_NAMES.has(name) || STRUCTURAL.has(name);

/**
 * The reading with the mark that it is the past, where its device says so.
 * @throws DomainError `DECODE_FAILED` for a mark that is neither yes nor no: the reading would have no place
 * in time.
 */
export function marked(
  reading: DecodedReading,
  source: Source,
  index: number | undefined,
): DecodedReading {
  const isHistorical = source["is_historical"] ?? undefined;
  if (isHistorical === undefined) return reading;
  const flag = readFlag(isHistorical);
  if (flag === undefined) throw failure(index, "is_historical is not true, false, 1 or 0");
  return flag === 0 ? reading : { ...reading, isHistorical: true };
}
