/** A wait that another caller can end. */
export interface WakeablePause {
  /** Resolves after so many ms, or at the next `wake`. One wait at a time. */
  wait(ms: number): Promise<void>;
  /** Ends the wait under way, if there is one. */
  wake(): void;
}

export function createWakeablePause(): WakeablePause {
  let end: () => void = () => undefined;
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    wake: () => end(),
  };
}
