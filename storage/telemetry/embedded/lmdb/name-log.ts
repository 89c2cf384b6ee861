import { appendFileSync, closeSync, fdatasyncSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "../../../disk/crc32.ts";
import type { NumberedKind, NumberedName } from "./catalog.ts";
import { syncFolder } from "./lmdb-file.ts";

const nameLogPath = (dir: string): string => join(dir, "names.log");

/**
 * Adds names to `names.log`, a second copy of the numbers in the catalog: blocks name assets by them, and
 * without them no block could be assigned to its asset. One JSON array a line: kind, number, name, CRC-32.
 */
export function appendNames(dir: string, names: readonly NumberedName[]): void {
  if (names.length === 0) return;
  const handle = openSync(nameLogPath(dir), "a", 0o600);
  try {
    // A line that a crash cut off must not swallow the next one.
    appendFileSync(handle, `\n${names.map(encodeLine).join("\n")}\n`);
    fdatasyncSync(handle);
  } finally {
    closeSync(handle);
  }
  syncFolder(dir);
}

/** What the log holds. */
export interface NameLog {
  readonly names: readonly NumberedName[];
  readonly damagedLines: number;
}

/** The names in the log, and how many of its lines cannot be read. */
export function readNameLog(dir: string): NameLog {
  const byKey = new Map<string, NumberedName>();
  let damagedLines = 0;
  for (const line of readLog(dir).toString("utf8").split("\n")) {
    if (line === "") continue;
    const name = decodeLine(line);
    if (name === undefined) damagedLines += 1;
    else byKey.set(`${name.kind} ${name.number}`, name);
  }
  return { names: [...byKey.values()], damagedLines };
}

/** What is wrong with the log, given the names of the catalog; `undefined`: nothing. It is written before the catalog. */
export function nameLogProblem(log: NameLog, names: readonly NumberedName[]): string | undefined {
  if (log.damagedLines > 0) return `${log.damagedLines} of its lines cannot be read`;
  const lacking = namesNotIn(log, names).length;
  return lacking === 0 ? undefined : `${lacking} names of the catalog are not in it`;
}

/** Adds what the catalog has and the log has not: a folder that is repaired, or a copy. */
export function completeNameLog(dir: string, names: readonly NumberedName[]): void {
  appendNames(dir, namesNotIn(readNameLog(dir), names));
}

function namesNotIn(log: NameLog, names: readonly NumberedName[]): readonly NumberedName[] {
  const textOf = ({ kind, number, name }: NumberedName) => `${kind} ${number} ${name}`;
  const known = new Set(log.names.map(textOf));
  return names.filter((name) => !known.has(textOf(name)));
}

function readLog(dir: string): Buffer {
  try {
    return readFileSync(nameLogPath(dir));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}

function encodeLine({ kind, number, name }: NumberedName): string {
  return JSON.stringify([kind, number, name, crcOf(kind, number, name)]);
}

function decodeLine(line: string): NumberedName | undefined {
  try {
    const [kind, number, name, crc] = JSON.parse(line) as [NumberedKind, number, string, number];
    return crc === crcOf(kind, number, name) ? { kind, number, name } : undefined;
  } catch {
    return undefined;
  }
}

function crcOf(kind: NumberedKind, number: number, name: string): number {
  const bytes = Buffer.from(`${kind} ${number} ${name}`);
  return crc32(bytes, 0, bytes.length, 0);
}
