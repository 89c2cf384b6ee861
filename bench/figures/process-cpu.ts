import { readFileSync } from "node:fs";
import { parseProcessStat } from "../../test/support/process-stat.ts";

/** Processor time that a process took since it started, with all its threads, s; to 10 ms. NaN where there is no /proc. */
export function processCpuS(pid: number): number {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, "latin1")).cpuS;
  } catch {
    return Number.NaN;
  }
}
