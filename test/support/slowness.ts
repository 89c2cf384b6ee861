import { startProcessorClock } from "./processor-time.ts";

/** Work that the machine is measured by, ms of processor time. */
const PROBE_MS = 50;

/**
 * How much longer things may take by the clock than on a quiet machine, now. It is 1 where a thread gets a
 * processor whenever it wants one, 19 where it gets one for a tenth of the time. A time that is promised is
 * asserted as `promisedMs * slowness()`: on a quiet machine as it is, on a busy one for the same work.
 */
export function slowness(): number {
  const processorMs = startProcessorClock();
  const startedMs = performance.now();
  while (processorMs() < PROBE_MS) {
    // Nothing but work, which is what is measured.
  }
  const ratio = (performance.now() - startedMs) / processorMs();
  // Twice the excess: the load of the seconds before may have been another one.
  return Math.max(1, 2 * ratio - 1);
}
