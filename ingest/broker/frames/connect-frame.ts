import { FieldReader } from "./field-reader.ts";
import { type FrameReader, PACKET_TYPE } from "./frames.ts";
import { printable } from "./printable.ts";
import { topicNameProblem } from "./topic-rules.ts";

/** Protocol levels by protocol name (section 3.1.2.2); MQIsdp is MQTT 3.1. */
const LEVELS: Readonly<Record<string, number>> = { MQTT: 4, MQIsdp: 3 };
const MQTT_5 = 5;
/** First byte of CONNECT, its flags included [MQTT-2.2.2-2]. */
const CONNECT_BYTE = 0x10;
/** First byte of a TLS record that begins a handshake (RFC 8446, section 5.1). */
const TLS_HANDSHAKE = 0x16;
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

/** A CONNECT that violates the protocol. */
export interface BrokenConnect {
  /** The rule that it violates, for people. */
  readonly problem: string;
  /** As far as they could be read, fit for a log; `undefined`: not that far. */
  readonly clientId: string | undefined;
  readonly username: string | undefined;
}

/** Reads the CONNECT that `frame` is at; its first byte is right. */
export function readConnect(frame: FrameReader): ConnectFrame | BrokenConnect {
  const found = readFrame(frame);
  return typeof found === "string" ? { problem: found, ...namesOf(frame) } : found;
}

/** What is wrong with the first byte that a client sends, for people; `undefined`: it begins a CONNECT. */
export function firstByteProblem(first: number): string | undefined {
  if (first === CONNECT_BYTE) return undefined;
  if (first === TLS_HANDSHAKE) return "[MQTT-3.1.0-1] TLS, on a port without it";
  if (isCapital(first)) return "[MQTT-3.1.0-1] text, such as HTTP";
  return first >> 4 === PACKET_TYPE.connect
    ? "[MQTT-2.2.2-2] flags of CONNECT"
    : "[MQTT-3.1.0-1] the first packet is not CONNECT";
}

const isCapital = (byte: number): boolean => byte >= 0x41 && byte <= 0x5a;

function readFrame(frame: FrameReader): ConnectFrame | string {
  const reader = new FieldReader(frame.buffer, frame.bodyStart, frame.end);
  const known = LEVELS[reader.text("protocol name")];
  const level = reader.u8("protocol level");
  if (reader.problem !== undefined) return reader.problem;
  if (known === undefined) return "[MQTT-3.1.2-1] a protocol name other than MQTT";
  const protocolLevel = level & ~BRIDGE;
  return protocolLevel === known
    ? readKnown(reader, protocolLevel)
    : readUnsupported(reader, protocolLevel);
}

function readKnown(reader: FieldReader, protocolLevel: number): ConnectFrame | string {
  const flags = reader.u8("connect flags");
  const problem = reader.problem ?? flagsProblem(flags);
  if (problem !== undefined) return problem;
  const keepAliveS = reader.u16("keep alive");
  // [MQTT-3.1.3-3], [MQTT-3.1.3-4]
  const clientId = reader.text("client id");
  if ((flags & FLAG.will) !== 0) {
    const topic = reader.bytes("will topic");
    if (reader.problem !== undefined) return reader.problem;
    // [MQTT-3.1.3-10]
    const topicProblem = topicNameProblem(topic);
    if (topicProblem !== undefined) return `${topicProblem} (will)`;
    reader.bytes("will message");
  }
  // [MQTT-3.1.3-11]
  const username = (flags & FLAG.username) !== 0 ? reader.text("user name") : undefined;
  if ((flags & FLAG.password) !== 0) reader.bytes("password");
  if (reader.problem !== undefined) return reader.problem;
  if (!reader.isAtEnd) return "[MQTT-3.1.2-20] CONNECT has more than its flags say";
  const cleanSession = (flags & FLAG.clean) !== 0;
  return { protocolLevel, isSupported: true, cleanSession, keepAliveS, clientId, username };
}

function flagsProblem(flags: number): string | undefined {
  if ((flags & FLAG.reserved) !== 0) return "[MQTT-3.1.2-3] the reserved connect flag is set";
  const willQos = (flags & FLAG.willQos) >> 3;
  if (willQos === 3) return "[MQTT-3.1.2-14] will QoS 3";
  if ((flags & FLAG.will) === 0) {
    // [MQTT-3.1.2-11]
    if (willQos > 0) return "[MQTT-3.1.2-13] will QoS without a will";
    if ((flags & FLAG.willRetain) !== 0) return "[MQTT-3.1.2-15] will retain without a will";
  }
  return (flags & FLAG.username) === 0 && (flags & FLAG.password) !== 0
    ? "[MQTT-3.1.2-22] a password without a user name"
    : undefined;
}

/**
 * The names in a CONNECT that breaks a rule, taken from where the flags put them, so that a person finds the
 * device. They are not proved.
 */
function namesOf(frame: FrameReader): Pick<BrokenConnect, "clientId" | "username"> {
  const none = { clientId: undefined, username: undefined };
  const reader = new FieldReader(frame.buffer, frame.bodyStart, frame.end);
  const level = LEVELS[reader.bytes().toString("latin1")];
  // In an unknown protocol the fields may lie anywhere.
  if ((reader.u8() & ~BRIDGE) !== level) return none;
  const flags = reader.u8();
  reader.u16();
  const clientId = nameOf(reader);
  if ((flags & FLAG.will) !== 0) {
    reader.bytes();
    reader.bytes();
  }
  return { clientId, username: (flags & FLAG.username) !== 0 ? nameOf(reader) : undefined };
}

function nameOf(reader: FieldReader): string | undefined {
  const bytes = reader.bytes();
  return reader.isBroken ? undefined : printable(bytes.toString());
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
