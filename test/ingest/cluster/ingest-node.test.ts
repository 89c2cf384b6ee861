import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { IngestNode } from "../../../ingest/cluster/ingest-node.ts";
import type { Lease, Leases } from "../../../storage/ports/platform/leases.ts";
import { openTenures } from "../../../storage/tenures.ts";
import { assetEntry, type FixedDirectory, fixedDirectory } from "../../support/fixed-directory.ts";
import { createMemoryLeases } from "../../support/memory-records/leases.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const T0 = Date.UTC(2026, 10, 20, 12);
const shardOf = (projectId: ProjectId): number => Number(projectId.slice(1));

let leases: Leases;
let directory: FixedDirectory;
let dir: string;
let nowMs: number;
let running: { readonly node: IngestNode; readonly steps: string[] }[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-nodes-"));
  nowMs = T0;
  leases = createMemoryLeases(Date.now);
  directory = fixedDirectory([assetEntry("a1", "p1")]);
  running = [];
});

afterEach(async () => {
  for (const { node } of running) await node.stop();
  await rm(dir, { recursive: true });
});

/** A node that notes what it does; shards 0 to 3. Its data folder is there after a restart. */
async function open(nodeId: string) {
  const dataDir = join(dir, nodeId);
  await mkdir(dataDir, { recursive: true });
  const steps: string[] = [];
  let current: readonly Lease[] | undefined;
  const shardsOf = (shards: Iterable<number>) => [...shards].sort().join("");
  const node: IngestNode = new IngestNode({
    leases: {
      ...leases,
      async release(given) {
        if (given.length > 0) steps.push(`release ${given.map(({ name }) => name).join()}`);
        await leases.release(given);
      },
    },
    tenures: await openTenures(dataDir),
    nodeId,
    now: () => nowMs,
    shards: 4,
    shardOf,
    directory,
    unarchived: {
      async begin() {
        steps.push("unarchived");
      },
    },
    pipeline: {
      async waitForArchive() {
        steps.push("archive");
      },
      runsUnder: (wanted) =>
        current?.length === wanted.length && wanted.every((lease) => current?.includes(lease)),
      async drain() {
        steps.push("drain");
      },
      async stop() {
        steps.push("stop");
        current = undefined;
      },
      async start(held) {
        steps.push(`start ${shardsOf(held.keys())}`);
        current = [...held.values()];
      },
    },
    sessions: {
      async keepOnly(shards) {
        steps.push(`keep ${shardsOf(shards)}`);
      },
      open: (shards) => void steps.push(`open ${shardsOf(shards)}`),
      async close() {
        steps.push("close");
      },
    },
    log: pino({ level: "silent" }),
  });
  const opened = { node, steps };
  running.push(opened);
  return opened;
}

it("an ingest node starts lease, pipeline and session, and stops them in reverse", async () => {
  const a = await open("a");
  await a.node.start();
  expect(a.steps).toEqual([
    "unarchived",
    "archive",
    "keep 0123",
    "drain",
    "stop",
    "start 0123",
    "open 0123",
  ]);
  expect(a.node.owns("p3" as ProjectId)).toBe(true);
  a.steps.length = 0;
  const b = await open("b");
  await b.node.start();
  await until("the first has given up two", () => a.steps.includes("open 01"), PATIENT_MS);
  expect(a.steps).toEqual([
    "keep 01",
    "drain",
    "stop",
    "release shard/2,shard/3",
    "unarchived",
    "start 01",
    "open 01",
  ]);
  await until("the second has them", () => b.steps.includes("open 23"), PATIENT_MS);
  expect(a.node.owns("p3" as ProjectId)).toBe(false);
  expect(b.node.owns("p3" as ProjectId)).toBe(true);
});

it("an ingest node commits everything before it gives its leases up at the end", async () => {
  const a = await open("a");
  await a.node.start();
  a.steps.length = 0;
  await a.node.stop();
  expect(a.steps.slice(0, 3)).toEqual(["close", "drain", "stop"]);
  expect(a.steps[3]).toContain("release shard/0");
  expect(await leases.held("")).toEqual([]);
});

it("an ingest node begins anew at once when a lease is lost, without what is another's now", async () => {
  const a = await open("a");
  await a.node.start();
  a.steps.length = 0;
  await leases.release((await leases.held("shard/2")).slice());
  await leases.acquire("shard/2", "somebody", 600_000);
  a.node.leaseLost();
  await until("it has begun anew", () => a.steps.includes("open 013"), PATIENT_MS);
  expect(a.steps).toEqual(["keep 013", "drain", "stop", "unarchived", "start 013", "open 013"]);
});

it("an ingest node begins anew when an asset leaves for a project of another node, not when it stays here", async () => {
  await leases.acquire("shard/3", "somebody", 600_000);
  const a = await open("a");
  await a.node.start();
  a.steps.length = 0;
  directory.change("a1", assetEntry("a1", "p2"));
  await new Promise((resolve) => setImmediate(resolve));
  expect(a.steps).toEqual([]);
  directory.change("a1", assetEntry("a1", "p3"));
  await until("it has begun anew", () => a.steps.includes("open 012"), PATIENT_MS);
  expect(a.steps).toEqual(["keep 012", "drain", "stop", "start 012", "open 012"]);
});

it("an ingest node knows since when it has been alone with a project, also after a restart", async () => {
  const p3 = "p3" as ProjectId;
  const first = await open("a");
  expect(first.node.aloneSinceMs(p3)).toBeUndefined();
  await first.node.start();
  expect(first.node.aloneSinceMs(p3)).toBe(T0);
  nowMs += 1_000;
  await first.node.stop();
  expect(first.node.aloneSinceMs(p3)).toBeUndefined();
  const again = await open("a");
  await again.node.start();
  expect(again.node.aloneSinceMs(p3)).toBe(T0);
});

it("an ingest node begins anew with a project that another node had in between", async () => {
  const first = await open("a");
  await first.node.start();
  await first.node.stop();
  const other = await leases.acquire("shard/3", "somebody", 600_000);
  nowMs += 1_000;
  const again = await open("a");
  await again.node.start();
  expect(again.node.aloneSinceMs("p3" as ProjectId)).toBeUndefined();
  if (other !== undefined) await leases.release([other]);
  const aloneSinceMs = () => again.node.aloneSinceMs("p3" as ProjectId);
  await until("it has the shard", () => aloneSinceMs() !== undefined, PATIENT_MS);
  expect([aloneSinceMs(), again.node.aloneSinceMs("p2" as ProjectId)]).toEqual([T0 + 1_000, T0]);
});
