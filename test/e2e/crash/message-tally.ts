import type { DeviceLog } from "./device.ts";

/** What the oracle found: acknowledged but not stored, stored twice, stored but never sent. */
export interface MessageTally {
  readonly sent: number;
  readonly acked: number;
  readonly stored: number;
  readonly lost: number;
  readonly twice: number;
  readonly invented: number;
}

/** Compares what devices had acknowledged with the message numbers that were read back. */
export function tallyMessages(
  logs: readonly DeviceLog[],
  storedByDevice: ReadonlyMap<string, readonly number[]>,
): MessageTally {
  const tally = { sent: 0, acked: 0, stored: 0, lost: 0, twice: 0, invented: 0 };
  for (const log of logs) {
    const stored = storedByDevice.get(log.id) ?? [];
    const distinct = new Set(stored);
    tally.sent += log.sent;
    tally.acked += log.acked.size;
    tally.stored += distinct.size;
    tally.twice += stored.length - distinct.size;
    for (const number of log.acked) if (!distinct.has(number)) tally.lost += 1;
    for (const number of distinct) if (number < 1 || number > log.sent) tally.invented += 1;
  }
  return tally;
}
