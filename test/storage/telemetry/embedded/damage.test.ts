import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TelemetryStore } from "../../../../storage/ports/telemetry-store.ts";
import { BLOCK_MARK } from "../../../../storage/telemetry/embedded/blocks/block.ts";
import { PERIOD_MS, periodStart } from "../../../../storage/telemetry/embedded/blocks/period.ts";
import type { FileDamage } from "../../../../storage/telemetry/embedded/lmdb/damaged-periods.ts";
import { findLmdbProblem } from "../../../../storage/telemetry/embedded/lmdb/lmdb-pages.ts";
import { openEmbeddedTelemetryStore } from "../../../../storage/telemetry/embedded/open.ts";
import { startInlineSealThread } from "../../../support/inline-seal-thread.ts";
import { all, NOON_MS, point } from "../../../support/telemetry-points.ts";

const PAGE_BYTES = 4_096;
const OLDER_MS = NOON_MS - PERIOD_MS;

let root: string;
let dir: string;
let found: FileDamage[];
let store: TelemetryStore;

const open = () =>
  openEmbeddedTelemetryStore(
    { dir: root, onDamage: (damage) => found.push(damage) },
    startInlineSealThread,
  );
const periodFile = (atMs: number) => join(dir, `period-${periodStart(atMs)}.mdb`);

async function tamper(path: string, change: (bytes: Buffer) => void): Promise<void> {
  const bytes = await readFile(path);
  change(bytes);
  await writeFile(path, bytes);
}

const rows = async (fromMs: number, toMs: number) =>
  (await store.read({ ...all(), fromMs, toMs })).timesMs.length;

/** Two periods with 500 rows each, closed. */
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "plumbline-damage-"));
  dir = join(root, "embedded");
  found = [];
  store = await open();
  const points = Array.from({ length: 500 }, (_, i) => [
    point(NOON_MS + i * 1_000, { a: Math.sin(i) }),
    point(OLDER_MS + i * 1_000, { a: Math.cos(i) }),
  ]).flat();
  await store.write(points, { journalId: "journal-a", sequence: 1_000 });
  await store.close();
});
afterEach(async () => {
  await store.close().catch(() => undefined);
  await rm(root, { recursive: true, force: true });
});

describe("the check of a file before LMDB opens it", () => {
  it("the check of a file before LMDB opens it finds every page of the trees that is zeroed, and every file that is cut off", async () => {
    const path = periodFile(NOON_MS);
    const sound = await readFile(path);
    const copy = join(root, "copy.mdb");
    const problems: number[] = [];
    for (let page = 0; page * PAGE_BYTES < sound.length; page++) {
      const damaged = Buffer.from(sound);
      damaged.fill(0, page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
      await writeFile(copy, damaged);
      if (findLmdbProblem(copy) !== undefined) problems.push(page);
      await writeFile(copy, sound.subarray(0, page * PAGE_BYTES));
      expect(findLmdbProblem(copy)).toBeDefined();
    }
    expect(findLmdbProblem(path)).toBeUndefined();
    // Both headers and the leaf; what values lie on has a CRC.
    expect(problems).toEqual(expect.arrayContaining([0, 1, 2]));
  });
});

describe("a damaged telemetry store", () => {
  it("a damaged telemetry store refuses a block in which one bit has changed, and names the file", async () => {
    await tamper(periodFile(NOON_MS), (bytes) => {
      const at = bytes.indexOf(BLOCK_MARK) + 200;
      bytes.writeUInt8(bytes.readUInt8(at) ^ 16, at);
    });
    store = await open();
    expect(found).toEqual([]);
    await expect(rows(NOON_MS, NOON_MS + 3_600_000)).rejects.toMatchObject({
      code: "STORE_DAMAGED",
    });
    expect(found).toMatchObject([{ file: `period-${periodStart(NOON_MS)}.mdb` }]);
    expect(await rows(OLDER_MS, OLDER_MS + 3_600_000)).toBe(500);
  });

  it("a damaged telemetry store sets a period aside that LMDB would crash on, takes new points of it, and refuses to answer for it", async () => {
    await truncate(periodFile(NOON_MS), 2 * PAGE_BYTES);
    store = await open();
    expect(found).toMatchObject([{ file: `period-${periodStart(NOON_MS)}.mdb` }]);
    await store.write([point(NOON_MS, { a: 1 })], { journalId: "journal-a", sequence: 1_001 });
    await store.flush();
    await expect(rows(NOON_MS, NOON_MS + 1)).rejects.toMatchObject({ code: "STORE_DAMAGED" });
    expect(await rows(OLDER_MS, OLDER_MS + 3_600_000)).toBe(500);
    await store.close();
    store = await open();
    // Also when the new file is sound.
    await expect(rows(NOON_MS, NOON_MS + 1)).rejects.toMatchObject({ code: "STORE_DAMAGED" });
    const aside = (await readdir(dir)).filter((name) => name.includes(".damaged-"));
    expect(aside).toHaveLength(1);
    await store.expire(NOON_MS + 3 * PERIOD_MS);
    expect(await rows(0, NOON_MS + PERIOD_MS)).toBe(0);
  });

  it("a damaged telemetry store reports a period whose file is gone, and does not answer for it as if it were empty", async () => {
    await rm(periodFile(OLDER_MS));
    store = await open();
    expect(found).toEqual([
      { file: `period-${periodStart(OLDER_MS)}.mdb`, problem: "it is missing" },
    ]);
    await expect(rows(OLDER_MS, NOON_MS)).rejects.toMatchObject({ code: "STORE_DAMAGED" });
    expect(await rows(NOON_MS, NOON_MS + 3_600_000)).toBe(500);
  });

  it.each([
    ["missing", (path: string) => rm(path)],
    ["cut off", (path: string) => truncate(path, PAGE_BYTES)],
    ["zeroed", (path: string) => tamper(path, (bytes) => bytes.fill(0))],
  ])("a damaged telemetry store does not open without its catalog: it is %s", async (_, damage) => {
    await damage(join(dir, "catalog.mdb"));
    await expect(open()).rejects.toMatchObject({
      code: "STORE_DAMAGED",
      message: expect.stringContaining("catalog.mdb is damaged"),
    });
  });
});

it.each([
  ["emptied", (path: string) => truncate(path, 0)],
  ["missing", (path: string) => rm(path)],
])("a second copy of the names that is %s is reported, and everything is answered", async (_, damage) => {
  await damage(join(dir, "names.log"));
  store = await open();
  expect(found).toEqual([
    {
      file: "names.log",
      problem: expect.stringMatching(/^\d+ names of the catalog are not in it$/),
    },
  ]);
  expect(await rows(OLDER_MS, NOON_MS + PERIOD_MS)).toBe(1_000);
});

it("a copy of the store has the second copy of the names as well", async () => {
  const opened = await open();
  store = opened;
  await opened.copyTo(join(root, "copy", "embedded"));
  await store.close();
  store = await openEmbeddedTelemetryStore(
    { dir: join(root, "copy"), onDamage: (damage) => found.push(damage) },
    startInlineSealThread,
  );
  expect(found).toEqual([]);
  expect(await rows(OLDER_MS, NOON_MS + PERIOD_MS)).toBe(1_000);
});
