import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { startStrandedFollower } from "../../../ingest/cluster/stranded-follower.ts";
import { encodeForeign } from "../../../ingest/journal-record/foreign.ts";
import { RECORD_KIND } from "../../../ingest/journal-record/journal-record.ts";
import { encodeReadings } from "../../../ingest/journal-record/readings.ts";
import { Pipeline } from "../../../ingest/pipeline/runner.ts";
import type { Journal } from "../../../storage/ports/journal.ts";
import type { Lease } from "../../../storage/ports/platform/leases.ts";
import { assetEntry, fixedDirectory } from "../../support/fixed-directory.ts";
import { fixedFences } from "../../support/fixed-fences.ts";
import { noPlans } from "../../support/fixed-plans.ts";
import { type ManualJournal, manualJournal } from "../../support/manual-journal.ts";
import { type MemoryRecords, openMemoryRecords } from "../../support/memory-records.ts";
import { openMemoryTelemetryStore } from "../../support/memory-telemetry-store.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const T0 = Date.UTC(2026, 10, 20, 12);
const log = pino({ level: "silent" });
const shardLeaseName = (shard: number): string => `shard/${shard}`;
/** p1 is shard 1, p2 shard 2. */
const shardOf = (projectId: ProjectId): number => Number(projectId.slice(1));
const entries = [assetEntry("a1", "p1"), assetEntry("a2", "p2")];

let records: MemoryRecords;
let pipelines: Pipeline[];

beforeEach(() => {
  records = openMemoryRecords();
  pipelines = [];
  for (const { asset, secretHash } of entries) {
    records.rows.assets.set(asset.id, { asset, secretHash, revision: 1, deleted: false });
  }
});

afterEach(async () => {
  for (const pipeline of pipelines) await pipeline.stop();
});

function reading(journal: ManualJournal, asset: string, project: string, n: number): void {
  const body = encodeReadings(
    {
      assetId: asset as AssetId,
      projectId: project as ProjectId,
      receivedAtMs: T0 + n,
      readings: [
        {
          fixTimeMs: T0 + n * 1_000,
          timeSource: "device",
          rawTimeMs: undefined,
          seq: -1,
          payloadHash: n,
          fields: { number: n },
          faults: undefined,
        },
      ],
    },
    { clientHash: 1, packetId: n, payloadHash: n },
  );
  journal.append(RECORD_KIND.readings, T0 + n, body, () => undefined);
  journal.commit();
}

async function lease(node: string, shard: number): Promise<Lease> {
  const taken = await records.leases.acquire(shardLeaseName(shard), node, 600_000);
  if (taken === undefined) throw new Error(`shard ${shard} is held`);
  return taken;
}

async function start(
  node: string,
  journal: Journal,
  shards: readonly number[],
  options: { readonly onLeaseLost?: () => void; readonly isRestart?: boolean } = {},
): Promise<Pipeline> {
  const leases = await Promise.all(shards.map((shard) => lease(node, shard)));
  const pipeline = await Pipeline.start({
    journal,
    records: records.pipeline,
    visits: records.visits,
    telemetry: openMemoryTelemetryStore(),
    telemetryWritten: () => journal.syncedSequence,
    directory: fixedDirectory(entries),
    fences: fixedFences(),
    plans: noPlans(),
    node: { id: node, leases, shards, shardOf },
    log,
    ...options,
  });
  pipelines.push(pipeline);
  return pipeline;
}

/** A journal of its own name. */
const journalOf = (id: string): ManualJournal =>
  Object.defineProperty(manualJournal(), "id", { value: id });

const committed = (node: string, sequence: number) =>
  until(
    `record ${sequence} is committed`,
    () => records.rows.nodeCheckpoints.get(node)?.sequence === sequence,
    PATIENT_MS,
  );

/** Lets the owner take over what is stranded, and its journal commit it. */
async function takeOver(journal: ManualJournal, shards: readonly number[]): Promise<void> {
  const follower = startStrandedFollower({
    records: records.stranded,
    journal,
    shards,
    log,
    now: () => T0 + 60_000,
  });
  await until(
    "nothing is stranded",
    () => {
      journal.commit();
      return records.rows.stranded.size === 0;
    },
    PATIENT_MS,
  );
  await follower.stop();
}

describe("records of another node's shard", () => {
  it("records of another node's shard are put aside in the commit that passes them over, and the owner processes them", async () => {
    const [first, second] = [journalOf("journal-a"), journalOf("journal-b")];
    reading(first, "a1", "p1", 1);
    reading(first, "a2", "p2", 2);
    await start("a", first, [1]);
    await committed("a", 2);
    expect([...records.rows.states.keys()]).toEqual(["a1"]);
    expect([...records.rows.stranded.keys()]).toEqual(["journal-a 2"]);

    await takeOver(second, [2]);
    await start("b", second, [2]);
    await committed("b", 1);
    expect([...records.rows.states.keys()]).toEqual(["a1", "a2"]);
    expect(JSON.parse(records.rows.states.get("a2" as AssetId) ?? "")).toBeDefined();
  });

  it("records that are handed on a second time keep their name and are reported once", async () => {
    const foreign = (journal: ManualJournal): void => {
      const publish = {
        assetId: "a2" as AssetId,
        projectId: "p2" as ProjectId,
        receivedAtMs: T0,
        topic: "elsewhere",
        count: 1,
      };
      journal.append(RECORD_KIND.foreign, T0, encodeForeign(publish), () => undefined);
      journal.commit();
    };
    const [first, second, third] = [journalOf("j-a"), journalOf("j-b"), journalOf("j-c")];
    foreign(first);
    await start("a", first, [1]);
    await committed("a", 1);
    // The middle one lost the shard before it processed the record.
    await takeOver(second, [2]);
    await start("b", second, []);
    await committed("b", 1);
    expect([...records.rows.stranded.keys()]).toEqual(["j-a 1"]);
    await takeOver(third, [2]);
    // A crash between append and delete would bring it twice.
    third.append(RECORD_KIND.handedOver, T0, third.records[0]?.body ?? new Uint8Array(), () => {});
    third.commit();
    await start("c", third, [2]);
    await committed("c", 2);
    expect(records.rows.events.map(({ assetId }) => assetId)).toEqual(["a2"]);
  });

  it("records of another node's shard stay where they are while the owner's journal takes nothing", async () => {
    const [first, second] = [journalOf("journal-a"), journalOf("journal-b")];
    reading(first, "a2", "p2", 1);
    await start("a", first, [1]);
    await committed("a", 1);
    let appended = 0;
    const follower = startStrandedFollower({
      records: records.stranded,
      journal: {
        state: "open",
        append(...record) {
          appended += 1;
          return second.append(...record);
        },
      },
      shards: [2],
      log,
      now: () => T0,
    });
    await until("it is appended", () => appended > 0, PATIENT_MS);
    second.become("full");
    await follower.stop();
    expect(records.rows.stranded.size).toBe(1);
  });
});

describe("a pipeline whose lease was lost", () => {
  it("a pipeline whose lease was lost stores nothing more, and says so", async () => {
    const journal = journalOf("journal-a");
    let isLost = false;
    const pipeline = await start("a", journal, [1], {
      onLeaseLost: () => {
        isLost = true;
      },
    });
    reading(journal, "a1", "p1", 1);
    await committed("a", 1);
    const before = records.rows.states.get("a1" as AssetId);
    await records.leases.release(await records.leases.held("shard/1"));
    await lease("b", 1);
    reading(journal, "a1", "p1", 2);
    await until("it learns of it", () => isLost, PATIENT_MS);
    await pipeline.stop();
    expect(records.rows.states.get("a1" as AssetId)).toBe(before);
    expect(records.rows.nodeCheckpoints.get("a")?.sequence).toBe(1);
  });

  it("a pipeline whose lease was lost leaves what it took in to the next, from its last checkpoint on", async () => {
    const journal = journalOf("journal-a");
    const pipeline = await start("a", journal, [1]);
    reading(journal, "a1", "p1", 1);
    await committed("a", 1);
    await records.leases.release(await records.leases.held("shard/1"));
    await lease("b", 1);
    reading(journal, "a1", "p1", 2);
    await until("the pipeline stalls", () => pipeline.stalled !== undefined, PATIENT_MS);
    await pipeline.stop();
    await start("a", journal, []);
    await committed("a", 2);
    expect([...records.rows.stranded.keys()]).toEqual(["journal-a 2"]);
  });
});

describe("what stages share", () => {
  it("what stages share is kept by shard, so that it goes to the next owner with it", async () => {
    const journal = journalOf("journal-a");
    const tick = (atMs: number): void => {
      journal.append(RECORD_KIND.tick, atMs, Uint8Array.of(0), () => undefined);
      journal.commit();
    };
    await start("a", journal, [1, 2]);
    tick(T0);
    await committed("a", 1);
    const names = [...records.rows.shared.keys()].filter((name) => name.endsWith("liveness"));
    expect(names.sort()).toEqual(["shard/1/liveness", "shard/2/liveness"]);
    expect(JSON.parse(records.rows.shared.get("shard/2/liveness") ?? "")).toMatchObject({
      seenMs: T0,
    });
  });
});

describe("a process that begins to share with others", () => {
  it("a process that begins to share with others goes on from where it was alone, each shard with its own outages", async () => {
    const journal = journalOf("journal-a");
    reading(journal, "a1", "p1", 1);
    records.rows.checkpoint = { journalId: journal.id, sequence: 1 };
    const outage = (projectId: string) => ({ projectId, sinceMs: T0, members: [] });
    const state = { seenMs: T0, pausedMs: 77, outages: [outage("p1"), outage("p2")] };
    records.rows.shared.set("liveness", JSON.stringify(state));
    await start("a", journal, [1]);
    journal.append(RECORD_KIND.start, T0 + 1_000, Uint8Array.of(0), () => undefined);
    journal.commit();
    await committed("a", 2);
    // The first record was processed before.
    expect(records.rows.states.size).toBe(0);
    const shared = JSON.parse(records.rows.shared.get("shard/1/liveness") ?? "");
    expect(shared).toEqual({ seenMs: T0 + 1_000, pausedMs: 77, outages: [outage("p1")] });
  });
});

describe("a pipeline that starts again in one process", () => {
  it("a pipeline that starts again in one process goes on from its checkpoint, and raises no gap", async () => {
    const journal = journalOf("journal-a");
    // As when the journal was opened empty.
    Object.assign(journal.recovery, { newestSequence: 0 });
    const first = await start("a", journal, [1]);
    reading(journal, "a1", "p1", 1);
    reading(journal, "a2", "p2", 2);
    await committed("a", 2);
    await first.stop();
    records.rows.stranded.clear();
    await start("a", journal, [1], { isRestart: true });
    reading(journal, "a1", "p1", 3);
    await committed("a", 3);
    expect(records.rows.stranded.size).toBe(0);
    expect(records.rows.events).toEqual([]);
  });
});
