/**
 * Pause between lines where a line cannot be overwritten, ms. Shorter fills a log, longer leaves a run without a
 * sign.
 */
const PLAIN_EVERY_MS = 5_000;

/** Shows progress on a stream: one line kept up to date on a terminal, a line every 5 s elsewhere. */
export interface ProgressLine<T> {
  show(progress: T): void;
  /** Writes the last state and ends the line. */
  end(): void;
}

/** Creates the line on a stream such as stderr; `format` makes the text, `nowMs` is the clock. */
export function createProgressLine<T>(
  stream: {
    readonly isTTY?: boolean;
    readonly columns?: number;
    write(text: string): unknown;
  },
  format: (progress: T) => string,
  nowMs: () => number = Date.now,
): ProgressLine<T> {
  let last: T | undefined;
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  let isFresh = false;
  function write(progress: T): void {
    const line = format(progress);
    // A line that wraps cannot be overwritten by a carriage return.
    if (stream.isTTY) stream.write(`\r\x1b[2K${line.slice(0, (stream.columns ?? 80) - 1)}`);
    else stream.write(`${line}\n`);
    writtenAtMs = nowMs();
    isFresh = true;
  }
  return {
    show(progress) {
      last = progress;
      isFresh = false;
      if (stream.isTTY || nowMs() - writtenAtMs >= PLAIN_EVERY_MS) write(progress);
    },
    end() {
      if (last !== undefined && !isFresh) write(last);
      if (stream.isTTY) stream.write("\n");
    },
  };
}
