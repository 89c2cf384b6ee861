import type { DecodedReading } from "../../../domain/equipment/reading.ts";
import { FIELD_NAME, FIELD_RANGES } from "../../../domain/equipment/reading.ts";
import { degreesOf, looseDegrees } from "../fields/degrees.ts";
import { readFaultCodes } from "../fields/fault-codes.ts";
import { FieldSet } from "../fields/field-set.ts";
import { nestedProblem } from "../payload/nested.ts";
import { type NameSearch, POSITION_NAMES, STRUCTURAL } from "./own-names.ts";
import {
  checkPosition,
  firstUnread,
  isSeq,
  marked,
  readFlag,
  readTime,
  type Source,
  whereOf,
} from "./structure.ts";

const isOfPosition = (name: string): boolean =>
  name === "latitude" || name === "longitude" || POSITION_NAMES.has(name);

/**
 * Whether a position is 0, 0 under short names or as text: sketches send what the receiver's library has before
 * its first fix. As numbers under our own names it is a place.
 */
function saysNoFix({ latitude, longitude, lat, lon, lng, long }: Source): boolean {
  const [north, east] = [latitude ?? lat, longitude ?? lon ?? lng ?? long];
  if (looseDegrees(north) !== 0 || looseDegrees(east) !== 0) return false;
  return latitude !== 0 || longitude !== 0;
}

/**
 * Reads a reading of our JSON in which something is wrong: field by field in the order of the payload,
 * noting each value that is not taken. Three times the work of the plain reader.
 * @throws DomainError `DECODE_FAILED` for a position or a time that cannot be believed.
 */
export function readClosely(
  source: Source,
  index: number | undefined,
  search: NameSearch,
): DecodedReading {
  const set = new FieldSet(whereOf(index));
  const isWithoutFix = saysNoFix(source);
  for (const name in source) {
    const value = source[name];
    if (value === null || (isWithoutFix && isOfPosition(name))) continue;
    if (name === "engine_on") readEngine(value, set);
    else if (STRUCTURAL.has(name)) continue;
    else if (name in Object.prototype) set.suspect(name, value, "not allowed as a name");
    else readValue(name, value, source, set, search);
  }
  const { seq, fault_codes: faults } = source;
  checkPosition(set.fields, source, index, search);
  const hasSeq = (seq ?? undefined) !== undefined;
  if (hasSeq && !isSeq(seq)) {
    set.suspect("seq", seq, `not a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`);
  }
  const codes = readFaultCodes(faults ?? undefined, (problem) =>
    set.suspect("fault_codes", faults, problem),
  );
  if (!isWithoutFix) noteIfEmpty(source, set, codes);
  const reading = set.toReading(readTime(source, index), isSeq(seq) ? seq : undefined, codes);
  return marked(reading, source, index);
}

function readEngine(value: unknown, set: FieldSet): void {
  const flag = readFlag(value);
  if (flag !== undefined) set.set("engine_on", flag);
  else set.suspect("engine_on", value, "not true, false, 1 or 0");
}

function readValue(
  name: string,
  value: unknown,
  source: Source,
  set: FieldSet,
  search: NameSearch,
): void {
  const isField = Object.hasOwn(FIELD_RANGES, name);
  const { field = undefined, nearest = undefined } = isField ? {} : search.of(name);
  // The full name counts where both are there.
  const isOther = field !== undefined && (source[field] ?? undefined) === undefined;
  const meant = isField ? name : isOther ? field : undefined;
  if (meant !== undefined) {
    if (isOfPosition(meant)) set.set(meant, degreesOf(value, name, set), name);
    else if (typeof value === "number") set.set(meant, value, name);
    else set.suspect(name, value, notNumber(meant));
    return;
  }
  const nested = nestedProblem(value);
  if (nearest !== undefined) set.nearMiss(name, nearest);
  else if (nested !== undefined) set.notRead(name, nested);
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
    // JSON has no infinities, but 1e400 parses to one.
    set.suspect(name, String(value), "not a finite number");
  } else if (typeof value === "number" || typeof value === "boolean") {
    if (FIELD_NAME.test(name)) set.keep(name, Number(value));
    else set.notRead(name, NO_FIELD_NAME);
  }
}

const NO_FIELD_NAME = "not a name of a field: a letter, then up to 63 letters, digits and _";

/** A reading of which nothing is kept would look like one that had nothing to say. */
function noteIfEmpty(source: Source, set: FieldSet, faults: DecodedReading["faults"]): void {
  if (faults !== undefined || set.remarks !== undefined || !isEmpty(set.fields)) return;
  const first = firstUnread(source);
  if (first !== undefined) set.notRead(first, "nothing in this reading is a field that is read");
}

function isEmpty(fields: FieldSet["fields"]): boolean {
  for (const _ in fields) return false;
  return true;
}

function notNumber(name: string): string {
  const range = FIELD_RANGES[name];
  return `not a number from ${range?.min} to ${range?.max}`;
}
