import { MOCKED_FIELD } from "../../../domain/equipment/mocked-position.ts";
import {
  type DecodedReading,
  FIELD_RANGES,
  type ReadingRemark,
} from "../../../domain/equipment/reading.ts";

/** Different names that an asset may give its fields until the next start. Chosen: machines have some hundreds. */
const MAX_FIELD_NAMES = 2_000;

/** Names with a meaning of ours. */
const OWN_NAMES: ReadonlySet<string> = new Set(Object.keys(FIELD_RANGES));

/**
 * The names of an asset's own fields since the start. A store has a column for each of them, which is as
 * long as all columns: a device that makes up names, message by message, would fill the memory of the
 * service.
 */
export class FieldNames {
  readonly #names = new Set<string>();

  /**
   * Registers the names in readings; those with a meaning of ours are always taken. Returns the readings
   * without the fields whose names are too many, with a remark on them.
   */
  take(readings: readonly DecodedReading[]): readonly DecodedReading[] {
    let hasTooMany = false;
    for (const { fields } of readings) {
      for (const name in fields) {
        if (!this.#isWelcome(name)) hasTooMany = true;
      }
    }
    return hasTooMany ? readings.map((reading) => this.#reduced(reading)) : readings;
  }

  #isWelcome(name: string): boolean {
    if (OWN_NAMES.has(name) || this.#names.has(name)) return true;
    // Without it a mocked position would be taken for a measured one.
    if (name === MOCKED_FIELD) return true;
    if (this.#names.size === MAX_FIELD_NAMES) return false;
    this.#names.add(name);
    return true;
  }

  #reduced(reading: DecodedReading): DecodedReading {
    const entries = Object.entries(reading.fields);
    const kept = entries.filter(([name]) => this.#isWelcome(name));
    const [name] = entries.find(([other]) => !this.#isWelcome(other)) ?? [];
    if (name === undefined) return reading;
    const remark: ReadingRemark = {
      kind: "fields_left_out",
      name,
      value: entries.length - kept.length,
      problem: `left out; an asset has at most ${MAX_FIELD_NAMES} different names of fields`,
    };
    return {
      ...reading,
      fields: Object.fromEntries(kept),
      remarks: [...(reading.remarks ?? []), remark],
    };
  }
}
