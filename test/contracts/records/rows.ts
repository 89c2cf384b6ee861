import type { AssetRegistration } from "../../../domain/equipment/asset.ts";
import type { NewEvent } from "../../../domain/events/events.ts";
import type { Geofence } from "../../../domain/geometry/geofence.ts";
import type {
  AlertId,
  ApiKeyId,
  AssetId,
  GeofenceId,
  ProjectId,
  VisitId,
} from "../../../domain/ids.ts";
import type { ApiKey } from "../../../domain/platform/api-key.ts";
import type { Project } from "../../../domain/project.ts";
import type { AlertUpsert } from "../../../storage/ports/equipment/alerts.ts";
import type { QuarantineEntry } from "../../../storage/ports/equipment/quarantine.ts";
import type { Visit, VisitEnd } from "../../../storage/ports/equipment/visits.ts";
import type { PipelineCommit } from "../../../storage/ports/pipeline.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";

/** A store that a suite runs on, emptied before each test. */
export interface OpenStore {
  readonly store: RecordStore;
}

/** The journal that commits and quarantined messages of these tests come from. */
export const JOURNAL = "6f1c1f0e-6f0e-4d3a-9d5b-0a4f2f6f7a10";

export const projectId = (id: string) => id as ProjectId;
export const assetId = (id: string) => id as AssetId;
export const keyId = (id: string) => id as ApiKeyId;
export const geofenceId = (id: string) => id as GeofenceId;
export const visitId = (id: string) => id as VisitId;
export const alertId = (id: string) => id as AlertId;

/** A time of these tests: 2026-11-20T12:00:00Z. */
export const NOON_MS = Date.UTC(2026, 10, 20, 12);

/** 32 bytes that say which hash they are. */
export const hash32 = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);

export function project(id: string, change: Partial<Project> = {}): Project {
  return {
    id: projectId(id),
    name: "North pit",
    location: { latitude: 52.52, longitude: -13.405 },
    time_zone: "Europe/Berlin",
    shift: { start: "06:30", end: "24:00" },
    created_at: "2026-11-20T08:00:00.000Z",
    updated_at: "2026-11-20T08:00:00.000Z",
    ...change,
  };
}

export function asset(id: string, change: Partial<AssetRegistration> = {}): AssetRegistration {
  return {
    id: assetId(id),
    project_id: projectId("p1"),
    name: "Bagger 7 – Überführung",
    type: "excavator",
    decoder: "plumbline",
    maintenance: false,
    created_at: "2026-11-20T09:00:00.000Z",
    updated_at: "2026-11-20T09:00:00.000Z",
    ...change,
  };
}

export function apiKey(id: string, change: Partial<ApiKey> = {}): ApiKey {
  return {
    id: keyId(id),
    name: "site office",
    prefix: "plb_live_ab12",
    scopes: ["equipment:read", "events:read"],
    plan: "standard",
    created_at: "2026-11-20T10:00:00.000Z",
    ...change,
  };
}

export function commit(sequence: number, change: Partial<PipelineCommit> = {}): PipelineCommit {
  return {
    checkpoint: { journalId: JOURNAL, sequence },
    states: [],
    days: [],
    quarantined: [],
    events: [],
    visits: [],
    alerts: [],
    shared: new Map(),
    ...change,
  };
}

export function quarantined(
  sequence: number,
  change: Partial<QuarantineEntry> = {},
): QuarantineEntry {
  return {
    id: `${JOURNAL}-${sequence}`,
    assetId: assetId("a1"),
    projectId: projectId("p1"),
    // 2026-11-20T00:00:00Z and one ms more for each record.
    receivedAtMs: Date.UTC(2026, 10, 20) + sequence,
    topic: "sites/p1/assets/a1/telemetry",
    format: "plumbline",
    reason: "not JSON",
    payload: new Uint8Array([0, 1, 254, 255]),
    replayedAtMs: undefined,
    ...change,
  };
}

export function fence(id: string, change: Partial<Geofence> = {}): Geofence {
  return {
    id: geofenceId(id),
    project_id: projectId("p1"),
    name: "Kranzone – Süd",
    kind: "zone",
    ring: [
      [13.405, 52.52],
      [13.406, 52.52],
      [13.406123456789013, 52.521],
      [13.405, 52.52],
    ],
    area_sqm: 3_771.25,
    alert_on: ["both"],
    rules: { exit_buffer_m: 30.5, confirm_fixes: 2, min_dwell_s: 0 },
    created_at: "2026-11-20T11:00:00.000Z",
    updated_at: "2026-11-20T11:00:00.000Z",
    ...change,
  };
}

export function visitEnd(atMs: number, change: Partial<VisitEnd> = {}): VisitEnd {
  return {
    atMs,
    location: { latitude: 52.52, longitude: -13.405 },
    accuracyM: 3.25,
    cause: "crossing",
    ...change,
  };
}

export function visit(id: string, change: Partial<Visit> = {}): Visit {
  return {
    id: visitId(id),
    assetId: assetId("a1"),
    projectId: projectId("p1"),
    geofenceId: geofenceId("g1"),
    ordinal: 1,
    entered: visitEnd(NOON_MS),
    exited: undefined,
    inferred: false,
    withdrawn: false,
    published: {
      entered: 1,
      exited: 0,
      exitWithdrawn: false,
      enterAlerted: true,
      exitAlerted: false,
    },
    ...change,
  };
}

export function alert(id: string, change: Partial<AlertUpsert> = {}): AlertUpsert {
  return {
    id: alertId(id),
    type: "equipment.geofence.entered",
    severity: "info",
    projectId: projectId("p1"),
    assetId: assetId("a1"),
    message: "Bagger 7 entered Kranzone",
    openedAtMs: NOON_MS,
    resolvedAtMs: undefined,
    occurrences: 1,
    data: { cause: "crossing" },
    ...change,
  };
}

export function event(id: string, change: Partial<NewEvent> = {}): NewEvent {
  return {
    id,
    revision: 1,
    type: "security.foreign_topic",
    projectId: "p1",
    assetId: "a1",
    occurredAtMs: 1_795_000_000_123,
    data: { topic: "sites/p2/assets/a9/telemetry" },
    ...change,
  };
}
