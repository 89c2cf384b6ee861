interface Waiter {
  readonly sequence: number;
  readonly wake: () => void;
}

/** Readers that wait for a record to be synced. */
export class Waiters {
  #waiters: Waiter[] = [];

  /** Resolves on `wake` with that sequence or a later one, or when the signal fires. */
  wait(sequence: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const waiter = { sequence, wake };
      const giveUp = () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        resolve();
      };
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiters.push(waiter);
    });
  }

  wake(syncedSequence: number): void {
    if (this.#waiters.length === 0) return;
    const ready = this.#waiters.filter((waiter) => waiter.sequence <= syncedSequence);
    if (ready.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => waiter.sequence > syncedSequence);
    for (const { wake } of ready) wake();
  }
}
