import type { ReadingBatch } from "../../../domain/equipment/reading.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { MINUTE_MS } from "../../../domain/time.ts";
import type { JournalReader } from "../../../storage/ports/journal.ts";
import { decodeRecord } from "../../journal-record/journal-record.ts";
import type { RecentMessages } from "./recent-messages.ts";

/** How far back a resent message is recognised, ms (docs/rules.md#clocks). */
const WINDOW_MS = 10 * MINUTE_MS;
/**
 * Records read at start at most, so that a busy journal delays the start by a second or two. Fewer let a resent
 * message through after a restart.
 */
const MAX_RECORDS = 500_000;
const PAGE = { records: 5_000, bytes: 4 * 1024 * 1024 };

type PastJournal = Pick<JournalReader, "read" | "syncedSequence" | "oldestSequence">;

/**
 * Fills the table of recent messages from the journal's last 10 minutes, at most 500,000 records.
 * Returns the last receive time of each asset that was used as a fix time. Such times may be ahead
 * of the clock, and the next ones must not fall on them.
 */
export async function recallMessages(
  journal: PastJournal,
  recent: RecentMessages,
  nowMs: number,
): Promise<ReadonlyMap<AssetId, number>> {
  const lastReceivedMs = new Map<AssetId, number>();
  const sinceMs = nowMs - WINDOW_MS;
  let from = await firstSequenceSince(journal, sinceMs);
  while (from <= journal.syncedSequence) {
    const records = await journal.read(from, PAGE);
    const last = records.at(-1);
    if (last === undefined) break;
    for (const record of records) {
      const entry = decodeRecord(record);
      if (entry?.type !== "readings" && entry?.type !== "quarantined") continue;
      if (entry.origin.packetId !== 0) recent.add(entry.origin, record.timeMs);
      if (entry.type === "readings") noteReceived(entry.batch, lastReceivedMs);
    }
    from = last.sequence + 1;
  }
  return lastReceivedMs;
}

function noteReceived({ assetId, readings }: ReadingBatch, lastMs: Map<AssetId, number>): void {
  for (const { timeSource, fixTimeMs } of readings) {
    if (timeSource !== "received") continue;
    lastMs.set(assetId, Math.max(fixTimeMs, lastMs.get(assetId) ?? fixTimeMs));
  }
}

/** Binary search for the first record of the window; records are in order of time. */
async function firstSequenceSince(journal: PastJournal, sinceMs: number): Promise<number> {
  let low = Math.max(journal.oldestSequence, journal.syncedSequence - MAX_RECORDS + 1, 1);
  let high = journal.syncedSequence + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [record] = await journal.read(middle, { records: 1, bytes: 1 });
    if (record === undefined) return low;
    if (record.timeMs >= sinceMs) high = middle;
    else low = middle + 1;
  }
  return low;
}
