/** Ticks a second in /proc, on all Linux that Node runs on. */
const TICKS_PER_S = 100;

/** What `/proc/PID/stat`, or that of a thread, says. */
export interface ProcessStat {
  /** A letter: `R` runs, `S` sleeps, `T` was stopped by a signal. */
  readonly state: string;
  readonly parentPid: number;
  /** User and system time of its own, s. */
  readonly cpuS: number;
  /** The same of its children that ended and were waited for, s. */
  readonly childrenCpuS: number;
  /** From -20 to 19; the nicer leaves the core to others. */
  readonly niceness: number;
}

/** Reads a text of proc_pid_stat(5). Numbers are NaN where it is empty, as of a process that is gone. */
export function parseProcessStat(text: string): ProcessStat {
  // The name, field 2, stands in brackets and may hold anything, brackets too.
  const afterName = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(afterName[number - 3] ?? Number.NaN);
  return {
    state: afterName[0] ?? "",
    parentPid: field(4),
    cpuS: (field(14) + field(15)) / TICKS_PER_S,
    childrenCpuS: (field(16) + field(17)) / TICKS_PER_S,
    niceness: field(19),
  };
}
