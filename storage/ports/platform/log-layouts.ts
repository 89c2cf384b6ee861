import type { Lease } from "./leases.ts";

/** How the projects of a log were, are and will be spread over its partitions, as it is stored. */
export interface StoredLayouts {
  /** How many partitions have projects in each version, the first version first; never fewer than before. */
  readonly partitions: readonly number[];
  /** Time until the newest version is used, ms, by the clock of the database; 0: it is. */
  readonly usedInMs: number;
  /** Partitions of before the newest version that have handed over to it. */
  readonly handedOver: ReadonlySet<number>;
  /** Oldest version by which a process puts records into the log; `undefined`: none has said so lately. */
  readonly oldestWritten: number | undefined;
}

/** What the stages of one partition shared when it was handed over, by name; JSON texts. */
export type HandedOverState = ReadonlyMap<string, string>;

/** The versions of layouts of shared logs, and how far partitions and processes have come with the newest. */
export interface LogLayouts {
  /** Makes version 1 with so many partitions, where the log has none yet; it is used at once. */
  begin(logId: string, partitions: number): Promise<void>;
  read(logId: string): Promise<StoredLayouts>;
  /** Makes a version that is used in `usedInMs`; does nothing where there is one of that number. */
  raise(logId: string, version: number, partitions: number, usedInMs: number): Promise<void>;
  /** Says by which version a process puts records; it is believed for `ttlMs`, by the clock of the database. */
  writes(logId: string, writer: string, version: number, ttlMs: number): Promise<void>;
  /** Says that a process puts no more records. */
  leaves(logId: string, writer: string): Promise<void>;
  /**
   * Stores that a partition goes on by that version, with what was committed as shared under names that begin with
   * `prefix`. After it nothing can be committed for the partition but under `lease` or a later one.
   * @throws DomainError `LEASE_LOST` when the lease is not held.
   */
  handOver(handover: {
    readonly logId: string;
    readonly version: number;
    readonly partition: number;
    readonly prefix: string;
    readonly lease: Lease;
  }): Promise<void>;
  /** What was handed over to that version, of each partition; names are without their prefix. */
  inherited(logId: string, version: number): Promise<readonly HandedOverState[]>;
}
