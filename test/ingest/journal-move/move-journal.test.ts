import { beforeEach, describe, expect, it } from "vitest";
import { DomainError } from "../../../domain/errors.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { refuseGrownTopic } from "../../../ingest/journal-move/one-layout.ts";
import { beginMoveToFolder } from "../../../ingest/journal-move/to-folder.ts";
import { moveToKafka } from "../../../ingest/journal-move/to-kafka.ts";
import { decodeHandedOver } from "../../../ingest/journal-record/handed-over.ts";
import { RECORD_KIND, TICK_BODY } from "../../../ingest/journal-record/journal-record.ts";
import { encodeReadings } from "../../../ingest/journal-record/readings.ts";
import { partitionOf } from "../../../ingest/partitions/partition-of.ts";
import { partitionPipeline } from "../../../ingest/partitions/partition-pipeline.ts";
import { homeIn, refuseSharedStart } from "../../../storage/migration/journal-home.ts";
import type { JournalRecord } from "../../../storage/ports/journal.ts";
import type { MovableLog } from "../../../storage/ports/movable-log.ts";
import { ARCHIVE_CURSOR } from "../../../storage/ports/telemetry-archive.ts";
import { type ManualJournal, manualJournal } from "../../support/manual-journal.ts";
import { type MemoryRecords, openMemoryRecords } from "../../support/memory-records.ts";

const T0 = Date.UTC(2026, 10, 20, 12);
const PARTITIONS = 3;
const FOLDER = "11111111-0000-4000-8000-000000000000";
const TOPIC = "records";

let records: MemoryRecords;
let folder: ManualJournal;
let log: FakeLog;

/** A topic in memory, whose processes and failures a test decides. */
interface FakeLog extends MovableLog {
  readonly partitionJournals: readonly ManualJournal[];
  processes: number;
  /** Records that it takes before it is away; those behind are not stored. */
  left: number;
}

beforeEach(() => begin());

/** A folder whose service has begun, and an empty topic. */
async function begin(): Promise<void> {
  records = openMemoryRecords();
  folder = named(FOLDER);
  log = openLog("topic-1");
  await processed(FOLDER, 0);
}

/** A journal that commits at once. */
function named(id: string): ManualJournal {
  const journal = Object.defineProperty(manualJournal(), "id", { value: id });
  const { append } = journal;
  journal.append = (...args) => {
    const sequence = append(...args);
    journal.commit();
    return sequence;
  };
  return journal;
}

function openLog(topicId: string): FakeLog {
  const partitionJournals = Array.from({ length: PARTITIONS }, (_, p) => named(`${topicId}-${p}`));
  return {
    ...{ topic: TOPIC, topicId, partitions: PARTITIONS, trouble: undefined },
    ...{ partitionJournals, processes: 0, left: Number.POSITIVE_INFINITY },
    async members() {
      return this.processes;
    },
    async openSource(partition) {
      return partitionJournals[partition] as ManualJournal;
    },
    append({ partition, kind, timeMs, body }, done) {
      this.left -= 1;
      if (this.left < 0) {
        done(new DomainError("STORE_UNAVAILABLE", "the brokers are away"));
        return;
      }
      partitionJournals[partition]?.append(kind, timeMs, body, done);
    },
    close: async () => undefined,
  };
}

/** Readings of one asset, in the n-th record of a test. */
function reading(project: string, n: number): Uint8Array {
  const reading = {
    fixTimeMs: T0 + n * 1_000,
    timeSource: "device" as const,
    rawTimeMs: undefined,
    seq: -1,
    payloadHash: n,
    fields: { number: n },
    faults: undefined,
  };
  return encodeReadings(
    {
      assetId: `asset-of-${project}` as AssetId,
      projectId: project as ProjectId,
      receivedAtMs: T0 + n,
      readings: [reading],
    },
    { clientHash: 1, packetId: n, payloadHash: n },
  );
}

/** Appends readings of each of these projects; "tick" is a tick. */
function fill(journal: ManualJournal, what: readonly string[]): void {
  for (const one of what) {
    const n = journal.syncedSequence + 1;
    if (one === "tick") journal.append(RECORD_KIND.tick, T0 + n, TICK_BODY, () => undefined);
    else journal.append(RECORD_KIND.readings, T0 + n, reading(one, n), () => undefined);
  }
}

const processed = (journalId: string, sequence: number) =>
  records.pipeline.commit({
    ...{ states: [], days: [], quarantined: [], events: [], visits: [], alerts: [] },
    shared: new Map(),
    checkpoint: { journalId, sequence },
  });

const options = { nowMs: T0, signal: new AbortController().signal, onStep: () => undefined };
const out = (archived = 0) =>
  moveToKafka({
    ...{ journal: folder, records, log, archived },
    ...options,
    onBegun: async () => undefined,
  });
async function back(journal: ManualJournal = folder, isSpent = true) {
  const move = await beginMoveToFolder({ journal, isSpent, records, log, ...options });
  return await move.finish();
}

/** A record as `place kind`, by the place where it was acknowledged. */
function nameOf({ kind, body }: JournalRecord): string {
  if (kind === RECORD_KIND.tick) return "tick";
  if (kind === RECORD_KIND.unfollowed) return "unfollowed";
  const { origin } = decodeHandedOver(body);
  return `${origin.journalId === FOLDER ? "folder" : origin.journalId} ${origin.sequence}`;
}

const namesIn = (): readonly (readonly string[])[] =>
  log.partitionJournals.map(({ records: all }) => all.map(nameOf));

const refusal = (moving: Promise<unknown>): Promise<string> =>
  moving.then(
    () => "it was not refused",
    (error: unknown) => (error instanceof DomainError ? error.message : String(error)),
  );

const PROJECTS = ["yard", "pit", "quarry", "north"];
const partitionsOf = new Map(
  PROJECTS.map((one) => [one, partitionOf(one as ProjectId, PARTITIONS)]),
);
/** Two of each project, a tick in between; by whom it was not had. */
const CONTENT = [...PROJECTS, "tick", ...PROJECTS];

/** What each partition has to hold when everything behind `after` moved. */
function expected(after: number, processedTo: number): readonly (readonly string[])[] {
  return Array.from({ length: PARTITIONS }, (_, partition) => [
    ...CONTENT.flatMap((one, i) => {
      const sequence = i + 1;
      if (sequence <= after) return [];
      if (one === "tick") return sequence > processedTo ? ["tick"] : [];
      return partitionsOf.get(one) === partition ? [`folder ${sequence}`] : [];
    }),
    "unfollowed",
  ]);
}

describe("moveToKafka", () => {
  it("a move puts what the pipeline or the archive has not had into the partitions, under its name and time", async () => {
    fill(folder, CONTENT);
    await processed(FOLDER, 6);
    expect(await out(2)).toEqual({ records: 6, isResumed: false });
    expect(namesIn()).toEqual(expected(2, 6));
    const handed = log.partitionJournals
      .flatMap(({ records: all }) => all)
      .filter(({ kind }) => kind === RECORD_KIND.handedOver);
    const receivedMs = handed.map(({ timeMs }) => timeMs);
    expect(receivedMs).toEqual(
      handed.map(({ body }) => T0 + decodeHandedOver(body).origin.sequence),
    );
    for (const { id, records: all } of log.partitionJournals) {
      const upTo = (sequence: number) =>
        all.filter(
          ({ kind, body }) =>
            kind === RECORD_KIND.handedOver && decodeHandedOver(body).origin.sequence <= sequence,
        ).length;
      const checkpoint = await records.pipeline.checkpoint(partitionPipeline(id));
      expect(checkpoint).toEqual({ journalId: id, sequence: upTo(6) });
      expect(await records.journalPlaces.find(id, ARCHIVE_CURSOR)).toBe(upTo(2));
    }
    await refuseSharedStart(records.pipeline);
  });

  it("a move that is cut off after any record goes on without doubling one", async () => {
    const whole = expected(0, 0);
    const total = whole.flat().length;
    for (let n = 0; n < total; n += 1) {
      await begin();
      fill(folder, CONTENT);
      log.left = n;
      expect(await refusal(out())).toBe("the brokers are away");
      expect(await refusal(refuseSharedStart(records.pipeline))).toContain("did not end");
      log.left = Number.POSITIVE_INFINITY;
      expect(await out()).toEqual({ records: 8, isResumed: true });
      expect(namesIn()).toEqual(whole);
    }
    expect(total).toBe(14);
  });

  it("a batch that a killed run had in flight and that comes late is passed over", async () => {
    fill(folder, CONTENT);
    log.left = 6;
    await refusal(out());
    log.left = Number.POSITIVE_INFINITY;
    await out();
    const partition = partitionsOf.get("yard") ?? 0;
    // As if the first two had been sent once more by the run that was killed.
    const journal = log.partitionJournals[partition] as ManualJournal;
    const late = journal.records.slice(0, 2);
    const content = folder;
    await begin();
    folder = content;
    log = openLog("topic-2");
    log.left = 6;
    await refusal(out());
    const again = log.partitionJournals[partition] as ManualJournal;
    for (const { kind, timeMs, body } of late) again.append(kind, timeMs, body, () => undefined);
    log.left = Number.POSITIVE_INFINITY;
    await out();
    const names = new Set(again.records.map(nameOf));
    expect([...names]).toEqual(expected(0, 0)[partition]);
  });

  it("a record store that is away at the end loses nothing: the move ends with the next run", async () => {
    fill(folder, CONTENT);
    const { transaction } = records;
    records.transaction = async () => {
      throw new DomainError("STORE_UNAVAILABLE", "the database is away");
    };
    expect(await refusal(out())).toBe("the database is away");
    records.transaction = transaction;
    expect(await out()).toEqual({ records: 8, isResumed: true });
    expect(namesIn()).toEqual(expected(0, 0));
  });

  it("what the only pipeline shared is there for each partition, also over what it had in earlier days", async () => {
    await records.pipeline.share(
      new Map([
        ["maintenance", "new"],
        ["partition/1/maintenance", "old"],
      ]),
    );
    await out();
    const shared = await records.pipeline.shared();
    const found = [0, 1, 2].map((partition) => shared.get(`partition/${partition}/maintenance`));
    expect(found).toEqual(["new", "new", "new"]);
  });

  it("a move refuses what it could harm, and says what to do", async () => {
    fill(folder, CONTENT);
    const known = records;
    records = openMemoryRecords();
    expect(await refusal(out())).toMatch(/processed nothing of this journal/);
    records = known;
    log.processes = 2;
    expect(await refusal(out())).toMatch(/2 ingest processes work on topic records.*stop all/);
    log.processes = 0;
    fill(log.partitionJournals[1] as ManualJournal, ["yard"]);
    expect(await refusal(out())).toMatch(/not empty: its partition 1 holds records of another/);
    log = openLog("topic-2");
    await processed("another", 3);
    expect(await refusal(out())).toMatch(/goes on in another journal/);
    await processed(FOLDER, 9);
    await out();
    folder = named("22222222-0000-4000-8000-000000000000");
    expect(await refusal(out())).toMatch(/is in Kafka already/);
  });

  it("a move refuses a topic that partitions were added to, in both directions", async () => {
    await records.logLayouts.begin(log.topicId, PARTITIONS - 1);
    await records.logLayouts.raise(log.topicId, 2, PARTITIONS, 0);
    const said = `topic ${TOPIC} began with ${PARTITIONS - 1} partitions and has ${PARTITIONS} now`;
    await expect(out()).rejects.toThrow(said);
    await expect(back()).rejects.toThrow(said);
  });

  it("the count before a move refuses a topic that partitions were added to, and writes nothing", async () => {
    await refuseGrownTopic(records, log);
    expect((await records.logLayouts.read(log.topicId)).partitions).toEqual([]);
    await records.logLayouts.begin(log.topicId, PARTITIONS - 1);
    // Nobody has taken the new ones into use yet.
    await expect(refuseGrownTopic(records, log)).rejects.toThrow("partitions were added to");
    await records.logLayouts.raise(log.topicId, 2, PARTITIONS, 0);
    await expect(refuseGrownTopic(records, log)).rejects.toThrow("partitions were added to");
  });

  it("a move refuses records of a newer version", async () => {
    folder.append(99, T0, TICK_BODY, () => undefined);
    expect(await refusal(out())).toMatch(/newer version \(kind 99\)/);
  });
});

describe("beginMoveToFolder", () => {
  /** Moves out and lets the partitions be processed up to a share of what they hold. */
  async function inKafka(share: number): Promise<void> {
    fill(folder, CONTENT);
    await out();
    for (const journal of log.partitionJournals) {
      const checkpoint = {
        journalId: journal.id,
        sequence: Math.floor(journal.syncedSequence * share),
      };
      await records.pipeline.commit({
        ...{ states: [], days: [], quarantined: [], events: [], visits: [], alerts: [] },
        shared: new Map(),
        checkpoint,
        node: { id: partitionPipeline(journal.id), leases: [] },
      });
      await records.journalPlaces.advance(journal.id, ARCHIVE_CURSOR, checkpoint.sequence);
    }
  }

  it("a move back keeps the names of the places where records were acknowledged, and their order by machine", async () => {
    await inKafka(0);
    const before = folder.syncedSequence;
    expect(await back()).toEqual({ records: 8, isResumed: false });
    const moved = folder.records.slice(before);
    const names = moved.map(nameOf).filter((name) => name !== "unfollowed");
    // By time of receipt, one tick of all partitions.
    expect(names).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => (n === 5 ? "tick" : `folder ${n}`)),
    );
    expect(await records.pipeline.checkpoint()).toEqual({ journalId: FOLDER, sequence: before });
    expect(homeIn(await records.pipeline.shared())).toMatchObject({ at: "folder" });
    expect(await refusal(refuseSharedStart(records.pipeline))).toMatch(/brought back from Kafka/);
  });

  it("a move back that is cut off after any record goes on without doubling one", async () => {
    for (let n = 0; n < 9; n += 1) {
      await begin();
      await inKafka(0.5);
      const target = named("33333333-0000-4000-8000-000000000000");
      let left = n;
      const { append } = target;
      target.append = (kind, timeMs, body, done) => {
        left -= 1;
        if (left < 0) {
          done(new DomainError("JOURNAL_FULL", "full"));
          return 0;
        }
        return append(kind, timeMs, body, done);
      };
      const cut = await refusal(back(target, false));
      left = Number.POSITIVE_INFINITY;
      await back(target, false).catch((error: unknown) => {
        // It had ended.
        if (cut === "full") throw error;
      });
      const names = target.records.map(nameOf);
      const kept = names.filter((name) => name.startsWith("folder"));
      expect(new Set(kept).size).toBe(kept.length);
      expect(kept.length).toBe(8);
    }
  });

  it("a move back refuses a folder with records of its own, another topic, and one that nobody worked on", async () => {
    expect(await refusal(back())).toMatch(/nobody has worked on topic records/);
    await inKafka(1);
    const own = named("44444444-0000-4000-8000-000000000000");
    fill(own, ["yard"]);
    expect(await refusal(back(own, false))).toMatch(/use an empty folder/);
    const right = log;
    log = openLog("topic-9");
    expect(await refusal(back())).toMatch(/deleted and made again since/);
    log = right;
    log.processes = 1;
    expect(await refusal(back())).toMatch(/1 ingest process works on topic/);
  });

  it("the only pipeline goes on with the clock of the partition that is furthest behind", async () => {
    await inKafka(1);
    const liveness = (seenMs: number, pausedMs: number) =>
      JSON.stringify({ seenMs, pausedMs, outages: [] });
    await records.pipeline.share(
      new Map([
        ["partition/0/liveness", liveness(T0 + 60_000, 5_000)],
        ["partition/1/liveness", liveness(T0 + 20_000, 2_000)],
        ["partition/2/liveness", liveness(T0 + 60_000, 5_000)],
        ["partition/0/maintenance", JSON.stringify({ plans: 4, services: 9, tickMs: 7 })],
        ["partition/1/maintenance", JSON.stringify({ plans: 5, services: 8, tickMs: 6 })],
        ["partition/2/maintenance", JSON.stringify({ plans: 5, services: 9, tickMs: 8 })],
      ]),
    );
    await back();
    const shared = await records.pipeline.shared();
    expect(shared.get("liveness")).toBe(liveness(T0 + 20_000, 2_000));
    expect(JSON.parse(shared.get("maintenance") ?? "")).toEqual({
      plans: 4,
      services: 8,
      tickMs: 6,
    });
  });
});
