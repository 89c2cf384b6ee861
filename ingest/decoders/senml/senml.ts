import {
  type DecodedMessage,
  type DecodedReading,
  MAX_READINGS,
} from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { Decoder } from "../fields/decoder.ts";
import { looseDegrees } from "../fields/degrees.ts";
import type { FieldMeaning } from "../fields/field-meanings.ts";
import { FieldSet } from "../fields/field-set.ts";
import { jsonPayload, Refusals } from "../fields/refusals.ts";
import { isUnavailableText } from "../fields/unavailable.ts";
import { readJson } from "../payload/json-payload.ts";
import { OwnFieldNames } from "./field-names.ts";
import type { SenmlName } from "./names.ts";
import { type ResolvedRecord, resolvePack } from "./pack.ts";

/**
 * Sensor measurement lists in JSON (RFC 8428). The records of one time become one reading; names and units that
 * `field-meanings.ts` knows become our fields, other numbers keep the last part of their name. Text that is not a
 * number and bytes are ignored; half a position is noted. Where two names mean one field, as the speeds of two
 * receivers do, the first of the pack has it.
 */
export const senml: Decoder = {
  name: "senml",
  topicFormat: "senml",
  decode(payload, { receivedAtMs }) {
    const records = resolvePack(readJson(payload), receivedAtMs);
    const readings = new ReadingsByTime(records.length);
    const owners: (SenmlName | undefined)[] = [];
    const unnamed = new UnnamedValues();
    let ignored = 0;
    for (const resolved of records) {
      const record = resolved.text === undefined ? resolved : withNumberOfText(resolved);
      const { name, value, sum, suspect } = record;
      const reading = readings.at(record.timeMs);
      const meaning = meaningOfRecord(record, owners);
      if (meaning !== undefined) reading.set(record, meaning, Number(value));
      else if (value !== undefined) unnamed.add(name, "", Number(value), reading);
      else if (suspect !== undefined) {
        reading.fields.suspect(name.parts.last, suspect, "not a number");
      }
      if (sum !== undefined) unnamed.add(name, "_sum", sum, reading);
      else if (value === undefined && suspect === undefined) {
        // The texts of a refused time come again with its payload; bytes are not in it.
        if (record.text === undefined) ignored += 1;
        else reading.ignored += 1;
      }
    }
    unnamed.keepAll();
    return readings.finish(ignored, records);
  },
};

/** A number that came as text under a name with a meaning is one all the same; another text there is suspect. */
function withNumberOfText(record: ResolvedRecord): ResolvedRecord {
  const { name, unit, text = "" } = record;
  if (name.parts.meaningIn(unit) === undefined || isUnavailableText(text)) return record;
  const number = looseDegrees(text);
  return number === undefined ? { ...record, suspect: text } : { ...record, value: number };
}

/** The field that a record means, unless another name of the pack has it: `owners`, by the field's index. */
function meaningOfRecord(
  { name, unit, value }: ResolvedRecord,
  owners: (SenmlName | undefined)[],
): FieldMeaning | undefined {
  if (value === undefined) return undefined;
  const meaning = name.parts.meaningIn(unit);
  if (meaning === undefined) return undefined;
  // Yes and no are neither a speed nor a level, whatever they are called.
  if (typeof value === "boolean" && meaning.field !== "engine_on") return undefined;
  const owner = owners[meaning.index];
  if (owner === undefined) owners[meaning.index] = name;
  return owner === undefined || owner === name ? meaning : undefined;
}

/** The readings of a pack in the order of their first records. */
class ReadingsByTime {
  readonly #byTime = new Map<number | undefined, SenmlReading>();
  #last: SenmlReading | undefined;
  #lastMs: number | undefined;
  readonly #recordCount: number;

  constructor(recordCount: number) {
    this.#recordCount = recordCount;
  }

  /** @throws DomainError `DECODE_FAILED` for more times than a message may have. */
  at(timeMs: number | undefined): SenmlReading {
    if (this.#last !== undefined && this.#lastMs === timeMs) return this.#last;
    let reading = this.#byTime.get(timeMs);
    if (reading === undefined) {
      if (this.#byTime.size === MAX_READINGS) {
        throw new DomainError("DECODE_FAILED", `more than ${MAX_READINGS} times`);
      }
      // Nearly always a pack has one time.
      reading = new SenmlReading(this.#byTime.size === 0 ? this.#recordCount : 0);
      this.#byTime.set(timeMs, reading);
    }
    this.#last = reading;
    this.#lastMs = timeMs;
    return reading;
  }

  /** @throws DomainError `DECODE_FAILED` where every reading has an impossible position. */
  finish(ignoredRecords: number, records: readonly ResolvedRecord[]): DecodedMessage {
    let ignored = ignoredRecords;
    const refusals = new Refusals<number | undefined>();
    const readings: DecodedReading[] = [];
    for (const [deviceTimeMs, reading] of this.#byTime) {
      try {
        if (!reading.placePosition()) ignored += 1;
        ignored += reading.ignored;
        readings.push(reading.fields.toReading(deviceTimeMs));
      } catch (error) {
        refusals.note(deviceTimeMs, error);
      }
    }
    return refusals.finish({ readings, notices: [], ignored }, (times) =>
      packOf(records.filter((record) => times.includes(record.timeMs) && saysSomething(record))),
    );
  }
}

/** Whether a record has more than bytes, which are not kept. */
const saysSomething = ({ value, suspect, text, sum }: ResolvedRecord): boolean =>
  (value ?? suspect ?? text ?? sum) !== undefined;

/** A pack of records with the base fields worked in (RFC 8428 section 4.6), but for base names. */
const packOf = (records: readonly ResolvedRecord[]): Uint8Array =>
  jsonPayload(
    records.map(({ name, unit, timeMs, value, suspect, text, sum }, i) => ({
      ...(name.base === (records[i - 1]?.name.base ?? "") ? {} : { bn: name.base }),
      n: name.full.slice(name.base.length),
      ...(unit === "" ? {} : { u: unit }),
      ...(timeMs === undefined ? {} : { t: timeMs / 1_000 }),
      ...(typeof value === "boolean" ? { vb: value } : { v: value ?? suspect }),
      ...(text === undefined ? {} : { vs: text }),
      ...(sum === undefined ? {} : { s: sum }),
    })),
  );

/** The records of one time. */
class SenmlReading {
  readonly fields: FieldSet;
  /** Records of texts, which are not kept. */
  ignored = 0;
  #latitude: number | undefined;
  #longitude: number | undefined;

  constructor(expectedFields: number) {
    this.fields = new FieldSet("", expectedFields);
  }

  /** Sets the field that a record means. */
  set({ name }: ResolvedRecord, { field, conversion }: FieldMeaning, value: number): void {
    const converted = value * conversion[0] + conversion[1];
    if (field === "latitude") this.#latitude = converted;
    else if (field === "longitude") this.#longitude = converted;
    else if (field === "engine_on" && value !== 0 && value !== 1) {
      this.fields.suspect(name.parts.last, value, "neither 0 nor 1 (engine_on)");
    } else this.fields.set(field, converted, name.parts.last, value);
  }

  /** Sets latitude and longitude, which go together; `false` for one without the other. */
  placePosition(): boolean {
    const latitude = this.#latitude;
    const longitude = this.#longitude;
    if (latitude === undefined || longitude === undefined) {
      if (latitude === longitude) return true;
      const [said, missing] =
        latitude === undefined ? ["longitude", "latitude"] : ["latitude", "longitude"];
      this.fields.notRead(said, `left out, because ${missing} is missing`);
      return false;
    }
    this.fields.setPosition(latitude, longitude);
    return true;
  }
}

/** Numbers that keep a name of their own; they wait until all such names of the pack are known. */
class UnnamedValues {
  readonly #waiting: {
    readonly name: string;
    readonly last: string;
    readonly value: number;
    readonly reading: SenmlReading;
  }[] = [];

  add(name: SenmlName, suffix: "" | "_sum", value: number, reading: SenmlReading): void {
    const last = name.parts.last + suffix;
    this.#waiting.push({ name: name.full + suffix, last, value, reading });
  }

  keepAll(): void {
    if (this.#waiting.length === 0) return;
    const names = new OwnFieldNames();
    for (const { name, last } of this.#waiting) names.add(name, last);
    for (const { name, last, value, reading } of this.#waiting) {
      reading.fields.keep(names.of(name, last), value);
    }
  }
}
