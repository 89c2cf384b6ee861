import type { Stores } from "../storage/open.ts";
import { BrokerIngest } from "./ingest/broker-ingest.ts";
import { startCommands } from "./ingest/commands.ts";
import { NodeIngest } from "./ingest/ingest-node.ts";
import { JournalReaders } from "./ingest/journal-readers.ts";
import type { Common, Ingest, Start } from "./process/common.ts";

/** Starts the readers of the journal, then intake and what brings messages to it. */
export async function startIngest(start: Start, common: Common, stores: Stores): Promise<Ingest> {
  const { journal, nodeId } = stores;
  if (journal.recovery.cutBytes > 0) start.log.warn(journal.recovery, "journal tail was cut");
  // Before anything is taken in: forwarding notes where the journal ends.
  const readers = new JournalReaders(start, common, stores);
  // Beside an external broker it has no connections, and ends the commands whose time is over.
  const commands = await startCommands(start, common);
  return nodeId === undefined
    ? BrokerIngest.start(start, common, stores, { readers, commands })
    : NodeIngest.start(start, common, { ...stores, nodeId }, readers);
}
