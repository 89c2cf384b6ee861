import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { type MessageOrigin, readHeader, type Subject, writeHeader } from "./header.ts";

/** A message that no decoder could read. */
export interface QuarantinedMessage extends Subject {
  readonly topic: string;
  readonly format: string;
  readonly reason: string;
  readonly payload: Uint8Array;
}

const writer = new ByteWriter();

/** The journal body of a message that no decoder could read; {@link decodeQuarantined} is its inverse. */
export function encodeQuarantined(message: QuarantinedMessage, origin: MessageOrigin): Uint8Array {
  writer.begin();
  writeHeader(writer, message, origin);
  writer.text(message.topic);
  writer.text(message.format);
  writer.text(message.reason);
  writer.bytes(message.payload);
  return writer.take();
}

export function decodeQuarantined(body: Uint8Array): {
  readonly message: QuarantinedMessage;
  readonly origin: MessageOrigin;
} {
  const reader = new ByteReader(body);
  const { subject, origin } = readHeader(reader);
  const topic = reader.text();
  const format = reader.text();
  const reason = reader.text();
  const payload = reader.bytes();
  return { message: { ...subject, topic, format, reason, payload }, origin };
}
