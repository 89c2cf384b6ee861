import type { Command } from "../../../domain/equipment/command.ts";
import type { StoredEvent } from "../../../domain/events/events.ts";
import type { Geofence } from "../../../domain/geometry/geofence.ts";
import type {
  AlertId,
  AlertMuteId,
  ApiKeyId,
  AssetId,
  CameraId,
  CaptureId,
  CommandId,
  FleetSourceId,
  ForwarderId,
  GeofenceId,
  JobId,
  ProjectId,
  SessionId,
  StockpileId,
  VisitId,
  WebhookId,
  WorkZoneId,
} from "../../../domain/ids.ts";
import type { Project } from "../../../domain/project.ts";
import type { Capture } from "../../../domain/sites/capture.ts";
import type { StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import type { Schedule } from "../../../domain/sites/schedule.ts";
import type {
  SiteCamera,
  ZoneLabel,
  ZoneObservation,
  ZoneView,
} from "../../../domain/sites/site-camera.ts";
import type { Stockpile } from "../../../domain/sites/stockpile.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import type { AlertMute } from "../../../storage/ports/equipment/alert-mutes.ts";
import type { Alert } from "../../../storage/ports/equipment/alerts.ts";
import type { AssetRow } from "../../../storage/ports/equipment/assets.ts";
import type { PolledFleetSource } from "../../../storage/ports/equipment/fleet-sources.ts";
import type {
  AssetAssignment,
  GeofenceVersion,
} from "../../../storage/ports/equipment/geofences.ts";
import type { PlanVersion, ServiceRow } from "../../../storage/ports/equipment/maintenance.ts";
import type { MappingRow } from "../../../storage/ports/equipment/payload-mappings.ts";
import type { QuarantineEntry } from "../../../storage/ports/equipment/quarantine.ts";
import type { Visit } from "../../../storage/ports/equipment/visits.ts";
import type { Forwarder } from "../../../storage/ports/events/forwarders.ts";
import type { Webhook, WebhookDelivery } from "../../../storage/ports/events/webhooks.ts";
import type { JournalPosition } from "../../../storage/ports/journal.ts";
import type { UtilizationDay } from "../../../storage/ports/pipeline.ts";
import type { ApiKeyRow } from "../../../storage/ports/platform/api-keys.ts";
import type { EarlierRequest } from "../../../storage/ports/platform/idempotency.ts";
import type { Job } from "../../../storage/ports/platform/jobs.ts";
import type { SessionRow } from "../../../storage/ports/platform/sessions.ts";
import type { FoundReport } from "../../../storage/ports/sites/progress-reports.ts";

/** A used idempotency key. */
export interface KeyRow extends EarlierRequest {
  readonly token: string;
  readonly claimedAtMs: number;
  readonly leasedUntilMs: number;
}

/** A job, and when its attempt was last heard of. */
export type JobRow = { -readonly [K in keyof Job]: Job[K] } & { heartbeatAtMs: number };

/** What the memory store holds; a test may put rows in and read them directly. */
export interface MemoryRows {
  readonly projects: Map<ProjectId, Project>;
  readonly assets: Map<AssetId, AssetRow>;
  readonly assignments: AssetAssignment[];
  readonly keys: Map<ApiKeyId, ApiKeyRow>;
  readonly sessions: Map<SessionId, SessionRow>;
  readonly quarantine: QuarantineEntry[];
  readonly days: UtilizationDay[];
  readonly answers: Map<string, KeyRow>;
  readonly states: Map<AssetId, string>;
  /** Assets of every commit by node; its number is its place, from 1 on. */
  readonly commits: Map<string, (readonly AssetId[])[]>;
  readonly shared: Map<string, string>;
  checkpoint: JournalPosition | undefined;
  /** By node id, where there are several. */
  readonly nodeCheckpoints: Map<string, JournalPosition>;
  /** By `{journalId} {sequence}`. */
  /** By id, also deleted ones: `fence` is then `undefined`, and the id stays taken. */
  readonly fences: Map<GeofenceId, Geofence | undefined>;
  readonly fenceVersions: GeofenceVersion[];
  readonly visits: Map<VisitId, Visit>;
  readonly alerts: Map<AlertId, Alert>;
  /** Place of each alert's newest change. */
  readonly alertSequences: Map<AlertId, number>;
  lastAlertSequence: number;
  /** See `LatenessRecords`. */
  lateKnownFromMs: number;
  readonly alertMutes: Map<AlertMuteId, AlertMute>;
  /** Ascending by sequence. */
  readonly events: StoredEvent[];
  /** The newest sequence given out. */
  lastSequence: number;
  readonly webhooks: Map<WebhookId, Webhook>;
  readonly webhookCursors: Map<WebhookId, number>;
  /** By `{webhookId} {eventSequence}`. */
  readonly deliveries: Map<string, WebhookDelivery>;
  readonly plans: PlanVersion[];
  readonly services: ServiceRow[];
  /** By type, also removed ones. */
  readonly payloadMappings: Map<string, MappingRow>;
  /** By id, also deleted ones, as for fences. */
  readonly stockpiles: Map<StockpileId, Stockpile | undefined>;
  readonly measurements: StockpileMeasurement[];
  /** By id, also deleted ones, as for fences. */
  readonly workZones: Map<WorkZoneId, WorkZone | undefined>;
  readonly observations: ZoneObservation[];
  /** Ascending by revision. */
  readonly schedules: Schedule[];
  readonly captures: Map<CaptureId, Capture>;
  readonly datums: Map<ProjectId, unknown>;
  readonly reports: FoundReport[];
  /** By id, also deleted ones, as for fences. */
  readonly cameras: Map<CameraId, SiteCamera | undefined>;
  readonly views: ZoneView[];
  readonly labels: ZoneLabel[];
  /** In the order of their creation. */
  readonly jobs: Map<JobId, JobRow>;
  readonly fleetSources: Map<FleetSourceId, PolledFleetSource>;
  readonly forwarders: Map<ForwarderId, Forwarder>;
  /** In the order of their sequence. */
  readonly commands: Map<CommandId, Command>;
  lastCommand: number;
  readonly storedFiles: Map<
    string,
    { readonly bytes: number; readonly projectId: ProjectId | undefined }
  >;
  readonly storageLimits: Map<ProjectId, number>;
}

/** No rows. */
export function emptyRows(): MemoryRows {
  return {
    projects: new Map(),
    assets: new Map(),
    assignments: [],
    keys: new Map(),
    sessions: new Map(),
    quarantine: [],
    days: [],
    answers: new Map(),
    states: new Map(),
    commits: new Map(),
    shared: new Map(),
    checkpoint: undefined,
    nodeCheckpoints: new Map(),
    fences: new Map(),
    fenceVersions: [],
    visits: new Map(),
    alerts: new Map(),
    alertSequences: new Map(),
    lastAlertSequence: 0,
    lateKnownFromMs: 0,
    alertMutes: new Map(),
    events: [],
    lastSequence: 0,
    webhooks: new Map(),
    webhookCursors: new Map(),
    deliveries: new Map(),
    plans: [],
    services: [],
    payloadMappings: new Map(),
    stockpiles: new Map(),
    measurements: [],
    workZones: new Map(),
    observations: [],
    schedules: [],
    captures: new Map(),
    datums: new Map(),
    reports: [],
    cameras: new Map(),
    views: [],
    labels: [],
    jobs: new Map(),
    fleetSources: new Map(),
    forwarders: new Map(),
    commands: new Map(),
    lastCommand: 0,
    storedFiles: new Map(),
    storageLimits: new Map(),
  };
}

/** The highest revision of these rows; 0 without any. */
export const newestRevision = (rows: Iterable<{ readonly revision: number }>): number =>
  Math.max(0, ...Array.from(rows, (row) => row.revision));

/** Rows changed after `since`, by rising revision. */
export function changesAfter<T extends { readonly revision: number }>(
  rows: Iterable<T>,
  since: number,
): { readonly revision: number; readonly rows: readonly T[] } {
  const changed = [...rows].filter((row) => row.revision > since);
  changed.sort((a, b) => a.revision - b.revision);
  return { revision: changed.at(-1)?.revision ?? since, rows: changed };
}

/** Takes every row that matches out of the list. */
export function removeWhere<T>(rows: T[], matches: (row: T) => boolean): void {
  const kept = rows.filter((row) => !matches(row));
  rows.splice(0, rows.length, ...kept);
}

/** Whether a filter that may be absent lets the value pass; an absent value passes no given filter. */
export const passes = <T>(wanted: readonly T[] | undefined, value: T | undefined): boolean =>
  wanted === undefined || (value !== undefined && wanted.includes(value));

/** What a database's JSON makes of a record. */
export const throughJson = <T>(record: T): T => JSON.parse(JSON.stringify(record));

/** Order of texts by their UTF-16 units: of ids, and of ISO times in UTC. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A page of a list, from its other end where `isReversed`. */
export function pageOfRows<T>(
  rows: readonly T[],
  page: {
    readonly isReversed?: boolean | undefined;
    readonly limit?: number | undefined;
    readonly offset: number;
  },
): readonly T[] {
  const { isReversed = false, limit = Number.POSITIVE_INFINITY, offset } = page;
  return (isReversed ? rows.toReversed() : rows).slice(offset, offset + limit);
}
