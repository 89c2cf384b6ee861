import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { journalDamage } from "../../../storage/check/found-damage.ts";
import { bytesOf, encodeRecord, recordSeed } from "../../../storage/journal/record-codec.ts";
import { encodeHeader, HEADER_BYTES } from "../../../storage/journal/segment-header.ts";
import type { Journal, JournalRecord, JournalRecovery } from "../../../storage/ports/journal.ts";
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
  tamper,
  usedSegmentFiles,
} from "../../support/journal.ts";

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "journal-recovery-"));
});

afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

/** Writes a journal and closes it; returns its id. */
async function write(fill: (journal: Journal) => Promise<void>): Promise<string> {
  const journal = await openSmall(dir);
  await fill(journal);
  await journal.close();
  return journal.id;
}

interface Reopened {
  readonly recovery: JournalRecovery;
  readonly found: readonly number[];
  /** Sequence that the next record got. */
  readonly next: number;
}

/** Opens the journal, reads all of it, appends one record, and checks bodies and a second opening. */
async function reopen(): Promise<Reopened> {
  const first = await inspect(async (journal, found) => {
    for (const record of found) expect(record.body).toEqual(bodyOf(record.sequence));
    const next = await append(journal, bodyOf(journal.syncedSequence + 1));
    return { recovery: journal.recovery, found: sequencesOf(found), next };
  });
  await inspect(async (journal, found) => {
    expect(sequencesOf(found)).toEqual([...first.found, first.next]);
    expect(journal.recovery.cutBytes).toBe(0);
  });
  return first;
}

async function inspect<T>(
  read: (journal: Journal, found: readonly JournalRecord[]) => Promise<T>,
): Promise<T> {
  const journal = await openSmall(dir);
  try {
    return await read(journal, await readAll(journal));
  } finally {
    await journal.close();
  }
}

function onlyUsedFile(): string {
  const [path, ...rest] = usedSegmentFiles(dir);
  if (path === undefined || rest.length > 0) throw new Error("not exactly one segment");
  return path;
}

function rangeOf(path: string, index: number): { start: number; end: number } {
  const found = recordRanges(readFileSync(path)).at(index);
  if (found === undefined) throw new Error(`no record ${index}`);
  return found;
}

describe("a torn tail", () => {
  it("a torn tail is cut at each of the 56 bytes of the last of 5 records", async () => {
    await write((journal) => appendEach(journal, 5));
    const path = onlyUsedFile();
    const whole = readFileSync(path);
    const { start, end } = rangeOf(path, 4);
    expect(end - start).toBe(56);
    for (let cut = start; cut < end; cut++) {
      rmSync(join(dir, "cursors.json"), { force: true });
      const torn = Buffer.from(whole).fill(0, cut);
      writeFileSync(path, torn);
      const { recovery, found, next } = await reopen();
      const left = torn.subarray(start).findLastIndex((byte) => byte !== 0) + 1;
      expect({ cut, cutBytes: recovery.cutBytes }).toEqual({ cut, cutBytes: left });
      expect({ found, next }).toEqual({ found: [1, 2, 3, 4], next: 5 });
      expect(recovery).toMatchObject({ records: 4, holes: [], setAside: [] });
    }
  });

  it("a torn tail is cut where the file ends: a segment truncated in the middle of record 4 of 5", async () => {
    await write((journal) => appendEach(journal, 5));
    const path = onlyUsedFile();
    const { start } = rangeOf(path, 3);
    truncateSync(path, start + 20);
    const { recovery, found, next } = await reopen();
    expect(recovery).toMatchObject({ records: 3, cutBytes: 20, holes: [] });
    expect({ found, next }).toEqual({ found: [1, 2, 3], next: 4 });
  });

  it("a torn tail of zeros only says 0 bytes", async () => {
    await write((journal) => appendEach(journal, 5));
    expect(await reopen()).toMatchObject({
      recovery: { records: 5, cutBytes: 0, holes: [], setAside: [] },
      found: [1, 2, 3, 4, 5],
      next: 6,
    });
  });

  it("a torn tail of 300 bytes of noise is zeroed, and said", async () => {
    await write((journal) => appendEach(journal, 5));
    const path = onlyUsedFile();
    const { end } = rangeOf(path, 4);
    tamper(path, (bytes) => bytes.fill(0xa7, end, end + 300));
    const { recovery, found } = await reopen();
    expect(recovery).toMatchObject({ records: 5, cutBytes: 300, holes: [], setAside: [] });
    expect(found).toEqual([1, 2, 3, 4, 5]);
    const after = readFileSync(path);
    expect(after.subarray(end + 56).every((byte) => byte === 0)).toBe(true);
  });

  it("a torn tail does not bring an older, intact record back that lies behind the last one", async () => {
    await write((journal) => appendEach(journal, 5));
    const path = onlyUsedFile();
    const old = rangeOf(path, 1);
    const { end } = rangeOf(path, 4);
    tamper(path, (bytes) => void bytes.copy(bytes, end, old.start, old.end));
    const { recovery, found, next } = await reopen();
    expect(recovery).toMatchObject({ records: 5, cutBytes: 56, holes: [] });
    expect({ found, next }).toEqual({ found: [1, 2, 3, 4, 5], next: 6 });
  });

  it("a torn tail does not take a record that was made without knowing the journal's id", async () => {
    await write((journal) => appendEach(journal, 5));
    const path = onlyUsedFile();
    const { end } = rangeOf(path, 4);
    const forged = bytesOf(new Uint8Array(56));
    encodeRecord(forged, 0, 6, TIME_MS, 1, true, bodyOf(6), recordSeed("another journal"));
    tamper(path, (bytes) => void bytes.set(forged.array, end));
    const { recovery, found } = await reopen();
    expect(recovery).toMatchObject({ records: 5, holes: [], setAside: [] });
    expect(found).toEqual([1, 2, 3, 4, 5]);
  });

  it("a torn tail takes the rest of the last commit along, and keeps a copy as it holds intact records", async () => {
    await write(async (journal) => {
      await appendTogether(journal, 3);
      await appendTogether(journal, 5);
    });
    const path = onlyUsedFile();
    const damaged = rangeOf(path, 4);
    tamper(path, (bytes) => bytes.fill(0, damaged.start, damaged.end));
    const { recovery, found, next } = await reopen();
    expect(recovery).toMatchObject({ records: 4, cutBytes: 4 * 56, holes: [] });
    expect(recovery.setAside).toEqual([`${path}.damaged-4`]);
    expect(recordRanges(readFileSync(`${path}.damaged-4`))).toHaveLength(4);
    expect({ found, next }).toEqual({ found: [1, 2, 3, 4], next: 5 });
  });

  it("a torn tail of the first commit of a new segment goes aside with its file", async () => {
    await write((journal) => appendEach(journal, 80));
    const spare = segmentFiles(dir).at(-1) ?? "";
    tamper(spare, (bytes) => bytes.fill(0x11, 100, 400));
    const { recovery, found } = await reopen();
    expect(recovery).toMatchObject({ records: 80, cutBytes: 400, holes: [] });
    expect(recovery.setAside).toEqual([`${spare}.damaged`]);
    expect(found).toEqual(range(1, 80));
  });
});

describe("damage to synced records", () => {
  it("damage to synced records in the newest segment costs the damaged record only, and is said", async () => {
    await write((journal) => appendEach(journal, 9));
    const path = onlyUsedFile();
    const third = rangeOf(path, 2);
    tamper(
      path,
      (bytes) => void bytes.writeUInt8(bytes.readUInt8(third.start + 30) ^ 4, third.start + 30),
    );
    const { recovery, found, next } = await reopen();
    expect(recovery).toMatchObject({
      records: 8,
      cutBytes: 0,
      holes: [{ fromSequence: 3, toSequence: 3 }],
    });
    expect(recovery.setAside).toHaveLength(1);
    expect({ found, next }).toEqual({ found: [1, 2, 4, 5, 6, 7, 8, 9], next: 10 });
  });

  it("damage to synced records in an older segment leaves all before and behind readable", async () => {
    await write((journal) => appendTogether(journal, 300));
    const [first, second] = usedSegmentFiles(dir);
    const lost = rangeOf(second ?? "", 10);
    tamper(second ?? "", (bytes) => bytes.fill(0, lost.start, lost.start + 90));
    const perSegment = recordRanges(readFileSync(first ?? "")).length;
    const from = perSegment + 11;
    const { recovery, found, next } = await reopen();
    expect(recovery.holes).toEqual([{ fromSequence: from, toSequence: from + 1 }]);
    expect(recovery.setAside).toHaveLength(1);
    expect(found).toEqual([...range(1, from - 1), ...range(from + 2, 300)]);
    expect(next).toBe(301);
  });

  it("damage to synced records at the end of an older segment is a hole up to the next one", async () => {
    await write((journal) => appendTogether(journal, 200));
    const [first] = usedSegmentFiles(dir);
    const count = recordRanges(readFileSync(first ?? "")).length;
    const last = rangeOf(first ?? "", -1);
    tamper(first ?? "", (bytes) => bytes.fill(0, last.start));
    const { recovery, found } = await reopen();
    expect(recovery.holes).toEqual([{ fromSequence: count, toSequence: count }]);
    expect(found).toEqual([...range(1, count - 1), ...range(count + 1, 200)]);
  });

  it("damage to synced records that takes a whole segment away is a hole of its records", async () => {
    await write((journal) => appendTogether(journal, 300));
    const [first, second] = usedSegmentFiles(dir);
    const firstCount = recordRanges(readFileSync(first ?? "")).length;
    const secondCount = recordRanges(readFileSync(second ?? "")).length;
    rmSync(second ?? "");
    const { recovery, found } = await reopen();
    expect(recovery.holes).toEqual([
      { fromSequence: firstCount + 1, toSequence: firstCount + secondCount },
    ]);
    expect(found).toHaveLength(300 - secondCount);
  });

  it("damage to synced records to the oldest header and the record behind it is a hole from the slowest cursor on", async () => {
    await write(async (journal) => {
      await appendEach(journal, 9);
    });
    const path = onlyUsedFile();
    const first = rangeOf(path, 0);
    tamper(path, (bytes) => bytes.fill(0xff, 0, first.end));
    const { recovery, found } = await reopen();
    expect(recovery.holes).toEqual([{ fromSequence: 1, toSequence: 1 }]);
    expect(found).toEqual(range(2, 9));
  });

  it("damage to synced records to the header of any of 4 segments loses nothing, and is said", async () => {
    await write(async (journal) => {
      for (let i = 0; i < 25; i++) await appendTogether(journal, 10);
    });
    const paths = usedSegmentFiles(dir);
    expect(paths).toHaveLength(4);
    for (const path of paths) tamper(path, (bytes) => bytes.fill(0xff, 0, HEADER_BYTES));
    const { recovery, found, next } = await reopen();
    expect(recovery).toMatchObject({ records: 250, cutBytes: 0, holes: [] });
    expect(recovery.setAside).toHaveLength(4);
    expect({ found, next }).toEqual({ found: range(1, 250), next: 251 });
  });

  it("damage to synced records is not said again once every cursor has passed it", async () => {
    await write(async (journal) => {
      await appendEach(journal, 9);
      journal.cursor("pipeline").advance(5);
    });
    const path = onlyUsedFile();
    const third = rangeOf(path, 2);
    tamper(path, (bytes) => bytes.fill(0, third.start, third.end));
    const { recovery, found } = await reopen();
    expect(recovery.holes).toEqual([]);
    expect(found).toEqual([1, 2, 4, 5, 6, 7, 8, 9]);
  });

  it("damage to synced records found while running is JOURNAL_CORRUPT, never a silent gap", async () => {
    await write((journal) => appendEach(journal, 60));
    const journal = await openSmall(dir);
    const path = usedSegmentFiles(dir)[0] ?? "";
    const fifth = rangeOf(path, 4);
    tamper(path, (bytes) => bytes.fill(0x33, fifth.start + 26, fifth.end));
    const before = await journal.read(1, { records: 100, bytes: 100_000 });
    expect(sequencesOf(before)).toEqual([1, 2, 3, 4]);
    await expect(journal.read(5, { records: 1, bytes: 1 })).rejects.toMatchObject({
      code: "JOURNAL_CORRUPT",
    });
    await journal.close();
  });

  it("damage to synced records of any kind at any place never yields a wrong, doubled or reordered record", async () => {
    const fill = async (journal: Journal) => {
      for (let i = 0; i < 12; i++) await appendTogether(journal, 8);
    };
    await write(fill);
    const pristine = segmentFiles(dir).map((path) => ({ path, bytes: readFileSync(path) }));
    const flips = fc.array(fc.record({ file: fc.nat(1), at: fc.nat(4_095), bit: fc.nat(7) }), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(flips, async (changes) => {
        for (const path of segmentFiles(dir)) rmSync(path);
        for (const { path, bytes } of pristine) writeFileSync(path, bytes);
        for (const { file, at, bit } of changes) {
          const path = pristine[file]?.path ?? "";
          tamper(path, (bytes) => void bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at));
        }
        const { recovery, found, next } = await reopen();
        const missing = (recovery.holes ?? []).flatMap((hole) =>
          range(hole.fromSequence, hole.toSequence),
        );
        const last = Math.max(0, ...found, ...missing);
        expect([...found, ...missing].sort((a, b) => a - b)).toEqual(range(1, last));
        expect(next).toBe(last + 1);
        // A bit costs the record it is in. At the end it may cost what follows of its commit, and where
        // it is in a commit's first record, that commit. Nothing else says that the one before was synced.
        expect(found.length).toBeGreaterThanOrEqual(96 - 8 * changes.length);
      }),
      { numRuns: 60 },
    );
  });
});

describe("the folder", () => {
  it("the folder without id and without one readable header becomes a new journal beside the old files", async () => {
    const id = await write((journal) => appendEach(journal, 3));
    const path = onlyUsedFile();
    rmSync(join(dir, "id"));
    tamper(path, (bytes) => bytes.fill(0, 0, HEADER_BYTES));
    const journal = await openSmall(dir);
    expect(journal.id).not.toBe(id);
    expect(journal.recovery).toMatchObject({ created: true, setAside: [`${path}.damaged`] });
    await journal.close();
  });

  it("the folder without its id file takes the id of its segments", async () => {
    const id = await write((journal) => appendEach(journal, 3));
    rmSync(join(dir, "id"));
    const journal = await openSmall(dir);
    expect(journal.id).toBe(id);
    expect(journal.recovery).toMatchObject({ created: false, records: 3 });
    await journal.close();
  });

  it("the folder with a segment of another journal is JOURNAL_CORRUPT, and is free again after", async () => {
    await write((journal) => appendEach(journal, 3));
    writeFileSync(join(dir, "id"), "11111111-2222-4333-8444-555555555555\n");
    await expect(openSmall(dir)).rejects.toMatchObject({ code: "JOURNAL_CORRUPT" });
    await expect(openSmall(dir)).rejects.toMatchObject({ code: "JOURNAL_CORRUPT" });
  });

  it("the folder written by a later format is SCHEMA_TOO_NEW", async () => {
    const journalId = await write((journal) => appendEach(journal, 3));
    const header = encodeHeader({ journalId, ordinal: 1, firstSequence: 1 }, 2);
    tamper(onlyUsedFile(), (bytes) => void bytes.set(header));
    await expect(openSmall(dir)).rejects.toMatchObject({ code: "SCHEMA_TOO_NEW" });
  });

  it("the folder that lost records a cursor had passed goes on behind the cursor, not before", async () => {
    await write(async (journal) => {
      await appendEach(journal, 9);
      journal.cursor("a").advance(9);
      journal.cursor("b").advance(4);
    });
    const path = onlyUsedFile();
    const seventh = rangeOf(path, 6);
    tamper(path, (bytes) => bytes.fill(0, seventh.start));
    const { recovery, found, next } = await reopen();
    expect(recovery.holes).toEqual([{ fromSequence: 7, toSequence: 9 }]);
    expect({ found, next }).toEqual({ found: [1, 2, 3, 4, 5, 6], next: 10 });
  });

  it.each([
    6, 0,
  ])("the folder that keeps %i of 9 records, all of which every cursor had passed, says so", async (kept) => {
    await write(async (journal) => {
      await appendEach(journal, 9);
      journal.cursor("a").advance(9);
    });
    const path = onlyUsedFile();
    truncateSync(path, kept === 0 ? 0 : rangeOf(path, kept).start);
    const { recovery, next } = await reopen();
    const passedHoles = [{ fromSequence: kept + 1, toSequence: 9 }];
    expect({ recovery, next }).toMatchObject({
      recovery: { records: kept, holes: [], passedHoles },
      next: 10,
    });
    const problem = `records ${kept + 1} to 9 are gone; no reader lacks a record`;
    expect(journalDamage({ recovery })).toMatchObject([{ file: "journal", problem }]);
  });

  it("the folder that a store knows more of goes on behind the store's place, once and for all", async () => {
    await write((journal) => appendEach(journal, 5));
    await inspect(async (journal) => {
      expect(journal.recovery.newestSequence).toBe(5);
      await journal.passOver(5);
      await journal.passOver(9);
      await journal.passOver(3);
      expect(journal.syncedSequence).toBe(9);
      expect(await journal.read(6, { records: 10, bytes: 1_000 })).toEqual([]);
      expect(await append(journal, bodyOf(10))).toBe(10);
      expect(sequencesOf(await readAll(journal))).toEqual([1, 2, 3, 4, 5, 10]);
    });
    const { recovery, found, next } = await reopen();
    expect(recovery.holes).toEqual([{ fromSequence: 6, toSequence: 9 }]);
    expect({ found, next }).toEqual({ found: [1, 2, 3, 4, 5, 10], next: 11 });
  });

  it("the folder remembers a store's place without a record behind it", async () => {
    await write(async (journal) => {
      await appendEach(journal, 2);
      await journal.close();
    });
    await inspect((journal) => journal.passOver(7));
    await inspect(async (journal) => expect(await append(journal, bodyOf(8))).toBe(8));
  });

  it("the folder is rid of files that were being made when the process went down", async () => {
    await write((journal) => appendEach(journal, 3));
    writeFileSync(join(dir, "journal-0000000099.log.new"), "half");
    writeFileSync(join(dir, "cursors.json.new"), "{");
    await reopen();
    expect(readdirSync(dir).filter((name) => name.endsWith(".new"))).toEqual([]);
  });
});
