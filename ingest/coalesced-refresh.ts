/** Looks at what has changed, whoever asks for it and however often. */
export interface CoalescedRefresh {
  /**
   * Looks now; a call during a look is followed by another one, which sees what the call was about.
   * Resolves when no look is owed any more.
   */
  refresh(): Promise<void>;
  /** Resolves when the look that is under way, if any, is over; there is none after it. */
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
    // In the turn of the last look at `isOwed`: a call after it begins anew.
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
