import type { DecodedMessage, Reading } from "../../../domain/equipment/reading.ts";
import type { JournalledNotice } from "../../journal-record/notice-list.ts";
import type { AssetIntake } from "./asset-intake.ts";
import type { IntakeCounters } from "./counters.ts";
import { type MessageRemarks, messageRemarks, withRemarks } from "./reading-remarks.ts";
import { toNotices } from "./to-notices.ts";
import { toReadings } from "./to-readings.ts";

/** What is remembered of an asset: its clock, and, for messages of sessions, the names and remarks so far. */
type Memory = Pick<AssetIntake, "clock"> & Partial<Pick<AssetIntake, "fieldNames" | "remarks">>;

/**
 * Readings and notices of a decoded message as the journal keeps them, and a line for each remark.
 * `retentionMs`: how long readings are kept.
 * @throws DomainError `DECODE_FAILED` for a historical reading without a possible time.
 */
export function readDecoded(
  decoded: DecodedMessage,
  message: { readonly receivedAtMs: number; readonly payloadHash: number },
  { clock, fieldNames, remarks: reported }: Memory,
  { retentionMs, counters }: { readonly retentionMs: number; readonly counters: IntakeCounters },
): {
  readonly readings: readonly Reading[];
  readonly notices: readonly JournalledNotice[];
  readonly lines: MessageRemarks["lines"];
} {
  const { receivedAtMs } = message;
  const named = fieldNames?.take(decoded.readings) ?? decoded.readings;
  const readings = toReadings(named, message, clock, retentionMs, counters);
  const remarks = messageRemarks(named, reported, receivedAtMs, retentionMs, counters);
  const notices = toNotices(withRemarks(decoded.notices, remarks), receivedAtMs, retentionMs);
  return { readings, notices, lines: remarks.lines };
}
