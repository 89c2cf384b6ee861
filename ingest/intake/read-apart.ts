import type { DecodedMessage, Reading } from "../../domain/reading.ts";
import type { JournalledNotice } from "../journal-record/notice-list.ts";
import { ReceiveClock } from "./clock.ts";
import { createCounters, INTAKE_COUNTERS } from "./counters.ts";
import { messageRemarks, withRemarks } from "./reading-remarks.ts";
import { toNotices } from "./to-notices.ts";
import { toReadings } from "./to-readings.ts";

/**
 * Readings and notices of a decoded message that no session brought: a dry run, or a replay from quarantine. It
 * does not count as a message of a device, and its remarks are not held against earlier ones.
 */
export function readApart(
  decoded: DecodedMessage,
  origin: { readonly receivedAtMs: number; readonly payloadHash: number },
  retentionMs: number,
): { readonly readings: readonly Reading[]; readonly notices: readonly JournalledNotice[] } {
  const { receivedAtMs } = origin;
  const counters = createCounters(INTAKE_COUNTERS);
  const remarks = messageRemarks(decoded.readings, undefined, receivedAtMs, retentionMs, counters);
  const said = withRemarks(decoded.notices, remarks);
  const clock = new ReceiveClock();
  return {
    readings: toReadings(decoded.readings, origin, clock, retentionMs, counters),
    notices: toNotices(said, receivedAtMs, retentionMs),
  };
}
