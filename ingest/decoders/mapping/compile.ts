import { Compile } from "typebox/compile";
import { DomainError } from "../../../domain/errors.ts";
import { type JsonPointer, parsePointer, valueAt } from "../../../domain/json-pointer.ts";
import { mappingProblems, PayloadMapping } from "../../../domain/payload-mapping.ts";
import {
  type DecodedMessage,
  type DecodedReading,
  type FaultCode,
  FIELD_RANGES,
  MAX_READINGS,
} from "../../../domain/reading.ts";
import { MAX_FAULTS, readFaultCodes } from "../fault-codes.ts";
import { FieldSet } from "../field-set.ts";
import { looseNumber } from "../loose-number.ts";
import { compileField } from "./field-reader.ts";
import { timeFormat } from "./time-reader.ts";

/** A pointer of a mapping that found nothing. */
interface UnusedPointer {
  /** Path inside the mapping. */
  readonly parameter: string;
  readonly pointer: string;
}

/** A mapping made ready for many messages. Pure. */
export interface CompiledMapping {
  /**
   * What a message says by the mapping. A reading in which nothing is that the mapping names is ignored.
   * @throws DomainError `DECODE_FAILED` naming what is wrong and where; also for a message in which nothing
   * at all is that the mapping names: it must not be lost without a word.
   */
  read(message: unknown): DecodedMessage;
  /** The pointers that find nothing in any reading of the message. */
  unused(message: unknown): readonly UnusedPointer[];
}

/** One reading and the message that it is part of: where pointers begin. */
interface Source {
  readonly reading: unknown;
  readonly message: unknown;
}

type Find = (source: Source) => unknown;

const storedMapping = Compile(PayloadMapping);
/** Most pointers that an error lists. Chosen. */
const MAX_LISTED = 3;
const FAULT_PARTS = ["spn", "fmi", "occurrence_count", "source"] as const;

/** @throws DomainError `MAPPING_INVALID` for one that {@link mappingProblems} finds fault with. */
export function compileMapping(mapping: PayloadMapping): CompiledMapping {
  const [problem] = mappingProblems(mapping);
  if (problem !== undefined) {
    throw new DomainError("MAPPING_INVALID", `${problem.parameter} ${problem.message}`);
  }
  const findReadings = pointerOf(mapping.readings ?? "");
  const readers = Object.entries(mapping.fields).map(([name, field]) => ({
    name,
    find: finder(field.pointer),
    number: compileField(name, field),
    hasMeaning: Object.hasOwn(FIELD_RANGES, name),
  }));
  const time = mapping.time && {
    find: finder(mapping.time.pointer),
    format: timeFormat(mapping.time),
  };
  const findSeq = mapping.seq && finder(mapping.seq.pointer);
  const faults = mapping.faults && compileFaults(mapping.faults);

  function sources(message: unknown): {
    readonly isList: boolean;
    readonly list: readonly Source[];
  } {
    const at = valueAt(findReadings, message);
    if (Array.isArray(at)) {
      if (at.length === 0 || at.length > MAX_READINGS) {
        throw failure(`${at.length} readings; 1 to ${MAX_READINGS} are allowed`);
      }
      return { isList: true, list: at.map((reading: unknown) => ({ reading, message })) };
    }
    if (isContainer(at)) return { isList: false, list: [{ reading: at, message }] };
    const found = at === undefined ? "nothing" : "neither an array nor an object";
    throw failure(`${found} at "${mapping.readings ?? ""}", where the readings should be`);
  }

  /** `undefined`: nothing is there that the mapping names. */
  function readOne(source: Source, where: string): DecodedReading | undefined {
    const fields = new FieldSet(where);
    if (!isContainer(source.reading)) throw fields.failure("neither an array nor an object");
    let hasFound = false;
    let latitude: number | undefined;
    let longitude: number | undefined;
    for (const { name, find, number, hasMeaning } of readers) {
      const raw = find(source);
      if (raw === undefined) continue;
      hasFound = true;
      const value = number(raw, fields);
      if (value === undefined) continue;
      if (name === "latitude") latitude = value;
      else if (name === "longitude") longitude = value;
      else if (hasMeaning) fields.set(name, value);
      else fields.keep(name, value);
    }
    const rawFaults = faults?.find(source);
    if (!hasFound && rawFaults === undefined) return undefined;
    setPosition(fields, latitude, longitude);
    return {
      deviceTimeMs: time && readTime(time, source, fields),
      seq: findSeq && readSeq(findSeq(source), fields),
      fields: fields.fields,
      faults: faults?.read(rawFaults, source, fields),
    };
  }

  return {
    read(message) {
      const { isList, list } = sources(message);
      const readings: DecodedReading[] = [];
      for (const [i, source] of list.entries()) {
        const reading = readOne(source, isList ? `reading ${i}` : "");
        if (reading !== undefined) readings.push(reading);
      }
      if (readings.length > 0) {
        return { readings, notices: [], ignored: list.length - readings.length };
      }
      const listed = valuePointers(mapping).map(({ pointer }) => `"${pointer}"`);
      const more = listed.length > MAX_LISTED ? ` and ${listed.length - MAX_LISTED} more` : "";
      throw failure(`nothing is at ${listed.slice(0, MAX_LISTED).join(", ")}${more}`);
    },

    unused(message) {
      const { list } = sources(message);
      return [...otherPointers(mapping), ...valuePointers(mapping)].filter(({ pointer }) => {
        const find = finder(pointer);
        return list.every((source) => find(source) === undefined);
      });
    },
  };
}

/** A mapping as it is stored; `undefined` for one of a newer version, which says what this one cannot do. */
export function compileStoredMapping(text: string): CompiledMapping | undefined {
  const stored: unknown = JSON.parse(text);
  const isSound = storedMapping.Check(stored) && mappingProblems(stored).length === 0;
  return isSound ? compileMapping(stored) : undefined;
}

/** The pointers without which there is no reading. */
function valuePointers({ fields, faults }: PayloadMapping): readonly UnusedPointer[] {
  return [
    ...Object.entries(fields).map(([name, { pointer }]) => ({
      parameter: `fields.${name}.pointer`,
      pointer,
    })),
    ...(faults === undefined ? [] : [{ parameter: "faults.pointer", pointer: faults.pointer }]),
  ];
}

function otherPointers({ time, seq }: PayloadMapping): readonly UnusedPointer[] {
  return [
    ...(time === undefined ? [] : [{ parameter: "time.pointer", pointer: time.pointer }]),
    ...(seq === undefined ? [] : [{ parameter: "seq.pointer", pointer: seq.pointer }]),
  ];
}

/** A pointer that the check before has found sound. */
function pointerOf(text: string): JsonPointer {
  const pointer = parsePointer(text);
  if ("problem" in pointer)
    throw new DomainError("MAPPING_INVALID", `"${text}" ${pointer.problem}`);
  return pointer;
}

function finder(text: string): Find {
  const pointer = pointerOf(text);
  return pointer.isOfMessage
    ? ({ message }) => valueAt(pointer, message)
    : ({ reading }) => valueAt(pointer, reading);
}

/** 0, 0 is no fix: trackers send it, and no site lies in the Gulf of Guinea. */
function setPosition(
  fields: FieldSet,
  latitude: number | undefined,
  longitude: number | undefined,
): void {
  if ((latitude === undefined) !== (longitude === undefined)) {
    throw fields.failure("latitude and longitude go together; one is missing");
  }
  if (latitude === undefined || longitude === undefined) return;
  if (latitude !== 0 || longitude !== 0) fields.setPosition(latitude, longitude);
}

function readTime(
  { find, format }: { readonly find: Find; readonly format: ReturnType<typeof timeFormat> },
  source: Source,
  fields: FieldSet,
): number | undefined {
  const raw = find(source) ?? undefined;
  if (raw === undefined) return undefined;
  const timeMs = format.read(raw);
  if (timeMs === undefined) throw fields.failure(`the time is ${format.wanted}`);
  return timeMs;
}

function readSeq(raw: unknown, fields: FieldSet): number | undefined {
  if (raw === undefined || raw === null) return undefined;
  const seq = looseNumber(raw);
  if (seq !== undefined && Number.isSafeInteger(seq) && seq >= 0) return seq + 0;
  throw fields.failure(`seq is not a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`);
}

/** How fault codes are found, and read from what was found; null says nothing of them. */
function compileFaults(mapping: NonNullable<PayloadMapping["faults"]>) {
  const parts = FAULT_PARTS.flatMap((name) => {
    const pointer = mapping[name];
    return pointer === undefined ? [] : [{ name, find: finder(pointer) }];
  });
  return {
    find: finder(mapping.pointer),
    read(raw: unknown, { message }: Source, fields: FieldSet): readonly FaultCode[] | undefined {
      const fail = (problem: string) => fields.failure(problem);
      if (!Array.isArray(raw) || raw.length > MAX_FAULTS)
        return readFaultCodes(raw ?? undefined, fail);
      const faults = raw.map((reading: unknown) =>
        Object.fromEntries(
          parts.map(({ name, find }) => {
            const value = find({ reading, message });
            return [name, looseNumber(value) ?? value];
          }),
        ),
      );
      return readFaultCodes(faults, fail);
    },
  };
}

const isContainer = (value: unknown): boolean => typeof value === "object" && value !== null;

const failure = (problem: string): DomainError => new DomainError("DECODE_FAILED", problem);
