import type { DecoderOptions } from "../../../domain/equipment/decoder-options.ts";
import type {
  DecodedMessage,
  DecodedReading,
  DeviceNotice,
} from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { Decoder } from "../fields/decoder.ts";
import { FieldSet } from "../fields/field-set.ts";
import { Refusals } from "../fields/refusals.ts";
import { AvlFields, setFix } from "./avl-fields.ts";
import { FMB_IDS } from "./avl-ids.ts";
import { FMX6_IDS } from "./avl-ids-fmx6.ts";
import type { AvlTable } from "./avl-table.ts";
import { AvlTexts } from "./avl-texts.ts";
import { crc16 } from "./crc16.ts";
import { IBUTTON } from "./text-ids.ts";
import { WireReader } from "./wire-reader.ts";

/** Bytes before the codec id: four zeros and the length; and after the records: the CRC. */
const HEAD_BYTES = 8;
const CRC_BYTES = 4;
const CODEC_8 = 0x08;
const CODEC_8_EXTENDED = 0x8e;
const CODEC_16 = 0x10;
/** Units of a degree in the GPS element. */
const PER_DEGREE = 10_000_000;
/** Widths of the four groups of IO elements that hold numbers, bytes. */
const WIDTHS = [1, 2, 4, 8] as const;

/**
 * Teltonika Codec 8, Codec 8 Extended and Codec 16, one whole AVL packet as it comes over TCP or as the payload
 * of an MQTT message (wiki.teltonika-gps.com, "Codec"). Records stay in the order of the packet: newest
 * first or not.
 */
export const teltonikaCodec8: Decoder = {
  name: "teltonika-codec8",
  topicFormat: "teltonika-codec8",
  decode(payload, { options }) {
    const wire = openPacket(payload);
    const codec = wire.u8();
    if (codec !== CODEC_8 && codec !== CODEC_8_EXTENDED && codec !== CODEC_16) {
      throw failure(`codec 0x${codec.toString(16)}; 0x8, 0x8e and 0x10 are understood`);
    }
    const count = wire.u8();
    if (count === 0) throw failure("0 records; 1 to 255 are allowed");
    const records = new RecordReader(wire, codec, avlTable(options));
    const readings: DecodedReading[] = [];
    const refusals = new Refusals<Uint8Array>();
    for (let i = 0; i < count; i += 1) {
      const start = wire.at;
      const reading = records.read(count === 1 ? "" : WHERE[i]);
      if (!(reading instanceof DomainError)) readings.push(reading);
      else refusals.note(payload.subarray(start, wire.at), reading);
    }
    const again = wire.u8();
    if (again !== count) throw failure(`${count} records at the start and ${again} at the end`);
    if (wire.at !== wire.end) throw failure(`${wire.end - wire.at} bytes after the records`);
    const { ignored, notices } = records;
    const message = { readings, notices, ignored } satisfies DecodedMessage;
    return refusals.finish(message, (parts) => packetOf(codec, parts));
  },
};

/** The ids of the family that the asset's tracker is of. */
export const avlTable = (options: DecoderOptions | undefined): AvlTable =>
  options?.teltonika_ids === "fmx6" ? FMX6_IDS : FMB_IDS;

const WHERE = Array.from({ length: 255 }, (_, i) => `record ${i}`);

/** A packet of records as they are on the wire. */
function packetOf(codec: number, records: readonly Uint8Array[]): Uint8Array {
  const count = Buffer.of(records.length);
  const data = Buffer.concat([Buffer.of(codec), count, ...records, count]);
  const packet = Buffer.alloc(HEAD_BYTES + data.length + CRC_BYTES);
  packet.writeUInt32BE(data.length, 4);
  data.copy(packet, HEAD_BYTES);
  packet.writeUInt32BE(crc16(data, 0, data.length), HEAD_BYTES + data.length);
  return packet;
}

/** Checks preamble, length and CRC; yields a reader of what the CRC protects. */
function openPacket(payload: Uint8Array): WireReader {
  const { byteLength } = payload;
  const least = HEAD_BYTES + 3 + CRC_BYTES;
  if (byteLength < least) throw failure(`${byteLength} bytes; a packet has ${least} or more`);
  const wire = new WireReader(payload);
  if (wire.u32() !== 0) throw failure("does not start with four zero bytes");
  const length = wire.u32();
  const end = byteLength - CRC_BYTES;
  if (length !== end - HEAD_BYTES) {
    throw failure(`length ${length} with ${end - HEAD_BYTES} bytes of data`);
  }
  wire.at = end;
  const given = wire.u32();
  const reckoned = crc16(payload, HEAD_BYTES, end);
  if (given !== reckoned) {
    throw failure(`CRC ${given.toString(16)} where the data have ${reckoned.toString(16)}`);
  }
  wire.at = HEAD_BYTES;
  wire.end = end;
  return wire;
}

/** Reads the records of one packet, one after the other. */
class RecordReader {
  /** IO elements that hold no number, or one that is not kept. */
  ignored = 0;
  /** Made when the first text comes: a tenth of the time of a record without one. */
  #texts: AvlTexts | undefined;
  /** Of the record that is read. */
  #timeMs = 0;
  readonly #wire: WireReader;
  readonly #ids: AvlTable;
  /** Codec 8 Extended has ids and counts of two bytes, Codec 16 only ids. */
  readonly #isExtended: boolean;
  readonly #isCodec16: boolean;
  readonly #isWideId: boolean;

  constructor(wire: WireReader, codec: number, ids: AvlTable) {
    this.#wire = wire;
    this.#ids = ids;
    this.#isExtended = codec === CODEC_8_EXTENDED;
    this.#isCodec16 = codec === CODEC_16;
    this.#isWideId = this.#isExtended || this.#isCodec16;
  }

  get notices(): readonly DeviceNotice[] {
    return this.#texts?.notices() ?? [];
  }

  /** The next record, or why it is refused; what is behind it can be read all the same. */
  read(where: string | undefined): DecodedReading | DomainError {
    const wire = this.#wire;
    const fields = new FieldSet(where);
    const deviceTimeMs = wire.u64();
    const priority = wire.u8();
    const longitude = wire.i32() / PER_DEGREE;
    const latitude = wire.i32() / PER_DEGREE;
    const altitude = wire.i16();
    const angle = wire.u16();
    const satellites = wire.u8();
    const speed = wire.u16();
    const fix = { latitude, longitude, altitude, angle, satellites, speed };
    let hasFix: boolean;
    try {
      hasFix = setFix(fields, fix);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.#skipElements();
      return error;
    }
    const event = this.#id();
    // Low priority and "no event, but the time came" are what nearly every record says.
    if (priority !== 0) fields.keep("priority", priority);
    if (event !== 0) fields.keep("event_avl_id", event);
    const avl = new AvlFields(fields, hasFix);
    this.#timeMs = deviceTimeMs;
    this.#texts?.begin(deviceTimeMs);
    // Why the record was made: on exit, on entrance, on change, periodical ... Without an event it says no more.
    if (this.#isCodec16) {
      const generation = wire.u8();
      if (event !== 0 && !avl.keepSpare("event_generation_type", generation)) this.ignored += 1;
    }
    this.#readElements(avl);
    this.#texts?.end();
    this.ignored += avl.finish();
    return fields.toReading(deviceTimeMs, undefined, this.#texts?.faults);
  }

  /** Passes over what follows the fix of a refused record: who drives is not believed of it either. */
  #skipElements(): void {
    const wire = this.#wire;
    this.#id();
    if (this.#isCodec16) wire.u8();
    this.#count();
    const idBytes = this.#isWideId ? 2 : 1;
    for (const width of WIDTHS) wire.bytes(this.#count() * (idBytes + width));
    if (!this.#isExtended) return;
    for (let left = this.#count(); left > 0; left -= 1) {
      wire.u16();
      wire.bytes(wire.u16());
    }
  }

  #readElements(avl: AvlFields): void {
    const wire = this.#wire;
    const ids = this.#ids;
    const { texts, hasByteTexts } = ids;
    const isWideId = this.#isWideId;
    // The total; the groups say it again, and only they can be right.
    this.#count();
    for (const width of WIDTHS) {
      // Ids of text are one byte or eight wide; the others are numbers, whatever their id.
      const hasTexts = width === 8 || (width === 1 && hasByteTexts);
      for (let left = this.#count(); left > 0; left -= 1) {
        const id = isWideId ? wire.u16() : wire.u8();
        if (hasTexts && texts.has(id)) {
          const said = this.#textsOfRecord();
          if (id === IBUTTON && width === 8) said.takeButton(wire.u32(), wire.u32());
          else said.takePart(id, wire.bytes(width));
          continue;
        }
        const meaning = ids.meaning(id, width);
        avl.take(id, readNumber(wire, width, meaning?.signed === true), meaning);
      }
    }
    if (!this.#isExtended) return;
    for (let left = this.#count(); left > 0; left -= 1) {
      const id = wire.u16();
      if (!this.#textsOfRecord().takeVariable(id, wire.bytes(wire.u16()), avl)) this.ignored += 1;
    }
  }

  #textsOfRecord(): AvlTexts {
    if (this.#texts === undefined) {
      this.#texts = new AvlTexts();
      this.#texts.begin(this.#timeMs);
    }
    return this.#texts;
  }

  #id(): number {
    return this.#isWideId ? this.#wire.u16() : this.#wire.u8();
  }

  #count(): number {
    return this.#isExtended ? this.#wire.u16() : this.#wire.u8();
  }
}

function readNumber(wire: WireReader, width: (typeof WIDTHS)[number], isSigned: boolean): number {
  if (width === 1) return isSigned ? wire.i8() : wire.u8();
  if (width === 2) return isSigned ? wire.i16() : wire.u16();
  if (width === 4) return isSigned ? wire.i32() : wire.u32();
  return wire.u64();
}

function failure(problem: string): DomainError {
  return new DomainError("DECODE_FAILED", problem);
}
