/** A record in the journal of a node that does not own its shard: the owner is to evaluate it. */
export interface StrandedRecord {
  /** Where it was acknowledged. */
  readonly journalId: string;
  readonly sequence: number;
  readonly shard: number;
  /** Kind and body, as journalled by the node that acknowledged it. */
  readonly record: { readonly kind: number; readonly body: Uint8Array };
}

/** Records on their way from a node that acknowledged them to the owner of their shard. */
export interface StrandedRecords {
  /** Puts records aside outside a commit; those that are there already stay as they are. */
  add(records: readonly StrandedRecord[]): Promise<void>;
  /** The oldest of these shards, in the order of each journal. */
  ofShards(shards: readonly number[], limit: number): Promise<readonly StrandedRecord[]>;
  /** After the owner has them in its own journal, on disk. */
  delete(records: readonly Pick<StrandedRecord, "journalId" | "sequence">[]): Promise<void>;
}
