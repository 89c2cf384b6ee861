import { readdir, readFile } from "node:fs/promises";

const NS_PER_MS = 1e6;

/**
 * Begins to watch this process's threads; what it returns yields the longest that any of them has been ready to run
 * without a processor since then, ms. 0 where nothing is known: only Linux says so, in `/proc/self/task/*\/schedstat`.
 */
export function watchWaits(): () => Promise<number> {
  const begun = waitsOfThreads();
  return async () => {
    const before = await begun;
    let longestMs = 0;
    for (const [thread, waitedMs] of await waitsOfThreads()) {
      // One that is not in `before` started since.
      longestMs = Math.max(longestMs, waitedMs - (before.get(thread) ?? 0));
    }
    return longestMs;
  };
}

/** How long each thread has waited for a processor since it started, ms. */
async function waitsOfThreads(): Promise<ReadonlyMap<string, number>> {
  const waits = new Map<string, number>();
  const threads = await readdir("/proc/self/task").catch(() => []);
  for (const thread of threads) {
    // A thread may have ended since the folder was read.
    const text = await readFile(`/proc/self/task/${thread}/schedstat`, "utf8").catch(() => "");
    const waitedNs = Number(text.split(" ")[1]);
    if (!Number.isNaN(waitedNs)) waits.set(thread, waitedNs / NS_PER_MS);
  }
  return waits;
}
