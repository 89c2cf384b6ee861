import { readFile, readlink } from "node:fs/promises";

/**
 * One life of one process. `scope` names the boot and the pid namespace in which `pid` and
 * `startTicks` mean something; it is "" where the system has no `/proc`.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start of the process, clock ticks since boot (`proc(5)`, stat field 22); "" when unknown. */
  readonly startTicks: string;
  readonly scope: string;
}

/** The identity of this process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  const boot = (await readOrEmpty("/proc/sys/kernel/random/boot_id")).trim();
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  const stat = await readStat(process.pid);
  const known = boot !== "" && namespace !== "" && stat !== undefined;
  return {
    pid: process.pid,
    startTicks: known ? stat.startTicks : "",
    scope: known ? `${boot.replaceAll("-", "")}.${namespace.replaceAll(/\D/g, "")}` : "",
  };
}

/**
 * Whether that process still runs. A zombie does not, and a later process with the same pid is another one.
 * Only an identity with a `scope` equal to our own can be checked.
 */
export async function isRunning(identity: ProcessIdentity): Promise<boolean> {
  const stat = await readStat(identity.pid);
  // With hidepid the processes of other users have no readable /proc entry.
  if (stat === undefined) return isSignalable(identity.pid);
  return stat.startTicks === identity.startTicks && stat.state !== "Z" && stat.state !== "X";
}

function isSignalable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function readStat(
  pid: number,
): Promise<{ readonly state: string; readonly startTicks: string } | undefined> {
  const text = await readOrEmpty(`/proc/${pid}/stat`);
  // The command in field 2 may itself hold spaces and parentheses: count from its last one.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const state = fields[0];
  const startTicks = fields[19];
  return text === "" || !state || !startTicks ? undefined : { state, startTicks };
}

function readOrEmpty(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
