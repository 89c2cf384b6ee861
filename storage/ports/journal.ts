/** One record of the journal, as it was appended. */
export interface JournalRecord {
  /** 1, 2, 3, ... without gaps (but for `JournalRecovery.holes`) for the life of one journal. */
  readonly sequence: number;
  /** Server clock at append, ms since the Unix epoch. */
  readonly timeMs: number;
  /** What `body` holds, 1 to 255; the journal does not look inside. */
  readonly kind: number;
  readonly body: Uint8Array;
}

/** A place in one particular journal. Sequences of different journals cannot be compared. */
export interface JournalPosition {
  readonly journalId: string;
  /** The last record that was processed; 0 before the first. */
  readonly sequence: number;
}

/** Records that were synced, so perhaps acknowledged, and cannot be read any more; both ends inclusive. */
export interface Hole {
  readonly fromSequence: number;
  readonly toSequence: number;
}

/** What opening found. */
export interface JournalRecovery {
  readonly records: number;
  /** Bytes of a torn or damaged tail that were cut off; 0 after a clean stop. */
  readonly cutBytes: number;
  /** Whether a new journal (with a new id) was created. */
  readonly created: boolean;
  /** Those that not every cursor had passed. Reading goes on behind them. */
  readonly holes?: readonly Hole[];
  /** Those that every cursor had passed: nobody lacks them, but the file is damaged. */
  readonly passedHoles?: readonly Hole[];
  /** Copies of damaged segment files that were made before anything was cut. */
  readonly setAside?: readonly string[];
  /** Small files that could not be used and were made again. */
  readonly remade?: readonly { readonly file: string; readonly problem: string }[];
  /** Newest sequence that the journal knew of; what `passOver` adds lies behind. Absent: the synced one. */
  readonly newestSequence?: number;
}

/** A named reader's durable place. No segment at or after the slowest cursor is deleted. */
export interface JournalCursor {
  readonly name: string;
  /** Last sequence the reader has processed durably; 0 at first. */
  readonly sequence: number;
  /**
   * Says that everything up to `sequence` is durable elsewhere. Never goes back. Written to disk
   * lazily; after a crash the cursor may be older than was said, never newer.
   */
  advance(sequence: number): void;
}

export interface JournalStats {
  readonly bytes: number;
  readonly segments: number;
  readonly syncedSequence: number;
  readonly oldestSequence: number;
  readonly commits: number;
  /** Free bytes of the file system at the last measurement. */
  readonly freeBytes: number;
}

/** `open`: takes records. `full`: too little free disk, tries again by itself. `failed`: an fsync failed. */
export type JournalState = "open" | "full" | "failed";

/** Called exactly once for each record that is appended; see `JournalWriter.append`. */
export type Appended = (error?: Error) => void;

/** One commit: how long it took until it was durable, and its size. */
export interface JournalCommit {
  readonly durationMs: number;
  readonly records: number;
  readonly bytes: number;
}

/** Where records are put. */
export interface JournalWriter {
  readonly state: JournalState;
  /**
   * Queues one record. `done` is called exactly once, for records of one journal in the order of the calls:
   * without argument after the record is durable, else with a `DomainError` `JOURNAL_FULL` or
   * `STORE_UNAVAILABLE`, and then the record is not in the journal. When the journal is not `open`, `done`
   * is called with the error, in a later turn.
   */
  append(kind: number, timeMs: number, body: Uint8Array, done: Appended): void;
  /** Called on every change of `state`. */
  onState(listener: (state: JournalState) => void): void;
  /** Called after every commit. */
  onCommit(listener: (commit: JournalCommit) => void): void;
}

/** What followers read. */
export interface JournalReader {
  /** UUID of this journal; kept in its folder and beside every checkpoint. */
  readonly id: string;
  readonly syncedSequence: number;
  readonly oldestSequence: number;
  /**
   * Synced records from `fromSequence` on, in order, at least one if there is any. Starts at the
   * oldest record when `fromSequence` is older. None, although `syncedSequence` is not before
   * `fromSequence`: the records up to there are gone.
   */
  read(
    fromSequence: number,
    limit: { readonly records: number; readonly bytes: number },
  ): Promise<readonly JournalRecord[]>;
  /** Resolves once `syncedSequence >= sequence`, or when the signal fires. */
  waitFor(sequence: number, signal: AbortSignal): Promise<void>;
}

/** A journal as its followers know it: what they read, where they are, and what opening it found. */
export interface FollowedJournal extends JournalReader, Pick<JournalWriter, "append" | "state"> {
  readonly recovery: JournalRecovery;
  /** Opens (or creates) the durable cursor of that name. */
  cursor(name: string): JournalCursor;
}

/** The write-ahead journal: the point of acknowledgement and the source of every replay. */
export interface Journal extends FollowedJournal, JournalWriter {
  /** As `JournalWriter.append` (durable: `fdatasync` returned), and returns the record's sequence; 0: it is refused. */
  append(kind: number, timeMs: number, body: Uint8Array, done: Appended): number;
  /**
   * States that a store has processed `sequence` of this journal, though the journal may no longer know it:
   * no sequence up to it is ever given out again, else its new record would be taken for the old one. Before
   * the first append; does nothing for a sequence that is known.
   */
  passOver(sequence: number): Promise<void>;
  stats(): JournalStats;
  /** Commits what is queued, then closes. */
  close(): Promise<void>;
}
