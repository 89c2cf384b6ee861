import { FieldReader } from "./field-reader.ts";
import { type FrameReader, PACKET_TYPE } from "./frames.ts";
import { isTopicFilter } from "./topic-rules.ts";

/** Lowest four bits of PUBREL, SUBSCRIBE and UNSUBSCRIBE (table 2.2). */
const RESERVED = 0b0010;

/**
 * Whether a client may send the packet that `frame` stands on, and it has the form that the standard
 * demands. CONNECT and PUBLISH have readers of their own.
 */
export function isWellFormed(frame: FrameReader): boolean {
  const { buffer, start, bodyStart, end } = frame;
  const first = buffer[start] ?? 0;
  const flags = first & 0x0f;
  switch (first >> 4) {
    case PACKET_TYPE.puback:
    case PACKET_TYPE.pubrec:
    case PACKET_TYPE.pubcomp:
      return flags === 0 && isPacketId(frame);
    case PACKET_TYPE.pubrel:
      // [MQTT-3.6.1-1]
      return flags === RESERVED && isPacketId(frame);
    case PACKET_TYPE.subscribe:
      // [MQTT-3.8.1-1]
      return flags === RESERVED && isSubscribe(new FieldReader(buffer, bodyStart, end));
    case PACKET_TYPE.unsubscribe:
      // [MQTT-3.10.1-1]
      return flags === RESERVED && isUnsubscribe(new FieldReader(buffer, bodyStart, end));
    case PACKET_TYPE.pingreq:
    case PACKET_TYPE.disconnect:
      // [MQTT-2.2.2-2], [MQTT-3.14.1-1]
      return flags === 0 && bodyStart === end;
    default:
      // A second CONNECT [MQTT-3.1.0-2], a packet that only servers send, or a reserved type.
      return false;
  }
}

/** The packet identifier that an acknowledgement carries; only of well-formed packets. */
export function packetIdOf({ buffer, bodyStart }: FrameReader): number {
  return buffer.readUInt16BE(bodyStart);
}

/** A body of a packet identifier and nothing else [MQTT-2.3.1-1]. */
const isPacketId = (frame: FrameReader): boolean =>
  frame.end - frame.bodyStart === 2 && packetIdOf(frame) !== 0;

function isSubscribe(reader: FieldReader): boolean {
  // [MQTT-2.3.1-1]; at least one filter [MQTT-3.8.3-3].
  if (reader.u16() === 0 || reader.isAtEnd) return false;
  while (!reader.isAtEnd && !reader.isBroken) {
    // [MQTT-3.8.3-1]
    if (!isTopicFilter(reader.text())) return false;
    // [MQTT-3.8.3-4]
    if (reader.u8() > 2) return false;
  }
  return !reader.isBroken;
}

function isUnsubscribe(reader: FieldReader): boolean {
  // [MQTT-2.3.1-1]; at least one filter [MQTT-3.10.3-2].
  if (reader.u16() === 0 || reader.isAtEnd) return false;
  while (!reader.isAtEnd && !reader.isBroken) {
    // [MQTT-3.10.3-1]
    if (!isTopicFilter(reader.text())) return false;
  }
  return !reader.isBroken;
}
