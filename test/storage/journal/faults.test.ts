import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Journal, JournalState } from "../../../storage/ports/journal.ts";
import { errorWithCode, type FaultyFiles, faultyFiles } from "../../support/faulty-files.ts";
import {
  append,
  appendEach,
  appendTogether,
  bodyOf,
  openSmall,
  range,
  readAll,
  recordRanges,
  segmentFiles,
  sequencesOf,
  TIME_MS,
} from "../../support/journal.ts";
import { PATIENT_MS } from "../../support/patience.ts";

/** The journal tries again every 50 ms here, not every second. */
const RETRY_MS = 50;
const HEALED = { timeout: PATIENT_MS, interval: 10 };

let dir: string;
let files: FaultyFiles;
let journal: Journal;
let states: JournalState[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "journal-faults-"));
  files = faultyFiles();
  await open();
});

afterEach(async () => {
  files.syncError = undefined;
  files.writeError = undefined;
  await journal.close();
  await rm(dir, { recursive: true, force: true });
});

async function open(minFreeBytes = 0): Promise<void> {
  journal = await openSmall(dir, { minFreeBytes }, { files, retryMs: RETRY_MS });
  states = [];
  journal.onState((state) => states.push(state));
}

/** Appends `count` records at once; what each `done` was called with, in the order of the calls. */
function answers(count: number): Promise<readonly (string | number)[]> {
  return new Promise((resolve) => {
    const given: (string | number)[] = [];
    for (let i = 0; i < count; i++) {
      journal.append(1, TIME_MS, bodyOf(journal.syncedSequence + 1 + i), (error) => {
        given.push(error === undefined ? i : `${i} ${(error as { code?: string }).code}`);
        if (given.length === count) resolve(given);
      });
    }
  });
}

async function expectWhole(last: number): Promise<void> {
  expect(sequencesOf(await readAll(journal))).toEqual(range(1, last));
  await journal.close();
  await open();
  expect(journal.recovery).toMatchObject({ cutBytes: 0, holes: [], setAside: [], records: last });
  const records = await readAll(journal);
  expect(records.map((r) => [r.sequence, r.body])).toEqual(
    range(1, last).map((n) => [n, bodyOf(n)]),
  );
}

describe("a sync that fails", () => {
  it("fails every record of the commit and every queued one once, and takes none until it heals", async () => {
    await appendEach(journal, 5);
    files.syncError = errorWithCode("EIO");
    expect(await answers(3)).toEqual(range(0, 2).map((i) => `${i} STORE_UNAVAILABLE`));
    expect({ state: journal.state, synced: journal.syncedSequence }).toEqual({
      state: "failed",
      synced: 5,
    });
    expect(await answers(2)).toEqual(["0 STORE_UNAVAILABLE", "1 STORE_UNAVAILABLE"]);
    expect(journal.append(1, TIME_MS, bodyOf(1), () => undefined)).toBe(0);
    files.syncError = undefined;
    await vi.waitFor(() => expect(journal.state).toBe("open"), HEALED);
    expect(states).toEqual(["failed", "open"]);
    expect(await append(journal, bodyOf(6))).toBe(6);
    await appendEach(journal, 4);
    await expectWhole(10);
  });

  it("a sync that fails is never followed by another write to the same file", async () => {
    await appendEach(journal, 5);
    const [path = ""] = segmentFiles(dir);
    files.syncError = errorWithCode("EIO");
    await answers(3);
    const failed = readFileSync(path);
    files.syncError = undefined;
    await vi.waitFor(() => expect(journal.state).toBe("open"), HEALED);
    await appendEach(journal, 5);
    expect(readFileSync(path).equals(failed)).toBe(true);
    // The three refused records did reach the file, and their sequences were given out again.
    expect(recordRanges(failed)).toHaveLength(8);
    await expectWhole(10);
  });

  it("a sync that fails leaves nothing to find at the next start, even without a record since", async () => {
    await appendEach(journal, 5);
    files.syncError = errorWithCode("EIO");
    await answers(3);
    files.syncError = undefined;
    await vi.waitFor(() => expect(journal.state).toBe("open"), HEALED);
    await expectWhole(5);
    expect(await append(journal, bodyOf(6))).toBe(6);
  });

  it("a sync that fails stays failed while new segments cannot be synced either", async () => {
    await appendEach(journal, 1);
    files.syncError = errorWithCode("EIO");
    await answers(1);
    await vi.waitFor(() => expect(files.failedSyncs).toBeGreaterThan(4), HEALED);
    expect(states).toEqual(["failed"]);
    files.syncError = undefined;
    await vi.waitFor(() => expect(journal.state).toBe("open"), HEALED);
    expect(await append(journal, bodyOf(2))).toBe(2);
    await expectWhole(2);
  });

  it("while closing fails the queued records and still releases the folder", async () => {
    await appendEach(journal, 2);
    files.syncError = errorWithCode("EIO");
    const given = answers(2);
    await journal.close();
    expect(await given).toEqual(["0 STORE_UNAVAILABLE", "1 STORE_UNAVAILABLE"]);
    files.syncError = undefined;
    await open();
    expect(sequencesOf(await readAll(journal)).slice(0, 2)).toEqual([1, 2]);
  });
});

describe("a full disk", () => {
  it("a full disk found at a write answers JOURNAL_FULL once per record, and goes on by itself", async () => {
    await appendEach(journal, 5);
    files.writeError = errorWithCode("ENOSPC");
    expect(await answers(4)).toEqual(range(0, 3).map((i) => `${i} JOURNAL_FULL`));
    expect(journal.state).toBe("full");
    files.writeError = undefined;
    await vi.waitFor(() => expect(journal.state).toBe("open"), HEALED);
    expect(states).toEqual(["full", "open"]);
    await appendEach(journal, 5);
    await expectWhole(10);
  });

  it("a full disk found by free space below the limit answers JOURNAL_FULL, and goes on in the same segment", async () => {
    await journal.close();
    await open(1_000_000);
    await appendEach(journal, 5);
    files.freeBytes = 999_999;
    // The disk is asked every 250 ms.
    await vi.waitFor(async () => expect(await answers(1)).toEqual(["0 JOURNAL_FULL"]), HEALED);
    const last = journal.syncedSequence;
    expect(await answers(3)).toEqual(range(0, 2).map((i) => `${i} JOURNAL_FULL`));
    expect(journal.stats()).toMatchObject({ freeBytes: 999_999, syncedSequence: last });
    const segments = segmentFiles(dir);
    files.freeBytes = 1_000_000;
    await vi.waitFor(() => expect(journal.state).toBe("open"), HEALED);
    expect(await append(journal, bodyOf(last + 1))).toBe(last + 1);
    expect(segmentFiles(dir)).toEqual(segments);
    await expectWhole(last + 1);
  });

  it("a full disk that has no room for the next segment is full until there is", async () => {
    await journal.close();
    files.freeBytes = 10_000;
    await open(8_000);
    // 4,096 bytes of a new segment would leave less than 8,000: only what is there gets filled.
    await vi.waitFor(async () => {
      await appendTogether(journal, 10).catch(() => undefined);
      expect(journal.state).toBe("full");
    }, HEALED);
    const last = journal.syncedSequence;
    files.freeBytes = 100_000;
    await vi.waitFor(() => expect(journal.state).toBe("open"), HEALED);
    await appendEach(journal, 3);
    await expectWhole(last + 3);
  });

  it("a full disk at the start is said at once, and what is there can be read", async () => {
    await appendEach(journal, 5);
    await journal.close();
    files.freeBytes = 10;
    await open(1_000);
    expect(journal.state).toBe("full");
    expect(sequencesOf(await readAll(journal))).toEqual([1, 2, 3, 4, 5]);
    expect(await answers(2)).toEqual(["0 JOURNAL_FULL", "1 JOURNAL_FULL"]);
  });
});

/** The next error that nobody catches; it does not end the test. */
function nextUncaught(): Promise<unknown> {
  return new Promise((resolve) => {
    const others = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.once("uncaughtException", (error) => {
      for (const other of others) process.on("uncaughtException", other);
      resolve(error);
    });
  });
}

it("the journal keeps calling the other callbacks when one of them throws", async () => {
  const thrown = nextUncaught();
  const bug = new Error("a bug of the caller");
  journal.append(1, TIME_MS, bodyOf(1), () => {
    throw bug;
  });
  expect(await append(journal, bodyOf(2))).toBe(2);
  expect(await thrown).toBe(bug);
  await expectWhole(2);
});

it("the journal keeps calling the other listeners when one of them throws", async () => {
  const thrown = nextUncaught();
  const bug = new Error("a bug of the listener");
  const records: number[] = [];
  journal.onCommit(() => {
    throw bug;
  });
  journal.onCommit((commit) => records.push(commit.records));
  expect(await append(journal, bodyOf(1))).toBe(1);
  expect(records).toEqual([1]);
  expect(await thrown).toBe(bug);
  await expectWhole(1);
});
