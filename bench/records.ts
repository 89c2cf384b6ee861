import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AssetId, ProjectId } from "../domain/ids.ts";
import type { PipelineCommit, RecordStore } from "../storage/ports.ts";
import { openRecordStore } from "../storage/records/open.ts";

/**
 * Rows a second that the pipeline can commit: states of 700 bytes, with and without a day each,
 * every commit durable. PGlite always, PostgreSQL when DATABASE_URL names an empty database; the
 * engines take turns. Run: `npx tsx bench/records.ts`
 */
const ROUNDS = 5;
const COMMITS = { 200: 40, 2000: 10 } as const;

const dir = await mkdtemp(join(tmpdir(), "plumbline-bench-records-"));
const databaseUrl = process.env["DATABASE_URL"];
const startedMs = performance.now();
const engines: [name: string, store: RecordStore][] = [
  ["pglite", await openRecordStore({ dataDir: dir, databaseUrl: undefined })],
];
console.log(`pglite: first start ${seconds(performance.now() - startedMs)} s`);
if (databaseUrl !== undefined) {
  engines.push(["postgres", await openRecordStore({ dataDir: dir, databaseUrl })]);
}

let sequence = 0;
for (const states of [200, 2_000] as const) {
  for (const withDays of [false, true]) {
    const msByEngine = new Map(engines.map(([name]) => [name, [] as number[]]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, store] of engines) {
        msByEngine.get(name)?.push(await commitMs(store, states, withDays));
      }
    }
    for (const [name, times] of msByEngine) report(name, states, withDays, times);
  }
}

for (const [, store] of engines) await store.close();
const reopenedMs = performance.now();
const again = await openRecordStore({ dataDir: dir, databaseUrl: undefined });
console.log(`pglite: later start ${seconds(performance.now() - reopenedMs)} s`);
await again.close();
await rm(dir, { recursive: true });

/** Mean duration of one commit, ms. */
async function commitMs(store: RecordStore, states: 200 | 2_000, withDays: boolean) {
  // The rows are there from the first commit on: what is measured are updates.
  await store.pipeline.commit(change(states, withDays));
  const commits = Array.from({ length: COMMITS[states] }, () => change(states, withDays));
  const start = performance.now();
  for (const commit of commits) await store.pipeline.commit(commit);
  return (performance.now() - start) / commits.length;
}

function change(states: number, withDays: boolean): PipelineCommit {
  sequence += 1;
  const ids = Array.from({ length: states }, (_, i) => `ast_${String(i).padStart(16, "0")}`);
  return {
    checkpoint: { journalId: "bench", sequence },
    states: ids.map((id, i) => ({ assetId: id as AssetId, state: stateText(sequence, i) })),
    days: withDays
      ? ids.map((id, i) => ({
          assetId: id as AssetId,
          projectId: "prj_bench" as ProjectId,
          day: "2026-11-20",
          workingS: sequence + 0.5,
          overtimeS: 0,
          engineOnS: sequence + i,
          distanceM: i * 3.25 + sequence,
        }))
      : [],
    quarantined: [],
    events: [],
    visits: [],
    alerts: [],
    shared: new Map(),
  };
}

/** About 700 bytes in the manner of a packed track; every number changes with every commit. */
function stateText(sequence: number, i: number): string {
  const timeMs = 1_795_000_000_000 + sequence * 1_000 + i;
  const numbers = Array.from({ length: 36 }, (_, k) => (timeMs * (k + 1)) % 1_000_003);
  const latest = {
    latitude: 52.5 + i / 1e5,
    longitude: 13.4,
    speed_kmh: sequence % 60,
    heading: 271,
  };
  return JSON.stringify({
    v: 1,
    project: "prj_bench",
    latest: [timeMs, -1, latest],
    work: numbers,
    pad: "x".repeat(300),
  });
}

function report(name: string, states: number, withDays: boolean, times: readonly number[]): void {
  const sorted = [...times].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const what = `${states} states${withDays ? " and days" : ""} a commit`;
  const range = `${sorted[0]?.toFixed(1)}..${sorted.at(-1)?.toFixed(1)}`;
  const rate = Math.round((states / median) * 1_000);
  console.log(`${name}: ${what}: ${median.toFixed(1)} ms (${range}), ${rate} rows/s`);
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(2);
}
