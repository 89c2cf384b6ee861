import { MOCKED_FIELD } from "../../../domain/equipment/mocked-position.ts";
import {
  type DecodedReading,
  FIELD_NAME,
  FIELD_RANGES,
  MAX_FIELDS,
  type ReadingRemark,
} from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import { looseNumber } from "../payload/loose-number.ts";
import { Remarks, SUSPECT_PREFIX } from "./remarks.ts";
import { isUnavailableNumber, unavailableInRange } from "./unavailable.ts";
import { inUnit } from "./units.ts";

interface Range {
  readonly min: number;
  readonly max: number;
  /** Up to here no number of the range says "not available": nearly every value needs no other test. */
  readonly usual: number;
  readonly unavailable: readonly number[];
}

/** What the fields with a meaning may hold. */
export const rangeByField: ReadonlyMap<string, Range> = new Map(
  Object.entries(FIELD_RANGES).map(([name, { min, max }]) => {
    const unavailable = unavailableInRange(name) ?? [];
    const usual = Math.min(max, Math.floor(Math.min(...unavailable)) - 1);
    return [name, { min, max, usual, unavailable }];
  }),
);
/**
 * Fields from which the engine turns an object into a hash table, which takes as long as ten fields; an
 * object without a prototype is one from the start. Measured: 17 % of a record of 43 fields (bench/decode.ts).
 */
const WIDE = 16;

/**
 * The fields of one reading while a decoder fills them in. Only a position can refuse the reading: any other
 * value that is not believed is kept as it came under its own name with `suspect_` before it, and noted.
 */
export class FieldSet {
  readonly #fields: Record<string, number>;
  readonly #where: string;
  #count = 0;
  #remarks: Remarks | undefined;

  /**
   * `where`: the part of the message that errors name, such as `reading 3`; "" for a whole message.
   * `expected`: about how many fields there will be, where that is known beforehand.
   */
  constructor(where = "", expected = 0) {
    this.#where = where;
    this.#fields = expected > WIDE ? Object.create(null) : {};
  }

  /** What was set so far. */
  get fields(): Readonly<Record<string, number>> {
    return this.#fields;
  }

  /** What there is to say about values that were not set as they came; `undefined`: nothing. */
  get remarks(): readonly ReadingRemark[] | undefined {
    return this.#remarks?.list();
  }

  /**
   * Sets a field that has a meaning, in the unit of its name; `undefined`: the device did not say. A value
   * by which a protocol says "not available" is left out. One outside the field's range is suspect.
   * `cameAs` and `raw`: the name and number that the device sent, where they are others.
   * @throws DomainError `DECODE_FAILED` for a latitude or longitude outside its range, naming both.
   */
  set(
    name: keyof typeof FIELD_RANGES & string,
    value: number | undefined,
    cameAs?: string,
    raw?: unknown,
  ): void {
    if (value === undefined) return;
    const range = rangeByField.get(name);
    if (range === undefined) throw new Error(`${name} is not among the fields with a meaning`);
    if (value >= range.min && value <= range.usual) this.#put(name, value);
    else this.#doubt(name, value, range, cameAs ?? name, raw ?? value);
  }

  /** Apart from `set`, which is small enough to be inlined: nearly every value is a usual one. */
  #doubt(
    name: string,
    value: number,
    { min, max, unavailable }: Range,
    cameAs: string,
    raw: unknown,
  ): void {
    if (value >= min && value <= max) {
      if (!unavailable.includes(value)) this.#put(name, value);
      return;
    }
    if (name === "latitude" || name === "longitude") {
      throw this.failure(`${name} ${value} is outside ${min} to ${max}`);
    }
    if (isUnavailableNumber(value, raw)) return;
    // The device says that it does not know where it is: no assumed accuracy may replace that.
    if (name === "accuracy_meters" && value > max) this.#put(name, max);
    const meant = cameAs === name ? "" : ` (${name})`;
    this.suspect(cameAs, raw, `outside ${min} to ${max}${meant}`);
  }

  /**
   * Sets a field from what the device says, a number or a text that is one, times `factor`. Anything else
   * but null is suspect.
   * @throws DomainError as {@link set}.
   */
  take(
    name: keyof typeof FIELD_RANGES & string,
    cameAs: string,
    raw: unknown,
    factor: number = 1,
  ): void {
    if (raw === undefined || raw === null) return;
    const number = looseNumber(raw);
    if (number === undefined)
      this.suspect(cameAs, raw, `not a number${cameAs === name ? "" : ` (${name})`}`);
    else this.set(name, factor === 1 ? number : inUnit(number, factor), cameAs, number);
  }

  /** Keeps a value that is not believed, as far as it is a number, and notes it with what is wrong with it. */
  suspect(cameAs: string, raw: unknown, problem: string): void {
    this.#remarks ??= new Remarks();
    const kept = this.#remarks.suspect(cameAs, raw, problem);
    if (kept !== undefined) this.#put(kept.field, kept.value);
  }

  /** Notes a name that is probably a misspelling of `nearest`. */
  nearMiss(name: string, nearest: string): void {
    this.#remarks ??= new Remarks();
    this.#remarks.nearMiss(name, nearest);
  }

  /** Notes a member of the message that is passed over whole, and why: nothing goes missing without a word. */
  notRead(name: string, problem: string): void {
    this.#remarks ??= new Remarks();
    this.#remarks.notRead(name, problem);
  }

  /** Notes a field that the decoder left out for lack of room. */
  leftOut(name: string): void {
    this.#remarks ??= new Remarks();
    this.#remarks.leftOut(name);
  }

  /** Takes over what was noted about values that several readings share. */
  adopt(remarks: readonly ReadingRemark[] | undefined): void {
    if (remarks === undefined) return;
    this.#remarks ??= new Remarks();
    this.#remarks.adopt(remarks);
  }

  /**
   * Keeps a number under the device's own name. Names that are not field names are left out, and so are those
   * that have a meaning of ours: only `set` knows their unit. One that is noted as suspect already stays what
   * it is, also where the device itself says `suspect_...`.
   */
  keep(name: string, value: number): void {
    if (!Number.isFinite(value) || !FIELD_NAME.test(name) || name in Object.prototype) return;
    if (rangeByField.has(name) || this.#isNoted(name)) return;
    this.#put(name, value);
  }

  /**
   * Keeps a number under the device's own name of which the format says what it measures: outside the range it is
   * "not available", and left out, or suspect.
   */
  keepWithin(
    name: string,
    raw: unknown,
    { min, max }: { readonly min: number; readonly max: number },
  ): void {
    const number = looseNumber(raw);
    if (number === undefined) this.suspect(name, raw, "not a number");
    else if (number >= min && number <= max) this.keep(name, number);
    else if (!isUnavailableNumber(number, raw)) {
      this.suspect(name, raw, `outside ${min} to ${max}`);
    }
  }

  /**
   * Keeps a finite number under a name of the decoder's choice, which is a field name without a meaning of
   * ours: nothing is checked again.
   */
  keepAs(name: string, value: number): void {
    this.#put(name, value);
  }

  /**
   * Sets both coordinates, degrees, and yields whether they are a position: 0, 0 is what receivers say
   * that have no fix, and no site lies in the Gulf of Guinea.
   * @throws DomainError `DECODE_FAILED` outside their ranges.
   */
  setPosition(latitude: number, longitude: number): boolean {
    if (latitude === 0 && longitude === 0) return false;
    this.set("latitude", latitude);
    this.set("longitude", longitude);
    return true;
  }

  /** The reading of these fields. `deviceTimeMs`: ms since the Unix epoch; `undefined`: it has no time. */
  toReading(
    deviceTimeMs: number | undefined,
    seq?: number,
    faults?: DecodedReading["faults"],
  ): DecodedReading {
    const reading = { deviceTimeMs, seq, fields: this.#fields, faults };
    // Nearly all readings have one shape.
    if (this.#remarks === undefined) return reading;
    const { remarks } = this;
    return remarks === undefined ? reading : { ...reading, remarks };
  }

  /** An error that says where in the message it is. */
  failure(problem: string): DomainError {
    return new DomainError(
      "DECODE_FAILED",
      this.#where === "" ? problem : `${this.#where}: ${problem}`,
    );
  }

  #isNoted(name: string): boolean {
    return (
      this.#remarks !== undefined &&
      name.startsWith(SUSPECT_PREFIX) &&
      this.#fields[name] !== undefined
    );
  }

  #put(name: string, value: number): void {
    // Not Object.hasOwn, which takes three times as long; inherited names never come here.
    if (this.#fields[name] === undefined) {
      if (this.#count === MAX_FIELDS && !this.#makeRoom(name)) return;
      this.#count += 1;
    }
    this.#fields[name] = value;
  }

  /** The first fields stay; only a position and the mark of a mocked one take the place of the last of them. */
  #makeRoom(name: string): boolean {
    const isPosition = isOfPosition(name);
    const leaves = isPosition
      ? Object.keys(this.#fields).findLast((other) => !isOfPosition(other))
      : name;
    if (leaves !== undefined) this.leftOut(leaves);
    if (!isPosition || leaves === undefined) return false;
    Reflect.deleteProperty(this.#fields, leaves);
    this.#count -= 1;
    return true;
  }
}

const isOfPosition = (name: string): boolean =>
  name === "latitude" || name === "longitude" || name === MOCKED_FIELD;
