#!/usr/bin/env node
import { backup } from "./cli/backup.ts";
import { check } from "./cli/check.ts";
import type { Command } from "./cli/command.ts";
import { migrateData } from "./cli/migrate-data.ts";
import { mosquittoFiles } from "./cli/mosquitto-files.ts";
import { restore } from "./cli/restore.ts";
import { survey } from "./cli/survey.ts";
import { UsageError } from "./cli/usage-error.ts";
import { DomainError } from "./domain/errors.ts";

const COMMANDS: Readonly<Record<string, Command>> = {
  backup,
  restore,
  check,
  "migrate-data": migrateData,
  "mosquitto-files": mosquittoFiles,
  survey,
};

/** Exit status after Ctrl-C, as shells have it. */
const INTERRUPTED = 130;

const write = (line: string): void => void process.stdout.write(`${line}\n`);

function help(): string {
  const texts = Object.values(COMMANDS).map(
    ({ usage, about }) => `  ${usage}\n${about.replaceAll(/^/gm, "      ")}`,
  );
  return `Usage: plumbline COMMAND [options]\n\n${texts.join("\n\n")}`;
}

/** `plumbline COMMAND`: 0 when done, 1 when it failed, 2 for a command line that cannot be meant. */
async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === "help" || name === "--help" || args.includes("--help")) {
    write(help());
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageError(`there is no command "${name}"`);
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    // The first asks the command to end; the second ends the process.
    process.once(signal, () => {
      stopping.abort();
      process.once(signal, () => process.exit(INTERRUPTED));
    });
  }
  try {
    await command.run(args, { signal: stopping.signal, say: write });
    return 0;
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    process.stderr.write("plumbline: stopped\n");
    return INTERRUPTED;
  }
}

main(process.argv.slice(2)).then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    process.stderr.write(`plumbline: ${explain(error)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);

/** What a person can mend is reported in one line; anything else is a bug and shows its stack. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message} (see plumbline --help)`;
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  const isKnown = error instanceof DomainError || "syscall" in error;
  return isKnown ? `${error.message}${cause}` : `${error.stack}${cause}`;
}
