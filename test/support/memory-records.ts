import { DomainError } from "../../domain/errors.ts";
import type { RecordStore, RecordTransaction } from "../../storage/ports/record-store.ts";
import { createMemoryAlertMutes } from "./memory-records/alert-mutes.ts";
import { createMemoryAlerts } from "./memory-records/alerts.ts";
import {
  createMemoryRequestCounts,
  createMemoryStateChanges,
} from "./memory-records/api-processes.ts";
import { createMemoryAssets } from "./memory-records/assets.ts";
import { createMemoryCaptures } from "./memory-records/captures.ts";
import { createMemoryClientSessions } from "./memory-records/client-sessions.ts";
import { createMemoryCommands } from "./memory-records/commands.ts";
import { createMemoryConnections, createMemoryMessageViews } from "./memory-records/device-log.ts";
import { createMemoryEventReaders } from "./memory-records/event-readers.ts";
import { createMemoryEvents } from "./memory-records/events.ts";
import { createMemoryFleetSources } from "./memory-records/fleet-sources.ts";
import { createMemoryForwarders } from "./memory-records/forwarders.ts";
import { createMemoryGeofences } from "./memory-records/geofences.ts";
import { createMemoryIdempotency } from "./memory-records/idempotency.ts";
import { createMemoryJobs } from "./memory-records/jobs.ts";
import { createMemoryJournalPlaces } from "./memory-records/journal-places.ts";
import { createMemoryLeases } from "./memory-records/leases.ts";
import { createMemoryLogLayouts } from "./memory-records/log-layouts.ts";
import { createMemoryMaintenance } from "./memory-records/maintenance.ts";
import { createMemoryPayloadMappings } from "./memory-records/payload-mappings.ts";
import { createMemoryPipeline } from "./memory-records/pipeline.ts";
import { createMemoryApiKeys, createMemoryProjects } from "./memory-records/platform.ts";
import { createMemoryProgressReports } from "./memory-records/progress-reports.ts";
import { createMemoryQuarantine } from "./memory-records/quarantine.ts";
import { emptyRows, type MemoryRows } from "./memory-records/rows.ts";
import { createMemorySchedules } from "./memory-records/schedules.ts";
import { createMemorySecretCheck } from "./memory-records/secret-check.ts";
import { createMemorySessions } from "./memory-records/sessions.ts";
import { createMemorySiteCameras } from "./memory-records/site-cameras.ts";
import { createMemoryStockpiles } from "./memory-records/stockpiles.ts";
import { createMemoryStoredFiles } from "./memory-records/stored-files.ts";
import { createMemorySurveys } from "./memory-records/surveys.ts";
import { createMemoryTelemetryDeadLetters } from "./memory-records/telemetry-dead-letters.ts";
import { rememberTables } from "./memory-records/undo.ts";
import { createMemoryVisits } from "./memory-records/visits.ts";
import { createMemoryWebhooks } from "./memory-records/webhooks.ts";
import { createMemoryWorkZones } from "./memory-records/work-zones.ts";

/** A record store in memory, with what a test may put in and read directly. */
export interface MemoryRecords extends RecordStore {
  readonly rows: MemoryRows;
  /** Makes every call fail with `STORE_UNAVAILABLE`. */
  away: boolean;
  /** How often a key was looked up. */
  keyLookups: number;
  /** How often a session was looked up. */
  sessionLookups: number;
}

/** Opens an empty store; `now` dates the events that are recorded, and leases. */
export function openMemoryRecords(now: () => number = Date.now): MemoryRecords {
  const rows = emptyRows();
  const leases = createMemoryLeases(now);
  /** The transaction that runs; everything else waits for its end, as for the one connection of PGlite. */
  let running: Promise<unknown> | undefined;

  function requireHere(): void {
    if (store.away) throw new DomainError("STORE_UNAVAILABLE", "the database is away");
  }

  async function attempt<T>(work: (records: RecordTransaction) => Promise<T>): Promise<T> {
    const undo = rememberTables(rows);
    try {
      return await work(ports);
    } catch (error) {
      undo();
      throw error;
    }
  }

  const ports: RecordTransaction = {
    projects: guarded(createMemoryProjects(rows), requireHere),
    assets: guarded(createMemoryAssets(rows), requireHere),
    apiKeys: guarded(
      createMemoryApiKeys(rows, () => {
        store.keyLookups += 1;
      }),
      requireHere,
    ),
    quarantine: guarded(createMemoryQuarantine(rows), requireHere),
    pipeline: guarded(createMemoryPipeline(rows, leases, now), requireHere),
    idempotency: guarded(createMemoryIdempotency(rows, now), requireHere),
    geofences: guarded(createMemoryGeofences(rows), requireHere),
    visits: guarded(createMemoryVisits(rows), requireHere),
    alerts: guarded(createMemoryAlerts(rows), requireHere),
    alertMutes: guarded(createMemoryAlertMutes(rows), requireHere),
    events: guarded(createMemoryEvents(rows, now), requireHere),
    eventReaders: guarded(createMemoryEventReaders(rows), requireHere),
    webhooks: guarded(createMemoryWebhooks(rows), requireHere),
    commands: guarded(createMemoryCommands(rows, now), requireHere),
    fleetSources: guarded(createMemoryFleetSources(rows), requireHere),
    forwarders: guarded(createMemoryForwarders(rows), requireHere),
    maintenance: guarded(createMemoryMaintenance(rows), requireHere),
    payloadMappings: guarded(createMemoryPayloadMappings(rows), requireHere),
    telemetryDeadLetters: guarded(createMemoryTelemetryDeadLetters(), requireHere),
    lateness: guarded({ knownFromMs: async () => rows.lateKnownFromMs }, requireHere),
    jobs: guarded(createMemoryJobs(rows, now), requireHere),
    stockpiles: guarded(createMemoryStockpiles(rows, now), requireHere),
    workZones: guarded(createMemoryWorkZones(rows), requireHere),
    schedules: guarded(createMemorySchedules(rows), requireHere),
    captures: guarded(createMemoryCaptures(rows, now), requireHere),
    progressReports: guarded(createMemoryProgressReports(rows, now), requireHere),
    siteCameras: guarded(createMemorySiteCameras(rows), requireHere),
    surveys: guarded(createMemorySurveys(rows), requireHere),
    leases: guarded(leases, requireHere),
    journalPlaces: guarded(createMemoryJournalPlaces(), requireHere),
    logLayouts: guarded(createMemoryLogLayouts(rows, leases, now), requireHere),
    requestCounts: guarded(createMemoryRequestCounts(now), requireHere),
    secretCheck: guarded(createMemorySecretCheck(), requireHere),
    sessions: guarded(
      createMemorySessions(rows, () => {
        store.sessionLookups += 1;
      }),
      requireHere,
    ),
    connections: guarded(createMemoryConnections(), requireHere),
    messageViews: guarded(createMemoryMessageViews(), requireHere),
    clientSessions: guarded(createMemoryClientSessions(now), requireHere),
    stateChanges: guarded(createMemoryStateChanges(rows), requireHere),
    storedFiles: guarded(createMemoryStoredFiles(rows), requireHere),
  };
  const store: MemoryRecords = {
    ...outside(ports, () => running),
    rows,
    away: false,
    keyLookups: 0,
    sessionLookups: 0,
    async transaction(work) {
      requireHere();
      while (running !== undefined) await running.catch(() => undefined);
      const attempted = attempt(work);
      running = attempted;
      try {
        return await attempted;
      } finally {
        running = undefined;
      }
    },
    async ping() {
      requireHere();
    },
    async close() {},
  };
  return store;
}

/** The port with `check` before every call; what it throws rejects the call. */
function guarded<Port extends object>(port: Port, check: () => void): Port {
  return new Proxy(port, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function") return member;
      return async (...inputs: unknown[]): Promise<unknown> => {
        check();
        return Reflect.apply(member, target, inputs);
      };
    },
  });
}

/** The ports as they are outside a transaction: calls wait for the end of one that runs. */
function outside(
  ports: RecordTransaction,
  running: () => Promise<unknown> | undefined,
): RecordTransaction {
  const waiting = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver);
        if (typeof member !== "function") return member;
        return async (...inputs: unknown[]): Promise<unknown> => {
          for (let other = running(); other !== undefined; other = running()) {
            await other.catch(() => undefined);
          }
          return Reflect.apply(member, target, inputs);
        };
      },
    });
  const wrapped = Object.entries(ports).map(([name, port]) => [name, waiting(port)]);
  return Object.fromEntries(wrapped) as RecordTransaction;
}
