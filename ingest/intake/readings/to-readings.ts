import { LATE_FIELD } from "../../../domain/equipment/lateness.ts";
import type { DecodedReading, Reading } from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import { readingHash } from "../repeats/payload-hash.ts";
import { isPossibleTime, type ReceiveClock } from "./clock.ts";
import type { IntakeCounters } from "./counters.ts";

/**
 * Decides each reading's place in time, once and for all (docs/rules.md#clocks). It is its own time
 * when that is possible, else the receive time, with an impossible time kept as `rawTimeMs`.
 * @throws DomainError `DECODE_FAILED` for a historical reading without a possible time. It has no place
 * in time: when it came is certainly not when it was measured.
 */
export function toReadings(
  decoded: readonly DecodedReading[],
  message: { readonly receivedAtMs: number; readonly payloadHash: number },
  clock: ReceiveClock,
  retentionMs: number,
  counters: IntakeCounters,
): readonly Reading[] {
  return decoded.map((reading, index) => {
    const timeMs = reading.deviceTimeMs;
    const seq = reading.seq ?? -1;
    const payloadHash = readingHash(message.payloadHash, index);
    const { faults } = reading;
    const fields = ownFields(reading.fields);
    if (timeMs !== undefined && isPossibleTime(timeMs, message.receivedAtMs, retentionMs)) {
      const placed: Reading = {
        fixTimeMs: timeMs,
        timeSource: "device",
        rawTimeMs: undefined,
        seq,
        payloadHash,
        fields,
        faults,
      };
      // Nearly every reading has the one shape, without the flag.
      return reading.isHistorical === true ? { ...placed, isHistorical: true } : placed;
    }
    if (reading.isHistorical === true) throw withoutPlace(timeMs);
    if (timeMs === undefined) counters.without_time += 1;
    else counters.impossible_time += 1;
    const { lastMs } = clock;
    const fixTimeMs = clock.next(message.receivedAtMs);
    if (fixTimeMs === lastMs) counters.time_shared += 1;
    return {
      fixTimeMs,
      timeSource: "received",
      rawTimeMs: timeMs,
      seq,
      payloadHash,
      fields,
      faults,
    };
  });
}

/** The name of what only the service knows is not a device's to send: its number is kept as one not believed. */
function ownFields(fields: DecodedReading["fields"]): DecodedReading["fields"] {
  const claimed = fields[LATE_FIELD];
  if (claimed === undefined) return fields;
  const { [LATE_FIELD]: _, ...rest } = fields;
  return { ...rest, [`suspect_${LATE_FIELD}`]: claimed };
}

function withoutPlace(timeMs: number | undefined): DomainError {
  const what = timeMs === undefined ? "has no time" : `has an impossible time (${timeMs} ms)`;
  return new DomainError("DECODE_FAILED", `a historical reading ${what}`);
}
