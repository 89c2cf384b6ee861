import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";

/** Who sent a message, so that a resent one is known after a restart too. */
export interface MessageOrigin {
  /** Hash of the MQTT client id, unsigned 32 bits. */
  readonly clientHash: number;
  /** MQTT packet identifier; 0 for QoS 0. */
  readonly packetId: number;
  /** Hash of the whole payload, unsigned 32 bits. */
  readonly payloadHash: number;
}

/** The origin of a part of a message by which the message is not to be known again. */
export const unnumbered = ({ clientHash, payloadHash }: MessageOrigin): MessageOrigin => ({
  clientHash,
  packetId: 0,
  payloadHash,
});

/** Who and when: the same for every kind that concerns one asset. */
export interface Subject {
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  readonly receivedAtMs: number;
}

/** Writes them in front of what the kind itself has; {@link readHeader} is its inverse. */
export function writeHeader(writer: ByteWriter, subject: Subject, origin: MessageOrigin): void {
  writer.text(subject.assetId);
  writer.text(subject.projectId);
  writer.f64(subject.receivedAtMs);
  writer.u32(origin.clientHash);
  writer.u16(origin.packetId);
  writer.u32(origin.payloadHash);
}

export function readHeader(reader: ByteReader): {
  readonly subject: Subject;
  readonly origin: MessageOrigin;
} {
  const subject = {
    assetId: reader.text() as AssetId,
    projectId: reader.text() as ProjectId,
    receivedAtMs: reader.f64(),
  };
  const origin = {
    clientHash: reader.u32(),
    packetId: reader.u16(),
    payloadHash: reader.u32(),
  };
  return { subject, origin };
}

/** The project of a record's body, of any kind that concerns one: all begin with asset and project. */
export function projectOf(body: Uint8Array): ProjectId {
  const reader = new ByteReader(body);
  reader.text();
  return reader.text() as ProjectId;
}
