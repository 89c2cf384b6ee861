import { watchWaits } from "./thread-waits.ts";

/**
 * Threads are watched from here on, ms, or from a quarter of a shorter limit: most tasks have ended before. More loses
 * waits of the beginning, less reads /proc for tasks that are never late.
 */
const WATCH_AFTER_MS = 1_000;

/**
 * Calls `onLate` when work that begins now has taken longer than `timeMs`, without the time that a thread of this
 * process was ready to run and had no processor: work that is starved, for however long, is not late when it gets one,
 * and work that hangs is late once it has had `timeMs` of one. Returns what ends the limit.
 */
export function startTimeLimit(
  timeMs: number,
  onLate: () => void,
  watch: () => () => Promise<number> = watchWaits,
): () => void {
  const startMs = performance.now();
  let isOver = false;
  let waitedMs = async () => 0;
  let timer = setTimeout(
    () => {
      waitedMs = watch();
      timer = setTimeout(check, startMs + timeMs - performance.now());
    },
    Math.min(WATCH_AFTER_MS, timeMs / 4),
  );

  function check(): void {
    waitedMs().then((waited) => {
      if (isOver) return;
      const leftMs = startMs + timeMs + waited - performance.now();
      if (leftMs <= 0) onLate();
      else timer = setTimeout(check, leftMs);
    }, onLate);
  }

  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
