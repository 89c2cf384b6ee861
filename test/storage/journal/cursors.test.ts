import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { Cursors } from "../../../storage/journal/cursors.ts";
import type { Journal } from "../../../storage/ports/journal.ts";
import {
  append,
  appendEach,
  appendTogether,
  bodyOf,
  openSmall,
  range,
  readAll,
  recordRanges,
  sequencesOf,
  usedSegmentFiles,
} from "../../support/journal.ts";
import { PATIENT_MS } from "../../support/patience.ts";

let dir: string;
let journal: Journal;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "journal-cursors-"));
  journal = await openSmall(dir);
});

afterEach(async () => {
  await journal.close();
  await rm(dir, { recursive: true, force: true });
});

async function reopen(options = {}): Promise<void> {
  await journal.close();
  journal = await openSmall(dir, options);
}

function savedCursors(folder: string): unknown {
  return JSON.parse(readFileSync(join(folder, "cursors.json"), "utf8")).cursors;
}

it("a cursor of the journal starts at 0, never goes back, never passes the last synced record, and survives a stop", async () => {
  await appendEach(journal, 10);
  const cursor = journal.cursor("pipeline");
  expect(cursor).toMatchObject({ name: "pipeline", sequence: 0 });
  cursor.advance(7);
  cursor.advance(3);
  cursor.advance(Number.NaN);
  expect(cursor.sequence).toBe(7);
  cursor.advance(99);
  expect(journal.cursor("pipeline").sequence).toBe(10);
  await reopen();
  expect(journal.cursor("pipeline").sequence).toBe(10);
  expect(journal.cursor("telemetry").sequence).toBe(0);
});

it("the journal waits no longer for a reader that is forgotten, after a restart neither", async () => {
  const folder = await mkdtemp(join(tmpdir(), "journal-cursors-"));
  const cursors = await Cursors.load(folder, "journal-a");
  const stays = cursors.cursor("stays", () => 10);
  stays.advance(8);
  cursors.cursor("gone", () => 10);
  await cursors.flush();
  expect(cursors.slowestDurable).toBe(0);
  cursors.forget("gone");
  expect(cursors.slowestDurable).toBe(8);
  stays.advance(9);
  await cursors.flush();
  expect((await Cursors.load(folder, "journal-a")).slowestDurable).toBe(9);
  expect(savedCursors(folder)).toEqual({ stays: 9 });
  await rm(folder, { recursive: true });
});

it("a cursor of the journal is on disk within 1 s of its move", async () => {
  await appendEach(journal, 10);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  journal.cursor("pipeline").advance(6);
  // Half of it is the disk's, which takes as long as it takes here.
  vi.advanceTimersByTime(500);
  vi.useRealTimers();
  await vi.waitFor(() => expect(savedCursors(dir)).toEqual({ pipeline: 6 }), PATIENT_MS);
});

it("a cursor of the journal is after a crash as old as the last write, never newer than was said", async () => {
  await appendEach(journal, 10);
  const cursor = journal.cursor("pipeline");
  cursor.advance(4);
  await vi.waitFor(() => expect(savedCursors(dir)).toEqual({ pipeline: 4 }), PATIENT_MS);
  cursor.advance(9);
  // The folder as a crash at this moment leaves it.
  const copy = await mkdtemp(join(tmpdir(), "journal-crash-"));
  cpSync(dir, copy, { recursive: true, filter: (path) => !path.includes("/lock") });
  const crashed = await openSmall(copy);
  expect(crashed.cursor("pipeline").sequence).toBe(4);
  await crashed.close();
  await rm(copy, { recursive: true });
});

it("a cursor of the journal counts for deletion with what is on disk, not with what was said", async () => {
  const cursors = await Cursors.load(dir, journal.id);
  const cursor = cursors.cursor("pipeline", () => 100);
  cursor.advance(40);
  await cursors.flush();
  cursor.advance(90);
  expect([cursors.slowestDurable, cursors.fastestDurable]).toEqual([40, 40]);
  await cursors.flush();
  expect([cursors.slowestDurable, cursors.fastestDurable]).toEqual([90, 90]);
});

it("the journal keeps every segment without a cursor, or with one that has not moved", async () => {
  await appendTogether(journal, 500);
  const before = usedSegmentFiles(dir);
  journal.cursor("slow");
  journal.cursor("fast").advance(500);
  await vi.waitFor(() => expect(savedCursors(dir)).toEqual({ slow: 0, fast: 500 }), PATIENT_MS);
  await reopen();
  expect(journal.oldestSequence).toBe(1);
  expect(usedSegmentFiles(dir)).toEqual(before);
});

it("the journal lets go of the segments behind the slowest cursor, once that is durable, not of the newest", async () => {
  await appendTogether(journal, 500);
  const counts = usedSegmentFiles(dir).map((path) => recordRanges(readFileSync(path)).length);
  const [first = 0, second = 0, third = 0] = counts;
  journal.cursor("fast").advance(500);
  journal.cursor("slow").advance(first + second + third - 1);
  expect(usedSegmentFiles(dir)).toHaveLength(counts.length);
  await vi.waitFor(() => expect(usedSegmentFiles(dir)).toHaveLength(counts.length - 2), PATIENT_MS);
  expect(savedCursors(dir)).toEqual({ fast: 500, slow: first + second + third - 1 });
  expect(journal.oldestSequence).toBe(first + second + 1);
  expect(sequencesOf(await readAll(journal, 0))).toEqual(range(first + second + 1, 500));
  journal.cursor("slow").advance(500);
  await vi.waitFor(() => expect(usedSegmentFiles(dir)).toHaveLength(1), PATIENT_MS);
  await reopen();
  expect(journal.recovery).toMatchObject({ cutBytes: 0, holes: [] });
  expect(await append(journal, bodyOf(501))).toBe(501);
});

it("the journal keeps passed segments whose newest record is younger than 15 min", async () => {
  await reopen({ keepMs: 15 * 60_000 });
  const nowMs = Date.now();
  const minutesAgo = (minutes: number) => nowMs - minutes * 60_000;
  for (let i = 0; i < 60; i++) await append(journal, bodyOf(i), minutesAgo(20));
  const old = usedSegmentFiles(dir).length;
  for (let i = 0; i < 140; i++) await append(journal, bodyOf(i), minutesAgo(10));
  const all = usedSegmentFiles(dir).length;
  expect(old).toBe(1);
  journal.cursor("pipeline").advance(200);
  await journal.close();
  expect(usedSegmentFiles(dir)).toHaveLength(all);
  // The first segment was topped up with records that are 10 min old, so it stays as well.
  await reopen({ keepMs: 5 * 60_000 });
  journal.cursor("other").advance(200);
  await vi.waitFor(() => expect(usedSegmentFiles(dir)).toHaveLength(1), PATIENT_MS);
});

it("the journal does not keep a segment for years because the clock was once in 2090", async () => {
  await reopen({ keepMs: 15 * 60_000 });
  for (let i = 0; i < 60; i++) await append(journal, bodyOf(i), Date.UTC(2090, 0, 1));
  await appendTogether(journal, 100);
  journal.cursor("pipeline").advance(160);
  await vi.waitFor(() => expect(journal.oldestSequence).toBeGreaterThan(60), PATIENT_MS);
});

it("the journal gives the oldest record to readers of segments that are being deleted", async () => {
  await appendTogether(journal, 500);
  await reopen();
  journal.cursor("pipeline").advance(500);
  const found: number[] = [];
  const read = async () => {
    const [record] = await journal.read(1, { records: 1, bytes: 1 });
    found.push(record?.sequence ?? 0);
  };
  const deadlineMs = performance.now() + PATIENT_MS;
  while (found.at(-1) !== journal.oldestSequence || usedSegmentFiles(dir).length > 1) {
    expect(performance.now()).toBeLessThan(deadlineMs);
    await Promise.all([read(), read(), read(), read()]);
    // Reads from memory do not leave the turn of the event loop; deleting needs the next one.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(found[0]).toBe(1);
  expect(found.at(-1)).toBeGreaterThan(400);
  expect(found).not.toContain(0);
});

it("the journal takes an unreadable cursor file for no cursors", async () => {
  await appendEach(journal, 5);
  journal.cursor("pipeline").advance(5);
  await journal.close();
  writeFileSync(join(dir, "cursors.json"), '{"journal":');
  journal = await openSmall(dir);
  expect(journal.cursor("pipeline").sequence).toBe(0);
  expect(sequencesOf(await readAll(journal))).toEqual([1, 2, 3, 4, 5]);
});
