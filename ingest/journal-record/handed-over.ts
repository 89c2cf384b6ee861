import type { JournalPosition, JournalRecord } from "../../storage/ports/journal.ts";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";

/** A record that was acknowledged in another journal or partition, as it lies in the one where it is processed. */
export interface HandedOver {
  /** Kind and body, as they were acknowledged. */
  readonly record: Pick<JournalRecord, "kind" | "body">;
  /** Where it was acknowledged: its name, however often it is handed on. */
  readonly origin: JournalPosition;
}

const writer = new ByteWriter();

/** The journal body of a record that was acknowledged elsewhere; {@link decodeHandedOver} is its inverse. */
export function encodeHandedOver({ origin, record }: HandedOver): Uint8Array {
  writer.begin();
  writer.text(origin.journalId);
  writer.f64(origin.sequence);
  writer.u8(record.kind);
  writer.bytes(record.body);
  return writer.take();
}

export function decodeHandedOver(body: Uint8Array): HandedOver {
  const reader = new ByteReader(body);
  const origin = { journalId: reader.text(), sequence: reader.f64() };
  return { origin, record: { kind: reader.u8(), body: reader.bytes() } };
}
