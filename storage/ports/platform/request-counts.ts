/** Requests of one caller in a clock minute. */
export interface RequestCount {
  readonly requests: number;
  /** End of the minute, seconds since the Unix epoch. */
  readonly endS: number;
  /** Time from the count to that end, ms; both by the clock of the store. */
  readonly leftMs: number;
}

/** Requests per caller and clock minute, over all processes that share the store. */
export interface RequestCounts {
  /**
   * Adds to the counts of the current minute in one step and yields the new ones. The minute is that of the
   * store, so that differing clocks of machines give no caller a second allowance.
   */
  add(requests: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, RequestCount>>;
  /**
   * Forgets a bounded number of callers who have asked nothing for an hour, such as sessions that ended, and yields
   * whether more are left.
   */
  expire(): Promise<boolean>;
}
