import type { RecordStore } from "../ports/record-store.ts";
import { SqlAlertMuteRecords } from "./equipment/alert-mutes.ts";
import { SqlAlertRecords } from "./equipment/alerts.ts";
import { SqlAssetRecords } from "./equipment/assets.ts";
import { SqlClientSessions } from "./equipment/client-sessions.ts";
import { SqlCommandRecords } from "./equipment/commands.ts";
import { SqlConnectionRecords } from "./equipment/connection-log.ts";
import { SqlFleetSourceRecords } from "./equipment/fleet-sources.ts";
import { SqlGeofenceRecords } from "./equipment/geofences.ts";
import { SqlLatenessRecords } from "./equipment/lateness.ts";
import { SqlMaintenanceRecords } from "./equipment/maintenance.ts";
import { SqlMessageViews } from "./equipment/message-views.ts";
import { SqlPayloadMappingRecords } from "./equipment/payload-mappings.ts";
import { SqlQuarantineRecords } from "./equipment/quarantine.ts";
import { SqlStateChanges } from "./equipment/state-changes.ts";
import { SqlTelemetryDeadLetters } from "./equipment/telemetry-dead-letters.ts";
import { SqlVisitRecords } from "./equipment/visits.ts";
import { SqlEventReaderRecords } from "./events/event-readers.ts";
import { SqlEventRecords } from "./events/events.ts";
import { SqlForwarderRecords } from "./events/forwarders.ts";
import { SqlWebhookRecords } from "./events/webhooks.ts";
import { migrate } from "./migrate.ts";
import { dropTemplates } from "./pglite/drop-templates.ts";
import { openPglite } from "./pglite/open.ts";
import { SqlPipelineRecords } from "./pipeline.ts";
import { SqlApiKeyRecords } from "./platform/api-keys.ts";
import { SqlIdempotencyRecords } from "./platform/idempotency.ts";
import { SqlJobRecords } from "./platform/jobs.ts";
import { SqlJournalPlaces } from "./platform/journal-places.ts";
import { SqlLeases } from "./platform/leases.ts";
import { SqlLogLayouts } from "./platform/log-layouts.ts";
import { SqlProjectRecords } from "./platform/projects.ts";
import { SqlRequestCounts } from "./platform/request-counts.ts";
import { SqlSecretCheck } from "./platform/secret-check.ts";
import { SqlSessionRecords } from "./platform/sessions.ts";
import { SqlStoredFiles } from "./platform/stored-files.ts";
import { SqlCaptureRecords } from "./sites/captures.ts";
import { SqlProgressReportRecords } from "./sites/progress-reports.ts";
import { SqlScheduleRecords } from "./sites/schedules.ts";
import { SqlSiteCameraRecords } from "./sites/site-cameras.ts";
import { SqlStockpileRecords } from "./sites/stockpiles.ts";
import { SqlSurveyRecords } from "./sites/surveys.ts";
import { SqlWorkZoneRecords } from "./sites/work-zones.ts";
import { asDatabase, type Database } from "./sql/database.ts";
import { openPostgres, type PostgresOptions } from "./sql/postgres.ts";

/**
 * Longest migration, and longest wait for that of another process, ms. Less would stop a step over a large
 * table half-way; more hides a migration that hangs.
 */
const MIGRATION_MS = 600_000;

/**
 * Opens the record store: PostgreSQL when `databaseUrl` is given, else the embedded database in
 * `dataDir`, which is created and taken for this process alone. Brings the schema up to date.
 * @throws DomainError `STORE_LOCKED` naming the process that has `dataDir`, `STORE_UNAVAILABLE` when
 * the database is away, `STORE_DAMAGED` when the embedded one cannot be read, `SCHEMA_TOO_NEW`,
 * `SETTINGS_INVALID` for a PostgreSQL older than 14.
 */
export async function openRecordStore(options: {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly postgres?: PostgresOptions;
  /** Called on damage that the embedded database meets. */
  readonly onDamage?: (problem: string) => void;
}): Promise<RecordStore> {
  const { dataDir, databaseUrl, postgres, onDamage } = options;
  return createRecordStore(
    databaseUrl === undefined
      ? await openMigratedPglite(dataDir, onDamage)
      : await openMigratedPostgres(databaseUrl, postgres),
  );
}

async function openMigratedPglite(
  dataDir: string,
  onDamage: ((problem: string) => void) | undefined,
): Promise<Database> {
  const database = await migrated(
    await openPglite(dataDir, onDamage === undefined ? {} : { onDamage }),
  );
  // Clusters of earlier releases have them. They are in nobody's way for 2^31 transactions, so one that
  // cannot be dropped now stays until the next start.
  await dropTemplates(database).catch(() => undefined);
  return database;
}

/** A step of the schema may take minutes on a large database, and whoever starts meanwhile waits for it. */
async function openMigratedPostgres(
  databaseUrl: string,
  options: PostgresOptions | undefined,
): Promise<Database> {
  const patient = { connections: 1, statementMs: MIGRATION_MS };
  const migrating = await migrated(await openPostgres(databaseUrl, patient));
  await migrating.close();
  return await openPostgres(databaseUrl, options);
}

async function migrated(database: Database): Promise<Database> {
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The ports on a database whose schema is up to date. */
export function createRecordStore(database: Database): RecordStore {
  return {
    projects: new SqlProjectRecords(database),
    assets: new SqlAssetRecords(database),
    apiKeys: new SqlApiKeyRecords(database),
    quarantine: new SqlQuarantineRecords(database),
    pipeline: new SqlPipelineRecords(database),
    idempotency: new SqlIdempotencyRecords(database),
    geofences: new SqlGeofenceRecords(database),
    visits: new SqlVisitRecords(database),
    alerts: new SqlAlertRecords(database),
    alertMutes: new SqlAlertMuteRecords(database),
    events: new SqlEventRecords(database),
    eventReaders: new SqlEventReaderRecords(database),
    webhooks: new SqlWebhookRecords(database),
    commands: new SqlCommandRecords(database),
    fleetSources: new SqlFleetSourceRecords(database),
    forwarders: new SqlForwarderRecords(database),
    maintenance: new SqlMaintenanceRecords(database),
    payloadMappings: new SqlPayloadMappingRecords(database),
    telemetryDeadLetters: new SqlTelemetryDeadLetters(database),
    lateness: new SqlLatenessRecords(database),
    jobs: new SqlJobRecords(database),
    stockpiles: new SqlStockpileRecords(database),
    workZones: new SqlWorkZoneRecords(database),
    schedules: new SqlScheduleRecords(database),
    captures: new SqlCaptureRecords(database),
    progressReports: new SqlProgressReportRecords(database),
    siteCameras: new SqlSiteCameraRecords(database),
    surveys: new SqlSurveyRecords(database),
    leases: new SqlLeases(database),
    journalPlaces: new SqlJournalPlaces(database),
    logLayouts: new SqlLogLayouts(database),
    requestCounts: new SqlRequestCounts(database),
    secretCheck: new SqlSecretCheck(database),
    sessions: new SqlSessionRecords(database),
    connections: new SqlConnectionRecords(database),
    messageViews: new SqlMessageViews(database),
    clientSessions: new SqlClientSessions(database),
    stateChanges: new SqlStateChanges(database),
    storedFiles: new SqlStoredFiles(database),
    transaction: (work) =>
      database.transaction((transaction) => work(createRecordStore(asDatabase(transaction)))),
    async ping() {
      await database.query("SELECT 1");
    },
    ...(database.copyTo === undefined ? {} : { copyTo: database.copyTo }),
    close: () => database.close(),
  };
}
