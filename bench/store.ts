/**
 * What the embedded telemetry store costs, each figure beside its baseline of the same run.
 *
 *   npx tsx bench/store.ts [durable] [read] [scale]      all three without argument
 *
 * durable: points/s that are on disk when they count, 1,000 records of one point a commit of the
 *          journal, until the last is in LMDB too; beside one B-tree row per point in LMDB. Making
 *          the points is left out, and the encoding of records once with and once without.
 * read:    72 h of one of 100 machines at 10 s (25,920 points), from the store and over HTTP; beside
 *          the rows.
 * scale:   CPU time per point over write, seal and compaction with 100,000 machines in turn, beside
 *          1,000.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { AssetId } from "../domain/ids.ts";
import { HOUR_MS } from "../domain/time.ts";
import type { TelemetryStore } from "../storage/ports/telemetry-store.ts";
import { openEmbeddedTelemetryStore } from "../storage/telemetry/embedded/open.ts";
import { FIX, openTestApp } from "../test/support/api-app.ts";
import { median } from "./figures/median.ts";
import { COMMIT_POINTS, durableStore } from "./store/durable-store.ts";
import { Fleet } from "./store/fleet.ts";
import { LmdbRows } from "./store/lmdb-rows.ts";

const HOURS_72_MS = 72 * HOUR_MS;
const MACHINE = "asset-42" as AssetId;
const nowMs = Date.now();

async function inFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), "bench-store-"));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}

// ---------------------------------------------------------------- durable

async function durable(): Promise<void> {
  console.log("durable points/s, 1,000 a commit, 1,000 machines in turn");
  for (let round = 1; round <= 3; round++) {
    const rows = await inFolder((dir) => durableRows(dir, 200_000));
    const ours = await inFolder((dir) => durableStore(dir, 3_000_000));
    console.log(
      `round ${round}: journal + store ${perS(ours.rate)}, ${perS(ours.rateWithEncoding)} with the encoding of ` +
        `records (${ours.cpuUs.toFixed(1)} us CPU with all of it, ${ours.bytesPerPoint.toFixed(1)} B a point in LMDB), ` +
        `LMDB rows ${perS(rows)}, ratio ${(ours.rate / rows).toFixed(1)}`,
    );
  }
}

async function durableRows(dir: string, total: number): Promise<number> {
  const rows = new LmdbRows(dir);
  const fleet = new Fleet(1_000, nowMs - HOURS_72_MS, 10_000);
  let writingMs = 0;
  for (let done = 0; done < total; done += COMMIT_POINTS) {
    const points = fleet.next(COMMIT_POINTS);
    const startMs = performance.now();
    rows.write(points);
    writingMs += performance.now() - startMs;
  }
  await rows.close();
  return (total / writingMs) * 1_000;
}

// ---------------------------------------------------------------- read

async function read(): Promise<void> {
  console.log("72 h of one of 100 machines, 25,920 points, ms");
  await inFolder(async (dir) => {
    const rows = new LmdbRows(dir);
    const store = await openEmbeddedTelemetryStore({ dir: join(dir, "telemetry") });
    const fleet = new Fleet(100, nowMs - HOURS_72_MS, 10_000);
    for (let done = 0; done < 25_920 * 100; done += 10_000) {
      const points = fleet.next(Math.min(10_000, 25_920 * 100 - done));
      await store.write(points, { journalId: "bench", sequence: done + 1 });
      rows.write(points.filter(({ assetId }) => assetId === MACHINE));
    }
    await store.flush();
    await untilIdle();
    const query = { assetId: MACHINE, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
    const track = { ...query, fields: ["latitude", "longitude"] };
    const found = (await store.read(query)).timesMs.length;
    if (found !== 25_920) throw new Error(`${found} points instead of 25,920`);
    report("store, 8 fields", await times(100, () => store.read(query)));
    report("store, latitude and longitude", await times(100, () => store.read(track)));
    report("LMDB rows, 8 fields", await times(20, async () => rows.read(MACHINE)));
    await overHttp(store);
    await store.close();
    await rows.close();
  });
}

async function overHttp(telemetry: TelemetryStore): Promise<void> {
  const t = await openTestApp({ telemetry, now: () => nowMs });
  const key = await t.key({ plan: "enterprise" });
  const id = await t.asset({ id: MACHINE, project_id: await t.project() });
  t.live(id, { fix: { ...FIX, fixTimeMs: nowMs }, lastUpdateMs: nowMs });
  const origin = await t.app.listen({ host: "127.0.0.1", port: 0 });
  const url = `${origin}/api/v1/equipment/assets/${id}/location?history=true&hours=72`;
  const ask = async () => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    return { status: response.status, text: await response.text() };
  };
  const { status, text } = await ask();
  const points = status === 200 ? JSON.parse(text).history.length : 0;
  if (points < 25_900)
    throw new Error(`answer ${status} with ${points} points: ${text.slice(0, 200)}`);
  report(`HTTP, ${points} points, ${(text.length / 1e6).toFixed(1)} MB`, await times(100, ask));
  await t.app.close();
}

interface Times {
  readonly taken: Float64Array;
  /** CPU time of the process per repetition: what a busy machine cannot spoil. */
  readonly cpuMs: number;
}

async function times(count: number, work: () => Promise<unknown>): Promise<Times> {
  const taken = new Float64Array(count);
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) {
    const startMs = performance.now();
    await work();
    taken[i] = performance.now() - startMs;
  }
  const { user, system } = process.cpuUsage(before);
  return { taken, cpuMs: (user + system) / 1_000 / count };
}

function report(what: string, { taken, cpuMs }: Times): void {
  const first = taken[0] ?? 0;
  const sorted = taken.toSorted();
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  console.log(
    `${what}: first ${first.toFixed(1)}, p50 ${at(0.5)}, p99 ${at(0.99)}, CPU ${cpuMs.toFixed(1)}`,
  );
}

// ---------------------------------------------------------------- scale

async function scale(): Promise<void> {
  console.log(
    "CPU us per point over write, seal and compaction; 5 million points, machines in turn",
  );
  const few: number[] = [];
  const many: number[] = [];
  for (let round = 0; round < 3; round++) {
    few.push(await inFolder((dir) => cpuPerPoint(dir, 1_000, 5_000_000)));
    many.push(await inFolder((dir) => cpuPerPoint(dir, 100_000, 5_000_000)));
  }
  const [a, b] = [median(few), median(many)];
  console.log(
    `1,000 machines ${a.toFixed(2)}, 100,000 machines ${b.toFixed(2)}, ratio ${(b / a).toFixed(2)}`,
  );
}

async function cpuPerPoint(dir: string, machines: number, total: number): Promise<number> {
  const store = await openEmbeddedTelemetryStore({ dir });
  const fleet = new Fleet(machines, nowMs - HOURS_72_MS, 10_000);
  const before = process.cpuUsage();
  let makingUs = 0;
  for (let done = 0; done < total; done += COMMIT_POINTS) {
    const startMs = performance.now();
    const points = fleet.next(COMMIT_POINTS);
    makingUs += (performance.now() - startMs) * 1_000;
    await store.write(points, { journalId: "bench", sequence: done + 1 });
  }
  await store.flush();
  await untilIdle();
  const { user, system } = process.cpuUsage(before);
  await store.close();
  return (user + system - makingUs) / total;
}

// ---------------------------------------------------------------- helpers

/** Waits until compaction has nothing left to do: under 5 % of one CPU over 400 ms. */
async function untilIdle(): Promise<void> {
  for (let quiet = 0; quiet < 2; ) {
    const before = process.cpuUsage();
    await delay(400);
    const { user, system } = process.cpuUsage(before);
    quiet = user + system < 20_000 ? quiet + 1 : 0;
  }
}

const perS = (rate: number): string => `${Math.round(rate / 1_000)}k/s`;

const parts: Readonly<Record<string, () => Promise<void>>> = { durable, read, scale };
const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : Object.keys(parts)) await parts[name]?.();
