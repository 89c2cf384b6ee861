import { spawnSync } from "node:child_process";

/** One finished system call of a trace, in the order in which calls returned. */
export interface TracedCall {
  readonly name: string;
  /** Path or address behind the first argument, as `strace -yy` names it. */
  readonly target: string;
  /** The text of the arguments behind the first one. */
  readonly rest: string;
  readonly result: number;
}

/** Whether this machine lets us trace a process of our own. */
export const canTrace =
  spawnSync("strace", ["-f", "-o", "/dev/null", "true"], { stdio: "ignore" }).status === 0;

const WHOLE = /^(\d+) +(\w+)\(\d+<(.*?)>(.*)\) += (-?\d+)/;
const STARTED = /^(\d+) +(\w+)\(\d+<(.*?)>(.*) <unfinished \.\.\.>$/;
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)\) += (-?\d+)/;

/**
 * Reads what `strace -f -yy` wrote. A call that another thread's call interrupted in the trace is
 * listed where it returned: that is when its effect is known.
 */
export function parseTrace(text: string): readonly TracedCall[] {
  const calls: TracedCall[] = [];
  const started = new Map<string, { readonly target: string; readonly rest: string }>();
  for (const line of text.split("\n")) {
    const begun = STARTED.exec(line);
    if (begun !== null) {
      const [, thread = "", , target = "", rest = ""] = begun;
      started.set(thread, { target, rest });
      continue;
    }
    const resumed = RESUMED.exec(line);
    if (resumed !== null) {
      const [, thread = "", name = "", more = "", result] = resumed;
      const call = started.get(thread);
      if (call === undefined) continue;
      calls.push({ name, target: call.target, rest: call.rest + more, result: Number(result) });
      continue;
    }
    const whole = WHOLE.exec(line);
    if (whole === null) continue;
    const [, , name = "", target = "", rest = "", result] = whole;
    calls.push({ name, target, rest, result: Number(result) });
  }
  return calls;
}
