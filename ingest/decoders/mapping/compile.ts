import { Compile } from "typebox/compile";
import { replacedAt } from "../../../domain/equipment/json-pointer.ts";
import { mappingProblems, PayloadMapping } from "../../../domain/equipment/payload-mapping.ts";
import {
  type DecodedMessage,
  type DecodedReading,
  type FaultCode,
  FIELD_RANGES,
  MAX_READINGS,
} from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { CompiledMapping, UnusedPointer } from "../fields/decoder.ts";
import { FieldSet } from "../fields/field-set.ts";
import { MissingHalfSearch } from "../fields/half-position.ts";
import { jsonPayload, Refusals } from "../fields/refusals.ts";
import { looseNumber } from "../payload/loose-number.ts";
import { compileFaults } from "./fault-reader.ts";
import { compileField } from "./field-reader.ts";
import { type Find, finder, isOfMessage, pointerOf, type Source } from "./finder.ts";
import { timeFormat } from "./time-reader.ts";

/** A field made ready. */
interface Reader {
  readonly name: string;
  readonly find: Find;
  readonly number: ReturnType<typeof compileField>;
  readonly hasMeaning: boolean;
}

/** When a reading was, made ready. */
type TimeReader = { readonly find: Find } & ReturnType<typeof timeFormat>;
type FaultReader = ReturnType<typeof compileFaults>;

/** A number that was found, and the field that it is of. */
interface Found {
  readonly reader: Reader;
  /** `undefined`: the device says that it has none. */
  readonly value: number | undefined;
}

/** What every reading of a message shares. */
interface Shared {
  readonly numbers: readonly Found[];
  /** Of those that are not believed, by the names under which they are kept. */
  readonly suspects: FieldSet["fields"];
  /** What was noted of them. */
  readonly remarks: FieldSet["remarks"];
  readonly faults: readonly FaultCode[] | undefined;
}

const storedMapping = Compile(PayloadMapping);
/** Most pointers that an error lists. More make the error long; fewer need more tries to mend a mapping. */
const MAX_LISTED = 3;

/** @throws DomainError `MAPPING_INVALID` for one that {@link mappingProblems} finds fault with. */
export function compileMapping(mapping: PayloadMapping): CompiledMapping {
  const [problem] = mappingProblems(mapping);
  if (problem !== undefined) {
    throw new DomainError("MAPPING_INVALID", `${problem.parameter} ${problem.message}`);
  }
  return new MappingReader(mapping);
}

/** Reads messages by a mapping whose pointers, units and formats are made ready. */
class MappingReader implements CompiledMapping {
  readonly #mapping: PayloadMapping;
  readonly #findReadings: Find;
  /** Of fields of the whole message, and of fields of each reading. */
  readonly #sharedReaders: readonly Reader[];
  readonly #ownReaders: readonly Reader[];
  readonly #time: TimeReader | undefined;
  readonly #findSeq: Find | undefined;
  readonly #sharedFaults: FaultReader | undefined;
  readonly #ownFaults: FaultReader | undefined;

  constructor(mapping: PayloadMapping) {
    this.#mapping = mapping;
    this.#findReadings = finder(mapping.readings ?? "");
    const readers = Object.entries(mapping.fields).map(([name, field]) => ({
      isShared: isOfMessage(field.pointer),
      name,
      find: finder(field.pointer),
      number: compileField(name, field),
      hasMeaning: Object.hasOwn(FIELD_RANGES, name),
    }));
    this.#sharedReaders = readers.filter(({ isShared }) => isShared);
    this.#ownReaders = readers.filter(({ isShared }) => !isShared);
    this.#time = mapping.time && {
      find: finder(mapping.time.pointer),
      ...timeFormat(mapping.time),
    };
    this.#findSeq = mapping.seq && finder(mapping.seq.pointer);
    const faults = mapping.faults && compileFaults(mapping.faults);
    this.#sharedFaults = faults?.isShared === true ? faults : undefined;
    this.#ownFaults = faults?.isShared === false ? faults : undefined;
  }

  read(message: unknown): DecodedMessage {
    const { isList, list } = this.#sources(message);
    const shared = this.#readShared(message);
    const readings: DecodedReading[] = [];
    const refusals = new Refusals<unknown>();
    let ignored = 0;
    for (const [i, source] of list.entries()) {
      try {
        const reading = this.#readOne(source, isList ? `reading ${i}` : "", shared);
        if (reading !== undefined) readings.push(reading);
        else ignored += 1;
      } catch (error) {
        refusals.note(source.reading, error);
      }
    }
    if (readings.length > 0 || refusals.any) {
      const complete = withFaults(readings, shared.faults);
      return refusals.finish({ readings: complete, notices: [], ignored }, (refused) =>
        jsonPayload(replacedAt(pointerOf(this.#mapping.readings ?? ""), message, refused)),
      );
    }
    const listed = valuePointers(this.#mapping).map(({ pointer }) => `"${pointer}"`);
    const more = listed.length > MAX_LISTED ? ` and ${listed.length - MAX_LISTED} more` : "";
    throw failure(`nothing is at ${listed.slice(0, MAX_LISTED).join(", ")}${more}`);
  }

  unused(message: unknown): readonly UnusedPointer[] {
    const { list } = this.#sources(message);
    return [...otherPointers(this.#mapping), ...valuePointers(this.#mapping)].filter(
      ({ pointer }) => {
        const find = finder(pointer);
        return list.every((source) => find(source) === undefined);
      },
    );
  }

  #sources(message: unknown): { readonly isList: boolean; readonly list: readonly Source[] } {
    const at = this.#findReadings({ reading: message, message });
    if (Array.isArray(at)) {
      if (at.length === 0 || at.length > MAX_READINGS) {
        throw failure(`${at.length} readings; 1 to ${MAX_READINGS} are allowed`);
      }
      return { isList: true, list: at.map((reading: unknown) => ({ reading, message })) };
    }
    if (isContainer(at)) return { isList: false, list: [{ reading: at, message }] };
    const found = at === undefined ? "nothing" : "neither an array nor an object";
    throw failure(`${found} at "${this.#mapping.readings ?? ""}", where the readings should be`);
  }

  /** Searched once, or a small message of many readings would take long. */
  #readShared(message: unknown): Shared {
    const fields = new FieldSet();
    const source = { reading: undefined, message };
    const numbers = this.#sharedReaders.flatMap((reader) => {
      const raw = reader.find(source);
      return raw === undefined ? [] : [{ reader, value: reader.number(raw, fields) }];
    });
    const faults = this.#sharedFaults?.read(source, fields);
    return { numbers, suspects: fields.fields, remarks: fields.remarks, faults };
  }

  /** `undefined`: nothing is there that the mapping names. */
  #readOne(source: Source, where: string, shared: Shared): DecodedReading | undefined {
    const readerCount = this.#sharedReaders.length + this.#ownReaders.length;
    const fields = new FieldSet(where, readerCount);
    if (!isContainer(source.reading)) throw fields.failure("neither an array nor an object");
    let hasFound = shared.numbers.length > 0 || shared.faults !== undefined;
    let latitude: number | undefined;
    let longitude: number | undefined;
    const put = ({ name, hasMeaning }: Reader, value: number | undefined): void => {
      if (value === undefined) return;
      if (name === "latitude") latitude = value;
      else if (name === "longitude") longitude = value;
      else if (hasMeaning) fields.set(name, value);
      else fields.keepAs(name, value);
    };
    for (const reader of this.#ownReaders) {
      const raw = reader.find(source);
      if (raw === undefined) continue;
      hasFound = true;
      put(reader, reader.number(raw, fields));
    }
    for (const { reader, value } of shared.numbers) put(reader, value);
    for (const [name, value] of Object.entries(shared.suspects)) fields.keepAs(name, value);
    const codes = this.#ownFaults?.read(source, fields);
    fields.adopt(shared.remarks);
    if (!hasFound && codes === undefined && fields.remarks === undefined) return undefined;
    if ((latitude === undefined) !== (longitude === undefined)) {
      throw fields.failure(
        new MissingHalfSearch().problem(latitude === undefined ? "latitude" : "longitude", []),
      );
    }
    if (latitude !== undefined && longitude !== undefined) fields.setPosition(latitude, longitude);
    const seq = this.#findSeq && readSeq(this.#findSeq(source), fields);
    return fields.toReading(this.#time && readTime(this.#time, source, fields), seq, codes);
  }
}

/** A mapping as it is stored; `undefined` for one of a newer version, which says what this one cannot do. */
export function compileStoredMapping(text: string): CompiledMapping | undefined {
  const stored: unknown = JSON.parse(text);
  const isSound = storedMapping.Check(stored) && mappingProblems(stored).length === 0;
  return isSound ? compileMapping(stored) : undefined;
}

/** A list of faults of the whole message is that of now, and goes with its newest reading. */
function withFaults(
  readings: readonly DecodedReading[],
  faults: readonly FaultCode[] | undefined,
): readonly DecodedReading[] {
  if (faults === undefined) return readings;
  let newest = 0;
  // One without a time is of now.
  const timeOf = (i: number) => readings[i]?.deviceTimeMs ?? Number.POSITIVE_INFINITY;
  for (const i of readings.keys()) if (timeOf(i) >= timeOf(newest)) newest = i;
  return readings.map((reading, i) => (i === newest ? { ...reading, faults } : reading));
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

function readTime(
  { find, read, wanted }: TimeReader,
  source: Source,
  fields: FieldSet,
): number | undefined {
  const raw = find(source) ?? undefined;
  if (raw === undefined) return undefined;
  const timeMs = read(raw);
  if (timeMs === undefined) throw fields.failure(`the time is ${wanted}`);
  return timeMs;
}

function readSeq(raw: unknown, fields: FieldSet): number | undefined {
  if (raw === undefined || raw === null) return undefined;
  const seq = looseNumber(raw);
  if (seq !== undefined && Number.isSafeInteger(seq) && seq >= 0) return seq + 0;
  fields.suspect("seq", raw, `not a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`);
  return undefined;
}

const isContainer = (value: unknown): boolean => typeof value === "object" && value !== null;

const failure = (problem: string): DomainError => new DomainError("DECODE_FAILED", problem);
