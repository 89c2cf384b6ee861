import type { Stores } from "../storage/open.ts";
import { startCommands } from "./ingest/commands.ts";
import { JournalReaders } from "./ingest/journal-readers.ts";
import { SingleIngest } from "./ingest/single-ingest.ts";
import type { Common, Ingest, Start } from "./process/common.ts";

/** Starts the readers of the journal, then intake and what brings messages to it. */
export async function startIngest(start: Start, common: Common, stores: Stores): Promise<Ingest> {
  const { journal } = stores;
  if (journal.recovery.cutBytes > 0) start.log.warn(journal.recovery, "journal tail was cut");
  // Before anything is taken in: forwarding notes where the journal ends.
  const readers = new JournalReaders(start, common, stores);
  const commands = await startCommands(start, common);
  return SingleIngest.start(start, common, stores, { readers, commands });
}
