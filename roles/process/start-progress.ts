import type { Logger } from "pino";

/** Where a process is in its start. */
export interface StartProgress {
  /** It begins with that now, for example "opening the stores". */
  begin(step: string): void;
  /** It has started, or failed. */
  end(): void;
}

/**
 * How often a start that takes long says where it is, ms. An ordinary start is shorter and says nothing; a
 * longer pause looks as if it hung.
 */
const LOG_EVERY_MS = 10_000;

/** Logs the progress of a slow start every 10 s, so that it does not look like one that hangs. */
export function logStart(log: Logger, everyMs = LOG_EVERY_MS): StartProgress {
  const startedMs = performance.now();
  let step = "";
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    log.info({ step, seconds }, "still starting");
  }, everyMs);
  timer.unref();
  return {
    begin(next) {
      step = next;
    },
    end: () => clearInterval(timer),
  };
}
