import { FieldReader } from "./field-reader.ts";
import { FrameReader } from "./frames.ts";

/** First byte of SUBACK (table 2.2). */
const SUBACK = 0x90;
/** Return code of a filter that was refused (section 3.9.3). */
const REFUSED = 0x80;

/** One filter of a SUBSCRIBE that has a filter more than once. */
interface AskedFilter {
  /** Index among the different filters of the packet, in the order of their first occurrence. */
  readonly distinct: number;
  readonly qos: number;
}

/**
 * The SUBSCRIBE packets of one connection that have a filter more than once and are not yet answered. aedes
 * subscribes to the last of equal filters and answers with one return code for them. The standard demands a
 * return code for each filter [MQTT-3.8.4-5], as if each had come in a SUBSCRIBE of its own [MQTT-3.8.4-4]:
 * the QoS asked for, or refused.
 */
export class RepeatedFilters {
  readonly #askedByPacketId = new Map<number, readonly AskedFilter[]>();

  /** Whether no SUBACK has to be completed. */
  get isEmpty(): boolean {
    return this.#askedByPacketId.size === 0;
  }

  /** Remembers a well-formed SUBSCRIBE if it has a filter more than once. */
  note({ buffer, bodyStart, end }: FrameReader): void {
    const reader = new FieldReader(buffer, bodyStart, end);
    const packetId = reader.u16();
    const indices = new Map<string, number>();
    const asked: AskedFilter[] = [];
    while (!reader.isAtEnd && !reader.isBroken) {
      const filter = reader.text();
      const distinct = indices.get(filter) ?? indices.size;
      indices.set(filter, distinct);
      asked.push({ distinct, qos: reader.u8() });
    }
    if (indices.size < asked.length) this.#askedByPacketId.set(packetId, asked);
    else this.#askedByPacketId.delete(packetId);
  }

  /** Completes the SUBACKs in `sent`, which holds whole packets. */
  complete(sent: Buffer): Buffer {
    const frames = new FrameReader(Number.POSITIVE_INFINITY);
    const parts: Buffer[] = [];
    let written = 0;
    frames.append(sent);
    while (!this.isEmpty && frames.next() === true) {
      const { start, bodyStart, end } = frames;
      if (sent[start] !== SUBACK) continue;
      const packetId = sent.readUInt16BE(bodyStart);
      const asked = this.#askedByPacketId.get(packetId);
      if (asked === undefined) continue;
      this.#askedByPacketId.delete(packetId);
      const granted = sent.subarray(bodyStart + 2, end);
      const codes = asked.map(({ distinct, qos }) =>
        granted[distinct] === REFUSED ? REFUSED : qos,
      );
      parts.push(sent.subarray(written, start), encodeSuback(packetId, codes));
      written = end;
    }
    return Buffer.concat([...parts, sent.subarray(written)]);
  }
}

function encodeSuback(packetId: number, codes: readonly number[]): Buffer {
  const head = [SUBACK];
  // Remaining length: 7 bits a byte, least significant first (section 2.2.3).
  let left = codes.length + 2;
  for (; left > 0x7f; left >>>= 7) head.push((left & 0x7f) | 0x80);
  head.push(left, packetId >> 8, packetId & 0xff);
  return Buffer.from([...head, ...codes]);
}
