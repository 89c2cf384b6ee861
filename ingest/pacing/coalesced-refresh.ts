/** A refresh that many callers may request, run once at a time. */
export interface CoalescedRefresh {
  /**
   * Refreshes now. A call during a refresh is followed by another one, which sees what the call was
   * about. Resolves when no further refresh is owed.
   */
  refresh(): Promise<void>;
  /** Resolves when the refresh in flight, if any, is over; there is none after it. */
  stop(): Promise<void>;
}

/** `refresh` never throws, and never runs twice at a time. */
export function coalesceRefresh(refresh: () => Promise<void>): CoalescedRefresh {
  let running: Promise<void> | undefined;
  let isOwed = false;
  let isStopped = false;

  async function run(): Promise<void> {
    do {
      isOwed = false;
      await refresh();
    } while (isOwed && !isStopped);
    // In the turn of the last check of `isOwed`: a call after it starts a new run.
    running = undefined;
  }

  return {
    refresh() {
      if (isStopped) return Promise.resolve();
      isOwed = true;
      running ??= run();
      return running;
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
