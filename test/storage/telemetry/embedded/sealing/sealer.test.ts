import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { columnsOf } from "../../../../../storage/ports/telemetry-archive.ts";
import type { TelemetryPoint } from "../../../../../storage/ports/telemetry-store.ts";
import { periodStart } from "../../../../../storage/telemetry/embedded/blocks/period.ts";
import {
  openCatalog,
  readCatalog,
} from "../../../../../storage/telemetry/embedded/lmdb/catalog.ts";
import { openLmdbFile } from "../../../../../storage/telemetry/embedded/lmdb/lmdb-file.ts";
import {
  listPeriods,
  periodPath,
  readRuns,
  strayRuns,
} from "../../../../../storage/telemetry/embedded/lmdb/period-file.ts";
import { openEmbeddedTelemetryStore } from "../../../../../storage/telemetry/embedded/open.ts";
import { Memtable } from "../../../../../storage/telemetry/embedded/sealing/memtable.ts";
import { Sealer } from "../../../../../storage/telemetry/embedded/sealing/sealer.ts";
import { startInlineSealThread } from "../../../../support/inline-seal-thread.ts";
import {
  all,
  expectedRows,
  NOON_MS,
  point,
  rowsOf,
  truck,
} from "../../../../support/telemetry-points.ts";

let root: string;
let dir: string;
let sealer: Sealer;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "plumbline sealer-"));
  dir = join(root, "embedded");
  await mkdir(dir);
  sealer = new Sealer(dir, []);
});
afterEach(async () => {
  await sealer.close();
  await rm(root, { recursive: true });
});

/** A seal of some points; `truck` is asset 0 of the catalog. */
function sealPoints(points: readonly TelemetryPoint[]): void {
  const memtable = new Memtable(new SharedArrayBuffer(80_000), points.length, () => undefined);
  for (const one of points) memtable.append(columnsOf(one), 0, 0);
  const names = [{ kind: "asset", number: 0, name: truck }] as const;
  sealer.seal({ heap: memtable.seal(), names, position: undefined });
}

/** A seal of `count` seconds of one asset from second `from` on. */
function sealSeconds(from: number, count: number): void {
  const memtable = new Memtable(
    new SharedArrayBuffer(8 * (count * 8 + 200)),
    count,
    () => undefined,
  );
  for (let i = from; i < from + count; i++)
    memtable.append(columnsOf(point(NOON_MS + i * 1000, { a: i })), 0, 0);
  sealer.seal({ heap: memtable.seal(), names: [], position: undefined });
}

async function readFolder<T>(inside: (file: ReturnType<typeof openLmdbFile>) => T): Promise<T> {
  const file = openLmdbFile(periodPath(dir, periodStart(NOON_MS)));
  try {
    return inside(file);
  } finally {
    await file.close();
  }
}

function tidyAll(): number {
  let slices = 0;
  while (sealer.tidy()) slices += 1;
  return slices;
}

it("the sealer merges 8 runs of one level into one of the next, and leaves no block of theirs", async () => {
  for (let i = 0; i < 64; i++) {
    sealSeconds(i * 10, 10);
    tidyAll();
  }
  expect(await readFolder(readRuns)).toEqual([expect.objectContaining({ level: 2, rows: 640 })]);
  expect(await readFolder(strayRuns)).toEqual([]);
});

it("the sealer keeps the old runs when a merge is cut short, and cleans up and merges after the next start", async () => {
  for (let i = 0; i < 8; i++) sealSeconds(i * 9_000, 9_000);
  const before = await readFolder(readRuns);
  expect(sealer.tidy()).toBe(true);
  await sealer.close();
  expect(await readFolder(readRuns)).toEqual(before);
  expect(await readFolder(strayRuns)).toHaveLength(1);
  sealer = new Sealer(dir, await listPeriods(dir));
  tidyAll();
  expect(await readFolder(readRuns)).toEqual([expect.objectContaining({ level: 1, rows: 72_000 })]);
  expect(await readFolder(strayRuns)).toEqual([]);
});

it("the sealer lets a seal in between the slices of a merge", async () => {
  for (let i = 0; i < 8; i++) sealSeconds(i * 9_000, 9_000);
  expect(sealer.tidy()).toBe(true);
  sealSeconds(100_000, 5);
  tidyAll();
  const runs = await readFolder(readRuns);
  expect(runs.map(({ level, rows }) => [level, rows]).sort()).toEqual([
    [0, 5],
    [1, 72_000],
  ]);
});

it("the sealer merges first when 32 runs wait, so that reads never open more", async () => {
  for (let i = 0; i < 40; i++) sealSeconds(i * 10, 10);
  const waiting = (await readFolder(readRuns)).filter(({ level }) => level === 0);
  expect(waiting.length).toBeLessThanOrEqual(32);
});

it("the sealer merges points that meet in different runs to the same answer, and keeps only what may win", async () => {
  const late = [point(NOON_MS, { a: 2, b: 2 }, { seq: 2 })];
  const seals = Array.from({ length: 8 }, (_, i) => [
    point(NOON_MS, i === 0 ? { a: 1 } : { b: i }, { seq: i === 0 ? 1 : 2 + i }),
    // Newest first, two runs for each second.
    ...[3, 2, 1].map((k) => point(NOON_MS + ((i % 4) * 3 + k) * 1000, { a: i }, { seq: i })),
  ]);
  for (const points of seals) sealPoints(points);
  tidyAll();
  // The 12 seconds, and two points of the first fix time: one wins `a` so far, one wins `b`.
  expect(await readFolder(readRuns)).toEqual([expect.objectContaining({ level: 1, rows: 14 })]);
  sealPoints(late);
  await sealer.close();
  const store = await openEmbeddedTelemetryStore({ dir: root }, startInlineSealThread);
  const rows = rowsOf(await store.read(all()));
  await store.close();
  expect(rows).toEqual(expectedRows([...seals.flat(), ...late], all()));
});

it("the sealer drops superseded points on their way to the disk", async () => {
  sealPoints(Array.from({ length: 100 }, (_, i) => point(NOON_MS, { a: i }, { seq: i })));
  expect(await readFolder(readRuns)).toEqual([expect.objectContaining({ rows: 1 })]);
});

it("the sealer stores names and position in the catalog", async () => {
  const names = [
    { kind: "asset", number: 300, name: "truck-300" },
    { kind: "project", number: 0, name: "site-1" },
  ] as const;
  const position = { journalId: "journal-a", sequence: 4 };
  const heap = new Memtable(new SharedArrayBuffer(8_000), 10, () => undefined).seal();
  sealer.seal({ heap, names, position });
  await sealer.close();
  const catalog = openCatalog(dir);
  expect(readCatalog(catalog)).toEqual({ names, position, periods: undefined });
  await catalog.close();
});

it("the sealer refuses a folder that a later version wrote", async () => {
  const catalog = openCatalog(dir);
  catalog.transactionSync(() => {
    catalog.putSync(new TextEncoder().encode("format"), new TextEncoder().encode("3"));
  });
  expect(() => readCatalog(catalog)).toThrow(expect.objectContaining({ code: "SCHEMA_TOO_NEW" }));
  await catalog.close();
});
