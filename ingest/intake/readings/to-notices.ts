import type { DeviceNotice } from "../../../domain/equipment/reading.ts";
import { type JournalledNotice, NO_NOTICES } from "../../journal-record/notice-list.ts";
import { isPossibleTime } from "./clock.ts";

/** Decides each notice's time, as `toReadings` does for readings: its own when that is possible. */
export function toNotices(
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
