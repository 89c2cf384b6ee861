import type { DeviceNotice, TimeSource } from "../../domain/equipment/reading.ts";
import type { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";

/**
 * What a device reported beside its readings, as the journal keeps it: the clock decision is never
 * revisited.
 */
export interface JournalledNotice {
  /** As the decoder named it; `string`, because the journal may be of a newer version. */
  readonly kind: string;
  /** Its own time where that is possible, else the receive time; ms since the Unix epoch. */
  readonly occurredAtMs: number;
  readonly timeSource: TimeSource;
  readonly data: DeviceNotice["data"];
}

/** Messages without notices share it. */
export const NO_NOTICES: readonly JournalledNotice[] = [];

/** Writes notices at the end of a record, and nothing for none; {@link readNotices} is its inverse. */
export function writeNotices(writer: ByteWriter, notices: readonly JournalledNotice[]): void {
  if (notices.length === 0) return;
  writer.u16(notices.length);
  for (const { kind, occurredAtMs, timeSource, data } of notices) {
    writer.text(kind);
    writer.u8(timeSource === "received" ? 1 : 0);
    writer.f64(occurredAtMs);
    writer.text(JSON.stringify(data));
  }
}

/** Reads them back; records that were written before notices were kept end here. */
export function readNotices(reader: ByteReader): readonly JournalledNotice[] {
  if (reader.isAtEnd) return NO_NOTICES;
  const notices: JournalledNotice[] = [];
  for (let left = reader.u16(); left > 0; left -= 1) {
    const kind = reader.text();
    const timeSource = reader.u8() === 1 ? "received" : "device";
    const occurredAtMs = reader.f64();
    const data = JSON.parse(reader.text()) as JournalledNotice["data"];
    notices.push({ kind, occurredAtMs, timeSource, data });
  }
  return notices;
}
