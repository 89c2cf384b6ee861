import { DomainError } from "../../../domain/errors.ts";
import { isJsonObject } from "../json-payload.ts";
import { looseNumber } from "../loose-number.ts";

/** A record with the base fields of those before it worked in (RFC 8428 section 4.6). */
export interface ResolvedRecord {
  /** Base name and name, joined. */
  readonly name: string;
  /** The record's own part of the name; "" where the base name is all of it. */
  readonly ownName: string;
  /** "" where the pack does not say. */
  readonly unit: string;
  /** ms since the Unix epoch; `undefined`: now. */
  readonly timeMs: number | undefined;
  /** `undefined` for a record of text or bytes, and for one that has only a sum. */
  readonly value: number | boolean | undefined;
  /** The value's integral over time, in its unit times seconds. */
  readonly sum: number | undefined;
}

/** Most records of one pack; keeps the work below 5 ms. Chosen. */
const MAX_RECORDS = 2_000;
/**
 * Versions that are understood: 10 is RFC 8428 and 26 adds the secondary units (RFC 9100); drafts before
 * it counted up to 9 and changed nothing that is read here.
 */
const isKnownVersion = (version: number): boolean =>
  Number.isInteger(version) && ((version >= 1 && version <= 10) || version === 26);
const DEFAULT_VERSION = 10;
/** Times below this many seconds are relative to now (section 4.5.3). */
const RELATIVE_TIME_LIMIT_S = 2 ** 28;
/** Section 4.5.1. A name starts with a letter or digit. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9\-:./_]*$/;
/** Longest name that is read. Chosen. */
const MAX_NAME = 256;

type SenmlRecord = Readonly<Record<string, unknown>>;

/** What the records so far have set for those to come (section 4.1). */
interface Base {
  name: string;
  timeS: number;
  unit: string;
  value: number;
  sum: number;
}

/**
 * Resolves the records of a pack. Records that only set base fields yield nothing.
 * @throws DomainError `DECODE_FAILED` naming the record.
 */
export function resolvePack(pack: unknown, receivedAtMs: number): readonly ResolvedRecord[] {
  if (!Array.isArray(pack)) throw new DomainError("DECODE_FAILED", "a SenML pack is an array");
  if (pack.length === 0 || pack.length > MAX_RECORDS) {
    const problem = `${pack.length} records; 1 to ${MAX_RECORDS} are allowed`;
    throw new DomainError("DECODE_FAILED", problem);
  }
  const base: Base = { name: "", timeS: 0, unit: "", value: 0, sum: 0 };
  let version: number | undefined;
  const resolved: ResolvedRecord[] = [];
  for (let i = 0; i < pack.length; i += 1) {
    const record: unknown = pack[i];
    if (!isJsonObject(record)) throw failure(i, "not a JSON object");
    checkLabels(record, i);
    version = readVersion(record, version ?? (i === 0 ? undefined : DEFAULT_VERSION), i);
    readBase(record, base, i);
    const one = resolve(record, base, receivedAtMs, i);
    if (one !== undefined) resolved.push(one);
  }
  return resolved;
}

/** A label that ends in "_" must be understood (section 4.4), and there is none that we do. */
function checkLabels(record: SenmlRecord, index: number): void {
  for (const label in record) {
    if (label.endsWith("_")) {
      throw failure(index, `"${label.slice(0, 64)}" must be understood, and is not`);
    }
  }
}

/** All records of a pack have one version (section 4.4). */
function readVersion(
  record: SenmlRecord,
  before: number | undefined,
  index: number,
): number | undefined {
  const version = numberOf(record, "bver", index);
  if (version === undefined) return before;
  if (!isKnownVersion(version))
    throw failure(index, `bver ${version} is not known: up to 10, or 26`);
  if (before !== undefined && before !== version) {
    throw failure(index, `bver ${version} in a pack of version ${before}`);
  }
  return version;
}

function readBase(record: SenmlRecord, base: Base, index: number): void {
  base.name = textOf(record, "bn", index) ?? base.name;
  base.timeS = numberOf(record, "bt", index) ?? base.timeS;
  base.unit = textOf(record, "bu", index) ?? base.unit;
  base.value = numberOf(record, "bv", index) ?? base.value;
  base.sum = numberOf(record, "bs", index) ?? base.sum;
}

function resolve(
  record: SenmlRecord,
  base: Base,
  receivedAtMs: number,
  index: number,
): ResolvedRecord | undefined {
  const own = textOf(record, "n", index) ?? "";
  const ownValue = numberOf(record, "v", index);
  const ownSum = numberOf(record, "s", index);
  const flag = record["vb"] ?? undefined;
  const isText = (record["vs"] ?? record["vd"] ?? undefined) !== undefined;
  if (flag !== undefined && typeof flag !== "boolean")
    throw failure(index, "vb is not true or false");
  const valueCount = Number(ownValue !== undefined) + Number(flag !== undefined) + Number(isText);
  if (valueCount > 1) throw failure(index, "more than one of v, vb, vs and vd");
  if (valueCount === 0 && ownSum === undefined) {
    if (own === "") return undefined;
    throw failure(index, "none of v, vb, vs, vd and s");
  }
  const name = base.name + own;
  if (name.length > MAX_NAME || !NAME.test(name)) {
    throw failure(index, `${JSON.stringify(name.slice(0, 64))} is not a SenML name`);
  }
  return {
    name,
    ownName: own,
    unit: textOf(record, "u", index) ?? base.unit,
    timeMs: timeOf(base.timeS + (numberOf(record, "t", index) ?? 0), receivedAtMs, index),
    value: ownValue === undefined ? flag : base.value + ownValue,
    sum: ownSum === undefined ? undefined : base.sum + ownSum,
  };
}

function timeOf(timeS: number, receivedAtMs: number, index: number): number | undefined {
  if (timeS === 0) return undefined;
  const timeMs = Math.round((timeS < RELATIVE_TIME_LIMIT_S ? receivedAtMs : 0) + timeS * 1_000);
  if (Number.isFinite(timeMs)) return timeMs;
  throw failure(index, "t is too large for a time");
}

function numberOf(record: SenmlRecord, label: string, index: number): number | undefined {
  const value = record[label] ?? undefined;
  if (value === undefined) return undefined;
  const number = looseNumber(value);
  if (number === undefined) throw failure(index, `${label} is not a number`);
  return number;
}

function textOf(record: SenmlRecord, label: string, index: number): string | undefined {
  const value = record[label] ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  throw failure(index, `${label} is not text`);
}

function failure(index: number, problem: string): DomainError {
  return new DomainError("DECODE_FAILED", `record ${index}: ${problem}`);
}
