import { DomainError } from "../../domain/errors.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import {
  homeIn,
  homeState,
  type JournalHome,
  type MoveToFolder,
  type PartitionSpan,
} from "../../storage/migration/journal-home.ts";
import type { ForwarderProgress } from "../../storage/ports/events/forwarders.ts";
import type { Journal, JournalReader, JournalRecord } from "../../storage/ports/journal.ts";
import type { MovableLog, PartitionSource } from "../../storage/ports/movable-log.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import { ARCHIVE_CURSOR } from "../../storage/ports/telemetry-archive.ts";
import { encodeHandedOver } from "../journal-record/handed-over.ts";
import { acknowledged, RECORD_KIND } from "../journal-record/journal-record.ts";
import { partitionOf } from "../partitions/partition-of.ts";
import { partitionPipeline } from "../partitions/partition-pipeline.ts";
import { movedProgress, NOTHING_ELSE } from "./commit.ts";
import { inOrderOfTime } from "./in-order-of-time.ts";
import type { Moved, MoveProgress } from "./move-progress.ts";
import { requireOneLayout } from "./one-layout.ts";
import type { Outgoing } from "./outgoing.ts";
import { closeSources, HOLDER, openSources, requireIdle } from "./partition-sources.ts";
import { putRecords } from "./put-records.ts";
import { withAddedPause } from "./rebase-tracks.ts";
import { type MergedShared, mergeShared } from "./shared-states.ts";
import { concernsAll, innermost } from "./subject.ts";
import { Walk } from "./walk.ts";

/** How far back messages are recalled when a process starts, ms (`recallMessages`). */
const RECALL_MS = 10 * MINUTE_MS;
/** Assets of one statement. More make it large; fewer mean more round trips. */
const STATES_AT_ONCE = 500;

export interface MoveToFolderOptions extends MoveProgress {
  /** Of the data folder, and whether every record in it is known to have gone to this topic before. */
  readonly journal: Journal;
  readonly isSpent: boolean;
  readonly records: RecordStore;
  readonly log: MovableLog;
}

/** A move that has begun, and how it goes on. */
export interface FolderMove {
  readonly isResumed: boolean;
  /** Where the folder's journal ended before the move. */
  readonly begin: number;
  /** Puts the records there and makes the places of the partitions those of the folder. */
  finish(): Promise<Moved>;
  close(): Promise<void>;
}

/** Whether the journal is in this folder already, moved from this topic. */
export const isMovedBack = (
  home: JournalHome | undefined,
  journalId: string,
  topicId: string,
): boolean => home?.at === "folder" && home.journalId === journalId && home.topicId === topicId;

/**
 * Begins to move what readers of the partitions of a topic have not had yet into the journal of a data folder. No
 * process may work on either. What was interrupted goes on where it was.
 * @throws DomainError `MIGRATION_FAILED` when the topic, the folder or the record store belongs to something else,
 * `STORE_UNAVAILABLE`.
 */
export async function beginMoveToFolder(options: MoveToFolderOptions): Promise<FolderMove> {
  const sources = await openSources(options.log);
  const close = () => closeSources(sources);
  try {
    const { move, isResumed } = await begin(options, sources);
    return {
      isResumed,
      begin: move.begin,
      finish: async () => ({ records: await finish(options, sources, move), isResumed }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function begin(
  options: MoveToFolderOptions,
  sources: readonly PartitionSource[],
): Promise<{ readonly move: MoveToFolder; readonly isResumed: boolean }> {
  const { journal, records, log, nowMs } = options;
  const home = homeIn(await records.pipeline.shared());
  await requireIdle(log);
  await requireOneLayout(records, log);
  if (home?.at === "moving" && home.to === "folder") {
    if (home.journalId !== journal.id || home.topicId !== log.topicId) {
      throw failed(
        `a move of topic ${home.topic} to another data folder did not end: run that one again first`,
      );
    }
    requireKept(sources, home.spans);
    return { move: home, isResumed: true };
  }
  requireInKafka(home, log);
  if (!options.isSpent) await requireSpent(journal, records);
  // Processes that were paused and do not know that they lost their partitions store nothing from here on.
  for (const { id } of sources) await records.leases.seize(partitionPipeline(id), HOLDER);
  const spans = await readSpans(sources, records, nowMs);
  if (home === undefined && spans.every(({ isKnown }) => !isKnown)) {
    throw failed(
      `nobody has worked on topic ${log.topic} with this DATABASE_URL: are KAFKA_TOPIC_PREFIX and DATABASE_URL those of the ingest processes?`,
    );
  }
  const move: MoveToFolder = {
    at: "moving",
    to: "folder",
    journalId: journal.id,
    topic: log.topic,
    topicId: log.topicId,
    begin: journal.syncedSequence,
    spans: spans.map(({ span }) => span),
  };
  // From here on no ingest process starts on either side.
  await records.pipeline.share(homeState(move));
  return { move, isResumed: false };
}

function requireInKafka(home: JournalHome | undefined, { topic, topicId }: MovableLog): void {
  if (home === undefined) return;
  if (home.at === "folder") {
    throw failed("the journal of DATABASE_URL was brought back to another data folder already");
  }
  if (home.at === "moving") {
    throw failed("a move of the journal to Kafka did not end: run that one again first");
  }
  if (home.topicId === topicId) return;
  throw failed(
    `the journal of DATABASE_URL is in topic ${home.topic}${home.topic === topic ? ", which was deleted and made again since" : ""}: are KAFKA_BROKERS and KAFKA_TOPIC_PREFIX those of the ingest processes?`,
  );
}

/** The folder's journal must hold nothing that was not processed. */
async function requireSpent(
  journal: Pick<Journal, "id" | "syncedSequence">,
  { pipeline }: Pick<RecordStore, "pipeline">,
): Promise<void> {
  if (journal.syncedSequence === 0) return;
  const checkpoint = await pipeline.checkpoint();
  if (checkpoint?.journalId === journal.id && checkpoint.sequence >= journal.syncedSequence) return;
  throw failed(
    "the data folder has a journal with records of its own that never went to this topic: use an empty folder",
  );
}

/** How much waits in the partitions, counted with ticks. */
export interface TopicCounts {
  readonly notProcessed: number;
  readonly notPassed: number;
}

/** Counts what has to move back. @throws DomainError as `beginMoveToFolder`. */
export async function countWaiting(
  log: MovableLog,
  records: RecordStore,
  nowMs: number,
): Promise<TopicCounts> {
  const sources = await openSources(log);
  try {
    const spans = (await readSpans(sources, records, nowMs)).map(({ span }) => span);
    const sum = (of: (span: PartitionSpan) => number) =>
      spans.reduce((total, span) => total + of(span), 0);
    return {
      notProcessed: sum(({ processed, end }) => end - processed),
      notPassed: sum(({ passed, end }) => end - passed),
    };
  } finally {
    await closeSources(sources);
  }
}

interface KnownSpan {
  readonly span: PartitionSpan;
  /** Whether a pipeline has worked on the partition. */
  readonly isKnown: boolean;
}

async function readSpans(
  sources: readonly PartitionSource[],
  { pipeline, journalPlaces, forwarders }: RecordStore,
  nowMs: number,
): Promise<readonly KnownSpan[]> {
  const active = new Set(
    (await forwarders.list()).filter(({ status }) => status === "active").map(({ id }) => id),
  );
  const progress = (await forwarders.progress()).filter(({ forwarderId }) =>
    active.has(forwarderId),
  );
  const spans: KnownSpan[] = [];
  for (const [partition, source] of sources.entries()) {
    const oldest = source.oldestSequence - 1;
    const end = source.syncedSequence;
    const checkpoint = await pipeline.checkpoint(partitionPipeline(source.id));
    if (checkpoint !== undefined && checkpoint.sequence < oldest) {
      throw failed(
        `partition ${partition} lacks records that were not processed: start an ingest process on it once, so that it reports the gap, then try again`,
      );
    }
    const processed = Math.min(checkpoint?.sequence ?? oldest, end);
    const archived = await journalPlaces.find(source.id, ARCHIVE_CURSOR);
    const forwarded = progress.filter(({ journalId }) => journalId === source.id);
    const places = [processed, archived, ...forwarded.map(({ sequence }) => sequence)];
    const passed = Math.max(oldest, Math.min(...places));
    const recalled = await lastBefore(source, nowMs - RECALL_MS);
    const start = Math.max(oldest, Math.min(passed, recalled));
    spans.push({ span: { start, passed, processed, end }, isKnown: checkpoint !== undefined });
  }
  return spans;
}

/** The last record of before that time, by binary search: records are about in order of time. */
async function lastBefore(source: JournalReader, timeMs: number): Promise<number> {
  let low = source.oldestSequence;
  let high = source.syncedSequence + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [record] = await source.read(middle, { records: 1, bytes: 1 });
    if (record === undefined) return low - 1;
    if (record.timeMs >= timeMs) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

/** @throws DomainError `MIGRATION_FAILED` when the brokers have deleted what an earlier run began with. */
function requireKept(sources: readonly PartitionSource[], spans: readonly PartitionSpan[]): void {
  for (const [partition, source] of sources.entries()) {
    const span = spans[partition];
    if (span === undefined || span.start >= source.oldestSequence - 1) continue;
    throw failed(
      `the brokers have deleted records of partition ${partition} since the move began: nothing of them can be moved any more`,
    );
  }
}

async function finish(
  options: MoveToFolderOptions,
  sources: readonly PartitionSource[],
  move: MoveToFolder,
): Promise<number> {
  const { journal, records, log, onStep, signal } = options;
  const ownerOf = (projectId: Parameters<typeof partitionOf>[0]) =>
    partitionOf(projectId, log.partitions);
  const merged = mergeShared(await records.pipeline.shared(), log.partitions, ownerOf);
  const total = move.spans.reduce((sum, { start, end }) => sum + end - start, 0);
  const places = { passed: move.begin, processed: move.begin };
  let moved = 0;
  await putRecords(
    {
      outgoing: () => outgoing(sources, move.spans, merged.seenMs),
      put: (_, { kind, timeMs, body }, done) => void journal.append(kind, timeMs, body, done),
      walk: (isComplete) => [
        new Walk({
          source: journal,
          name: "the journal of the data folder",
          begin: move.begin,
          isComplete,
        }),
      ],
      trouble: () => (journal.state === "open" ? undefined : `the journal is ${journal.state}`),
      signal,
      onPut: (done) => onStep({ phase: "journal", done, total, items: done }),
      onCompared: (done) => onStep({ phase: "compare", done, total, items: done }),
    },
    ({ rank, kind }, _, sequence) => {
      if (rank === RANK.passed) places.passed = sequence;
      if (rank <= RANK.processed) places.processed = sequence;
      if (rank === RANK.waiting && kind === RECORD_KIND.handedOver) moved += 1;
    },
  );
  places.processed = Math.max(places.processed, places.passed);
  await requireIdle(log);
  await store(options, { sources, move, merged, places });
  // Lazily durable, and harmless where they are not: readers repeat work.
  journal.cursor(ARCHIVE_CURSOR).advance(places.passed);
  journal.cursor("records").advance(places.processed);
  return moved;
}

/** What has had a record before the move: every reader, the pipeline, or not even that. */
const RANK = { passed: 0, processed: 1, waiting: 2 } as const;

/**
 * First what every reader has had, by which messages that are sent again are known; then what the pipeline alone has
 * had; then the rest. Each in the order of its partition, and of time among the partitions.
 */
async function* outgoing(
  sources: readonly PartitionSource[],
  spans: readonly PartitionSpan[],
  seenMs: number,
): AsyncGenerator<Outgoing> {
  const rangesOf = (ends: (span: PartitionSpan) => readonly [after: number, last: number]) =>
    spans.map(ends);
  const passed = rangesOf(({ start, passed }) => [start, passed]);
  for await (const { record, journal } of inOrderOfTime(sources, passed)) {
    const { kind } = innermost(record);
    const isKnown = kind === RECORD_KIND.readings || kind === RECORD_KIND.quarantined;
    if (isKnown) yield wrapped(record, journal, RANK.passed);
  }
  const processed = rangesOf(({ passed, processed }) => [passed, processed]);
  for await (const { record, journal } of inOrderOfTime(sources, processed)) {
    if (innermost(record).kind === RECORD_KIND.readings) {
      yield wrapped(record, journal, RANK.processed);
    }
  }
  const waiting = rangesOf(({ processed, end }) => [processed, end]);
  let tickMs = seenMs;
  for await (const { record, journal } of inOrderOfTime(sources, waiting)) {
    const { kind, timeMs, body } = record;
    if (!concernsAll(record)) {
      yield wrapped(record, journal, RANK.waiting);
      continue;
    }
    // The clock of all must not go back to one that another partition has passed, and needs one tick of many.
    const isClock = kind === RECORD_KIND.tick || kind === RECORD_KIND.start;
    if (isClock && timeMs <= tickMs) continue;
    if (isClock) tickMs = timeMs;
    yield { kind, timeMs, body, rank: RANK.waiting, key: "", targets: [0] };
  }
}

/** The record under the name of the place where it was acknowledged. */
function wrapped(record: JournalRecord, { id }: JournalReader, rank: number): Outgoing {
  return {
    kind: RECORD_KIND.handedOver,
    timeMs: record.timeMs,
    body: encodeHandedOver(acknowledged(record, id)),
    rank,
    key: "",
    targets: [0],
  };
}

/** Everything that says where readers are, in one transaction. */
async function store(
  { journal, records, log }: MoveToFolderOptions,
  found: {
    readonly sources: readonly PartitionSource[];
    readonly move: MoveToFolder;
    readonly merged: MergedShared;
    readonly places: { readonly passed: number; readonly processed: number };
  },
): Promise<void> {
  const { sources, move, merged, places } = found;
  const { rows } = await records.assets.changesSince(0);
  const projects = new Map(rows.map(({ asset }) => [asset.id, asset.project_id]));
  const states = (await records.pipeline.states()).flatMap((row) => {
    const projectId = projects.get(row.assetId);
    if (projectId === undefined) return [];
    const addedMs = merged.addedPauseMs(partitionOf(projectId, log.partitions));
    return addedMs === 0 ? [] : [withAddedPause(row, addedMs)];
  });
  await records.transaction(async ({ pipeline, journalPlaces, forwarders }) => {
    const checkpoint = { journalId: journal.id, sequence: places.processed };
    await pipeline.commit({ ...NOTHING_ELSE, checkpoint, shared: merged.states });
    for (let i = 0; i < states.length; i += STATES_AT_ONCE) {
      const some = states.slice(i, i + STATES_AT_ONCE);
      await pipeline.commit({ ...NOTHING_ELSE, checkpoint, states: some });
    }
    const counted = await forwarders.progress();
    const ids = new Set(sources.map(({ id }) => id));
    const newest = new Map<string, ForwarderProgress>();
    for (const row of counted) if (ids.has(row.journalId)) newest.set(row.forwarderId, row);
    await forwarders.record(
      [...newest.values()].map((row) => movedProgress(row, journal.id, places.passed, counted)),
    );
    for (const [partition, source] of sources.entries()) {
      const end = move.spans[partition]?.end ?? 0;
      const id = partitionPipeline(source.id);
      await pipeline.commit({
        ...NOTHING_ELSE,
        checkpoint: { journalId: source.id, sequence: end },
        node: { id, leases: [] },
      });
      await journalPlaces.advance(source.id, ARCHIVE_CURSOR, end);
      await forwarders.record(
        counted
          .filter(({ journalId }) => journalId === source.id)
          .map((row) => ({ ...row, sequence: end, behind: undefined })),
      );
    }
    const home: JournalHome = {
      at: "folder",
      journalId: journal.id,
      topic: log.topic,
      topicId: log.topicId,
    };
    await pipeline.share(homeState(home));
  });
}

const failed = (message: string): DomainError => new DomainError("MIGRATION_FAILED", message);
