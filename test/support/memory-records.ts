import { DomainError } from "../../domain/errors.ts";
import type { RecordStore } from "../../storage/ports.ts";
import { createMemoryAlerts } from "./memory-records/alerts.ts";
import {
  createMemoryRequestCounts,
  createMemoryStateChanges,
} from "./memory-records/api-processes.ts";
import { createMemoryAssets } from "./memory-records/assets.ts";
import { createMemoryCaptures } from "./memory-records/captures.ts";
import { createMemoryEvents } from "./memory-records/events.ts";
import { createMemoryFleetSources } from "./memory-records/fleet-sources.ts";
import { createMemoryForwarders } from "./memory-records/forwarders.ts";
import { createMemoryGeofences } from "./memory-records/geofences.ts";
import { createMemoryJobs } from "./memory-records/jobs.ts";
import { createMemoryLeases } from "./memory-records/leases.ts";
import { createMemoryMaintenance } from "./memory-records/maintenance.ts";
import { createMemoryPayloadMappings } from "./memory-records/payload-mappings.ts";
import { createMemoryPipeline } from "./memory-records/pipeline.ts";
import {
  createMemoryApiKeys,
  createMemoryIdempotency,
  createMemoryProjects,
} from "./memory-records/platform.ts";
import { createMemoryProgressReports } from "./memory-records/progress-reports.ts";
import { createMemoryQuarantine } from "./memory-records/quarantine.ts";
import { emptyRows, type MemoryRows } from "./memory-records/rows.ts";
import { createMemorySchedules } from "./memory-records/schedules.ts";
import { createMemorySiteCameras } from "./memory-records/site-cameras.ts";
import { createMemoryStockpiles } from "./memory-records/stockpiles.ts";
import { createMemoryStranded } from "./memory-records/stranded.ts";
import { createMemoryTelemetryDeadLetters } from "./memory-records/telemetry-dead-letters.ts";
import { createMemoryVisits } from "./memory-records/visits.ts";
import { createMemoryWebhooks } from "./memory-records/webhooks.ts";
import { createMemoryWorkZones } from "./memory-records/work-zones.ts";

/** A record store in memory, with what a test may put in and look at directly. */
export interface MemoryRecords extends RecordStore {
  readonly rows: MemoryRows;
  /** Makes every call fail with `STORE_UNAVAILABLE`. */
  away: boolean;
  /** How often a key was looked up. */
  keyLookups: number;
}

/** Opens an empty store; `now` dates the events that are recorded. */
export function openMemoryRecords(now: () => number = Date.now): MemoryRecords {
  const rows = emptyRows();
  const leases = createMemoryLeases(now);

  function requireHere(): void {
    if (store.away) throw new DomainError("STORE_UNAVAILABLE", "the database is away");
  }

  const store: MemoryRecords = {
    rows,
    away: false,
    keyLookups: 0,
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
    idempotency: guarded(createMemoryIdempotency(rows), requireHere),
    geofences: guarded(createMemoryGeofences(rows), requireHere),
    visits: guarded(createMemoryVisits(rows), requireHere),
    alerts: guarded(createMemoryAlerts(rows), requireHere),
    events: guarded(createMemoryEvents(rows, now), requireHere),
    webhooks: guarded(createMemoryWebhooks(rows), requireHere),
    fleetSources: guarded(createMemoryFleetSources(), requireHere),
    forwarders: guarded(createMemoryForwarders(), requireHere),
    maintenance: guarded(createMemoryMaintenance(rows), requireHere),
    payloadMappings: guarded(createMemoryPayloadMappings(rows), requireHere),
    telemetryDeadLetters: guarded(createMemoryTelemetryDeadLetters(), requireHere),
    jobs: guarded(createMemoryJobs(now), requireHere),
    stockpiles: guarded(createMemoryStockpiles(rows, now), requireHere),
    workZones: guarded(createMemoryWorkZones(rows), requireHere),
    schedules: guarded(createMemorySchedules(rows), requireHere),
    captures: guarded(createMemoryCaptures(rows, now), requireHere),
    progressReports: guarded(createMemoryProgressReports(rows, now), requireHere),
    siteCameras: guarded(createMemorySiteCameras(rows), requireHere),
    leases: guarded(leases, requireHere),
    stranded: guarded(createMemoryStranded(rows), requireHere),
    requestCounts: guarded(createMemoryRequestCounts(now), requireHere),
    stateChanges: guarded(createMemoryStateChanges(rows), requireHere),
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
