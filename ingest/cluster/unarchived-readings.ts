import type { Reading, ReadingBatch } from "../../domain/equipment/reading.ts";
import type { AssetId } from "../../domain/ids.ts";
import type { Journal, JournalPosition } from "../../storage/ports/journal.ts";
import type { MessageOrigin } from "../journal-record/header.ts";
import { acknowledged, decodeRecord } from "../journal-record/journal-record.ts";

const READ = { records: 5_000, bytes: 4 * 1024 * 1024 };
/** What only this node can read yet. */
export interface UnarchivedReadings {
  /** The newest record that was read. */
  readonly toSequence: number;
  /** The reading with the oldest fix of each asset. */
  readonly oldest: ReadonlyMap<AssetId, UnarchivedReading>;
}

interface UnarchivedReading {
  /** Where its record was acknowledged. */
  readonly place: JournalPosition;
  readonly batch: Omit<ReadingBatch, "readings">;
  readonly reading: Reading;
  readonly origin: MessageOrigin;
}

/**
 * Searches what this node has received and not archived yet. The archive may go on meanwhile; the
 * journal drops what is archived.
 */
export async function findUnarchived(
  journal: Pick<Journal, "id" | "read" | "syncedSequence">,
  archivedSequence: number,
): Promise<UnarchivedReadings> {
  const toSequence = journal.syncedSequence;
  const oldest = new Map<AssetId, UnarchivedReading>();
  for (let next = archivedSequence + 1; next <= toSequence; ) {
    const found = await journal.read(next, READ);
    for (const record of found) {
      const entry = decodeRecord(record);
      if (entry?.type !== "readings") continue;
      const { origin } = entry;
      const { readings, ...batch } = entry.batch;
      for (const reading of readings) {
        const known = oldest.get(batch.assetId);
        if (known !== undefined && known.reading.fixTimeMs <= reading.fixTimeMs) continue;
        const place = acknowledged(record, journal.id).origin;
        oldest.set(batch.assetId, { place, batch, reading, origin });
      }
    }
    next = (found.at(-1)?.sequence ?? toSequence) + 1;
  }
  return { toSequence, oldest };
}
