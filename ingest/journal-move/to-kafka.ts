import { DomainError } from "../../domain/errors.ts";
import {
  homeIn,
  homeState,
  type JournalHome,
  type MoveToKafka,
  type ReaderPlaces,
} from "../../storage/migration/journal-home.ts";
import type { Journal, JournalRecord } from "../../storage/ports/journal.ts";
import type { MovableLog, PartitionSource } from "../../storage/ports/movable-log.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import { ARCHIVE_CURSOR } from "../../storage/ports/telemetry-archive.ts";
import { encodeHandedOver } from "../journal-record/handed-over.ts";
import { acknowledged, RECORD_KIND, TICK_BODY } from "../journal-record/journal-record.ts";
import { partitionOf } from "../partitions/partition-of.ts";
import { partitionPipeline } from "../partitions/partition-pipeline.ts";
import { movedProgress, NOTHING_ELSE } from "./commit.ts";
import type { Moved, MoveProgress } from "./move-progress.ts";
import { requireOneLayout } from "./one-layout.ts";
import { type Outgoing, recordsOf } from "./outgoing.ts";
import { closeSources, HOLDER, openSources, requireIdle } from "./partition-sources.ts";
import { putRecords } from "./put-records.ts";
import { readPlaces } from "./readers.ts";
import { sharedForPartitions } from "./shared-states.ts";
import { concernsAll, hasReadings, projectIn } from "./subject.ts";
import { Walk } from "./walk.ts";

export interface MoveToKafkaOptions extends MoveProgress {
  readonly journal: Journal;
  /** Place in the journal up to which the archive has everything. */
  readonly archived: number;
  readonly records: RecordStore;
  readonly log: MovableLog;
  /** Called when nobody may start on the data folder any more, before the first record moves. */
  readonly onBegun: () => Promise<void>;
}

/** Whether this journal has moved to this topic already. */
export const isMovedTo = (
  home: JournalHome | undefined,
  journalId: string,
  topicId: string,
): boolean => home?.at === "kafka" && home.journalId === journalId && home.topicId === topicId;

/**
 * Moves what readers of a data folder's journal have not had yet into the partitions of a topic, and makes their
 * places those of the partitions. No process may work on either. What was interrupted goes on where it was.
 * @throws DomainError `MIGRATION_FAILED` when the topic or the record store belongs to something else,
 * `STORE_UNAVAILABLE`.
 */
export async function moveToKafka(options: MoveToKafkaOptions): Promise<Moved> {
  const { journal, log } = options;
  const sources = await openSources(log);
  try {
    const { move, isResumed } = await begin(options, sources);
    await options.onBegun();
    const { places } = move;
    const backlog = { journal, places, partitions: log.partitions };
    const counted = await countBacklog(backlog);
    const put = { processed: [...move.begins], archived: [...move.begins] };
    const forwarded = places.forwarders.map(() => [...move.begins]);
    const { onStep, signal } = options;
    const total = journal.syncedSequence - places.passed + 1;
    const walk = (isComplete: boolean) =>
      sources.map(
        (source, p) =>
          new Walk({
            source,
            name: `partition ${p} of topic ${log.topic}`,
            begin: move.begins[p] ?? 0,
            isComplete,
          }),
      );
    await putRecords(
      {
        outgoing: () => outgoing(backlog, move.atMs),
        put: (partition, record, done) => log.append({ ...record, partition }, done),
        walk,
        trouble: () => log.trouble,
        signal,
        onPut: (done) => onStep({ phase: "journal", done, total, items: done }),
        onCompared: (done) => onStep({ phase: "compare", done, total, items: done }),
      },
      ({ rank }, partition, sequence) => {
        if (rank <= places.processed) put.processed[partition] = sequence;
        if (rank <= places.archived) put.archived[partition] = sequence;
        for (const [i, one] of places.forwarders.entries()) {
          const own = forwarded[i];
          if (own !== undefined && rank <= one.sequence) own[partition] = sequence;
        }
      },
    );
    await requireIdle(log);
    await store(options, { sources, places, put, forwarded });
    return { records: counted.records, isResumed };
  } finally {
    await closeSources(sources);
  }
}

/** What of a journal has to move. */
export interface Backlog {
  readonly journal: Pick<Journal, "id" | "read" | "syncedSequence">;
  readonly places: ReaderPlaces;
  readonly partitions: number;
}

/** Messages and what else concerns one asset, by who has not had it. */
export interface BacklogCounts {
  readonly records: number;
  readonly notProcessed: number;
  readonly notArchived: number;
  /** Partitions that some of them go to. */
  readonly partitions: number;
}

/** Counts what has to move. */
export async function countBacklog(backlog: Backlog): Promise<BacklogCounts> {
  const { processed, archived } = backlog.places;
  const count = { records: 0, notProcessed: 0, notArchived: 0 };
  const partitions = new Set<number>();
  for await (const record of waiting(backlog)) {
    if (concernsAll(record)) continue;
    count.records += 1;
    if (record.sequence > processed) count.notProcessed += 1;
    if (record.sequence > archived && hasReadings(record)) count.notArchived += 1;
    partitions.add(partitionFor(record, backlog));
  }
  return { ...count, partitions: partitions.size };
}

/** Records that some reader has not had; of what was processed the readings alone, which others may wait for. */
async function* waiting({ journal, places }: Backlog): AsyncGenerator<JournalRecord> {
  for await (const record of recordsOf(journal, places.passed, journal.syncedSequence)) {
    if (record.sequence > places.processed || hasReadings(record)) yield record;
  }
}

const partitionFor = (record: JournalRecord, { partitions }: Backlog): number =>
  partitionOf(projectIn(record), partitions);

/** Each record under the name of its place here; at the end every partition is told that no link is known. */
async function* outgoing(backlog: Backlog, atMs: number): AsyncGenerator<Outgoing> {
  const { journal, partitions } = backlog;
  const everywhere = Array.from({ length: partitions }, (_, partition) => partition);
  for await (const record of waiting(backlog)) {
    const { sequence: rank, kind, timeMs, body } = record;
    if (concernsAll(record)) {
      yield { rank, kind, timeMs, body, key: "", targets: everywhere };
      continue;
    }
    yield {
      ...{ rank, timeMs },
      kind: RECORD_KIND.handedOver,
      body: encodeHandedOver(acknowledged(record, journal.id)),
      key: projectIn(record),
      targets: [partitionFor(record, backlog)],
    };
  }
  const rank = journal.syncedSequence + 1;
  const { unfollowed: kind } = RECORD_KIND;
  yield { rank, kind, timeMs: atMs, body: TICK_BODY, key: "", targets: everywhere };
}

/** Notes that the move has begun, or finds that it had. */
async function begin(
  options: MoveToKafkaOptions,
  sources: readonly PartitionSource[],
): Promise<{ readonly move: MoveToKafka; readonly isResumed: boolean }> {
  const { journal, records, log } = options;
  const home = homeIn(await records.pipeline.shared());
  await requireIdle(log);
  await requireOneLayout(records, log);
  if (home?.at === "moving" && home.to === "kafka" && home.journalId === journal.id) {
    if (home.topicId === log.topicId) return { move: home, isResumed: true };
    throw failed(
      home.topic === log.topic
        ? `topic ${home.topic} was deleted and made again since the move to it began: what was moved is gone with it`
        : `a move to another topic (${home.topic}) did not end: run it again with the same KAFKA_BROKERS and KAFKA_TOPIC_PREFIX`,
    );
  }
  requireAtHome(home);
  for (const [partition, source] of sources.entries()) {
    await requireSpent(records, log, partition, source);
  }
  const move: MoveToKafka = {
    at: "moving",
    to: "kafka",
    journalId: journal.id,
    topic: log.topic,
    topicId: log.topicId,
    places: await readPlaces(journal, records, options.archived),
    begins: sources.map(({ syncedSequence }) => syncedSequence),
    atMs: options.nowMs,
  };
  // From here on no ingest process starts on either side.
  await records.pipeline.share(homeState(move));
  return { move, isResumed: false };
}

function requireAtHome(home: JournalHome | undefined): void {
  if (home?.at === "kafka") {
    throw failed(
      `the journal of DATABASE_URL is in Kafka already (topic ${home.topic}), moved from another data folder or to another topic`,
    );
  }
  if (home?.at !== "moving") return;
  throw failed(
    `a move of the journal ${home.to === "kafka" ? "of another data folder to Kafka" : "to a data folder"} did not end: run that one again first`,
  );
}

/** A partition may hold what our pipeline and transfer have had, and nothing else. */
async function requireSpent(
  records: Pick<RecordStore, "pipeline" | "journalPlaces">,
  { topic }: Pick<MovableLog, "topic">,
  partition: number,
  source: PartitionSource,
): Promise<void> {
  if (source.syncedSequence < source.oldestSequence) return;
  const checkpoint = await records.pipeline.checkpoint(partitionPipeline(source.id));
  const archived = await records.journalPlaces.find(source.id, ARCHIVE_CURSOR);
  const isSpent =
    (checkpoint?.sequence ?? 0) >= source.syncedSequence && archived >= source.syncedSequence;
  if (isSpent) return;
  throw failed(
    checkpoint === undefined
      ? `topic ${topic} is not empty: its partition ${partition} holds records of another installation. Use another KAFKA_TOPIC_PREFIX, or delete the topic`
      : `topic ${topic} is not empty: its partition ${partition} holds records that were not processed. Start an ingest process on it until plumbline_journal_lag_records is 0, or use another KAFKA_TOPIC_PREFIX`,
  );
}

/** Everything that says where readers are, in one transaction. */
async function store(
  { journal, records, log }: MoveToKafkaOptions,
  found: {
    readonly sources: readonly PartitionSource[];
    readonly places: ReaderPlaces;
    readonly put: Readonly<Record<"processed" | "archived", readonly number[]>>;
    readonly forwarded: readonly (readonly number[])[];
  },
): Promise<void> {
  const { sources, places, put, forwarded } = found;
  await records.transaction(async (transaction) => {
    const { pipeline, leases, journalPlaces, forwarders } = transaction;
    const counted = await forwarders.progress();
    for (const [partition, source] of sources.entries()) {
      const id = partitionPipeline(source.id);
      const sequence = put.processed[partition] ?? 0;
      await leases.seize(id, HOLDER);
      await pipeline.commit({
        ...NOTHING_ELSE,
        checkpoint: { journalId: source.id, sequence },
        node: { id, leases: [] },
      });
      await journalPlaces.advance(source.id, ARCHIVE_CURSOR, put.archived[partition] ?? 0);
      await forwarders.record(
        places.forwarders.map((one, i) =>
          movedProgress(one, source.id, forwarded[i]?.[partition] ?? 0, counted),
        ),
      );
    }
    const shared = sharedForPartitions(await pipeline.shared(), log.partitions);
    const home: JournalHome = {
      at: "kafka",
      journalId: journal.id,
      topic: log.topic,
      topicId: log.topicId,
    };
    await pipeline.share(new Map([...shared, ...homeState(home)]));
  });
}

const failed = (message: string): DomainError => new DomainError("MIGRATION_FAILED", message);
