import { MAX_FIELDS, type ReadingRemark } from "../../../domain/equipment/reading.ts";
import { storableText } from "../payload/storable-text.ts";
import { isUnavailableText } from "./unavailable.ts";

/** Put before the name of a value that is not believed. */
export const SUSPECT_PREFIX = "suspect_";
const MAX_NAME_LENGTH = 64;
/** Longest text of a value that a remark shows, characters. */
const MAX_VALUE_LENGTH = 64;
/** Remarks of one reading; a reading has at most 64 fields, and its list of faults. */
const MAX_REMARKS = MAX_FIELDS + 1;
/** A number followed by a unit, such as `12%` or `12.4 V`. */
const LEADING_NUMBER = /^\s*([+-]?\d{1,15}(?:\.\d{1,15})?)(?![\d.,:])/;

/** The field under which a number is kept that came as `name` and is not believed. */
const suspectFieldName = (name: string): string =>
  SUSPECT_PREFIX +
  name.replace(/[^A-Za-z0-9_]+/g, "_").slice(0, MAX_NAME_LENGTH - SUSPECT_PREFIX.length);

/** A number to keep, and the name of its field. */
interface SuspectNumber {
  readonly field: string;
  readonly value: number;
}

/** What a decoder has to say about one reading beside its values. None of it is a reason to lose the reading. */
export class Remarks {
  readonly #list: ReadingRemark[] = [];
  #leftOut = 0;
  #firstLeftOut = "";

  /**
   * Notes a value that is not believed. `name`: as the device calls it; `raw`: as it came; `problem`: what
   * is wrong with it. Returns the number to keep in it, if there is one; a text that says "not available"
   * has none and is not noted.
   */
  suspect(name: string, raw: unknown, problem: string): SuspectNumber | undefined {
    if (raw === null || raw === undefined) return undefined;
    if (typeof raw === "string" && isUnavailableText(raw)) return undefined;
    this.#add({ kind: "suspect_value", name: shown(name), value: shownValue(raw), problem });
    const value = numberIn(raw);
    return value === undefined ? undefined : { field: suspectFieldName(name), value };
  }

  /** Notes a field that has no room in the reading. */
  leftOut(name: string): void {
    if (this.#leftOut === 0) this.#firstLeftOut = name;
    this.#leftOut += 1;
  }

  /** Notes a member of the message that is passed over whole, and why. */
  notRead(name: string, problem: string): void {
    this.#add({ kind: "fields_left_out", name: shown(name), value: 1, problem });
  }

  /** Notes a name that is probably a misspelling of `nearest`. */
  nearMiss(name: string, nearest: string): void {
    const problem = `not a known name; did you mean ${nearest}?`;
    this.#add({ kind: "near_miss", name: shown(name), value: nearest, problem });
  }

  /** Takes over what was noted elsewhere about the same reading. */
  adopt(remarks: readonly ReadingRemark[]): void {
    for (const remark of remarks) this.#add(remark);
  }

  /** `undefined`: there is nothing to say. */
  list(): readonly ReadingRemark[] | undefined {
    const { length } = this.#list;
    if (this.#leftOut === 0) return length === 0 ? undefined : this.#list;
    const problem = `left out with all that follow; a reading has at most ${MAX_FIELDS} fields`;
    const name = shown(this.#firstLeftOut);
    return [...this.#list, { kind: "fields_left_out", name, value: this.#leftOut, problem }];
  }

  #add(remark: ReadingRemark): void {
    if (this.#list.length < MAX_REMARKS) this.#list.push(remark);
  }
}

const shown = (name: string): string => storableText(name, MAX_NAME_LENGTH);

function shownValue(raw: unknown): ReadingRemark["value"] {
  if (typeof raw === "number") return Number.isFinite(raw) ? raw : String(raw);
  if (typeof raw === "boolean") return raw;
  if (typeof raw === "string") return storableText(raw, MAX_VALUE_LENGTH);
  return Array.isArray(raw) ? "an array" : "an object";
}

function numberIn(raw: unknown): number | undefined {
  if (typeof raw === "number") return Number.isFinite(raw) ? raw : undefined;
  if (typeof raw === "boolean") return Number(raw);
  const match = typeof raw === "string" ? LEADING_NUMBER.exec(raw) : null;
  return match === null ? undefined : Number(match[1]);
}
