import { Refusal } from "../errors/refusal.ts";

/** Lets so many pieces of work run at once, first come first served; the others wait. */
export interface Turns {
  /**
   * Runs `work` when it is its turn, unless `signal` fires before.
   * @throws Refusal 503 while too many wait; the signal's reason; what `work` throws
   */
  take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function createTurns(limits: {
  /** In the plural, as `map tiles`. */
  readonly what: string;
  readonly atOnce: number;
  readonly mostWaiting: number;
}): Turns {
  const { what, atOnce, mostWaiting } = limits;
  const waiting = new Set<() => void>();
  let running = 0;

  function beginNext(): void {
    const [next] = waiting;
    if (next === undefined || running >= atOnce) return;
    waiting.delete(next);
    running += 1;
    next();
  }

  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (waiting.size >= mostWaiting) {
      throw new Refusal(503, "unavailable", `${mostWaiting} ${what} are waiting; try again`);
    }
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(begin);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.add(begin);
      beginNext();
    });
  }

  return {
    async take(signal, work) {
      await enter(signal);
      try {
        return await work();
      } finally {
        running -= 1;
        beginNext();
      }
    },
  };
}
