import type { RecordStore } from "../ports/record-store.ts";
import { createAlertRecords } from "./equipment/alerts.ts";
import { createAssetRecords } from "./equipment/assets.ts";
import { createCommandRecords } from "./equipment/commands.ts";
import { createConnectionRecords } from "./equipment/connection-log.ts";
import { createFleetSourceRecords } from "./equipment/fleet-sources.ts";
import { createGeofenceRecords } from "./equipment/geofences.ts";
import { createMaintenanceRecords } from "./equipment/maintenance.ts";
import { createMessageViews } from "./equipment/message-views.ts";
import { createPayloadMappingRecords } from "./equipment/payload-mappings.ts";
import { createQuarantineRecords } from "./equipment/quarantine.ts";
import { createStateChanges } from "./equipment/state-changes.ts";
import { createStrandedRecords } from "./equipment/stranded.ts";
import { createTelemetryDeadLetters } from "./equipment/telemetry-dead-letters.ts";
import { createVisitRecords } from "./equipment/visits.ts";
import { createEventReaderRecords } from "./events/event-readers.ts";
import { createEventRecords } from "./events/events.ts";
import { createForwarderRecords } from "./events/forwarders.ts";
import { createWebhookRecords } from "./events/webhooks.ts";
import { migrate } from "./migrate.ts";
import { dropTemplates } from "./pglite/drop-templates.ts";
import { openPglite } from "./pglite/open.ts";
import { createPipelineRecords } from "./pipeline.ts";
import { createApiKeyRecords } from "./platform/api-keys.ts";
import { createIdempotencyRecords } from "./platform/idempotency.ts";
import { createJobRecords } from "./platform/jobs.ts";
import { createLeases } from "./platform/leases.ts";
import { createProjectRecords } from "./platform/projects.ts";
import { createRequestCounts } from "./platform/request-counts.ts";
import { createSecretCheck } from "./platform/secret-check.ts";
import { createStoredFiles } from "./platform/stored-files.ts";
import { createCaptureRecords } from "./sites/captures.ts";
import { createProgressReportRecords } from "./sites/progress-reports.ts";
import { createScheduleRecords } from "./sites/schedules.ts";
import { createSiteCameraRecords } from "./sites/site-cameras.ts";
import { createStockpileRecords } from "./sites/stockpiles.ts";
import { createWorkZoneRecords } from "./sites/work-zones.ts";
import { asDatabase, type Database } from "./sql/database.ts";
import { openPostgres, type PostgresOptions } from "./sql/postgres.ts";

/** Longest migration, and longest wait for that of another process, ms. Chosen. */
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
    projects: createProjectRecords(database),
    assets: createAssetRecords(database),
    apiKeys: createApiKeyRecords(database),
    quarantine: createQuarantineRecords(database),
    pipeline: createPipelineRecords(database),
    idempotency: createIdempotencyRecords(database),
    geofences: createGeofenceRecords(database),
    visits: createVisitRecords(database),
    alerts: createAlertRecords(database),
    events: createEventRecords(database),
    eventReaders: createEventReaderRecords(database),
    webhooks: createWebhookRecords(database),
    commands: createCommandRecords(database),
    fleetSources: createFleetSourceRecords(database),
    forwarders: createForwarderRecords(database),
    maintenance: createMaintenanceRecords(database),
    payloadMappings: createPayloadMappingRecords(database),
    telemetryDeadLetters: createTelemetryDeadLetters(database),
    jobs: createJobRecords(database),
    stockpiles: createStockpileRecords(database),
    workZones: createWorkZoneRecords(database),
    schedules: createScheduleRecords(database),
    captures: createCaptureRecords(database),
    progressReports: createProgressReportRecords(database),
    siteCameras: createSiteCameraRecords(database),
    leases: createLeases(database),
    stranded: createStrandedRecords(database),
    requestCounts: createRequestCounts(database),
    secretCheck: createSecretCheck(database),
    connections: createConnectionRecords(database),
    messageViews: createMessageViews(database),
    stateChanges: createStateChanges(database),
    storedFiles: createStoredFiles(database),
    transaction: (work) =>
      database.transaction((transaction) => work(createRecordStore(asDatabase(transaction)))),
    async ping() {
      await database.query("SELECT 1");
    },
    ...(database.copyTo === undefined ? {} : { copyTo: database.copyTo }),
    close: () => database.close(),
  };
}
