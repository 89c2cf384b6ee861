import { watchSlowness } from "./slowness.ts";

/**
 * Most that a limit is stretched by: beyond it a machine is of no use. Less ends sound tasks on a crowded one,
 * more lets a thread that hangs keep its core longer.
 */
const MAX_SLOWNESS = 30;

/**
 * Calls `onLate` when work that begins now has taken longer than `timeMs` on a machine that gives it a
 * processor whenever it wants one. When the time is up by the clock, it is measured how long threads wait
 * for a processor, and the limit is that much longer: work that is starved is not late, work that hangs is.
 * Returns what ends the limit.
 */
export function startTimeLimit(
  timeMs: number,
  onLate: () => void,
  slownessNow: () => Promise<number> = watchSlowness,
): () => void {
  const startMs = performance.now();
  let isOver = false;
  let timer = setTimeout(check, timeMs);

  function check(): void {
    slownessNow().then((slowness) => {
      if (isOver) return;
      const leftMs = startMs + timeMs * Math.min(slowness, MAX_SLOWNESS) - performance.now();
      if (leftMs <= 0) onLate();
      else timer = setTimeout(check, leftMs);
    }, onLate);
  }

  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
