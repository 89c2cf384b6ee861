/** Looks at what has changed, whoever asks for it and however often. */
export interface Looks {
  /**
   * Looks now; a call during a look is followed by another one, which sees what the call was about.
   * Resolves when no look is owed any more.
   */
  refresh(): Promise<void>;
  /** Resolves when the look that is under way, if any, is over; there is none after it. */
  stop(): Promise<void>;
}

/** `look` never throws, and never runs twice at a time. */
export function oneLookAtATime(look: () => Promise<void>): Looks {
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let isStopped = false;

  async function lookOn(): Promise<void> {
    do {
      lookAgain = false;
      await look();
    } while (lookAgain && !isStopped);
    // In the turn of the last look at `lookAgain`: a call after it begins anew.
    looking = undefined;
  }

  return {
    refresh() {
      if (isStopped) return Promise.resolve();
      lookAgain = true;
      looking ??= lookOn();
      return looking;
    },
    async stop() {
      isStopped = true;
      await looking;
    },
  };
}
