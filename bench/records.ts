import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordStore } from "../storage/ports/record-store.ts";
import { openRecordStore } from "../storage/records/open.ts";
import { type CommitShape, pipelineCommit } from "./records/pipeline-commit.ts";

/**
 * What the pipeline's commits cost, every one durable. States of 700 bytes, with and without a day
 * each, with crossings of fences (a visit, an alert and an event each). Then how long one call of each
 * `expire` holds up a commit. PGlite always, PostgreSQL when DATABASE_URL names an empty database; the
 * engines and the shapes take turns. Run: `npx tsx bench/records.ts`
 */
const ROUNDS = 5;
const COMMITS = { 200: 40, 2000: 10 } as const;
const SHAPES: readonly CommitShape[] = [
  { withDays: false, crossings: 0 },
  { withDays: true, crossings: 0 },
  { withDays: true, crossings: 1 },
  { withDays: true, crossings: 20 },
];
/** Later than everything that the bench writes. */
const FUTURE_MS = Date.UTC(2100, 0, 1);

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
  const times = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const shape of SHAPES) {
      for (const [name, store] of engines) {
        const what = `${name}: ${states} states${shape.withDays ? " and days" : ""}, ${shape.crossings} crossings`;
        times.set(what, [...(times.get(what) ?? []), await commitMs(store, states, shape)]);
      }
    }
  }
  for (const [what, ms] of [...times].sort()) report(what, ms);
}
for (const [name, store] of engines) await measureExpiry(name, store);

for (const [, store] of engines) await store.close();
const reopenedMs = performance.now();
const again = await openRecordStore({ dataDir: dir, databaseUrl: undefined });
console.log(`pglite: later start ${seconds(performance.now() - reopenedMs)} s`);
await again.close();
await rm(dir, { recursive: true });

/** Mean duration of one commit, ms. */
async function commitMs(
  store: RecordStore,
  states: 200 | 2_000,
  shape: CommitShape,
): Promise<number> {
  const next = () => pipelineCommit(++sequence, states, shape);
  // The states are there from the first commit on: what is measured are updates.
  await store.pipeline.commit(next());
  const commits = Array.from({ length: COMMITS[states] }, next);
  const start = performance.now();
  for (const commit of commits) await store.pipeline.commit(commit);
  return (performance.now() - start) / commits.length;
}

/** One call of each `expire` on a store that has more than enough old rows. */
async function measureExpiry(name: string, store: RecordStore): Promise<void> {
  for (let i = 0; i < 8; i++) {
    await store.pipeline.commit(
      pipelineCommit(++sequence, 1_000, { withDays: false, crossings: 1_000 }),
    );
  }
  for (const port of ["events", "visits", "alerts"] as const) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      const hasMore = await store[port].expire(FUTURE_MS);
      times.push(performance.now() - start);
      if (!hasMore) throw new Error(`too few old ${port} to measure their expiry`);
    }
    report(`${name}: one expiry of ${port}`, times);
  }
}

function report(what: string, times: readonly number[]): void {
  const sorted = [...times].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const range = `${sorted[0]?.toFixed(1)}..${sorted.at(-1)?.toFixed(1)}`;
  console.log(`${what}: ${median.toFixed(1)} ms (${range})`);
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(2);
}
