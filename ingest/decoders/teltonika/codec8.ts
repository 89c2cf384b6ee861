import { DomainError } from "../../../domain/errors.ts";
import type { DecodedMessage, DecodedReading } from "../../../domain/reading.ts";
import type { Decoder } from "../decoder.ts";
import { FieldSet } from "../field-set.ts";
import { AvlFields, setFix } from "./avl-fields.ts";
import { avlMeaning } from "./avl-ids.ts";
import { crc16 } from "./crc16.ts";
import { WireReader } from "./wire-reader.ts";

/** Bytes before the codec id: four zeros and the length; and after the records: the CRC. */
const HEAD_BYTES = 8;
const CRC_BYTES = 4;
const CODEC_8 = 0x08;
const CODEC_8_EXTENDED = 0x8e;
/** Units of a degree in the GPS element. */
const PER_DEGREE = 10_000_000;
/** Widths of the four groups of IO elements that hold numbers, bytes. */
const WIDTHS = [1, 2, 4, 8] as const;

/**
 * Teltonika Codec 8 and Codec 8 Extended, one whole AVL packet as it comes over TCP
 * (wiki.teltonika-gps.com, "Codec"). Records stay in the order of the packet: newest first or not.
 */
export const teltonikaCodec8: Decoder = {
  name: "teltonika-codec8",
  topicFormat: "teltonika-codec8",
  decode(payload) {
    const wire = openPacket(payload);
    const codec = wire.u8();
    if (codec !== CODEC_8 && codec !== CODEC_8_EXTENDED) {
      throw failure(`codec 0x${codec.toString(16)}; 0x8 and 0x8e are understood`);
    }
    const count = wire.u8();
    if (count === 0) throw failure("0 records; 1 to 255 are allowed");
    const records = new RecordReader(wire, codec === CODEC_8_EXTENDED);
    const readings: DecodedReading[] = [];
    for (let i = 0; i < count; i += 1) readings.push(records.read(count === 1 ? "" : WHERE[i]));
    const again = wire.u8();
    if (again !== count) throw failure(`${count} records at the start and ${again} at the end`);
    if (wire.at !== wire.end) throw failure(`${wire.end - wire.at} bytes after the records`);
    return { readings, notices: [], ignored: records.ignored } satisfies DecodedMessage;
  },
};

const WHERE = Array.from({ length: 255 }, (_, i) => `record ${i}`);

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
  readonly #wire: WireReader;
  readonly #isExtended: boolean;

  constructor(wire: WireReader, isExtended: boolean) {
    this.#wire = wire;
    this.#isExtended = isExtended;
  }

  read(where: string | undefined): DecodedReading {
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
    const hasFix = setFix(fields, { latitude, longitude, altitude, angle, satellites, speed });
    const event = this.#isExtended ? wire.u16() : wire.u8();
    // Low priority and "no event, but the time came" are what nearly every record says.
    if (priority !== 0) fields.keep("priority", priority);
    if (event !== 0) fields.keep("event_avl_id", event);
    const avl = new AvlFields(fields, hasFix);
    this.#readElements(avl);
    this.ignored += avl.finish();
    return fields.toReading(deviceTimeMs);
  }

  #readElements(avl: AvlFields): void {
    const wire = this.#wire;
    // The total; the groups say it again, and only they can be right.
    this.#count();
    for (const width of WIDTHS) {
      for (let left = this.#count(); left > 0; left -= 1) {
        const id = this.#isExtended ? wire.u16() : wire.u8();
        const meaning = avlMeaning(id, width);
        avl.take(id, readNumber(wire, width, meaning?.signed === true), meaning);
      }
    }
    if (!this.#isExtended) return;
    for (let left = this.#count(); left > 0; left -= 1) {
      wire.skip(2);
      wire.skip(wire.u16());
      this.ignored += 1;
    }
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
