import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { encodeForeign } from "../../../ingest/journal-record/foreign.ts";
import { decodeHandedOver } from "../../../ingest/journal-record/handed-over.ts";
import { RECORD_KIND } from "../../../ingest/journal-record/journal-record.ts";
import { encodeReadings } from "../../../ingest/journal-record/readings.ts";
import { createPassOn } from "../../../ingest/partitions/pass-on.ts";
import { Pipeline } from "../../../ingest/pipeline/runner.ts";
import type { Lease } from "../../../storage/ports/platform/leases.ts";
import type { SharedJournal } from "../../../storage/ports/shared-journal.ts";
import { assetEntry, fixedDirectory } from "../../support/fixed-directory.ts";
import { fixedFences } from "../../support/fixed-fences.ts";
import { noPlans } from "../../support/fixed-plans.ts";
import { type ManualJournal, manualJournal } from "../../support/manual-journal.ts";
import { type MemoryRecords, openMemoryRecords } from "../../support/memory-records.ts";
import { openMemoryTelemetryStore } from "../../support/memory-telemetry-store.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const T0 = Date.UTC(2026, 10, 20, 12);
const silent = pino({ level: "silent" });
/** p1 is in partition 1, p2 in partition 2. */
const partitionOf = (projectId: ProjectId): number => Number(projectId.slice(1));
const entries = [assetEntry("a1", "p1"), assetEntry("a2", "p2")];

let records: MemoryRecords;
let pipelines: Pipeline[];
/** The partitions of the log, which commit at once. */
let journals: ReadonlyMap<number, ManualJournal>;
let log: Pick<SharedJournal, "append" | "partitions"> & { state: SharedJournal["state"] };

beforeEach(() => {
  records = openMemoryRecords();
  pipelines = [];
  journals = new Map([1, 2, 3].map((partition) => [partition, journalOf(`records-${partition}`)]));
  log = {
    state: "open",
    partitions: 4,
    append({ partition, kind, timeMs, body }, done) {
      journalAt(partition).append(kind, timeMs, body, done);
      journalAt(partition).commit();
    },
  };
  for (const { asset, secretHash } of entries) {
    records.rows.assets.set(asset.id, { asset, secretHash, revision: 1, deleted: false });
  }
});

afterEach(async () => {
  for (const pipeline of pipelines) await pipeline.stop();
});

/** A journal of its own name. */
const journalOf = (id: string): ManualJournal =>
  Object.defineProperty(manualJournal(), "id", { value: id });

function journalAt(partition: number): ManualJournal {
  const journal = journals.get(partition);
  if (journal === undefined) throw new Error(`no partition ${partition}`);
  return journal;
}

function reading(partition: number, asset: string, project: string, n: number): void {
  const journal = journalAt(partition);
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

const nameOf = (partition: number): string => `partition/records-${partition}`;

/** Starts the pipeline of a partition, by the directory as a process has it. */
async function start(
  partition: number,
  known = entries,
  onLeaseLost: () => void = () => undefined,
  inherited: readonly ReadonlyMap<string, string>[] = [],
): Promise<Pipeline> {
  const journal = journalAt(partition);
  const lease: Lease = await records.leases.seize(nameOf(partition), "a");
  const pipeline = await Pipeline.start({
    journal,
    records: records.pipeline,
    visits: records.visits,
    telemetry: openMemoryTelemetryStore(),
    telemetryWritten: () => journal.syncedSequence,
    directory: fixedDirectory(known),
    fences: fixedFences(),
    plans: noPlans(),
    share: {
      id: nameOf(partition),
      leases: [lease],
      partition,
      partitionOf,
      passOn: createPassOn({
        journal: log,
        put: (projectId) => ({ partition: partitionOf(projectId), answered: () => undefined }),
        journalId: journal.id,
        now: () => T0 + 60_000,
      }),
      inherited,
    },
    onLeaseLost,
    log: silent,
  });
  pipelines.push(pipeline);
  return pipeline;
}

const checkpointOf = (partition: number): number =>
  records.rows.nodeCheckpoints.get(nameOf(partition))?.sequence ?? 0;

const committed = (partition: number, sequence: number) =>
  until(`record ${sequence} is committed`, () => checkpointOf(partition) === sequence, PATIENT_MS);

it("a record of an asset in another partition's project is put there before its place is committed, and processed there", async () => {
  reading(1, "a1", "p1", 1);
  reading(1, "a2", "p2", 2);
  await start(1);
  await committed(1, 2);
  expect([...records.rows.states.keys()]).toEqual(["a1"]);
  expect(journalAt(2).records.map(({ kind }) => kind)).toEqual([RECORD_KIND.handedOver]);
  await start(2);
  await committed(2, 1);
  expect([...records.rows.states.keys()]).toEqual(["a1", "a2"]);
});

it("the place of a record for another partition is not committed while the log takes nothing", async () => {
  log.state = "failed";
  reading(1, "a2", "p2", 1);
  const pipeline = await start(1);
  await until("it waits", () => pipeline.stalled !== undefined, PATIENT_MS);
  expect(pipeline.stalled).toContain("records cannot be passed on");
  expect(checkpointOf(1)).toBe(0);
  log.state = "open";
  await committed(1, 1);
  expect(journalAt(2).records).toHaveLength(1);
  expect(pipeline.stalled).toBeUndefined();
});

it("a record that is passed on a second time, and put there twice, keeps its name and is reported once", async () => {
  const publish = {
    assetId: "a2" as AssetId,
    projectId: "p3" as ProjectId,
    receivedAtMs: T0,
    topic: "elsewhere",
    count: 1,
  };
  log.append(
    { partition: 3, key: "", kind: RECORD_KIND.foreign, timeMs: T0, body: encodeForeign(publish) },
    () => undefined,
  );
  // The process that has partition 3 believes that the asset is in p1.
  await start(3, [assetEntry("a2", "p1")]);
  await committed(3, 1);
  await start(1);
  await committed(1, 1);
  const [moved] = journalAt(2).records;
  if (moved === undefined) throw new Error("it was not passed on");
  expect(decodeHandedOver(moved.body)).toMatchObject({
    origin: { journalId: "records-3", sequence: 1 },
    record: { kind: RECORD_KIND.foreign },
  });
  // A crash between the log and the commit would bring it twice.
  log.append({ ...moved, partition: 2, key: "" }, () => undefined);
  await start(2);
  await committed(2, 2);
  expect(records.rows.events.map(({ assetId }) => assetId)).toEqual(["a2"]);
});

it("a pipeline whose lease was lost stores nothing more, and says so", async () => {
  let isLost = false;
  const pipeline = await start(1, entries, () => {
    isLost = true;
  });
  reading(1, "a1", "p1", 1);
  await committed(1, 1);
  const before = records.rows.states.get("a1" as AssetId);
  await records.leases.seize(nameOf(1), "b");
  reading(1, "a1", "p1", 2);
  await until("it learns of it", () => isLost, PATIENT_MS);
  await pipeline.stop();
  expect(records.rows.states.get("a1" as AssetId)).toBe(before);
  expect(checkpointOf(1)).toBe(1);
});

it("a pipeline whose lease was lost leaves what it took in to the next, from its last checkpoint on", async () => {
  const pipeline = await start(1);
  reading(1, "a1", "p1", 1);
  await committed(1, 1);
  await records.leases.seize(nameOf(1), "b");
  reading(1, "a2", "p2", 2);
  await until("the pipeline stalls", () => pipeline.stalled !== undefined, PATIENT_MS);
  await pipeline.stop();
  await start(1);
  await committed(1, 2);
  // Also by the one that had lost its lease.
  expect(journalAt(2).records).toHaveLength(2);
});

it("what stages share is kept by partition, so that it goes to the next owner with it", async () => {
  await start(1);
  await start(2);
  for (const partition of [1, 2]) {
    const body = Uint8Array.of(0);
    log.append({ partition, key: "", kind: RECORD_KIND.tick, timeMs: T0, body }, () => undefined);
  }
  await committed(1, 1);
  await committed(2, 1);
  const names = [...records.rows.shared.keys()].filter((name) => name.endsWith("liveness"));
  expect(names.sort()).toEqual(["partition/1/liveness", "partition/2/liveness"]);
  expect(JSON.parse(records.rows.shared.get("partition/2/liveness") ?? "")).toMatchObject({
    seenMs: T0,
  });
});

it("a partition that was added goes on from what those before it had shared, with the outages of its own projects", async () => {
  const outage = (projectId: string) => ({ projectId, sinceMs: T0, members: [] });
  const liveness = (seenMs: number, pausedMs: number, projectId: string) =>
    JSON.stringify({ seenMs, pausedMs, outages: [outage(projectId)] });
  const inherited = [
    new Map([["liveness", liveness(T0, 77, "p1")]]),
    new Map([["liveness", liveness(T0 - 5, 78, "p3")]]),
    new Map(),
  ];
  records.rows.shared.set("liveness", liveness(T0 - 9, 99, "p1"));
  await start(1, entries, () => undefined, inherited);
  const body = Uint8Array.of(0);
  const kind = RECORD_KIND.start;
  log.append({ partition: 1, key: "", kind, timeMs: T0 + 1_000, body }, () => undefined);
  await committed(1, 1);
  const shared = JSON.parse(records.rows.shared.get("partition/1/liveness") ?? "");
  expect(shared).toEqual({ seenMs: T0 + 1_000, pausedMs: 78, outages: [outage("p1")] });
});

it("partitions go on from what one process had shared, each with its own outages", async () => {
  const outage = (projectId: string) => ({ projectId, sinceMs: T0, members: [] });
  const state = { seenMs: T0, pausedMs: 77, outages: [outage("p1"), outage("p2")] };
  records.rows.shared.set("liveness", JSON.stringify(state));
  await start(1);
  const body = Uint8Array.of(0);
  const kind = RECORD_KIND.start;
  log.append({ partition: 1, key: "", kind, timeMs: T0 + 1_000, body }, () => undefined);
  await committed(1, 1);
  const shared = JSON.parse(records.rows.shared.get("partition/1/liveness") ?? "");
  expect(shared).toEqual({ seenMs: T0 + 1_000, pausedMs: 77, outages: [outage("p1")] });
});
