import { setTimeout as delay } from "node:timers/promises";

/** How much of its time a thread may work. */
interface PaceLimits {
  /** Work that may be done without a rest, ms. */
  readonly burstMs: number;
  /** Part of the time that may be worked for longer than that, above 0 and below 1. */
  readonly share: number;
  /** In ms, as `performance.now`. */
  readonly now?: () => number;
  readonly rest?: (ms: number) => Promise<unknown>;
}

/**
 * Lets work be done at once until there was a burst of it, and then with rests between. Where there are no more cores
 * than threads that want one, a thread that never rests holds up the event loop by up to a tick of the kernel (4 ms),
 * however nice it is: what just began to run is not interrupted.
 */
export function createPace({
  burstMs,
  share,
  now = () => performance.now(),
  rest = delay,
}: PaceLimits): <T>(work: () => Promise<T>) => Promise<T> {
  /** Work of late, ms, of which each ms that passes takes away a `share`. */
  let workedMs = 0;
  let asOfMs = now();

  function pass(): void {
    const nowMs = now();
    workedMs = Math.max(0, workedMs - share * (nowMs - asOfMs));
    asOfMs = nowMs;
  }

  return async (work) => {
    pass();
    if (workedMs > burstMs) await rest((workedMs - burstMs) / share);
    pass();
    const startMs = now();
    try {
      return await work();
    } finally {
      pass();
      workedMs += now() - startMs;
    }
  };
}
