import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";

/** One receipt of a command by a device: what it was, and which attempt it said it was, where it says so. */
export interface Receipt {
  /** The command's id, or its text where the protocol has no ids. */
  readonly got: string;
  readonly attempt?: number;
}

/** What a device wrote down, oldest first, across its lives. */
export function readReceipts(file: string): readonly Receipt[] {
  if (!existsSync(file)) return [];
  // A process that was killed may have left half a line.
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line)).filter((entry) => "got" in entry);
}

/** Opens a log whose lines are on disk when `note` returns. */
export function openDeviceLog(file: string): { note(entry: Receipt): void; close(): void } {
  const descriptor = openSync(file, "a");
  return {
    note(entry) {
      writeSync(descriptor, `${JSON.stringify(entry)}\n`);
      fsyncSync(descriptor);
    },
    close: () => closeSync(descriptor),
  };
}

/** Kills the process at a point of its choice, as a power cut would. */
export function dieAt(point: string, number: number): (here: string, at: number) => void {
  return (here, at) => {
    if (here === point && at >= number) process.kill(process.pid, "SIGKILL");
  };
}
