import type { Appended, FollowedJournal, JournalState, JournalWriter } from "./journal.ts";

/** A record on its way into one partition. */
export interface SharedRecord {
  readonly partition: number;
  /** For people and other readers of the log. */
  readonly key: string;
  readonly kind: number;
  /** Server clock, ms since the Unix epoch. */
  readonly timeMs: number;
  readonly body: Uint8Array;
}

/** One partition: a journal that every process appends to, and that its owner follows. */
export interface PartitionJournal extends FollowedJournal {
  /** Why its end cannot be followed now, or `undefined`. */
  readonly trouble: string | undefined;
  /**
   * Sequence of the last record: none that was acknowledged before the call comes behind it.
   * @throws DomainError `STORE_UNAVAILABLE`.
   */
  end(): Promise<number>;
  /** Reads in flight are refused, and everything after. Stores the places of its cursors. */
  close(): Promise<void>;
}

/** Who works on which partitions. */
export interface PartitionGroup {
  /** Why this process may have no partitions, or `undefined`. */
  readonly trouble: string | undefined;
  /** Lets others have the partitions now; they are to be put in order before. */
  leave(): Promise<void>;
}

/**
 * A journal that several processes share: all append to it, and a group of them shares out its partitions. What
 * was acknowledged survives the loss of a machine.
 */
export interface SharedJournal extends Pick<JournalWriter, "onState" | "onCommit"> {
  /** Of the log: another one when it is made again under its name. */
  readonly id: string;
  /** Those that records can be put into. Their number may rise, and never falls. */
  readonly partitions: number;
  readonly state: JournalState;
  /** Why no records are taken now, or `undefined`. */
  readonly trouble: string | undefined;
  /** As `JournalWriter.append`, for each partition in the order of the calls. */
  append(record: SharedRecord, done: Appended): void;
  /** @throws DomainError `STORE_UNAVAILABLE`. */
  openPartition(partition: number): Promise<PartitionJournal>;
  /**
   * Joins the group of those that work on partitions. `onAssigned` is called with all partitions that are this
   * process's from now on, at each change. It is a hint: commits are fenced by a lease that is seized. A process whose
   * `isAble` says that it cannot work on partitions gets none as long as another one can.
   */
  join(onAssigned: (partitions: readonly number[]) => void, isAble?: () => boolean): PartitionGroup;
  /** Waits a few seconds for acknowledgements. Partitions are to be closed before. */
  close(): Promise<void>;
}
