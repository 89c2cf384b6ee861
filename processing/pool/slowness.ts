import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/**
 * How long the threads are watched, ms: many turns of a busy machine's processors. Less measures a moment, more
 * reacts later.
 */
const WATCH_MS = 500;
/**
 * Least time that the threads together need a processor while watched, ms; below it nothing works. Less takes the
 * noise of idle threads for a measurement, more misses those that wait for most of the time.
 */
const LEAST_WANTED_MS = 50;

/**
 * How many times longer this process's threads take now than they run, by the clock: 1 where each gets a
 * processor whenever it wants one, 20 where they wait for 19 of 20 ms. 1 too where nothing is known (only
 * Linux reports how long a thread waits for a processor, in `/proc/self/task/*\/schedstat`) and where no
 * thread wants one: what hangs does not become quicker by waiting.
 */
export async function watchSlowness(): Promise<number> {
  const before = await timesOfThreads();
  await delay(WATCH_MS, undefined, { ref: false });
  let runMs = 0;
  let waitedMs = 0;
  for (const [thread, after] of await timesOfThreads()) {
    const start = before.get(thread);
    if (start === undefined) continue;
    runMs += after.runMs - start.runMs;
    waitedMs += after.waitedMs - start.waitedMs;
  }
  return runMs > 0 && runMs + waitedMs >= LEAST_WANTED_MS ? (runMs + waitedMs) / runMs : 1;
}

interface ThreadTimes {
  readonly runMs: number;
  /** Ready to run, but without a processor, ms. */
  readonly waitedMs: number;
}

async function timesOfThreads(): Promise<ReadonlyMap<string, ThreadTimes>> {
  const times = new Map<string, ThreadTimes>();
  const threads = await readdir("/proc/self/task").catch(() => []);
  for (const thread of threads) {
    // A thread may have ended since the folder was read.
    const text = await readFile(`/proc/self/task/${thread}/schedstat`, "utf8").catch(() => "");
    const [runNs, waitedNs] = text.split(" ").map(Number);
    if (runNs === undefined || waitedNs === undefined) continue;
    times.set(thread, { runMs: runNs / 1e6, waitedMs: waitedNs / 1e6 });
  }
  return times;
}
