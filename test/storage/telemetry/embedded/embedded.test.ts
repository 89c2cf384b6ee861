import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AssetId } from "../../../../domain/ids.ts";
import type { JournalPosition } from "../../../../storage/ports/journal.ts";
import type { TelemetryStore } from "../../../../storage/ports/telemetry-store.ts";
import {
  type EmbeddedTelemetryOptions,
  openEmbeddedTelemetryStore,
} from "../../../../storage/telemetry/embedded/open.ts";
import { describeTelemetryStore } from "../../../contracts/telemetry-store.ts";
import { startInlineSealThread } from "../../../support/inline-seal-thread.ts";
import { all, NOON_MS, point, rowsOf } from "../../../support/telemetry-points.ts";

type Limits = Omit<EmbeddedTelemetryOptions, "dir">;

const DAY_MS = 24 * 3_600_000;
const newFolder = () => mkdtemp(join(tmpdir(), "plumbline telemetry-"));
const at = (sequence: number): JournalPosition => ({ journalId: "journal-a", sequence });

async function openFresh(limits: Limits) {
  const dir = await newFolder();
  const open = () => openEmbeddedTelemetryStore({ dir, ...limits }, startInlineSealThread);
  let store = await open();
  return {
    store,
    async reopen() {
      await store.close();
      store = await open();
      return store;
    },
    cleanUp: () => rm(dir, { recursive: true }),
  };
}

// The same behaviour wherever the points sit: all in memory, or nearly all in blocks, merged often.
describeTelemetryStore("embedded, in memory", () => openFresh({ memoryPoints: 50_000 }));
describeTelemetryStore("embedded, sealed every 40 points", () => openFresh({ memoryPoints: 40 }));

describe("the embedded telemetry store", () => {
  let dir: string;
  let stores: TelemetryStore[];
  const open = async (limits: Limits = { memoryPoints: 1_000 }, folder = dir) => {
    const store = await openEmbeddedTelemetryStore(
      { dir: folder, ...limits },
      startInlineSealThread,
    );
    stores.push(store);
    return store;
  };
  beforeEach(async () => {
    dir = await newFolder();
    stores = [];
  });
  afterEach(async () => {
    for (const store of stores) await store.close().catch(() => undefined);
    await rm(dir, { recursive: true, force: true });
  });

  const openWithThread = async (limits: Limits) => {
    const store = await openEmbeddedTelemetryStore({ dir, ...limits });
    stores.push(store);
    return store;
  };

  const minutes = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) =>
      point(NOON_MS + (from + i) * 60_000, { a: from + i }),
    );

  it("the embedded telemetry store refuses a second opener of its folder", async () => {
    await open();
    await expect(open()).rejects.toMatchObject({ code: "STORE_LOCKED" });
  });

  it("the embedded telemetry store has everything up to its durable position after a crash, and no more", async () => {
    const store = await open({ memoryPoints: 100_000 });
    await store.write(minutes(0, 500), at(5));
    await store.flush();
    await store.write(minutes(500, 700), at(6));
    const crashed = join(dir, "as the crash left it");
    await mkdir(crashed);
    await cp(join(dir, "embedded"), join(crashed, "embedded"), { recursive: true });
    const after = await open({}, crashed);
    expect(after.durablePosition).toEqual(at(5));
    expect(rowsOf(await after.read(all()))).toHaveLength(500);
    await after.write(minutes(500, 700), at(6));
    expect(rowsOf(await after.read(all()))).toEqual(rowsOf(await store.read(all())));
  });

  it("the embedded telemetry store seals by itself when points have waited for 20 ms", async () => {
    const store = await open({ memoryPoints: 100_000, sealAfterMs: 20 });
    const durable = new Promise<JournalPosition>((resolve) => store.onDurable(resolve));
    await store.write(minutes(0, 10), at(3));
    expect(await durable).toEqual(at(3));
  });

  it("the embedded telemetry store keeps answering completely while 80 seals and their compactions go on", async () => {
    const store = await openWithThread({ memoryPoints: 50 });
    let written = 0;
    let reads = 0;
    let writing = true;
    const short: number[] = [];
    async function read(): Promise<void> {
      while (writing) {
        const before = written;
        const { timesMs } = await store.read(all());
        reads += 1;
        // A read of few rows ends within a turn of the event loop; the seals need turns as well.
        await nextTurn();
        if (timesMs.length < before) short.push(before - timesMs.length);
      }
    }
    const reading = read();
    for (; written < 4_000; written += 50)
      await store.write(minutes(written, written + 50), at(written));
    writing = false;
    await reading;
    expect(short).toEqual([]);
    expect(reads).toBeGreaterThan(5);
  });

  it("the embedded telemetry store yields to other work while it reads 260,000 rows", async () => {
    const store = await open({ memoryPoints: 20_000 });
    for (let start = 0; start < 260_000; start += 10_000) {
      await store.write(
        Array.from({ length: 10_000 }, (_, i) =>
          point(NOON_MS + (start + i) * 1000, { a: Math.sin(start + i), b: i, c: i / 7 }),
        ),
        at(start + 1),
      );
    }
    /** The longest time of a read in which nothing else ran, as a share of the whole read. */
    async function longestShare(): Promise<number> {
      const turnsMs = [performance.now()];
      let isReading = true;
      const note = () => {
        turnsMs.push(performance.now());
        if (isReading) setImmediate(note);
      };
      setImmediate(note);
      const series = await store.read(all());
      isReading = false;
      turnsMs.push(performance.now());
      expect(series.timesMs).toHaveLength(260_000);
      const gapsMs = turnsMs.map((ms, i) => ms - (turnsMs[i - 1] ?? ms));
      return Math.max(...gapsMs) / ((turnsMs.at(-1) ?? 0) - (turnsMs[0] ?? 0));
    }
    // A read in one piece is one piece each time; another process takes the processor now and then.
    let least = 1;
    for (let reads = 0; reads < 10 && least >= 0.5; reads++) {
      least = Math.min(least, await longestShare());
    }
    expect(least).toBeLessThan(0.5);
  });

  it("the embedded telemetry store refuses writes while the disk fails and both memtables are full, and loses nothing", async () => {
    const store = await open({ memoryPoints: 10, retryMs: 20 });
    // A folder where the file of the period must go makes every seal fail.
    const periodMs = 7 * DAY_MS;
    const startMs = Math.floor(NOON_MS / periodMs) * periodMs;
    const blocked = join(dir, "embedded", `period-${startMs}.mdb`);
    await mkdir(blocked);
    await store.write(minutes(0, 20), at(1));
    await expect(store.write(minutes(20, 30), at(2))).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
    await expect(store.flush()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(store.durablePosition).toBeUndefined();
    expect(rowsOf(await store.read(all()))).toHaveLength(20);
    // The next attempt may succeed before the removal is known here.
    const durable = new Promise<JournalPosition>((resolve) => store.onDurable(resolve));
    await rm(blocked, { recursive: true });
    await durable;
    await store.write(minutes(20, 30), at(2));
    await store.flush();
    expect(store.durablePosition).toEqual(at(2));
    expect(rowsOf(await store.read(all()))).toEqual(
      minutes(0, 30).map(({ fixTimeMs, fields }) => ({ t: fixTimeMs, ...fields })),
    );
  });

  it("the embedded telemetry store removes the files of expired periods, and takes points of such a period again", async () => {
    const store = await open();
    const old = point(NOON_MS - 60 * DAY_MS, { a: 1 });
    await store.write([old, point(NOON_MS, { a: 2 })], at(1));
    await store.flush();
    await store.read(all());
    const periodFiles = async () =>
      (await readdir(join(dir, "embedded"))).filter((name) => /^period.*mdb$/.test(name));
    expect(await periodFiles()).toHaveLength(2);
    await Promise.all([store.read(all()), store.expire(NOON_MS)]);
    expect(await periodFiles()).toHaveLength(1);
    expect(rowsOf(await store.read(all()))).toEqual([{ t: NOON_MS, a: 2 }]);
    await store.write([old], at(2));
    await store.flush();
    expect(rowsOf(await store.read(all()))).toEqual([
      { t: old.fixTimeMs, a: 1 },
      { t: NOON_MS, a: 2 },
    ]);
  });

  it("the embedded telemetry store reads over 60 periods with at most 8 files open for reading and 4 for writing", async () => {
    const store = await open({ memoryPoints: 100_000 });
    const times = Array.from({ length: 60 }, (_, i) => NOON_MS + i * 7 * DAY_MS);
    await store.write(
      times.map((t) => point(t, { a: 1 })),
      at(1),
    );
    await store.flush();
    expect((await store.read(all())).timesMs).toEqual(Float64Array.from(times));
    const handles = await openFilesUnder(dir);
    // LMDB holds the data file, once more for syncing, and the lock file.
    expect(handles.length).toBeGreaterThan(0);
    expect(handles.length).toBeLessThanOrEqual(3 * (8 + 4 + 1) + 1);
  });

  it("the embedded telemetry store keeps a late point of 1,000 assets apart from their other points", async () => {
    const store = await open({ memoryPoints: 700 });
    const ids = Array.from({ length: 1_000 }, (_, i) => `asset-${i}` as AssetId);
    for (const k of [2, 1, 0]) {
      await store.write(
        ids.map((assetId, i) => point(NOON_MS + k * 1000, { a: i * 10 + k }, { assetId })),
        at(3 - k),
      );
    }
    await store.flush();
    const found = await Promise.all(
      [0, 499, 999].map(async (i) => rowsOf(await store.read(all(ids[i])))),
    );
    const expected = [0, 499, 999].map((i) =>
      [0, 1, 2].map((k) => ({ t: NOON_MS + k * 1000, a: i * 10 + k })),
    );
    expect(found).toEqual(expected);
  });
});

/** Paths under `dir` that this process has open; empty where there is no /proc. */
async function openFilesUnder(dir: string): Promise<string[]> {
  const { readlink } = await import("node:fs/promises");
  const links = await readdir("/proc/self/fd");
  const paths = await Promise.all(
    links.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")),
  );
  return paths.filter((path) => path.startsWith(dir));
}
