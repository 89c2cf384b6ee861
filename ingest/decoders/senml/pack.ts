import { DomainError } from "../../../domain/errors.ts";
import { isJsonObject } from "../payload/json-payload.ts";
import { looseNumber } from "../payload/loose-number.ts";
import { PackNames, type SenmlName } from "./names.ts";

/** A record with the base fields of those before it worked in (RFC 8428 section 4.6). */
export interface ResolvedRecord {
  readonly name: SenmlName;
  /** "" where the pack does not say. */
  readonly unit: string;
  /** ms since the Unix epoch; `undefined`: now. */
  readonly timeMs: number | undefined;
  /** `undefined` for a record of text or bytes, and for one that has only a sum. */
  readonly value: number | boolean | undefined;
  /** What is in place of a value and is not one, as it came. */
  readonly suspect: unknown;
  /** Of a record of text; `undefined`: it has none, or bytes. */
  readonly text: string | undefined;
  /** The value's integral over time, in its unit times seconds. */
  readonly sum: number | undefined;
}

/**
 * Most records of one pack; keeps the work below 5 ms. More hold up other messages; fewer refuse packs of a long
 * backlog.
 */
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
/** What the records so far have set for those to come (section 4.1). */
interface Base {
  name: string;
  timeS: number;
  unit: string;
  value: number;
  /** `undefined`: none, so that only a record with a sum of its own has one. */
  sum: number | undefined;
  version: number | undefined;
}

/** What one record says itself; `undefined`: nothing. */
class OwnValues {
  name: string | undefined;
  unit: string | undefined;
  timeS: number | undefined;
  value: number | undefined;
  flag: boolean | undefined;
  /** In place of a number or of yes and no. */
  suspect: unknown;
  sum: number | undefined;
  /** Text or bytes. */
  isText = false;
  text: string | undefined;
  /** Something is null, as a sensor's value that could not be read. */
  hasNull = false;

  clear(): void {
    this.name = undefined;
    this.unit = undefined;
    this.timeS = undefined;
    this.value = undefined;
    this.flag = undefined;
    this.suspect = undefined;
    this.sum = undefined;
    this.isText = false;
    this.text = undefined;
    this.hasNull = false;
  }
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
  const base: Base = { name: "", timeS: 0, unit: "", value: 0, sum: undefined, version: undefined };
  const names = new PackNames();
  // One for all records: as many objects fewer as the pack has records.
  const own = new OwnValues();
  const resolved: ResolvedRecord[] = [];
  for (let i = 0; i < pack.length; i += 1) {
    const record: unknown = pack[i];
    if (!isJsonObject(record)) throw failure(i, "not a JSON object");
    own.clear();
    readRecord(record, own, base, i);
    base.version ??= DEFAULT_VERSION;
    const one = resolve(own, base, names, receivedAtMs, i);
    if (one !== undefined) resolved.push(one);
  }
  return resolved;
}

/**
 * Reads a record's own values and base fields. One walk over the labels that are there: asking each record
 * for all thirteen that might be takes three times as long.
 */
function readRecord(
  record: Readonly<Record<string, unknown>>,
  own: OwnValues,
  base: Base,
  index: number,
): void {
  for (const label in record) {
    const value = record[label];
    if (value === null && !label.endsWith("_")) {
      own.hasNull = true;
      continue;
    }
    switch (label) {
      case "n":
        own.name = text(value, label, index);
        break;
      case "u":
        own.unit = text(value, label, index);
        break;
      case "v":
        own.value = looseNumber(value);
        if (own.value === undefined) own.suspect = value;
        break;
      case "t":
        own.timeS = number(value, label, index);
        break;
      case "vb":
        if (typeof value === "boolean") own.flag = value;
        else own.suspect = value;
        break;
      case "vs":
        own.isText = true;
        if (typeof value === "string") own.text = value;
        break;
      case "vd":
        own.isText = true;
        break;
      case "s":
        own.sum = number(value, label, index);
        break;
      case "bn":
        base.name = text(value, label, index);
        break;
      case "bt":
        base.timeS = number(value, label, index);
        break;
      case "bu":
        base.unit = text(value, label, index);
        break;
      case "bv":
        base.value = number(value, label, index);
        break;
      case "bs":
        base.sum = number(value, label, index);
        break;
      case "bver":
        base.version = checkVersion(number(value, label, index), base.version, index);
        break;
      default:
        // Such a label must be understood (section 4.4), and we understand none.
        if (label.endsWith("_")) {
          throw failure(index, `"${label.slice(0, 64)}" must be understood, and is not`);
        }
    }
  }
}

/** All records of a pack have one version (section 4.4). */
function checkVersion(version: number, before: number | undefined, index: number): number {
  if (!isKnownVersion(version))
    throw failure(index, `bver ${version} is not known: up to 10, or 26`);
  if (before !== undefined && before !== version) {
    throw failure(index, `bver ${version} in a pack of version ${before}`);
  }
  return version;
}

function resolve(
  own: OwnValues,
  base: Base,
  names: PackNames,
  receivedAtMs: number,
  index: number,
): ResolvedRecord | undefined {
  const { value, flag, sum, isText, suspect } = own;
  const valueCount =
    Number(value !== undefined) +
    Number(flag !== undefined) +
    Number(isText) +
    Number(suspect !== undefined);
  if (valueCount > 1) throw failure(index, "more than one of v, vb, vs and vd");
  if (valueCount === 0 && sum === undefined) {
    if (own.name === undefined || own.name === "") return undefined;
    // A sensor that is out of order must not take the others' values with it.
    if (!own.hasNull) throw failure(index, "none of v, vb, vs, vd and s");
  }
  const name = names.of(base.name, own.name ?? "");
  if (name === undefined) {
    const joined = (base.name + (own.name ?? "")).slice(0, 64);
    throw failure(index, `${JSON.stringify(joined)} is not a SenML name`);
  }
  return {
    name,
    unit: own.unit ?? base.unit,
    timeMs: timeOf(base.timeS + (own.timeS ?? 0), receivedAtMs, index),
    value: value === undefined ? flag : base.value + value,
    suspect,
    text: own.text,
    sum: sumOf(own, base),
  };
}

/** A missing sum is zero where there is a base sum, and vice versa (section 4.5.4). */
function sumOf({ value, sum }: OwnValues, base: Base): number | undefined {
  // Yes and no, texts and bytes have no integral, unless the record says that they do.
  const isSummed = sum !== undefined || (base.sum !== undefined && value !== undefined);
  return isSummed ? (base.sum ?? 0) + (sum ?? 0) : undefined;
}

function timeOf(timeS: number, receivedAtMs: number, index: number): number | undefined {
  if (timeS === 0) return undefined;
  const timeMs = Math.round((timeS < RELATIVE_TIME_LIMIT_S ? receivedAtMs : 0) + timeS * 1_000);
  if (Number.isFinite(timeMs)) return timeMs;
  throw failure(index, "t is too large for a time");
}

function number(value: unknown, label: string, index: number): number {
  const read = looseNumber(value);
  if (read === undefined) throw failure(index, `${label} is not a number`);
  return read;
}

function text(value: unknown, label: string, index: number): string {
  if (typeof value === "string") return value;
  throw failure(index, `${label} is not text`);
}

function failure(index: number, problem: string): DomainError {
  return new DomainError("DECODE_FAILED", `record ${index}: ${problem}`);
}
