import { DomainError } from "../../../domain/errors.ts";
import { MAX_READINGS } from "../../../domain/reading.ts";
import type { Decoder } from "../decoder.ts";
import type { Meaning } from "../field-meanings.ts";
import { FieldSet } from "../field-set.ts";
import { readJson } from "../json-payload.ts";
import { FieldNames } from "./field-names.ts";
import type { SenmlName } from "./names.ts";
import { type ResolvedRecord, resolvePack } from "./pack.ts";

/**
 * Sensor measurement lists in JSON (RFC 8428). The records of one time become one reading; names and
 * units that `field-meanings.ts` knows become our fields, other numbers keep the last part of their name. Text
 * and bytes are ignored, and so is half a position. Where two names stand for one field, as the speeds of
 * two receivers do, the first of the pack has it.
 */
export const senml: Decoder = {
  name: "senml",
  topicFormat: "senml",
  decode(payload, { receivedAtMs }) {
    const records = resolvePack(readJson(payload), receivedAtMs);
    const meanings = new PackMeanings();
    for (const record of records) meanings.add(record);
    const readingByTime = new Map<number | undefined, SenmlReading>();
    let ignored = 0;
    for (const record of records) {
      let reading = readingByTime.get(record.timeMs);
      if (reading === undefined) {
        if (readingByTime.size === MAX_READINGS) {
          throw new DomainError("DECODE_FAILED", `more than ${MAX_READINGS} times`);
        }
        reading = new SenmlReading();
        readingByTime.set(record.timeMs, reading);
      }
      if (!reading.put(record, meanings)) ignored += 1;
    }
    const readings = [...readingByTime].map(([deviceTimeMs, reading]) => {
      if (!reading.placePosition()) ignored += 1;
      return {
        deviceTimeMs,
        seq: undefined,
        fields: reading.fields.fields,
        faults: undefined,
      };
    });
    return { readings, notices: [], ignored };
  },
};

/** What the names of one pack stand for. */
class PackMeanings {
  readonly #ownerByField = new Map<string, SenmlName>();
  readonly #fieldNames = new FieldNames();

  /** Makes a record known; all of a pack are, before the first is asked for. */
  add(record: ResolvedRecord): void {
    const { name, value, sum } = record;
    const meaning = meaningOfRecord(record);
    if (meaning !== undefined && !this.#ownerByField.has(meaning.field)) {
      this.#ownerByField.set(meaning.field, name);
    }
    const { last } = name.parts;
    if (value !== undefined && this.of(record) === undefined) this.#fieldNames.add(name.full, last);
    if (sum !== undefined) this.#fieldNames.add(`${name.full}_sum`, `${last}_sum`);
  }

  /** The meaning that a record has, unless another name of the pack has it already. */
  of(record: ResolvedRecord): Meaning | undefined {
    const meaning = meaningOfRecord(record);
    return meaning !== undefined && this.#ownerByField.get(meaning.field) === record.name
      ? meaning
      : undefined;
  }

  /** The name of a value without a meaning, or of a sum. */
  fieldName({ name }: ResolvedRecord, suffix: "" | "_sum"): string {
    return this.#fieldNames.of(name.full + suffix, name.parts.last + suffix);
  }
}

function meaningOfRecord({ name, unit, value }: ResolvedRecord): Meaning | undefined {
  if (value === undefined) return undefined;
  const meaning = name.parts.meaningIn(unit);
  // Yes and no are no speed and no level, whatever they are called.
  return typeof value === "boolean" && meaning?.field !== "engine_on" ? undefined : meaning;
}

/** The records of one time. */
class SenmlReading {
  readonly fields = new FieldSet();
  #latitude: number | undefined;
  #longitude: number | undefined;

  /** Whether the record says anything that is kept. */
  put(record: ResolvedRecord, meanings: PackMeanings): boolean {
    const { value, sum } = record;
    if (value !== undefined) this.#putValue(record, Number(value), meanings);
    if (sum !== undefined) this.fields.keep(meanings.fieldName(record, "_sum"), sum);
    return value !== undefined || sum !== undefined;
  }

  /** Sets latitude and longitude, which go together; `false` for one without the other. */
  placePosition(): boolean {
    const latitude = this.#latitude;
    const longitude = this.#longitude;
    if (latitude === undefined || longitude === undefined) return latitude === longitude;
    this.fields.setPosition(latitude, longitude);
    return true;
  }

  #putValue(record: ResolvedRecord, value: number, meanings: PackMeanings): void {
    const meaning = meanings.of(record);
    if (meaning === undefined) {
      this.fields.keep(meanings.fieldName(record, ""), value);
      return;
    }
    const [times, plus] = meaning.conversion;
    const converted = value * times + plus;
    if (meaning.field === "latitude") this.#latitude = converted;
    else if (meaning.field === "longitude") this.#longitude = converted;
    else if (meaning.field === "engine_on" && value !== 0 && value !== 1) {
      throw this.fields.failure(`${record.name.full.slice(0, 64)} ${value} is neither 0 nor 1`);
    } else this.fields.set(meaning.field, converted);
  }
}
