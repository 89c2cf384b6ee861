import { FieldReader } from "./field-reader.ts";
import type { FrameReader } from "./frames.ts";
import { isTopicName } from "./topic-rules.ts";

/** Protocol levels by protocol name (section 3.1.2.2); MQIsdp is MQTT 3.1. */
const LEVELS: Readonly<Record<string, number>> = { MQTT: 4, MQIsdp: 3 };
const MQTT_5 = 5;
/** Set by Mosquitto's bridges on top of the level; other brokers ignore it. */
const BRIDGE = 0x80;
/** Bits of the connect flags (section 3.1.2.3). */
const FLAG = {
  reserved: 0x01,
  clean: 0x02,
  will: 0x04,
  willQos: 0x18,
  willRetain: 0x20,
  password: 0x40,
  username: 0x80,
} as const;

/** What a CONNECT says of the client, apart from its password and its will. */
export interface ConnectFrame {
  /** 4: MQTT 3.1.1, 3: MQTT 3.1, 5: MQTT 5; any other number may be sent. */
  readonly protocolLevel: number;
  /** Whether the server speaks that level; otherwise the rest is as far as it could be read. */
  readonly isSupported: boolean;
  readonly cleanSession: boolean;
  /** 0: none. */
  readonly keepAliveS: number;
  /** May be empty. */
  readonly clientId: string;
  readonly username: string | undefined;
}

/** Reads the CONNECT that `frame` stands on; `undefined`: it violates the protocol. */
export function readConnect(frame: FrameReader): ConnectFrame | undefined {
  // [MQTT-2.2.2-2]
  if (frame.buffer[frame.start] !== 0x10) return undefined;
  const reader = new FieldReader(frame.buffer, frame.bodyStart, frame.end);
  const known = LEVELS[reader.text()];
  const level = reader.u8();
  // [MQTT-3.1.2-1]
  if (known === undefined || reader.isBroken) return undefined;
  const protocolLevel = level & ~BRIDGE;
  return protocolLevel === known
    ? readKnown(reader, protocolLevel)
    : readUnsupported(reader, protocolLevel);
}

function readKnown(reader: FieldReader, protocolLevel: number): ConnectFrame | undefined {
  const flags = reader.u8();
  if (!areFlagsValid(flags)) return undefined;
  const keepAliveS = reader.u16();
  // [MQTT-3.1.3-3], [MQTT-3.1.3-4]
  const clientId = reader.text();
  if ((flags & FLAG.will) !== 0) {
    // [MQTT-3.1.3-10]
    if (!isTopicName(reader.bytes())) return undefined;
    reader.bytes();
  }
  // [MQTT-3.1.3-11]
  const username = (flags & FLAG.username) !== 0 ? reader.text() : undefined;
  if ((flags & FLAG.password) !== 0) reader.bytes();
  if (reader.isBroken || !reader.isAtEnd) return undefined;
  const cleanSession = (flags & FLAG.clean) !== 0;
  return { protocolLevel, isSupported: true, cleanSession, keepAliveS, clientId, username };
}

function areFlagsValid(flags: number): boolean {
  // [MQTT-3.1.2-3]
  if ((flags & FLAG.reserved) !== 0) return false;
  const willQos = (flags & FLAG.willQos) >> 3;
  // [MQTT-3.1.2-14]
  if (willQos === 3) return false;
  // [MQTT-3.1.2-11], [MQTT-3.1.2-13], [MQTT-3.1.2-15]
  const saysMoreOfWill = willQos > 0 || (flags & FLAG.willRetain) !== 0;
  if ((flags & FLAG.will) === 0 && saysMoreOfWill) return false;
  // [MQTT-3.1.2-22]
  return (flags & FLAG.username) !== 0 || (flags & FLAG.password) === 0;
}

/** Names of a client that is refused for its version, so that a log line can name it. */
function readUnsupported(reader: FieldReader, protocolLevel: number): ConnectFrame {
  const refused = { protocolLevel, isSupported: false, cleanSession: true, keepAliveS: 0 };
  if (protocolLevel !== MQTT_5) return { ...refused, clientId: "", username: undefined };
  const flags = reader.u8();
  reader.u16();
  reader.skipProperties();
  const clientId = reader.text();
  if ((flags & FLAG.will) !== 0) {
    reader.skipProperties();
    reader.bytes();
    reader.bytes();
  }
  const username = (flags & FLAG.username) !== 0 ? reader.text() : undefined;
  return { ...refused, clientId, username: reader.isBroken ? undefined : username };
}
