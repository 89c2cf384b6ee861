import { readdir, readFile } from "node:fs/promises";
import { parseProcessStat } from "../../support/process-stat.ts";

/** What the kernel says of a process (Linux, proc(5)). */
export interface ProcessNumbers {
  readonly rssBytes: number;
  readonly descriptors: number;
  /** CPU time used since its start, s. */
  readonly cpuS: number;
}

/** @throws ENOENT when the process is gone. */
export async function readProcess(pid: number): Promise<ProcessNumbers> {
  const [status, stat, descriptors] = await Promise.all([
    readFile(`/proc/${pid}/status`, "utf8"),
    readFile(`/proc/${pid}/stat`, "utf8"),
    readdir(`/proc/${pid}/fd`),
  ]);
  const rssKib = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
  const { cpuS } = parseProcessStat(stat);
  return { rssBytes: rssKib * 1024, descriptors: descriptors.length, cpuS };
}
