import type { StrandedRecord } from "../../storage/ports/equipment/stranded.ts";
import type { JournalPosition } from "../../storage/ports/journal.ts";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";

/** A record that another node acknowledged, as it lies in the journal of the owner of its shard. */
export interface HandedOver extends Pick<StrandedRecord, "record"> {
  /** Where it was acknowledged: its name, however often it is handed on. */
  readonly origin: JournalPosition;
}

const writer = new ByteWriter();

/** The journal body of a record that another node acknowledged; {@link decodeHandedOver} is its inverse. */
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
