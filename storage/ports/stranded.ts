import type { JournalPosition, JournalRecord } from "../ports.ts";

/** A record in the journal of a node that does not own its shard: the owner is to judge it. */
export interface StrandedRecord extends JournalPosition {
  readonly shard: number;
  /** As journalled by the node that acknowledged it. */
  readonly record: Pick<JournalRecord, "kind" | "body">;
}

/** Records on their way from a node that acknowledged them to the owner of their shard. */
export interface StrandedRecords {
  /** The oldest of these shards, in the order of each journal. */
  ofShards(shards: readonly number[], limit: number): Promise<readonly StrandedRecord[]>;
  /** After the owner has them in its own journal, on disk. */
  delete(records: readonly JournalPosition[]): Promise<void>;
}
