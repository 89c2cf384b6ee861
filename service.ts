import type { Logger } from "pino";
import type { BootstrapKey } from "./api/auth/bootstrap-key.ts";
import type { Settings } from "./config/settings.ts";
import { DomainError } from "./domain/errors.ts";
import { followAssets } from "./ingest/asset-state/followed-assets.ts";
import type { BrokerPorts } from "./ingest/broker/listeners.ts";
import { askForViews } from "./ingest/device-log/messages/asked-views.ts";
import { startMessageAnswers } from "./ingest/device-log/messages/message-answers.ts";
import { createReplayRequests } from "./ingest/replay/replay.ts";
import { useGridFolder } from "./processing/coordinates/grid-folder.ts";
import { createJobWatch } from "./processing/queue/job-watch.ts";
import type { JobRunner } from "./processing/queue/runner.ts";
import { startApi } from "./roles/api.ts";
import { startHousekeeping } from "./roles/housekeeping.ts";
import { SharedIngest } from "./roles/ingest/shared-ingest.ts";
import { startIngest } from "./roles/ingest.ts";
import { createJobHandlers } from "./roles/job-handlers.ts";
import { createClosers } from "./roles/process/closers.ts";
import {
  type Common,
  createStart,
  type Devices,
  type Ingest,
  openCommon,
  type Start,
} from "./roles/process/common.ts";
import { reachable } from "./roles/process/listen.ts";
import { openSecretKey } from "./roles/process/secret-key.ts";
import { startProcessing } from "./roles/processing.ts";
import { startStatus } from "./roles/status.ts";
import { explainDamage } from "./storage/check/found-damage.ts";
import { makePrivateFolder } from "./storage/data-folder/private-folder.ts";
import { openFiles, openRecords, openStores, openTelemetryReader } from "./storage/open.ts";

/** Where the service listens, as far as its role and the settings ask for it. */
export interface ServiceUrls {
  readonly http?: string;
  readonly https?: string;
  readonly mqtt?: string;
  readonly mqttWs?: string;
  readonly mqtts?: string;
  readonly mqttWss?: string;
  /** Teltonika Codec 8, `tcp:`. */
  readonly teltonika?: string;
  /** OsmAnd protocol and Traccar Client. */
  readonly osmand?: string;
}

/** One running process of the service. */
export interface Service {
  /** Addresses that a client on this machine can use; the ports are the real ones. */
  readonly urls: ServiceUrls;
  /** The key made at the very first start, until it was shown. */
  readonly firstAdminKey: BootstrapKey | undefined;
  /** Reads the TLS files now, whether or not they changed. Never throws. */
  reload(): Promise<void>;
  /** Ends it, and reports each part that has ended. */
  close(onEnded?: () => void): Promise<void>;
}

/**
 * Starts what the role asks for, in order: stores, the readers of the journal, intake and broker, the
 * API. What was started is stopped in reverse when a later part fails, and by `close`.
 */
export async function startService(settings: Settings, log: Logger): Promise<Service> {
  const closers = createClosers();
  try {
    await keepDataPrivate(settings, log);
    useGridFolder(settings.gridDir);
    const start = await createStart(settings, log, closers);
    const started = await START[settings.role](start).finally(() => start.progress.end());
    return {
      ...started,
      reload: async () => start.tls?.reload(),
      close: (onEnded) => closers.close(onEnded),
    };
  } catch (error) {
    await closers.close().catch((cause: unknown) => log.error({ err: cause }, "stop failed"));
    throw explainDamage(settings, error);
  }
}

/** The folder's mode is the lock: not every store sets one on its files. */
async function keepDataPrivate({ dataDir }: Settings, log: Logger): Promise<void> {
  const open = await makePrivateFolder(dataDir).catch((cause: unknown) => {
    throw new DomainError("STORE_UNAVAILABLE", `DATA_DIR ${dataDir} cannot be used`, { cause });
  });
  if (open === undefined) return;
  log.warn(
    { dataDir, mode: open.mode },
    open.isNarrowed
      ? "other users of this machine could enter the data folder; its mode is 700 now"
      : "other users of this machine can enter the data folder; give it mode 700 (chmod 700)",
  );
}

type Started = Pick<Service, "urls" | "firstAdminKey">;

/** What each role starts. */
const START = {
  all: startAll,
  ingest: startIngestAlone,
  api: startApiAlone,
  processing: startProcessingAlone,
} satisfies Record<Settings["role"], (start: Start) => Promise<Started>>;

async function startAll(start: Start): Promise<Started> {
  const { settings, closers, disk, damage } = start;
  start.progress.begin("opening the stores");
  const stores = await openStores(settings, disk, damage);
  closers.push((onEnded) => stores.close(onEnded));
  const common = await openCommon(start, stores.records);
  start.progress.begin("reading the journal");
  const ingest = await startIngest(start, common, stores);
  const { devices } = ingest;
  const housekeeping = await startHousekeeping(start, common, {
    replay: devices.replay,
    // The embedded database is this process's alone.
    holder: settings.databaseUrl === undefined ? undefined : stores.journal.id,
  });
  let jobs: JobRunner | undefined;
  const watch = createJobWatch(stores.records.jobs);
  start.progress.begin("opening the API");
  const api = await startApi(start, common, {
    live: ingest.live,
    telemetry: stores.telemetry,
    replay: devices.replay,
    messageViews: async (assetId) => [devices.messageView(assetId)],
    health: () => [...ingest.health(), ...jobTrouble(jobs)],
    backups: stores.backups,
    ingest: devices.httpIngest,
    webhooksChanged: () => void housekeeping.refreshWebhooks(),
    fleetSourcesChanged: () => devices.fleetSourcesChanged(),
    forwardersChanged: () => void ingest.refreshForwarders(),
    commandAdded: (assetId) => devices.commandAdded(assetId),
    brokerPorts: devices.brokerPorts,
    jobs: { watch, added: () => jobs?.poke() },
  });
  jobs = await startProcessing(
    start,
    { records: stores.records, files: api.files, onJobEnded: (id) => watch.poke(id) },
    createJobHandlers,
  );
  const urls = { ...api.urls, ...deviceUrls(settings, devices) };
  return { urls, firstAdminKey: api.firstAdminKey };
}

async function startIngestAlone(start: Start): Promise<Started> {
  const { settings, closers, disk, damage } = start;
  if (settings.kafkaBrokers.length > 0) return await startSharedIngest(start);
  start.progress.begin("opening the stores");
  const stores = await openStores(settings, disk, damage);
  closers.push((onEnded) => stores.close(onEnded));
  const common = await openCommon(start, stores.records);
  start.progress.begin("reading the journal");
  const ingest = await startIngest(start, common, stores);
  return await serveIngest(start, { common, ingest, holder: stores.journal.id });
}

/** The journal is Kafka: any number of these processes take messages in and share the work. */
async function startSharedIngest(start: Start): Promise<Started> {
  const { settings, closers, damage } = start;
  start.progress.begin("opening the stores");
  // The client of Kafka takes longer to load than many other parts together, and most services have no Kafka.
  const { openSharedStores } = await import("./storage/open-shared.ts");
  const stores = await openSharedStores(settings, damage);
  closers.push((onEnded) => stores.close(onEnded));
  const common = await openCommon(start, stores.records);
  start.progress.begin("joining the other ingest processes");
  const ingest = await SharedIngest.start(start, common, stores);
  return await serveIngest(start, { common, ingest, holder: stores.nodeId });
}

/** What every process that only ingests does beside. `holder`: the same after a restart. */
async function serveIngest(
  start: Start,
  parts: { readonly common: Common; readonly ingest: Ingest; readonly holder: string },
): Promise<Started> {
  const { settings, closers } = start;
  const { common, ingest, holder } = parts;
  const { devices } = ingest;
  await startHousekeeping(start, common, { replay: devices.replay, holder });
  const answers = startMessageAnswers({
    views: common.records.messageViews,
    nodeId: holder,
    viewOf: (assetId) => devices.messageView(assetId),
    log: start.log,
  });
  closers.push(() => answers.stop());
  const http = await startStatus(start, () => ingest.health(), devices.httpIngest);
  const urls = { ...http, ...deviceUrls(settings, devices) };
  return { urls, firstAdminKey: undefined };
}

/** No journal, no pipeline, no broker: everything is read from the servers that ingest writes to. */
async function startApiAlone(start: Start): Promise<Started> {
  const { settings, log, closers } = start;
  start.progress.begin("opening the records");
  const records = await openRecords(settings, start.damage);
  closers.push(() => records.close());
  const telemetry = openTelemetryReader(settings);
  // readSettings has refused the role without it.
  if (telemetry === undefined) throw new Error("ROLE=api without INFLUX_URL");
  const common = await openCommon(start, records);
  const live = await followAssets({ changes: records.stateChanges, log });
  closers.push(() => live.stop());
  // What the pipeline would take from these followers is not needed here.
  common.fences.onChange(() => {
    common.fences.takeChanges();
    common.fences.takeNewAssets();
  });
  const { urls, firstAdminKey } = await startApi(start, common, {
    live,
    telemetry,
    replay: createReplayRequests(records.quarantine, common.directory, settings),
    messageViews: (assetId) => askForViews(records.messageViews, assetId),
    health: () => (live.stalled === undefined ? [] : [live.stalled]),
    // Ingest polls twice a second.
    webhooksChanged: () => undefined,
    // Every two seconds.
    fleetSourcesChanged: () => undefined,
    // Once a second.
    forwardersChanged: () => undefined,
    // The process with the device's connection reads new rows twice a second.
    commandAdded: () => undefined,
    // Runners poll every second.
    jobs: { watch: createJobWatch(records.jobs), added: () => undefined },
  });
  return { urls, firstAdminKey };
}

/** Takes jobs from the shared queue; health and metrics beside. */
async function startProcessingAlone(start: Start): Promise<Started> {
  const { settings, closers, disk } = start;
  start.progress.begin("opening the records");
  const records = await openRecords(settings, start.damage);
  closers.push(() => records.close());
  const pepper = await openSecretKey(settings, records);
  // It serves no files itself: links of its products need PUBLIC_URL.
  const files = await openFiles(settings, pepper, () => "", disk, records.storedFiles);
  closers.push(() => files.store.close());
  const jobs = await startProcessing(start, { records, files }, createJobHandlers);
  const urls = await startStatus(start, () => jobTrouble(jobs));
  return { urls, firstAdminKey: undefined };
}

const jobTrouble = (jobs: JobRunner | undefined): readonly string[] =>
  jobs?.trouble === undefined ? [] : [jobs.trouble];

/** Every address that devices connect to. */
function deviceUrls(settings: Settings, { brokerPorts, devicePorts }: Devices): ServiceUrls {
  const { teltonika, osmand } = devicePorts;
  return {
    ...mqttUrls(settings.mqttHost, brokerPorts),
    ...(teltonika === undefined
      ? {}
      : { teltonika: `tcp://${reachable(settings.teltonikaHost)}:${teltonika}` }),
    ...(osmand === undefined
      ? {}
      : { osmand: `http://${reachable(settings.osmandHost)}:${osmand}` }),
  };
}

function mqttUrls(host: string, ports: BrokerPorts = {}): ServiceUrls {
  const { mqtt, ws, mqtts, wss } = ports;
  const name = reachable(host);
  return {
    ...(mqtt === undefined ? {} : { mqtt: `mqtt://${name}:${mqtt}` }),
    ...(ws === undefined ? {} : { mqttWs: `ws://${name}:${ws}/mqtt` }),
    ...(mqtts === undefined ? {} : { mqtts: `mqtts://${name}:${mqtts}` }),
    ...(wss === undefined ? {} : { mqttWss: `wss://${name}:${wss}/mqtt` }),
  };
}
