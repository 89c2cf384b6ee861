import { FieldReader } from "./field-reader.ts";
import { type FrameReader, PACKET_TYPE } from "./frames.ts";
import { topicFilterProblem } from "./topic-rules.ts";

/** Lowest four bits of PUBREL, SUBSCRIBE and UNSUBSCRIBE (table 2.2). */
const RESERVED = 0b0010;

/**
 * The rule that a packet of a logged-in client violates, for people; `undefined`: it may be sent, and has the
 * form that the standard demands. CONNECT and PUBLISH have readers of their own.
 */
export function frameProblem(frame: FrameReader): string | undefined {
  const { buffer, start, bodyStart, end } = frame;
  const first = buffer[start] ?? 0;
  const flags = first & 0x0f;
  switch (first >> 4) {
    case PACKET_TYPE.puback:
    case PACKET_TYPE.pubrec:
    case PACKET_TYPE.pubcomp:
      return flags === 0
        ? packetIdProblem(frame)
        : "[MQTT-2.2.2-2] flags of PUBACK, PUBREC or PUBCOMP";
    case PACKET_TYPE.pubrel:
      return flags === RESERVED ? packetIdProblem(frame) : "[MQTT-3.6.1-1] flags of PUBREL";
    case PACKET_TYPE.subscribe:
      return flags === RESERVED
        ? subscribeProblem(new FieldReader(buffer, bodyStart, end))
        : "[MQTT-3.8.1-1] flags of SUBSCRIBE";
    case PACKET_TYPE.unsubscribe:
      return flags === RESERVED
        ? unsubscribeProblem(new FieldReader(buffer, bodyStart, end))
        : "[MQTT-3.10.1-1] flags of UNSUBSCRIBE";
    case PACKET_TYPE.pingreq:
      if (flags !== 0) return "[MQTT-2.2.2-2] flags of PINGREQ";
      return bodyStart === end ? undefined : "PINGREQ with a body";
    case PACKET_TYPE.disconnect:
      if (flags !== 0) return "[MQTT-3.14.1-1] flags of DISCONNECT";
      return bodyStart === end ? undefined : "DISCONNECT with a body";
    case PACKET_TYPE.connect:
      return "[MQTT-3.1.0-2] a second CONNECT";
    default:
      return "a packet type that is reserved or that only servers send";
  }
}

/** The packet identifier that an acknowledgement carries; only of well-formed packets. */
export function packetIdOf({ buffer, bodyStart }: FrameReader): number {
  return buffer.readUInt16BE(bodyStart);
}

/** A body is a packet identifier and nothing else. */
function packetIdProblem(frame: FrameReader): string | undefined {
  if (frame.end - frame.bodyStart !== 2) return "an acknowledgement is not 2 bytes long";
  return packetIdOf(frame) === 0 ? "[MQTT-2.3.1-1] packet identifier 0" : undefined;
}

function subscribeProblem(reader: FieldReader): string | undefined {
  if (reader.u16("packet identifier") === 0 && !reader.isBroken) {
    return "[MQTT-2.3.1-1] packet identifier 0";
  }
  if (reader.isAtEnd) return "[MQTT-3.8.3-3] SUBSCRIBE without a topic filter";
  while (!reader.isAtEnd && !reader.isBroken) {
    // [MQTT-3.8.3-1]
    const filter = reader.text("topic filter");
    const qos = reader.u8("QoS of a topic filter");
    if (reader.isBroken) break;
    const problem = topicFilterProblem(filter);
    if (problem !== undefined) return problem;
    if (qos > 2) return "[MQTT-3.8.3-4] QoS above 2 or reserved bits in SUBSCRIBE";
  }
  return reader.problem;
}

function unsubscribeProblem(reader: FieldReader): string | undefined {
  if (reader.u16("packet identifier") === 0 && !reader.isBroken) {
    return "[MQTT-2.3.1-1] packet identifier 0";
  }
  if (reader.isAtEnd) return "[MQTT-3.10.3-2] UNSUBSCRIBE without a topic filter";
  while (!reader.isAtEnd && !reader.isBroken) {
    // [MQTT-3.10.3-1]
    const filter = reader.text("topic filter");
    const problem = reader.isBroken ? undefined : topicFilterProblem(filter);
    if (problem !== undefined) return problem;
  }
  return reader.problem;
}
