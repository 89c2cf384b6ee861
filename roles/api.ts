import { join } from "node:path";
import { buildApp } from "../api/app.ts";
import { type BootstrapKey, makeBootstrapKey } from "../api/auth/bootstrap-key.ts";
import type { ApiDependencies } from "../api/dependencies/dependencies.ts";
import { openImageUploads } from "../api/surveys/image-uploads.ts";
import type { AssetId } from "../domain/ids.ts";
import type { BrokerPorts } from "../ingest/broker/listeners.ts";
import { ConnectionLog } from "../ingest/device-log/connections/connection-log.ts";
import { smallestZone } from "../ingest/directories/fence-directory.ts";
import { ThreadPool } from "../processing/pool/pool.ts";
import type { JobWatch } from "../processing/queue/job-watch.ts";
import { type Files, openFiles } from "../storage/open.ts";
import { openConsole } from "./console.ts";
import { imageAddressRules } from "./image-address-rules.ts";
import { demandsDeviceCertificate } from "./ingest/http-ingest.ts";
import type { Common, Start } from "./process/common.ts";
import { type HttpUrls, listenHttp } from "./process/listen.ts";
import { keepCount } from "./stored-files.ts";

/** What differs between an API beside the pipeline and one in a process of its own. */
export type ApiSources = Pick<
  ApiDependencies,
  "live" | "telemetry" | "replay" | "messageViews" | "health" | "backups" | "ingest"
> & {
  /** Called after every write to webhooks and their deliveries. Never waits. */
  readonly webhooksChanged: () => void;
  /** The same of fleet sources, and of polls that are asked for. */
  readonly fleetSourcesChanged: () => void;
  /** Called after every write to forwarders. Never waits. */
  readonly forwardersChanged: () => void;
  /** Called for every new command. Never waits. */
  readonly commandAdded: (assetId: AssetId) => void;
  /** Of the broker in this process; absent: it has none. */
  readonly brokerPorts?: BrokerPorts | undefined;
  readonly jobs: {
    readonly watch: JobWatch;
    /** Called for every new job. Never waits. */
    readonly added: () => void;
  };
};

/** The API as it listens. */
export interface Api {
  readonly urls: HttpUrls;
  /** The key made at the very first start, to be shown once. */
  readonly firstAdminKey: BootstrapKey | undefined;
  readonly files: Files;
}

/**
 * For tasks that requests wait for, one at a time: the map of a corrected report takes a second, a volume in a stored
 * survey as long. A second thread would double the memory for rare requests; less would not read a large surface.
 */
const TASKS_OF_REQUESTS = { threads: 1, memoryBytes: 768 * 1024 ** 2 };

/**
 * For map tiles: a map asks for some thirty at once, each takes 10 to 40 ms. A second thread would take the core that
 * answers everything else.
 */
const TILES = { threads: 1, memoryBytes: 192 * 1024 ** 2 };

/**
 * For thumbnails: one image of 100 million pixels at a time. A second thread would take the core that answers everything
 * else.
 */
const THUMBNAILS = { threads: 1, memoryBytes: 512 * 1024 ** 2 };

/** Builds the API, listens, and makes the first key of an installation that has none. */
export async function startApi(start: Start, common: Common, sources: ApiSources): Promise<Api> {
  const { settings, log, closers, metrics, disk } = start;
  const { records, pepper, directory, fences, plans, feed, keyring, outbound, mqttSockets } =
    common;
  const { live, telemetry, replay, health, backups, webhooksChanged, forwardersChanged, jobs } =
    sources;
  const { fleetSourcesChanged, ingest, commandAdded } = sources;
  let ownUrl = "";
  const files = await openFiles(settings, pepper, () => ownUrl, disk, records.storedFiles);
  closers.push(() => files.store.close());
  keepCount(start, files.store, records.storedFiles);
  const pool = new ThreadPool(TASKS_OF_REQUESTS);
  closers.push(() => pool.close());
  const tilePool = new ThreadPool(TILES);
  closers.push(() => tilePool.close());
  const thumbnailPool = new ThreadPool(THUMBNAILS);
  closers.push(() => thumbnailPool.close());
  const connections = new ConnectionLog({ records: records.connections, log });
  closers.push(() => connections.close());
  const app = await buildApp({
    records,
    telemetry,
    directory,
    live,
    plans,
    feed,
    fences,
    webhooks: { outbound, changed: webhooksChanged },
    fleetSources: { outbound, changed: fleetSourcesChanged },
    commands: { added: commandAdded, hasExternalBroker: settings.mqttUrl !== undefined },
    forwarders: { outbound, sockets: mqttSockets, changed: forwardersChanged },
    files,
    chromiumFile: settings.chromiumFile,
    jobs: {
      ...jobs,
      jobsAtOnce: settings.jobsAtOnce,
      addresses: imageAddressRules(settings),
      // Others that share the database may work on them.
      isWorkedOn: settings.workers !== 0 || settings.databaseUrl !== undefined,
    },
    disk,
    ...(settings.databaseUrl === undefined ? { recordsDisk: disk } : {}),
    runTask: (task, input, signal) => pool.run(task, input, signal),
    runTileTask: (task, input, signal) => tilePool.run(task, input, signal),
    runThumbnailTask: (task, input, signal) => thumbnailPool.run(task, input, signal),
    uploads: await openImageUploads(join(settings.dataDir, "uploads"), files, {
      disk,
      isStoredHere: settings.s3Bucket === undefined,
    }),
    ...(backups === undefined ? {} : { backups }),
    ...(ingest === undefined ? {} : { ingest }),
    demandsDeviceCertificate: demandsDeviceCertificate(settings),
    zoneOf(assetId) {
      const state = live.state(assetId);
      const zone = state && smallestZone(fences, state.geofences, state.projectId);
      return zone && { id: zone.geofenceId, name: zone.name };
    },
    keyring,
    ...mqttLogin(settings),
    // Others may share the database, and they count together.
    ...(settings.databaseUrl === undefined ? {} : { requestCounts: records.requestCounts }),
    retentionDays: settings.retentionDays,
    pepper,
    replay,
    messageViews: sources.messageViews,
    noteConnection: (noted) => connections.note(noted),
    health,
    damage: () => start.damage.list(),
    warnings: () => start.tls?.warnings() ?? [],
    metrics,
    now: Date.now,
    log,
    corsOrigins: settings.corsOrigins,
    publicUrl: settings.publicUrl,
    console: await openConsole(settings, sources.brokerPorts),
    ...(settings.assistants === "off" ? {} : { assistants: settings.assistants }),
  });
  const urls = await listenHttp(app, start);
  ownUrl = urls.http ?? urls.https ?? "";
  const firstAdminKey =
    settings.adminApiKey === undefined
      ? await makeBootstrapKey(records.apiKeys, pepper, settings.dataDir, Date.now())
      : undefined;
  return { urls, firstAdminKey, files };
}

/** How the service logs in at an external broker, which asks us about ourselves too. */
function mqttLogin({ mqttUsername: username, mqttPassword: password }: Start["settings"]) {
  if (username === undefined || password === undefined) return {};
  return { mqttLogin: { username, password } };
}
