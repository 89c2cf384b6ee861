import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import type { NewEvent } from "../../domain/events/events.ts";
import type { ApiKeyId, AssetId, ProjectId } from "../../domain/ids.ts";
import type { ApiKey } from "../../domain/platform/api-key.ts";
import type { Project } from "../../domain/project.ts";
import type { AlertRecords, AlertUpsert } from "./equipment/alerts.ts";
import type { Changes } from "./equipment/changes.ts";
import type { CommandRecords } from "./equipment/commands.ts";
import type { ConnectionRecords, MessageViews } from "./equipment/device-log.ts";
import type { FleetSourceRecords } from "./equipment/fleet-sources.ts";
import type { AssetAssignment, GeofenceRecords } from "./equipment/geofences.ts";
import type { MaintenanceRecords } from "./equipment/maintenance.ts";
import type { PayloadMappingRecords } from "./equipment/payload-mappings.ts";
import type { AssetStateRow, StateChanges } from "./equipment/state-changes.ts";
import type { StrandedRecord, StrandedRecords } from "./equipment/stranded.ts";
import type { TelemetryDeadLetters } from "./equipment/telemetry-dead-letters.ts";
import type { Visit, VisitRecords } from "./equipment/visits.ts";
import type { EventReaderRecords } from "./events/event-readers.ts";
import type { EventRecords } from "./events/events.ts";
import type { ForwarderRecords } from "./events/forwarders.ts";
import type { WebhookRecords } from "./events/webhooks.ts";
import type { IdempotencyRecords } from "./platform/idempotency.ts";
import type { JobRecords } from "./platform/jobs.ts";
import type { Lease, Leases } from "./platform/leases.ts";
import type { RequestCounts } from "./platform/request-counts.ts";
import type { SecretCheck } from "./platform/secret-check.ts";
import type { StoredFiles } from "./platform/stored-files.ts";
import type { CaptureRecords } from "./sites/captures.ts";
import type { ProgressReportRecords } from "./sites/progress-reports.ts";
import type { ScheduleRecords } from "./sites/schedules.ts";
import type { SiteCameraRecords } from "./sites/site-cameras.ts";
import type { StockpileRecords } from "./sites/stockpiles.ts";
import type { WorkZoneRecords } from "./sites/work-zones.ts";

// ---------------------------------------------------------------- journal

/** One record of the journal, as it was appended. */
export interface JournalRecord {
  /** 1, 2, 3, ... without gaps (but for `JournalRecovery.holes`) for the life of one journal. */
  readonly sequence: number;
  /** Server clock at append, ms since the Unix epoch. */
  readonly timeMs: number;
  /** What `body` holds, 1 to 255; the journal does not look inside. */
  readonly kind: number;
  readonly body: Uint8Array;
}

/** A place in one particular journal. Sequences of different journals cannot be compared. */
export interface JournalPosition {
  readonly journalId: string;
  /** The last record that was processed; 0 before the first. */
  readonly sequence: number;
}

/** What opening found. */
export interface JournalRecovery {
  readonly records: number;
  /** Bytes of a torn or damaged tail that were cut off; 0 after a clean stop. */
  readonly cutBytes: number;
  /** Whether a new journal (with a new id) was created. */
  readonly created: boolean;
  /**
   * Synced, and so perhaps acknowledged, records that cannot be read any more and that not every
   * cursor had passed; both ends inclusive. Reading goes on behind them.
   */
  readonly holes?: readonly { readonly fromSequence: number; readonly toSequence: number }[];
  /** Copies of damaged segment files that were made before anything was cut. */
  readonly setAside?: readonly string[];
  /** Small files that could not be used and were made again. */
  readonly remade?: readonly { readonly file: string; readonly problem: string }[];
  /** Newest sequence that the journal knew of; what `passOver` adds lies behind. Absent: the synced one. */
  readonly newestSequence?: number;
}

/** A named reader's durable place. No segment at or after the slowest cursor is deleted. */
export interface JournalCursor {
  readonly name: string;
  /** Last sequence the reader has processed durably; 0 at first. */
  readonly sequence: number;
  /**
   * Says that everything up to `sequence` is durable elsewhere. Never goes back. Written to disk
   * lazily; after a crash the cursor may be older than was said, never newer.
   */
  advance(sequence: number): void;
}

export interface JournalStats {
  readonly bytes: number;
  readonly segments: number;
  readonly syncedSequence: number;
  readonly oldestSequence: number;
  readonly commits: number;
  /** Free bytes of the file system at the last measurement. */
  readonly freeBytes: number;
}

/** `open`: takes records. `full`: too little free disk, tries again by itself. `failed`: an fsync failed. */
export type JournalState = "open" | "full" | "failed";

/** The write-ahead journal: the point of acknowledgement and the source of every replay. */
export interface Journal {
  /** UUID of this journal; kept in its folder and beside every checkpoint. */
  readonly id: string;
  readonly recovery: JournalRecovery;
  readonly state: JournalState;
  readonly syncedSequence: number;
  readonly oldestSequence: number;
  /**
   * Queues one record and returns its sequence. `done` is called exactly once, in sequence order:
   * without argument after the record is on disk (`fdatasync` returned), else with a `DomainError`
   * `JOURNAL_FULL` or `STORE_UNAVAILABLE`, and then the record is not in the journal.
   * When the journal is not `open`, `done` is called with the error and 0 is returned.
   */
  append(kind: number, timeMs: number, body: Uint8Array, done: (error?: Error) => void): number;
  /**
   * Synced records from `fromSequence` on, in order, at least one if there is any. Starts at the
   * oldest record when `fromSequence` is older. None, although `syncedSequence` is not before
   * `fromSequence`: the records up to there are gone.
   */
  read(
    fromSequence: number,
    limit: { readonly records: number; readonly bytes: number },
  ): Promise<readonly JournalRecord[]>;
  /** Resolves once `syncedSequence >= sequence`, or when the signal fires. */
  waitFor(sequence: number, signal: AbortSignal): Promise<void>;
  /**
   * States that a store has processed `sequence` of this journal, though the journal may no longer know it:
   * no sequence up to it is ever given out again, else its new record would be taken for the old one. Before
   * the first append; does nothing for a sequence that is known.
   */
  passOver(sequence: number): Promise<void>;
  /** Opens (or creates) the durable cursor of that name. */
  cursor(name: string): JournalCursor;
  stats(): JournalStats;
  /** Called on every change of `state`. */
  onState(listener: (state: JournalState) => void): void;
  /** Called after every commit with its duration (write and sync) and its size. */
  onCommit(
    listener: (commit: {
      readonly durationMs: number;
      readonly records: number;
      readonly bytes: number;
    }) => void,
  ): void;
  /** Commits what is queued, then closes. */
  close(): Promise<void>;
}

// ---------------------------------------------------------------- telemetry

/** One reading of one asset on its time line. */
export interface TelemetryPoint {
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  /** ms since the Unix epoch, UTC. */
  readonly fixTimeMs: number;
  /** Precedence of two points at one fix time: higher `seq` (-1 = none), then larger `payloadHash` (uint32). */
  readonly seq: number;
  readonly payloadHash: number;
  readonly fields: Readonly<Record<string, number>>;
}

export interface SeriesQuery {
  readonly assetId: AssetId;
  /** Half-open interval `[fromMs, toMs)`, ms since the Unix epoch, UTC. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Fields to return; absent: all. Rows that carry none of them are left out. */
  readonly fields?: readonly string[];
}

/** A range of one asset's time line as columns of equal length, ascending, one row per fix time. */
export interface Series {
  /** ms since the Unix epoch. */
  readonly timesMs: Float64Array;
  /** Values by field name; `NaN` where a row does not carry the field. */
  readonly columns: ReadonlyMap<string, Float64Array>;
}

/** Time series of readings. Every adapter passes `test/contracts/telemetry-store.ts`. */
export interface TelemetryStore {
  /**
   * Takes a batch: visible to `read` when the promise resolves, on disk later (see
   * `durablePosition`). Writing points again is harmless: rows of one asset and fix time are merged
   * field by field, the point of higher precedence winning. `position` is the journal record up to
   * which the batch is complete. Resolves late when the store is behind (back pressure).
   * @throws DomainError `STORE_UNAVAILABLE` when nothing was taken and the batch may be retried.
   */
  write(points: readonly TelemetryPoint[], position: JournalPosition): Promise<void>;
  /** The journal position up to which every point is on disk; `undefined` for an empty store. */
  readonly durablePosition: JournalPosition | undefined;
  /** Called whenever `durablePosition` has moved. */
  onDurable(listener: (position: JournalPosition) => void): void;
  /** An unknown asset yields an empty series. */
  read(query: SeriesQuery): Promise<Series>;
  /** Makes everything taken so far durable. */
  flush(): Promise<void>;
  /** Deletes whole periods that end at or before `beforeMs`. */
  expire(beforeMs: number): Promise<void>;
  close(): Promise<void>;
}

// ---------------------------------------------------------------- records

export interface ProjectRecords {
  /** @throws DomainError `ID_CONFLICT` when the id is taken. */
  insert(project: Project): Promise<void>;
  list(): Promise<readonly Project[]>;
  find(id: ProjectId): Promise<Project | undefined>;
  /**
   * Replaces a project by what `change` makes of it, and yields that. Changes of one project run one
   * after the other, so that none undoes another; what `change` throws leaves all as it was.
   * @throws DomainError `PROJECT_NOT_FOUND`.
   */
  update(id: ProjectId, change: (before: Project) => Project): Promise<Project>;
  /** @throws DomainError `PROJECT_NOT_FOUND`, or `PROJECT_IN_USE` while it has assets, geofences, stockpiles, work zones or cameras. */
  delete(id: ProjectId): Promise<void>;
}

/** An asset with what the broker and the followers need to know of it. */
export interface AssetRow {
  readonly asset: AssetRegistration;
  /** HMAC-SHA-256 of the MQTT secret under the pepper, 32 bytes. */
  readonly secretHash: Uint8Array;
  /** Rises with every change of any asset. */
  readonly revision: number;
  readonly deleted: boolean;
}

export interface AssetRecords {
  /**
   * @throws DomainError `ID_CONFLICT` for a taken id or `hardware_id`, `PROJECT_NOT_FOUND`, or
   * `MAPPING_NOT_FOUND` for the decoder "mapping" where the type has none.
   */
  insert(asset: AssetRegistration, secretHash: Uint8Array, mosquittoHash?: string): Promise<void>;
  find(id: AssetId): Promise<AssetRegistration | undefined>;
  /**
   * Replaces a registration by what `change` makes of it, one change after the other, as for
   * projects. A change of `project_id` closes the assignment in force at `atMs` and opens the next.
   * @throws DomainError `ASSET_NOT_FOUND`, `PROJECT_NOT_FOUND`, `MAPPING_NOT_FOUND` as in `insert`, or
   * `ID_CONFLICT` for a `hardware_id` that another asset has.
   */
  update(
    id: AssetId,
    change: (before: AssetRegistration) => AssetRegistration,
    atMs: number,
  ): Promise<void>;
  /** @throws DomainError `ASSET_NOT_FOUND`. */
  setSecret(id: AssetId, secretHash: Uint8Array, mosquittoHash?: string): Promise<void>;
  /** The secrets of all assets for a password file; `undefined`: made before such hashes were kept. */
  mosquittoHashes(): Promise<ReadonlyMap<AssetId, string | undefined>>;
  /** Keeps the row as a tombstone: history stays, the id stays taken. @throws DomainError `ASSET_NOT_FOUND`. */
  delete(id: AssetId, atMs: number): Promise<void>;
  /** Every asset changed after `revision`, tombstones included, by rising revision. */
  changesSince(revision: number): Promise<Changes<AssetRow>>;
  /** Assignments to projects of the given assets, ascending by start; `undefined`: of all assets. */
  assignments(assetIds: readonly AssetId[] | undefined): Promise<readonly AssetAssignment[]>;
}

/** A stored key: the public part, and the hash that a request is looked up by. */
export interface ApiKeyRow {
  readonly key: ApiKey;
  /** HMAC-SHA-256 of the key under the pepper, 32 bytes. */
  readonly hash: Uint8Array;
}

export interface ApiKeyRecords {
  /** @throws DomainError `ID_CONFLICT`. */
  insert(row: ApiKeyRow): Promise<void>;
  list(): Promise<readonly ApiKey[]>;
  findByHash(hash: Uint8Array): Promise<ApiKeyRow | undefined>;
  /** @throws DomainError `KEY_NOT_FOUND`. */
  revoke(id: ApiKeyId, at: string): Promise<ApiKey>;
  /** Notes the use of a key; the caller bounds how often. */
  touch(id: ApiKeyId, at: string): Promise<void>;
}

/** A message that could not be decoded, kept for a person to check and to replay. */
export interface QuarantineEntry {
  /** `{journalId}-{sequence}`: a replay of the journal stores it once. */
  readonly id: string;
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  readonly receivedAtMs: number;
  readonly topic: string;
  readonly format: string;
  readonly reason: string;
  readonly payload: Uint8Array;
  readonly replayedAtMs: number | undefined;
}

export interface QuarantinePage {
  readonly entries: readonly QuarantineEntry[];
  readonly total: number;
  /** Messages counted but not kept (more than 1,000 per asset and day). */
  readonly dropped: number;
}

export interface QuarantineRecords {
  /** Newest first. `projectIds` absent: all projects. */
  list(filter: {
    readonly assetId?: AssetId;
    readonly projectIds?: readonly ProjectId[];
    readonly limit: number;
    readonly offset: number;
  }): Promise<QuarantinePage>;
  find(id: string): Promise<QuarantineEntry | undefined>;
  /** Ends a request for it, too. @throws DomainError `QUARANTINE_NOT_FOUND`. */
  markReplayed(id: string, atMs: number): Promise<void>;
  /** Asks a process with a journal to replay a message. @throws DomainError `QUARANTINE_NOT_FOUND`. */
  requestReplay(id: string, atMs: number): Promise<void>;
  /** Messages whose replay was asked for and is yet to be done, oldest request first. */
  requestedReplays(limit: number): Promise<readonly QuarantineEntry[]>;
  /** Ends a request that cannot be met. */
  dropReplayRequest(id: string): Promise<void>;
  /**
   * Deletes a bounded number of messages received before `beforeMs`, with the counts of days that
   * ended before, and yields whether more are left.
   */
  expire(beforeMs: number): Promise<boolean>;
}

/** What one asset did on one local day of its project. */
export interface UtilizationDay {
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  /** Local calendar date of the project, YYYY-MM-DD. */
  readonly day: string;
  /** Working seconds inside the shift. */
  readonly workingS: number;
  /** Working seconds outside the shift. */
  readonly overtimeS: number;
  readonly engineOnS: number;
  readonly distanceM: number;
  /** How the figures came about, as the pipeline packs it; `undefined` for a day stored before that was kept. */
  readonly usage?: readonly number[] | undefined;
}

/** Everything one step of the pipeline changes; stored in one transaction with the checkpoint. */
export interface PipelineCommit {
  readonly checkpoint: JournalPosition;
  readonly states: readonly AssetStateRow[];
  readonly days: readonly UtilizationDay[];
  readonly quarantined: readonly QuarantineEntry[];
  readonly events: readonly NewEvent[];
  /** Visits as they are now; a row of the same id is replaced. */
  readonly visits: readonly Visit[];
  /** Alerts as they are now; acknowledgements stay. */
  readonly alerts: readonly AlertUpsert[];
  /** State of stages that belongs to no asset, by name; JSON text. */
  readonly shared: ReadonlyMap<string, string>;
  /** Absent: the only node there is, which owns everything. */
  readonly node?: NodeCommit;
}

/** What one of several ingest nodes adds to its commits. */
export interface NodeCommit {
  /** Whose checkpoint it is. */
  readonly id: string;
  /** Must be held when the commit ends, or nothing of it is stored. */
  readonly leases: readonly Lease[];
  /** Records of this node's journal that other nodes are to evaluate; a row that exists is left alone. */
  readonly stranded: readonly StrandedRecord[];
}

export interface PipelineRecords {
  /** Of the given node; without one, of the only node. */
  checkpoint(nodeId?: string): Promise<JournalPosition | undefined>;
  /** Of assets that are, or were until they were deleted, in these projects; absent: of all assets. */
  states(projectIds?: readonly ProjectId[]): Promise<readonly AssetStateRow[]>;
  /** What was committed as `shared`, by name. */
  shared(): Promise<ReadonlyMap<string, string>>;
  /** Days of one asset in `[fromDay, toDay]`, ascending. */
  days(assetId: AssetId, fromDay: string, toDay: string): Promise<readonly UtilizationDay[]>;
  /** Sum of engine-on seconds over all days of one asset. */
  engineOnS(assetId: AssetId): Promise<number>;
  /**
   * One transaction: all of it or nothing. Events and quarantine entries that exist are left alone;
   * states, days, visits, alerts and shared states are replaced.
   * @throws DomainError `LEASE_LOST` when a lease of `node` is not held.
   */
  commit(change: PipelineCommit): Promise<void>;
}

/** The ports that one transaction spans. */
export type RecordTransaction = Omit<RecordStore, "transaction" | "ping" | "copyTo" | "close">;

/** Relational records: PostgreSQL, or PGlite on a bare machine. All calls throw `STORE_UNAVAILABLE` when the database is away. */
export interface RecordStore {
  readonly projects: ProjectRecords;
  readonly assets: AssetRecords;
  readonly apiKeys: ApiKeyRecords;
  readonly quarantine: QuarantineRecords;
  readonly pipeline: PipelineRecords;
  readonly idempotency: IdempotencyRecords;
  readonly geofences: GeofenceRecords;
  readonly visits: VisitRecords;
  readonly alerts: AlertRecords;
  readonly events: EventRecords;
  readonly eventReaders: EventReaderRecords;
  readonly webhooks: WebhookRecords;
  readonly commands: CommandRecords;
  readonly fleetSources: FleetSourceRecords;
  readonly forwarders: ForwarderRecords;
  readonly maintenance: MaintenanceRecords;
  readonly payloadMappings: PayloadMappingRecords;
  readonly telemetryDeadLetters: TelemetryDeadLetters;
  readonly jobs: JobRecords;
  readonly stockpiles: StockpileRecords;
  readonly workZones: WorkZoneRecords;
  readonly schedules: ScheduleRecords;
  readonly captures: CaptureRecords;
  readonly progressReports: ProgressReportRecords;
  readonly siteCameras: SiteCameraRecords;
  readonly leases: Leases;
  readonly stranded: StrandedRecords;
  readonly requestCounts: RequestCounts;
  readonly secretCheck: SecretCheck;
  readonly connections: ConnectionRecords;
  readonly messageViews: MessageViews;
  readonly stateChanges: StateChanges;
  readonly storedFiles: StoredFiles;
  /**
   * Runs `work` on ports whose writes are stored together when it resolves; nothing is stored when it
   * rejects. `work` must use `records` alone, catch no error of theirs, and wait for nothing else: the
   * embedded database has one connection, which it holds.
   * A `STORE_UNAVAILABLE` may come after the commit took effect: the answer was lost.
   */
  transaction<T>(work: (records: RecordTransaction) => Promise<T>): Promise<T>;
  ping(): Promise<void>;
  /**
   * Copies all records, as they are between two transactions, to a folder that must not exist; writes
   * wait meanwhile. Absent where the records are a server's, with its own means of backup.
   */
  copyTo?(dir: string): Promise<void>;
  close(): Promise<void>;
}
