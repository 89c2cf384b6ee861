import { readdir, readFile } from "node:fs/promises";
import { parseProcessStat } from "../../test/support/process-stat.ts";

/** Nanoseconds in a millisecond; what /proc counts in. */
const NS_PER_MS = 1e6;

/** What the threads of a process took since they started, ms. */
export interface ThreadTimes {
  /** Of the event loop. */
  readonly mainMs: number;
  /** That the event loop was ready to run and had no core. */
  readonly mainWaitMs: number;
  /** Of all other threads whose niceness is at most that of the event loop: they take its core from it. */
  readonly rivalsMs: number;
  /** Of the nicer ones. */
  readonly nicerMs: number;
}

/**
 * Processor time of a process by its threads. Linux only. A thread that ended meanwhile is missing, so differences
 * are small by what it took.
 */
export async function threadTimes(pid: number): Promise<ThreadTimes> {
  const sums = { mainMs: 0, mainWaitMs: 0, rivalsMs: 0, nicerMs: 0 };
  const mainNiceness = await nicenessOf(pid, String(pid));
  for (const tid of await readdir(`/proc/${pid}/task`)) {
    const text = await readFile(`/proc/${pid}/task/${tid}/schedstat`, "latin1").catch(
      () => "0 0 0",
    );
    const [ranNs = 0, waitedNs = 0] = text.split(" ").map(Number);
    if (tid === String(pid)) {
      sums.mainMs += ranNs / NS_PER_MS;
      sums.mainWaitMs += waitedNs / NS_PER_MS;
    } else if ((await nicenessOf(pid, tid)) > mainNiceness) sums.nicerMs += ranNs / NS_PER_MS;
    else sums.rivalsMs += ranNs / NS_PER_MS;
  }
  return sums;
}

/** 0 for one that is gone. */
async function nicenessOf(pid: number, tid: string): Promise<number> {
  const stat = await readFile(`/proc/${pid}/task/${tid}/stat`, "latin1").catch(() => "");
  return stat === "" ? 0 : parseProcessStat(stat).niceness;
}
