import type { AlertMuteRecords } from "./equipment/alert-mutes.ts";
import type { AlertRecords } from "./equipment/alerts.ts";
import type { AssetRecords } from "./equipment/assets.ts";
import type { ClientSessions } from "./equipment/client-sessions.ts";
import type { CommandRecords } from "./equipment/commands.ts";
import type { ConnectionRecords, MessageViews } from "./equipment/device-log.ts";
import type { FleetSourceRecords } from "./equipment/fleet-sources.ts";
import type { GeofenceRecords } from "./equipment/geofences.ts";
import type { LatenessRecords } from "./equipment/lateness.ts";
import type { MaintenanceRecords } from "./equipment/maintenance.ts";
import type { PayloadMappingRecords } from "./equipment/payload-mappings.ts";
import type { QuarantineRecords } from "./equipment/quarantine.ts";
import type { StateChanges } from "./equipment/state-changes.ts";
import type { TelemetryDeadLetters } from "./equipment/telemetry-dead-letters.ts";
import type { VisitRecords } from "./equipment/visits.ts";
import type { EventReaderRecords } from "./events/event-readers.ts";
import type { EventRecords } from "./events/events.ts";
import type { ForwarderRecords } from "./events/forwarders.ts";
import type { WebhookRecords } from "./events/webhooks.ts";
import type { PipelineRecords } from "./pipeline.ts";
import type { ApiKeyRecords } from "./platform/api-keys.ts";
import type { IdempotencyRecords } from "./platform/idempotency.ts";
import type { JobRecords } from "./platform/jobs.ts";
import type { JournalPlaces } from "./platform/journal-places.ts";
import type { Leases } from "./platform/leases.ts";
import type { LogLayouts } from "./platform/log-layouts.ts";
import type { ProjectRecords } from "./platform/projects.ts";
import type { RequestCounts } from "./platform/request-counts.ts";
import type { SecretCheck } from "./platform/secret-check.ts";
import type { SessionRecords } from "./platform/sessions.ts";
import type { StoredFiles } from "./platform/stored-files.ts";
import type { CaptureRecords } from "./sites/captures.ts";
import type { ProgressReportRecords } from "./sites/progress-reports.ts";
import type { ScheduleRecords } from "./sites/schedules.ts";
import type { SiteCameraRecords } from "./sites/site-cameras.ts";
import type { StockpileRecords } from "./sites/stockpiles.ts";
import type { SurveyRecords } from "./sites/surveys.ts";
import type { WorkZoneRecords } from "./sites/work-zones.ts";

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
  readonly alertMutes: AlertMuteRecords;
  readonly events: EventRecords;
  readonly eventReaders: EventReaderRecords;
  readonly webhooks: WebhookRecords;
  readonly commands: CommandRecords;
  readonly fleetSources: FleetSourceRecords;
  readonly forwarders: ForwarderRecords;
  readonly maintenance: MaintenanceRecords;
  readonly payloadMappings: PayloadMappingRecords;
  readonly telemetryDeadLetters: TelemetryDeadLetters;
  readonly lateness: LatenessRecords;
  readonly jobs: JobRecords;
  readonly stockpiles: StockpileRecords;
  readonly workZones: WorkZoneRecords;
  readonly schedules: ScheduleRecords;
  readonly captures: CaptureRecords;
  readonly progressReports: ProgressReportRecords;
  readonly siteCameras: SiteCameraRecords;
  readonly surveys: SurveyRecords;
  readonly leases: Leases;
  readonly journalPlaces: JournalPlaces;
  readonly logLayouts: LogLayouts;
  readonly requestCounts: RequestCounts;
  readonly secretCheck: SecretCheck;
  readonly sessions: SessionRecords;
  readonly connections: ConnectionRecords;
  readonly messageViews: MessageViews;
  readonly clientSessions: ClientSessions;
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
