import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The background work that fills the demo's other areas, as a process of the lowest priority. */
export interface DemoAreas {
  /** Ends it now. Safe at any moment: a later start goes on where it stopped. */
  stop(): void;
}

/**
 * Starts it. `onText` gets what is being made, in words for one line; that all is there; or what went wrong.
 */
export function startDemoAreas(
  task: { readonly url: string; readonly key: string; readonly folder: string },
  onText: (text: string) => void,
): DemoAreas {
  const suffix = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const program = fileURLToPath(new URL(`./background.${suffix}`, import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, program], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  lowerPriority(child.pid);
  let isStopped = false;
  let failure = "";
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!isStopped) onText(line);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    failure += text;
  });
  // A program that is gone already takes no task.
  child.stdin.on("error", () => undefined);
  child.stdin.write(`${JSON.stringify(task)}\n`);
  void once(child, "close").then(
    ([code]) => {
      if (isStopped) return;
      const [reason = `exit code ${String(code)}`] = failure.trim().split("\n").slice(-1);
      onText(code === 0 ? "stockpile and building site ready" : `simulated sites: ${reason}`);
    },
    (error: Error) => onText(`simulated sites: ${error.message}`),
  );
  return {
    stop() {
      isStopped = true;
      child.kill("SIGKILL");
    },
  };
}

/** Its threads have the priority that the process has when they begin. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It ended, or the system has no such thing: it works at the usual priority.
  }
}
