import { setImmediate } from "node:timers/promises";

/**
 * Longest time that a reader keeps the event loop to itself, ms. Longer delays every other request, shorter spends
 * time on turns.
 */
const SLICE_MS = 8;

/** Gives the event loop to others from time to time while a large file is read. */
export interface EventLoopPauses {
  /** To be awaited where there is one; `undefined`: the slice of time is not used up yet. */
  due(): Promise<void> | undefined;
}

export function createEventLoopPauses(): EventLoopPauses {
  let sinceMs = performance.now();
  async function pause() {
    await setImmediate();
    sinceMs = performance.now();
  }
  return {
    due: () => (performance.now() - sinceMs < SLICE_MS ? undefined : pause()),
  };
}
