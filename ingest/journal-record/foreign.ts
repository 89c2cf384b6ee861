import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { readHeader, type Subject, writeHeader } from "./header.ts";

/**
 * Publishes outside the device's own topics; their payloads are not kept. `receivedAtMs`: of the first of
 * them.
 */
export interface ForeignPublish extends Subject {
  /** The topic of the first of them. */
  readonly topic: string;
  /** How many were dropped since the last record about this asset; 1 or more. */
  readonly count: number;
}

/** They are one message of nobody. */
const NO_ORIGIN = { clientHash: 0, packetId: 0, payloadHash: 0 };

const writer = new ByteWriter();

/** The journal body of publishes outside the device's own topics; {@link decodeForeign} is its inverse. */
export function encodeForeign(publish: ForeignPublish): Uint8Array {
  writer.begin();
  writeHeader(writer, publish, NO_ORIGIN);
  writer.text(publish.topic);
  writer.u32(Math.min(publish.count, 0xffff_ffff));
  return writer.take();
}

export function decodeForeign(body: Uint8Array): ForeignPublish {
  const reader = new ByteReader(body);
  const { subject } = readHeader(reader);
  const topic = reader.text();
  // Records of older versions count one publish each, and end here.
  const count = reader.isAtEnd ? 1 : reader.u32();
  return { ...subject, topic, count };
}
