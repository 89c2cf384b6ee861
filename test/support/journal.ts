import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type JournalInternals,
  type JournalOptions,
  openJournal,
} from "../../storage/journal/journal.ts";
import { bytesOf, recordEnd } from "../../storage/journal/record-codec.ts";
import { HEADER_BYTES } from "../../storage/journal/segment-header.ts";
import type { Journal, JournalRecord } from "../../storage/ports/journal.ts";

/** Server clock of the test records, ms since the Unix epoch. */
export const TIME_MS = 1_700_000_000_000;

/** A journal of 4 KiB segments that never finds the disk full and keeps nothing for its age. */
export function openSmall(
  dir: string,
  options: Partial<JournalOptions> = {},
  internals: JournalInternals = {},
): Promise<Journal> {
  return openJournal(
    { dir, segmentBytes: 4_096, minFreeBytes: 0, keepMs: 0, ...options },
    internals,
  );
}

/** A body of `bytes` bytes that depends on `n`. */
export function bodyOf(n: number, bytes = 30): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, i) => (n * 31 + i * 7 + 1) & 255);
}

/** Appends one record; resolves with its sequence when it is on disk. */
export function append(journal: Journal, body: Uint8Array, timeMs = TIME_MS): Promise<number> {
  return new Promise((resolve, reject) => {
    const sequence = journal.append(1, timeMs, body, (error) => {
      if (error === undefined) resolve(sequence);
      else reject(error);
    });
  });
}

/** Appends records one commit each, with bodies `bodyOf(sequence)`. */
export async function appendEach(journal: Journal, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await append(journal, bodyOf(journal.syncedSequence + 1));
}

/** Appends records in one commit, with bodies `bodyOf(sequence)`. */
export async function appendTogether(journal: Journal, count: number): Promise<void> {
  const first = journal.syncedSequence + 1;
  await Promise.all(Array.from({ length: count }, (_, i) => append(journal, bodyOf(first + i))));
}

/** Everything from `from` on. */
export async function readAll(journal: Journal, from = 1): Promise<JournalRecord[]> {
  const all: JournalRecord[] = [];
  let next = from;
  for (;;) {
    const records = await journal.read(next, { records: 7, bytes: 1_000 });
    const last = records.at(-1);
    if (last === undefined) return all;
    all.push(...records);
    next = last.sequence + 1;
  }
}

export function sequencesOf(records: readonly JournalRecord[]): number[] {
  return records.map((record) => record.sequence);
}

/** first, first + 1, ... last. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** Paths of the segment files, oldest first. */
export function segmentFiles(dir: string): string[] {
  const names = readdirSync(dir).filter((name) => /^journal-\d+\.log$/.test(name));
  return names.sort().map((name) => join(dir, name));
}

/** `[start, end)` of every record of a segment file. */
export function recordRanges(file: Uint8Array): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  for (let start = HEADER_BYTES; ; ) {
    const end = recordEnd(bytesOf(file), start, file.length);
    if (end === 0) return ranges;
    ranges.push({ start, end });
    start = end;
  }
}

/** Segment files that hold records; the one made ahead is left out. */
export function usedSegmentFiles(dir: string): string[] {
  return segmentFiles(dir).filter((path) => recordRanges(readFileSync(path)).length > 0);
}

/** Changes a file in place. */
export function tamper(path: string, change: (bytes: Buffer) => Buffer | undefined): void {
  const bytes = readFileSync(path);
  writeFileSync(path, change(bytes) ?? bytes);
}
