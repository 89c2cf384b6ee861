/** A few equal serving places with one queue, first come first served. */
export interface Bays {
  /**
   * Books `serviceMs` from `nowMs` on at the bay that is free first. Calls come in the order of the
   * machines' ticks, which is the same in every run of a seed.
   */
  book(nowMs: number, serviceMs: number): { readonly bay: number; readonly startMs: number };
}

/** Opens `count` bays (at least one). */
export function createBays(count: number): Bays {
  const freeAtMs = new Float64Array(Math.max(1, count));
  return {
    book(nowMs, serviceMs) {
      let bay = 0;
      for (const [i, atMs] of freeAtMs.entries()) {
        if (atMs < (freeAtMs[bay] ?? 0)) bay = i;
      }
      const startMs = Math.max(nowMs, freeAtMs[bay] ?? 0);
      freeAtMs[bay] = startMs + serviceMs;
      return { bay, startMs };
    },
  };
}
