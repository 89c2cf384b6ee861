/** Work that is asked for, and may be asked for while it runs. */
interface Repeated {
  (): void;
  /** Resolves when it does not run. */
  idle(): Promise<void>;
}

/** Work that is not started again while it runs, but once more when it was asked for meanwhile. */
export function oneAtATime(
  work: () => Promise<void>,
  onFailure: (error: unknown) => void,
): Repeated {
  let running: Promise<void> | undefined;
  let isWanted = false;
  async function run(): Promise<void> {
    do {
      isWanted = false;
      // The store may be away: the next time is soon.
      await work().catch(onFailure);
    } while (isWanted);
    running = undefined;
  }
  function ask(): void {
    isWanted = true;
    running ??= run();
  }
  return Object.assign(ask, { idle: async () => await running });
}
