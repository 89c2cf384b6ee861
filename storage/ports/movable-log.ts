import type { JournalReader } from "./journal.ts";
import type { SharedJournal } from "./shared-journal.ts";

/** One partition as it is read by whoever moves its records. */
export interface PartitionSource extends JournalReader {
  close(): Promise<void>;
}

/** A shared journal that records are moved to or from while nobody works on it. */
export interface MovableLog extends Pick<SharedJournal, "partitions" | "append" | "trouble"> {
  /** Name of the topic. */
  readonly topic: string;
  /** UUID of the topic: another one when a topic of that name is made again. */
  readonly topicId: string;
  /** How many processes work on it now, or did a moment ago. @throws DomainError `STORE_UNAVAILABLE`. */
  members(): Promise<number>;
  /** @throws DomainError `STORE_UNAVAILABLE`. */
  openSource(partition: number): Promise<PartitionSource>;
  close(): Promise<void>;
}
