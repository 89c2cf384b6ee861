import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { CLI_PROGRAM } from "../../support/cli-program.ts";

/** How a run of the command ended, and what it wrote. */
export interface CommandRun {
  /** `null`: it was killed. */
  readonly code: number | null;
  readonly output: readonly string[];
}

/** Runs `plumbline migrate-data`; `killAt`: SIGKILL as soon as it writes a line that begins so. */
export function migrateData(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  killAt?: string,
): Promise<CommandRun> {
  const child = spawn(process.execPath, [...CLI_PROGRAM, "migrate-data", ...args], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      output.push(line);
      if (killAt !== undefined && line.startsWith(killAt)) child.kill("SIGKILL");
    });
  }
  return new Promise((resolve) => {
    child.once("close", (code) => resolve({ code, output }));
  });
}
