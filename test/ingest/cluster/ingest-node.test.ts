import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { IngestNode } from "../../../ingest/cluster/ingest-node.ts";
import type { Lease, Leases } from "../../../storage/ports/leases.ts";
import { assetEntry, type FixedDirectory, fixedDirectory } from "../../support/fixed-directory.ts";
import { createMemoryLeases } from "../../support/memory-records/leases.ts";
import { until } from "../../support/until.ts";

/** Two beats on a loaded machine. */
const SOON_MS = 20_000;
const shardOf = (projectId: ProjectId): number => Number(projectId.slice(1));

let leases: Leases;
let directory: FixedDirectory;
let running: { readonly node: IngestNode; readonly steps: string[] }[];

beforeEach(() => {
  leases = createMemoryLeases(Date.now);
  directory = fixedDirectory([assetEntry("a1", "p1")]);
  running = [];
});

afterEach(async () => {
  for (const { node } of running) await node.stop();
});

/** A node that notes what it does; shards 0 to 3. */
function open(nodeId: string) {
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
    nodeId,
    shards: 4,
    shardOf,
    directory,
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

it("takes lease, pipeline, session; and gives up in the reverse", async () => {
  const a = open("a");
  await a.node.start();
  expect(a.steps).toEqual(["archive", "keep 0123", "drain", "stop", "start 0123", "open 0123"]);
  expect(a.node.owns("p3" as ProjectId)).toBe(true);
  a.steps.length = 0;
  const b = open("b");
  await b.node.start();
  await until("the first has given up two", () => a.steps.includes("open 01"), SOON_MS);
  expect(a.steps).toEqual([
    "keep 01",
    "drain",
    "stop",
    "release shard/2,shard/3",
    "start 01",
    "open 01",
  ]);
  await until("the second has them", () => b.steps.includes("open 23"), SOON_MS);
  expect(a.node.owns("p3" as ProjectId)).toBe(false);
  expect(b.node.owns("p3" as ProjectId)).toBe(true);
}, 60_000);

it("commits everything before it gives its leases up at the end", async () => {
  const a = open("a");
  await a.node.start();
  a.steps.length = 0;
  await a.node.stop();
  expect(a.steps.slice(0, 3)).toEqual(["close", "drain", "stop"]);
  expect(a.steps[3]).toContain("release shard/0");
  expect(await leases.held("")).toEqual([]);
});

it("begins anew at once when a lease is lost, without what is another's now", async () => {
  const a = open("a");
  await a.node.start();
  a.steps.length = 0;
  await leases.release((await leases.held("shard/2")).slice());
  await leases.acquire("shard/2", "somebody", 600_000);
  a.node.leaseLost();
  await until("it has begun anew", () => a.steps.includes("open 013"), SOON_MS);
  expect(a.steps).toEqual(["keep 013", "drain", "stop", "start 013", "open 013"]);
});

it("begins anew when an asset leaves for a project of another node, not when it stays here", async () => {
  await leases.acquire("shard/3", "somebody", 600_000);
  const a = open("a");
  await a.node.start();
  a.steps.length = 0;
  directory.change("a1", assetEntry("a1", "p2"));
  await new Promise((resolve) => setImmediate(resolve));
  expect(a.steps).toEqual([]);
  directory.change("a1", assetEntry("a1", "p3"));
  await until("it has begun anew", () => a.steps.includes("open 012"), SOON_MS);
  expect(a.steps).toEqual(["keep 012", "drain", "stop", "start 012", "open 012"]);
});
