import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../domain/errors.ts";
import { writeFileAtomically } from "../data-folder/small-file.ts";
import type { ForwarderProgress } from "../ports/events/forwarders.ts";
import type { PipelineRecords } from "../ports/pipeline.ts";

/** Name of the shared state that says where the journal is. */
export const HOME_STATE = "journal-home";

/** A journal in a data folder, and the topic that its records moved to or from. */
interface Pair {
  readonly journalId: string;
  readonly topic: string;
  readonly topicId: string;
}

/** How far each reader of a data folder's journal has come: sequences of the last record that it has. */
export interface ReaderPlaces {
  readonly processed: number;
  readonly archived: number;
  /** Of every forwarder that has read this journal. */
  readonly forwarders: readonly ForwarderProgress[];
  /** Everything up to here has been taken by all of them. */
  readonly passed: number;
}

/** A move to Kafka that has begun: where its readers were, and where each partition ended before. */
export interface MoveToKafka extends Pair {
  readonly at: "moving";
  readonly to: "kafka";
  readonly places: ReaderPlaces;
  readonly begins: readonly number[];
  /** Server clock at its begin, ms since the Unix epoch. */
  readonly atMs: number;
}

/** Readers of one partition, and what of it is moved; sequences of the last record before each. */
export interface PartitionSpan {
  /** Before the first record that is moved. */
  readonly start: number;
  /** Up to here every reader has had everything. */
  readonly passed: number;
  /** Up to here the pipeline has. */
  readonly processed: number;
  readonly end: number;
}

/** A move to a data folder that has begun: where its journal ended before, and what of each partition goes there. */
export interface MoveToFolder extends Pair {
  readonly at: "moving";
  readonly to: "folder";
  readonly begin: number;
  readonly spans: readonly PartitionSpan[];
}

/** Where the journal of a record store is. */
export type JournalHome = ({ readonly at: "kafka" | "folder" } & Pair) | MoveToKafka | MoveToFolder;

/** `undefined`: it was never moved. */
export function homeIn(shared: ReadonlyMap<string, string>): JournalHome | undefined {
  const text = shared.get(HOME_STATE);
  return text === undefined ? undefined : (JSON.parse(text) as JournalHome);
}

export const homeState = (home: JournalHome): ReadonlyMap<string, string> =>
  new Map([[HOME_STATE, JSON.stringify(home)]]);

/**
 * To be called before an ingest process works on Kafka.
 * @throws DomainError `MIGRATION_FAILED` when a move has not ended, or the journal is in a data folder again.
 */
export async function refuseSharedStart(records: Pick<PipelineRecords, "shared">): Promise<void> {
  const home = homeIn(await records.shared());
  if (home === undefined || home.at === "kafka") return;
  if (home.at === "moving") throw unfinished(home.to);
  throw failed(
    `the journal was brought back from Kafka to a data folder: start without KAFKA_BROKERS, or run "plumbline migrate-data --from DATA_DIR" to move it to Kafka again`,
  );
}

/**
 * To be called before one process works with the journal of its data folder.
 * @throws DomainError `MIGRATION_FAILED` when a move has not ended, or the journal is in Kafka.
 */
export async function refuseSingleStart(
  dataDir: string,
  records: Pick<PipelineRecords, "shared">,
): Promise<void> {
  await refuseMovedFolder(dataDir);
  const home = homeIn(await records.shared());
  if (home === undefined || home.at === "folder") return;
  if (home.at === "moving") throw unfinished(home.to);
  throw inKafka(dataDir, home.topic);
}

/** What a data folder says of the move of its journal. */
export interface FolderNote {
  readonly state: "moving" | "kafka";
  readonly topic: string;
  readonly topicId: string;
}

const noteFile = (dataDir: string): string => join(dataDir, "journal-moved.json");

/** `undefined`: its journal is where it belongs. */
export async function readFolderNote(dataDir: string): Promise<FolderNote | undefined> {
  const text = await readFile(noteFile(dataDir), "utf8").catch(() => undefined);
  // The file is replaced whole, so it is either ours or not there.
  return text === undefined ? undefined : (JSON.parse(text) as FolderNote);
}

export const writeFolderNote = (dataDir: string, note: FolderNote): Promise<void> =>
  writeFileAtomically(noteFile(dataDir), `${JSON.stringify(note)}\n`);

export const removeFolderNote = (dataDir: string): Promise<void> =>
  rm(noteFile(dataDir), { force: true });

async function refuseMovedFolder(dataDir: string): Promise<void> {
  const note = await readFolderNote(dataDir);
  if (note === undefined) return;
  if (note.state === "kafka") throw inKafka(dataDir, note.topic);
  throw failed(
    `a move of the journal of ${dataDir} (DATA_DIR) did not end: run "plumbline migrate-data" again as before`,
  );
}

const inKafka = (dataDir: string, topic: string): DomainError =>
  failed(
    `the journal is in Kafka, topic ${topic}: start with KAFKA_BROKERS and ROLE=ingest, or run "plumbline migrate-data --to ${dataDir}" to bring it back`,
  );

const unfinished = (to: "kafka" | "folder"): DomainError =>
  failed(
    `a move of the journal to ${to === "kafka" ? "Kafka" : "a data folder"} did not end: run "plumbline migrate-data" again as before`,
  );

const failed = (message: string): DomainError => new DomainError("MIGRATION_FAILED", message);
