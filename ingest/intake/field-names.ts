import { DomainError } from "../../domain/errors.ts";
import { type DecodedReading, FIELD_RANGES } from "../../domain/reading.ts";

/** Different names that an asset may give its fields until the next start. Chosen: machines have some hundreds. */
const MAX_FIELD_NAMES = 2_000;

/**
 * The names of an asset's own fields since the start. A store has a column for each of them, which is as
 * long as all columns: who makes up names, message by message, would fill the memory of the service.
 */
export class FieldNames {
  readonly #names = new Set<string>();

  /**
   * Takes note of the names in readings; those with a meaning of ours are always welcome.
   * @throws DomainError `DECODE_FAILED` for one name too many.
   */
  take(readings: readonly DecodedReading[]): void {
    for (const { fields } of readings) {
      for (const name in fields) {
        if (!this.#names.has(name) && !Object.hasOwn(FIELD_RANGES, name)) this.#add(name);
      }
    }
  }

  #add(name: string): void {
    if (this.#names.size === MAX_FIELD_NAMES) {
      const problem = `"${name}" is one more than ${MAX_FIELD_NAMES} different names of fields`;
      throw new DomainError("DECODE_FAILED", problem);
    }
    this.#names.add(name);
  }
}
