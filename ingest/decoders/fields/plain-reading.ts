import { FIELD_RANGES } from "../../../domain/equipment/reading.ts";

/** The fields of a plain reading by their number: all that have a meaning. */
export const PLAIN_FIELDS: readonly string[] = Object.keys(FIELD_RANGES);

/** One reading in which nothing is unusual, in arrays that are used again for the next. */
export class PlainReading {
  /** Fields so far, by their place in {@link PLAIN_FIELDS}, in the order in which they are stored. */
  readonly fields = new Uint8Array(PLAIN_FIELDS.length);
  readonly values = new Float64Array(PLAIN_FIELDS.length);
  count = 0;
  /** Ms since the Unix epoch; NaN: it carries no time. */
  timeMs = Number.NaN;
  /** -1: it has none. */
  seq = -1;

  add(field: number, value: number): void {
    this.fields[this.count] = field;
    this.values[this.count] = value;
    this.count += 1;
  }
}
