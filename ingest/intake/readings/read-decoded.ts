import type { DecodedMessage, DeviceNotice, Reading } from "../../../domain/equipment/reading.ts";
import { type JournalledNotice, NO_NOTICES } from "../../journal-record/notice-list.ts";
import type { AssetIntake } from "./asset-intake.ts";
import { isPossibleTime } from "./clock.ts";
import type { IntakeCounters } from "./counters.ts";
import { type MessageRemarks, messageRemarks, withRemarks } from "./reading-remarks.ts";
import { toReadings } from "./to-readings.ts";

/** Decides each notice's time, as `toReadings` does for readings: its own when that is possible. */
function toNotices(
  decoded: readonly DeviceNotice[],
  receivedAtMs: number,
  retentionMs: number,
): readonly JournalledNotice[] {
  if (decoded.length === 0) return NO_NOTICES;
  return decoded.map(({ kind, timeMs, data }) =>
    timeMs !== undefined && isPossibleTime(timeMs, receivedAtMs, retentionMs)
      ? { kind, occurredAtMs: timeMs, timeSource: "device", data }
      : { kind, occurredAtMs: receivedAtMs, timeSource: "received", data },
  );
}

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
