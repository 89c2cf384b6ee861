import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Journal } from "../../../storage/ports/journal.ts";
import { faultyFiles } from "../../support/faulty-files.ts";
import {
  append,
  appendEach,
  appendTogether,
  bodyOf,
  openSmall,
  range,
  readAll,
  sequencesOf,
  TIME_MS,
  usedSegmentFiles,
} from "../../support/journal.ts";
import { PATIENT_MS } from "../../support/patience.ts";

let dir: string;
let journal: Journal;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "journal-"));
  journal = await openSmall(dir);
});

afterEach(async () => {
  await journal.close();
  await rm(dir, { recursive: true, force: true });
});

async function reopen(): Promise<void> {
  await journal.close();
  journal = await openSmall(dir);
}

describe("append", () => {
  it("append returns 1, 2, 3 and calls done in that order, after the sync", async () => {
    const order: number[] = [];
    const returned = [1, 2, 3].map((n) =>
      journal.append(n, TIME_MS + n, bodyOf(n), (error) => order.push(error ? -n : n)),
    );
    expect({ returned, order: [...order] }).toEqual({ returned: [1, 2, 3], order: [] });
    await journal.waitFor(3, AbortSignal.timeout(PATIENT_MS));
    expect(order).toEqual([1, 2, 3]);
    expect(await journal.read(1, { records: 10, bytes: 1_000 })).toEqual(
      [1, 2, 3].map((n) => ({ sequence: n, timeMs: TIME_MS + n, kind: n, body: bodyOf(n) })),
    );
  });

  it("append puts the records of one turn of the event loop into one commit", async () => {
    const commits: { records: number; bytes: number }[] = [];
    journal.onCommit(({ records, bytes }) => commits.push({ records, bytes }));
    await appendTogether(journal, 20);
    expect(commits).toEqual([{ records: 20, bytes: 20 * (26 + 30) }]);
  });

  it("append takes an empty body, and one that fills a segment of 4,096 bytes to the last byte", async () => {
    const largest = bodyOf(2, 4_096 - 64 - 26);
    await append(journal, new Uint8Array(0));
    await append(journal, largest);
    expect((await readAll(journal)).map((record) => record.body)).toEqual([
      new Uint8Array(0),
      largest,
    ]);
    expect(() => journal.append(1, TIME_MS, bodyOf(3, 4_096), () => undefined)).toThrow(RangeError);
  });

  it("append refuses kind 0 and kind 256", () => {
    expect(() => journal.append(0, TIME_MS, bodyOf(1), () => undefined)).toThrow(RangeError);
    expect(() => journal.append(256, TIME_MS, bodyOf(1), () => undefined)).toThrow(RangeError);
  });

  it("append answers STORE_UNAVAILABLE and returns 0 after close, and commits what was queued before", async () => {
    const answers: string[] = [];
    journal.append(1, TIME_MS, bodyOf(1), (error) => answers.push(`first ${error}`));
    const closing = journal.close();
    const late = journal.append(1, TIME_MS, bodyOf(2), (error) =>
      answers.push((error as { code?: string }).code ?? "done"),
    );
    await closing;
    expect(late).toBe(0);
    expect(answers.sort()).toEqual(["STORE_UNAVAILABLE", "first undefined"]);
    await reopen();
    expect(sequencesOf(await readAll(journal))).toEqual([1]);
  });
});

describe("read", () => {
  it("read gives 500 records of several commits over 8 segments, equal from memory and from disk", async () => {
    for (let i = 0; i < 50; i++) await appendTogether(journal, 10);
    const fromMemory = await readAll(journal);
    expect(usedSegmentFiles(dir).length).toBeGreaterThanOrEqual(8);
    await reopen();
    const fromDisk = await readAll(journal);
    expect(fromDisk).toEqual(fromMemory);
    expect(fromDisk).toEqual(
      range(1, 500).map((n) => ({ sequence: n, timeMs: TIME_MS, kind: 1, body: bodyOf(n) })),
    );
  });

  it("read starts at any of 200 records, from memory and from disk", async () => {
    await appendTogether(journal, 200);
    const firsts = async () => {
      const read = range(1, 200).map((n) => journal.read(n, { records: 1, bytes: 1 }));
      return sequencesOf((await Promise.all(read)).flat());
    };
    expect(await firsts()).toEqual(range(1, 200));
    await reopen();
    expect(await firsts()).toEqual(range(1, 200));
  });

  it("read keeps to the limits in records and in bytes, but gives one record at least", async () => {
    await appendTogether(journal, 10);
    const count = async (records: number, bytes: number) =>
      (await journal.read(1, { records, bytes })).length;
    const counts = async () => [await count(3, 9_999), await count(9, 56 * 4), await count(9, 1)];
    expect(await counts()).toEqual([3, 4, 1]);
    await reopen();
    expect(await counts()).toEqual([3, 4, 1]);
  });

  it("read gives two readers that ask alike the same records, and one with other limits its own", async () => {
    await appendTogether(journal, 10);
    const read = (from: number, records: number, bytes = 9_999) =>
      journal.read(from, { records, bytes });
    const whole = await read(4, 100);
    expect(await read(4, 500)).toBe(whole);
    expect(sequencesOf(whole)).toEqual(range(4, 10));
    expect(sequencesOf(await read(4, 3))).toEqual([4, 5, 6]);
    expect(sequencesOf(await read(4, 100, 56 * 2))).toEqual([4, 5]);
    expect(sequencesOf(await read(4, 100))).toEqual(range(4, 10));
    await append(journal, bodyOf(11));
    expect(sequencesOf(await read(4, 100))).toEqual(range(4, 11));
  });

  it("read starts at the oldest record for sequence 0, and gives nothing past the last", async () => {
    await appendTogether(journal, 3);
    expect(sequencesOf(await journal.read(0, { records: 9, bytes: 999 }))).toEqual([1, 2, 3]);
    expect(await journal.read(4, { records: 9, bytes: 999 })).toEqual([]);
  });

  it("read never gives a record before its sync returned", async () => {
    const slow = await mkdtemp(join(tmpdir(), "journal-slow-"));
    const files = faultyFiles();
    const gated = await openSmall(slow, {}, { files });
    await appendEach(gated, 1);
    let release = () => {};
    files.gate = new Promise((resolve) => {
      release = resolve;
    });
    const second = append(gated, bodyOf(2));
    await vi.waitFor(() => expect(files.recordWrites).toBe(2), { timeout: PATIENT_MS });
    expect(gated.syncedSequence).toBe(1);
    expect(sequencesOf(await readAll(gated))).toEqual([1]);
    expect(await gated.read(2, { records: 1, bytes: 1 })).toEqual([]);
    release();
    await second;
    expect(sequencesOf(await readAll(gated))).toEqual([1, 2]);
    await gated.close();
    await rm(slow, { recursive: true });
  });

  it("read reads 20 MB that left memory while new records come in, without gap", async () => {
    const large = await mkdtemp(join(tmpdir(), "journal-large-"));
    const big = await openSmall(large, { segmentBytes: 1024 ** 2 });
    const bodies = Array.from({ length: 5_000 }, (_, i) => append(big, bodyOf(i + 1, 4_000)));
    await Promise.all(bodies);
    const more = appendTogether(big, 1_000);
    const found: number[] = [];
    for (let next = 1; next <= 6_000; next = (found.at(-1) ?? 0) + 1) {
      await big.waitFor(next, AbortSignal.timeout(PATIENT_MS));
      found.push(...sequencesOf(await big.read(next, { records: 500, bytes: 1_000_000 })));
    }
    await more;
    expect(found).toEqual(range(1, 6_000));
    expect((await big.read(1_234, { records: 1, bytes: 1 }))[0]?.body).toEqual(
      bodyOf(1_234, 4_000),
    );
    await big.close();
    await rm(large, { recursive: true });
  });
});

describe("waitFor", () => {
  it("waitFor resolves at once for a synced record, and later for one to come", async () => {
    await appendEach(journal, 2);
    await journal.waitFor(2, AbortSignal.timeout(PATIENT_MS));
    const waiting = journal.waitFor(4, AbortSignal.timeout(PATIENT_MS));
    await appendEach(journal, 2);
    await waiting;
    expect(journal.syncedSequence).toBe(4);
  });

  it("waitFor resolves when the signal fires", async () => {
    const controller = new AbortController();
    const waiting = journal.waitFor(1, controller.signal);
    controller.abort();
    await waiting;
    expect(journal.syncedSequence).toBe(0);
  });
});

describe("open", () => {
  it("open creates a journal with a UUID that stays", async () => {
    const { id, recovery } = journal;
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const sound = { cutBytes: 0, holes: [], passedHoles: [], setAside: [] };
    expect(recovery).toEqual({ ...sound, records: 0, created: true, newestSequence: 0 });
    await appendEach(journal, 3);
    await reopen();
    expect(journal.id).toBe(id);
    expect(journal.recovery).toEqual({
      ...sound,
      records: 3,
      created: false,
      newestSequence: 3,
    });
  });

  it("open goes on with the next sequence after 5 clean stops in a row", async () => {
    for (let start = 0; start < 5; start++) {
      await appendEach(journal, 30);
      await reopen();
      expect(journal.recovery).toMatchObject({ records: (start + 1) * 30, cutBytes: 0 });
    }
    expect(sequencesOf(await readAll(journal))).toEqual(range(1, 150));
  });

  it("open refuses a second journal on the same folder with STORE_LOCKED and the pid", async () => {
    await expect(openSmall(dir)).rejects.toMatchObject({
      code: "STORE_LOCKED",
      message: expect.stringContaining(String(process.pid)),
    });
  });
});
