import { DomainError } from "../../../domain/errors.ts";
import { MAX_READINGS } from "../../../domain/reading.ts";
import type { Decoder } from "../decoder.ts";
import { meaningOf } from "../field-meanings.ts";
import { FieldSet } from "../field-set.ts";
import { readJson } from "../json-payload.ts";
import { FieldNames, partsOf } from "./field-names.ts";
import { type ResolvedRecord, resolvePack } from "./pack.ts";

/** Most different names of one pack; keeps the work below 5 ms. Chosen: a reading has at most 64 fields. */
const MAX_NAMES = 256;

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
    const names = new PackNames();
    for (const record of records) names.add(record);
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
      if (!reading.put(record, names)) ignored += 1;
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
class PackNames {
  readonly #partsByName = new Map<string, NameParts>();
  readonly #ownerByField = new Map<string, string>();
  readonly #fieldNames = new FieldNames();

  add(record: ResolvedRecord): void {
    const { name, value, sum } = record;
    const meaning = this.#claim(record);
    const { last } = this.#partsOf(record);
    if (value !== undefined && meaning === undefined) this.#fieldNames.add(name, last);
    if (sum !== undefined) this.#fieldNames.add(`${name}_sum`, `${last}_sum`);
  }

  /** The meaning that a record has, unless another name of the pack has it already. */
  meaning(record: ResolvedRecord): ReturnType<typeof meaningOf> {
    const meaning = this.#meaning(record);
    return meaning !== undefined && this.#ownerByField.get(meaning.field) === record.name
      ? meaning
      : undefined;
  }

  /** The name of a value without a meaning, or of a sum. */
  fieldName(record: ResolvedRecord, suffix: "" | "_sum"): string {
    return this.#fieldNames.of(record.name + suffix, this.#partsOf(record).last + suffix);
  }

  #claim(record: ResolvedRecord): ReturnType<typeof meaningOf> {
    const meaning = this.#meaning(record);
    if (meaning !== undefined && !this.#ownerByField.has(meaning.field)) {
      this.#ownerByField.set(meaning.field, record.name);
    }
    return this.meaning(record);
  }

  #meaning(record: ResolvedRecord): ReturnType<typeof meaningOf> {
    if (record.value === undefined) return undefined;
    const { last, before } = this.#partsOf(record);
    const meaning = meaningOf(last, before, record.unit);
    const isFlag = typeof record.value === "boolean";
    // Yes and no are no speed and no level, whatever they are called.
    return isFlag && meaning?.field !== "engine_on" ? undefined : meaning;
  }

  /** Cached, because a batch says the same names again and again. */
  #partsOf({ name, ownName }: ResolvedRecord): NameParts {
    let parts = this.#partsByName.get(name);
    if (parts === undefined) {
      if (this.#partsByName.size === MAX_NAMES) {
        throw new DomainError("DECODE_FAILED", `more than ${MAX_NAMES} different names`);
      }
      parts = nameParts(name, ownName);
      this.#partsByName.set(name, parts);
    }
    return parts;
  }
}

interface NameParts {
  readonly last: string;
  /** What stands before it in the record's own name; "" where that is the device's name. */
  readonly before: string;
}

function nameParts(name: string, ownName: string): NameParts {
  const parts = partsOf(ownName === "" ? name : ownName);
  const isOfDevice = ownName === "" || ownName.startsWith("urn:");
  return { last: parts.at(-1) ?? "", before: isOfDevice ? "" : (parts.at(-2) ?? "") };
}

/** The records of one time. */
class SenmlReading {
  readonly fields = new FieldSet();
  #latitude: number | undefined;
  #longitude: number | undefined;

  /** Whether the record says anything that is kept. */
  put(record: ResolvedRecord, names: PackNames): boolean {
    const { value, sum } = record;
    if (value !== undefined) this.#putValue(record, Number(value), names);
    if (sum !== undefined) this.fields.keep(names.fieldName(record, "_sum"), sum);
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

  #putValue(record: ResolvedRecord, value: number, names: PackNames): void {
    const meaning = names.meaning(record);
    if (meaning === undefined) {
      this.fields.keep(names.fieldName(record, ""), value);
      return;
    }
    const [times, plus] = meaning.conversion;
    const converted = value * times + plus;
    if (meaning.field === "latitude") this.#latitude = converted;
    else if (meaning.field === "longitude") this.#longitude = converted;
    else if (meaning.field === "engine_on" && value !== 0 && value !== 1) {
      throw this.fields.failure(`${record.name.slice(0, 64)} ${value} is neither 0 nor 1`);
    } else this.fields.set(meaning.field, converted);
  }
}
