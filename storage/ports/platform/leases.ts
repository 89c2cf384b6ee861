/** The lease of the only ingest process with a journal of its own on a record store. */
export const ONLY_INGEST = "ingest/only";

/** What one process may do alone, until the lease ends or somebody takes it over. */
export interface Lease {
  /** `partition/{journal}`, `housekeeping`, `ingest/only`. */
  readonly name: string;
  readonly holder: string;
  /** Rises with every `acquire`: who still writes under an older epoch has lost the lease. */
  readonly epoch: number;
}

/**
 * Leases by name, timed by the clock of the database alone, so that differing clocks of machines do no harm.
 * A holder that stops renewing loses its lease `ttlMs` after the last renewal at the earliest.
 *
 * Holding one is a hint, not a lock: a process may be stopped between a check and a write. A write that must
 * not happen under a lost lease checks holder and epoch in its own transaction (`PipelineCommit.leases`).
 */
export interface Leases {
  /**
   * Takes the lease when it is free, has ended, or is the holder's own; its epoch rises in each case.
   * `undefined`: somebody else holds it.
   */
  acquire(name: string, holder: string, ttlMs: number): Promise<Lease | undefined>;
  /**
   * Takes the lease from whoever has it: something else has decided that it is ours, as the group of Kafka's
   * consumers decides about partitions. Waits for commits under the lease that are under way; later ones of the
   * former holder are refused. It does not end by itself: only `seize` gives it to the next.
   */
  seize(name: string, holder: string): Promise<Lease>;
  /**
   * Holds leases for another `ttlMs`, and yields those that are still held under their epoch. One that
   * had ended meanwhile, but that nobody took, is held again.
   */
  renew(leases: readonly Lease[], ttlMs: number): Promise<readonly Lease[]>;
  /** Gives leases up, so that the next `acquire` need not wait. Those lost already are left alone. */
  release(leases: readonly Lease[]): Promise<void>;
  /** Leases in force whose names begin with `prefix`, by name. */
  held(prefix: string): Promise<readonly Lease[]>;
}
