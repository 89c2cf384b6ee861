import { DomainError } from "../../domain/errors.ts";
import { FIELD_NAME, FIELD_RANGES, MAX_FIELDS } from "../../domain/reading.ts";

const rangeByField = new Map(Object.entries(FIELD_RANGES));
/**
 * Fields from which the engine turns an object into a hash table, which takes as long as ten fields; an
 * object without a prototype is one from the start. Measured: 17 % of a record of 43 fields (bench/decode.ts).
 */
const WIDE = 16;

/**
 * The fields of one reading while a decoder fills them in: every number is bounded by the physics of its
 * field, whatever a device says.
 */
export class FieldSet {
  readonly #fields: Record<string, number>;
  readonly #where: string;
  #count = 0;

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

  /**
   * Sets a field that has a meaning, in the unit of its name; `undefined`: the device did not say.
   * @throws DomainError `DECODE_FAILED` outside the field's range, naming both.
   */
  set(name: keyof typeof FIELD_RANGES & string, value: number | undefined): void {
    if (value === undefined) return;
    const range = rangeByField.get(name);
    if (range === undefined) throw new Error(`${name} is not among the fields with a meaning`);
    if (!(value >= range.min && value <= range.max)) {
      throw this.failure(`${name} ${value} is outside ${range.min} to ${range.max}`);
    }
    this.#put(name, value);
  }

  /**
   * Keeps a number under the device's own name. Names that are no field names are left out, and so are
   * those that have a meaning of ours: only `set` knows their unit.
   */
  keep(name: string, value: number): void {
    if (!Number.isFinite(value) || !FIELD_NAME.test(name) || name in Object.prototype) return;
    if (rangeByField.has(name)) return;
    this.#put(name, value);
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

  /** An error that says where in the message it is. */
  failure(problem: string): DomainError {
    return new DomainError(
      "DECODE_FAILED",
      this.#where === "" ? problem : `${this.#where}: ${problem}`,
    );
  }

  #put(name: string, value: number): void {
    // Not Object.hasOwn, which takes three times as long; inherited names never come here.
    if (this.#fields[name] === undefined) {
      this.#count += 1;
      if (this.#count > MAX_FIELDS) throw this.failure(`more than ${MAX_FIELDS} numeric fields`);
    }
    this.#fields[name] = value;
  }
}
