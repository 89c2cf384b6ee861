import { Readable } from "node:stream";
import type { FastifyInstance, InjectOptions } from "fastify";
import { pino } from "pino";
import { Registry } from "prom-client";
import { buildApp } from "../../api/app.ts";
import { newApiKey, shownPrefix } from "../../api/auth/key-format.ts";
import { Keyring } from "../../api/auth/keyring.ts";
import type { ApiDependencies, JobDependencies } from "../../api/dependencies/dependencies.ts";
import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import { DomainError } from "../../domain/errors.ts";
import { type ApiKeyId, type AssetId, newId, type ProjectId } from "../../domain/ids.ts";
import type { ApiKey } from "../../domain/platform/api-key.ts";
import { hashSecret } from "../../domain/platform/secret-hash.ts";
import type { Project } from "../../domain/project.ts";
import type { AssetState, Fix } from "../../ingest/asset-state/asset-state.ts";
import { type EventFeed, startEventFeed } from "../../ingest/delivery/event-feed.ts";
import {
  type AssetDirectory,
  openAssetDirectory,
} from "../../ingest/directories/asset-directory.ts";
import { openPlanDirectory } from "../../ingest/directories/plan-directory.ts";
import { NO_MAINTENANCE } from "../../ingest/stages/maintenance/maintenance-view.ts";
import { createAddressRules } from "../../outbound/address-rules.ts";
import { openOutboundClient } from "../../outbound/client.ts";
import { OutboundError } from "../../outbound/failure.ts";
import { createMqttSockets } from "../../outbound/mqtt-address.ts";
import { createJobWatch, type JobWatch } from "../../processing/queue/job-watch.ts";
import type { Damage } from "../../storage/check/damage-log.ts";
import type { Files } from "../../storage/open.ts";
import type { QuarantineEntry } from "../../storage/ports/equipment/quarantine.ts";
import type { TelemetryStore } from "../../storage/ports/telemetry-store.ts";
import { createProjectQuota } from "../../storage/quota/quota.ts";
import { openMemoryFiles } from "./memory-files.ts";
import { type MemoryRecords, openMemoryRecords } from "./memory-records.ts";
import { openMemoryTelemetryStore } from "./memory-telemetry-store.ts";

/** Thursday, 2026-03-05 12:00:00 UTC: 43,200 s of a whole-day shift in UTC have passed. */
export const NOON_MS = Date.UTC(2026, 2, 5, 12);
export const ADMIN_KEY = "admin-key-of-the-environment-0123456789";
/** Longer than any test. */
const FEED_POLL_MS = 3_600_000;
export const PEPPER = new Uint8Array(32).fill(7);

/** The real app over stores in memory, with a clock that the test moves. */
export interface TestApp extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly records: MemoryRecords;
  readonly telemetry: TelemetryStore;
  readonly directory: AssetDirectory;
  /** Polls only when it is woken. */
  readonly feed: EventFeed;
  readonly metrics: Registry;
  readonly files: Files;
  /** What requests wait for jobs by; polls only when it is woken. */
  readonly watch: JobWatch;
  readonly replayed: QuarantineEntry[];
  readonly reasons: string[];
  /** What `/health/ready` reports of damaged files. */
  readonly damage: Damage[];
  readonly clock: { ms: number };
  /** Makes a key and returns its secret. */
  key(key?: Partial<ApiKey>): Promise<string>;
  project(project?: Partial<Project>): Promise<ProjectId>;
  asset(asset?: Partial<AssetRegistration>): Promise<AssetId>;
  /** Replaces the live state of an asset. */
  live(assetId: AssetId, state?: Partial<AssetState>): void;
  get(url: string, key: string | undefined, headers?: Record<string, string>): InjectAnswer;
  send(
    method: "POST" | "PUT" | "PATCH" | "DELETE",
    url: string,
    key: string | undefined,
    body?: object,
    headers?: Record<string, string>,
  ): InjectAnswer;
}

type InjectAnswer = ReturnType<typeof injectInto>;

function injectInto(app: FastifyInstance, options: InjectOptions) {
  return app.inject(options);
}

type Extra = Partial<Omit<ApiDependencies, "jobs" | "records">> & {
  readonly jobs?: Partial<JobDependencies>;
  /** Absent: an empty store of its own. */
  readonly records?: MemoryRecords;
  readonly clock?: { ms: number };
};

export async function openTestApp(options: Extra = {}): Promise<TestApp> {
  const { jobs, records = openMemoryRecords(), clock = { ms: NOON_MS }, ...extra } = options;
  const telemetry = openMemoryTelemetryStore();
  const directory = await openAssetDirectory(records);
  const plans = await openPlanDirectory(records, directory);
  const states = new Map<AssetId, AssetState>();
  const listeners: ((assetId: AssetId) => void)[] = [];
  const now = () => clock.ms;
  const metrics = new Registry();
  const replayed: QuarantineEntry[] = [];
  const reasons: string[] = [];
  const damage: Damage[] = [];
  const log = pino({ level: "silent" });
  const watch = createJobWatch(records.jobs, FEED_POLL_MS);
  const quota = createProjectQuota(records.storedFiles, undefined);
  const files = extra.files ?? { ...openMemoryFiles(now, PEPPER), quota };
  const feed = await startEventFeed({ records: records.events, pollMs: FEED_POLL_MS, log });
  const use = {
    rules: createAddressRules(["127.0.0.0/8"]),
    resolve: () => Promise.reject(new OutboundError("host not found")),
  };
  const outbound = openOutboundClient(use);
  const sockets = createMqttSockets(use);
  const app = await buildApp({
    records,
    telemetry,
    directory,
    plans,
    live: {
      state: (assetId) => states.get(assetId),
      onChange: (listener) => {
        listeners.push(listener);
      },
    },
    keyring: new Keyring({ records, pepper: PEPPER, adminApiKey: ADMIN_KEY, now }),
    pepper: PEPPER,
    replay: async (entry) => {
      replayed.push(entry);
      return { accepted: true };
    },
    messageViews: async () => [],
    noteConnection: () => undefined,
    health: () => reasons,
    damage: () => damage,
    metrics,
    now,
    log,
    feed,
    webhooks: { outbound, changed: () => undefined },
    fleetSources: { outbound, changed: () => undefined },
    forwarders: { outbound, sockets, changed: () => undefined },
    commands: { added: () => undefined, hasExternalBroker: false },
    files,
    jobs: {
      watch,
      added: () => undefined,
      jobsAtOnce: 2,
      addresses: createAddressRules([]),
      isWorkedOn: true,
      ...jobs,
    },
    uploads: {
      requireRoom: async () => undefined,
      store: () => Promise.reject(new Error("this test stores no images")),
    },
    runTask: () => Promise.reject(new Error("this test runs no tasks")),
    runTileTask: () => Promise.reject(new DomainError("TASK_FAILED", "this test draws no tiles")),
    console: { version: "0.0.0", mapsDir: "nowhere", fileOrigins: [], built: "not built" },
    backups: { create: async () => Readable.from([Buffer.from("an archive")]) },
    ...extra,
  });
  const authorization = (key: string | undefined) =>
    key === undefined ? {} : { authorization: `Bearer ${key}` };
  return {
    app,
    records,
    telemetry,
    directory,
    feed,
    metrics,
    files,
    watch,
    replayed,
    reasons,
    damage,
    clock,
    async key(key = {}) {
      const secret = newApiKey();
      const full: ApiKey = {
        id: newId<ApiKeyId>("key"),
        name: "test",
        prefix: shownPrefix(secret),
        scopes: ["equipment:read", "equipment:write"],
        plan: "standard",
        created_at: new Date(NOON_MS).toISOString(),
        ...key,
      };
      await records.apiKeys.insert({ key: full, hash: hashSecret(PEPPER, secret) });
      return secret;
    },
    async project(project = {}) {
      const full: Project = {
        id: newId<ProjectId>("prj"),
        name: "Harbour",
        location: { latitude: 53.5, longitude: 9.9 },
        time_zone: "UTC",
        shift: { start: "00:00", end: "24:00" },
        created_at: new Date(NOON_MS - 86_400_000).toISOString(),
        updated_at: new Date(NOON_MS - 86_400_000).toISOString(),
        ...project,
      };
      await records.projects.insert(full);
      await directory.refresh();
      return full.id;
    },
    async asset(asset = {}) {
      const full: AssetRegistration = {
        id: newId<AssetId>("ast"),
        project_id: asset.project_id ?? ("" as ProjectId),
        name: "Excavator 7",
        type: "excavator",
        decoder: "plumbline",
        maintenance: false,
        created_at: "2026-03-01T08:00:00.000Z",
        updated_at: "2026-03-01T08:00:00.000Z",
        ...asset,
      };
      await records.assets.insert(full, new Uint8Array(32));
      await directory.refresh();
      return full.id;
    },
    live(assetId, state = {}) {
      const projectId = directory.find(assetId)?.asset.project_id ?? ("" as ProjectId);
      states.set(assetId, { ...standing(assetId, projectId), ...state });
      for (const listener of listeners) listener(assetId);
    },
    get: (url, key, headers = {}) =>
      injectInto(app, { method: "GET", url, headers: { ...authorization(key), ...headers } }),
    send: (method, url, key, body, headers = {}) =>
      injectInto(app, {
        method,
        url,
        headers: { ...authorization(key), ...headers },
        ...(body === undefined ? {} : { payload: body }),
      }),
    async [Symbol.asyncDispose]() {
      directory.close();
      plans.close();
      await app.close();
      await feed.stop();
      outbound.close();
    },
  };
}

/** A fix 10 s before noon, stationary, with accuracy and motion reported. */
export const FIX: Fix = {
  latitude: 53.5511,
  longitude: 9.9937,
  accuracyMeters: 2.5,
  accuracySource: "reported",
  speedSource: "reported",
  headingSource: "reported",
  speedKmh: 12.5,
  heading: 270,
  fixTimeMs: NOON_MS - 10_000,
  timeSource: "device",
  receivedAtMs: NOON_MS - 9_500,
};

function standing(assetId: AssetId, projectId: ProjectId): AssetState {
  return {
    assetId,
    projectId,
    fix: FIX,
    lastReceivedAtMs: FIX.receivedAtMs,
    lastUpdateMs: FIX.fixTimeMs,
    latest: {},
    faults: [],
    identities: {},
    lastWorkedAtMs: 0,
    reportedToMs: 0,
    reportGapsS: [],
    geofences: [],
    hasCriticalAlert: false,
    maintenance: NO_MAINTENANCE,
    connection: { link: "unknown", linkSinceMs: undefined, status: "ok" },
    today: undefined,
    engineHours: undefined,
  };
}
