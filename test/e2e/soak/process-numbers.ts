import { readdir, readFile } from "node:fs/promises";

/** What the kernel says of a process (Linux, proc(5)). */
export interface ProcessNumbers {
  readonly rssBytes: number;
  readonly descriptors: number;
  /** CPU time used since its start, s. */
  readonly cpuS: number;
}

/** Clock ticks a second, as Linux shows them to programs (sysconf(_SC_CLK_TCK)). */
const TICKS_PER_S = 100;

/** @throws ENOENT when the process is gone. */
export async function readProcess(pid: number): Promise<ProcessNumbers> {
  const [status, stat, descriptors] = await Promise.all([
    readFile(`/proc/${pid}/status`, "utf8"),
    readFile(`/proc/${pid}/stat`, "utf8"),
    readdir(`/proc/${pid}/fd`),
  ]);
  const rssKib = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
  // The name in field 2 may hold spaces; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { rssBytes: rssKib * 1024, descriptors: descriptors.length, cpuS: ticks / TICKS_PER_S };
}
