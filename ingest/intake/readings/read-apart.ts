import type { DecodedMessage, Reading } from "../../../domain/equipment/reading.ts";
import type { JournalledNotice } from "../../journal-record/notice-list.ts";
import { ReceiveClock } from "./clock.ts";
import { createCounters, INTAKE_COUNTERS } from "./counters.ts";
import { readDecoded } from "./read-decoded.ts";

/**
 * Readings and notices of a decoded message that no session brought: a dry run, or a replay from quarantine. It
 * does not count as a message of a device, and its remarks are not held against earlier ones.
 */
export function readApart(
  decoded: DecodedMessage,
  origin: { readonly receivedAtMs: number; readonly payloadHash: number },
  retentionMs: number,
): { readonly readings: readonly Reading[]; readonly notices: readonly JournalledNotice[] } {
  return readDecoded(
    decoded,
    origin,
    { clock: new ReceiveClock() },
    { retentionMs, counters: createCounters(INTAKE_COUNTERS) },
  );
}
