import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { collectDefaultMetrics, Registry } from "prom-client";
import { buildApp } from "./api/app.ts";
import { makeBootstrapKey } from "./api/auth/bootstrap-key.ts";
import { createKeyring } from "./api/auth/keyring.ts";
import { hasScope, seesProject } from "./api/auth/principal.ts";
import { listenError } from "./config/listen-error.ts";
import type { Settings } from "./config/settings.ts";
import type { ProjectId } from "./domain/ids.ts";
import { isSecretOf } from "./domain/secret-hash.ts";
import { openAssetDirectory } from "./ingest/asset-directory.ts";
import { openBroker } from "./ingest/broker/broker.ts";
import { startEventFeed } from "./ingest/delivery/event-feed.ts";
import { startMqttEvents } from "./ingest/delivery/mqtt-events.ts";
import { createAddressRules } from "./ingest/delivery/outbound/address-rules.ts";
import { openOutboundClient } from "./ingest/delivery/outbound/client.ts";
import { createResolver } from "./ingest/delivery/outbound/resolve-host.ts";
import { startWebhooks } from "./ingest/delivery/webhooks/dispatcher.ts";
import { registerWebhookMetrics } from "./ingest/delivery/webhooks/metrics.ts";
import { openFenceDirectory, smallestZone } from "./ingest/fence-directory.ts";
import { createIntake } from "./ingest/intake/intake.ts";
import { LinkLog } from "./ingest/liveness/link-log.ts";
import { openPlanDirectory } from "./ingest/maintenance/plan-directory.ts";
import { registerIngestMetrics } from "./ingest/metrics.ts";
import { startPipeline } from "./ingest/pipeline/runner.ts";
import { startRecordsExpiry } from "./ingest/records-expiry.ts";
import { createReplay } from "./ingest/replay.ts";
import { startTelemetryWriter } from "./ingest/telemetry-writer.ts";
import { openStores } from "./storage/open.ts";
import type { Journal } from "./storage/ports.ts";
import { loadPepper } from "./storage/secret-key.ts";

/** Where the service listens; `mqttWs` and `mqtts` only where the settings ask for them. */
export interface ServiceUrls {
  readonly http: string;
  readonly mqtt: string;
  readonly mqttWs?: string;
  readonly mqtts?: string;
}

/** The running service: every role in one process. */
export interface Service {
  /** Addresses that a client on this machine can use; the ports are the real ones. */
  readonly urls: ServiceUrls;
  /** The key made at the very first start, to be shown once. */
  readonly firstAdminKey: string | undefined;
  close(): Promise<void>;
}

/**
 * Starts everything in order: stores, the readers of the journal, intake and broker, the API. What was
 * started is stopped in reverse when a later part fails, and by `close`.
 */
export async function startService(settings: Settings, log: Logger): Promise<Service> {
  const closers: (() => Promise<void> | void)[] = [];
  async function close(): Promise<void> {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer();
  }
  try {
    return { ...(await start(settings, log, closers)), close };
  } catch (error) {
    await close().catch((cause: unknown) => log.error({ err: cause }, "stop failed"));
    throw error;
  }
}

async function start(
  settings: Settings,
  log: Logger,
  closers: (() => Promise<void> | void)[],
): Promise<Pick<Service, "urls" | "firstAdminKey">> {
  const stores = await openStores(settings);
  closers.push(() => stores.close());
  const { journal, records, telemetry } = stores;
  if (journal.recovery.cutBytes > 0) log.warn(journal.recovery, "journal tail was cut");
  const pepper = await loadPepper(settings.dataDir, settings.secretKey);
  const directory = await openAssetDirectory(records);
  closers.push(() => directory.close());
  const fences = await openFenceDirectory(records, directory);
  closers.push(() => fences.close());
  const plans = await openPlanDirectory(records, directory);
  closers.push(() => plans.close());
  const feed = await startEventFeed({ records: records.events, log });
  closers.push(() => feed.stop());

  const writer = startTelemetryWriter({
    journal,
    telemetry,
    retentionDays: settings.retentionDays,
    log,
  });
  closers.push(() => writer.stop());
  const pipeline = await startPipeline({
    journal,
    records: records.pipeline,
    visits: records.visits,
    telemetry,
    telemetryWritten: () => writer.writtenSequence,
    directory,
    fences,
    plans,
    onEvents: () => feed.poke(),
    log,
  });
  closers.push(() => pipeline.stop());
  const expiry = startRecordsExpiry({ records, retentionDays: settings.retentionDays, log });
  closers.push(() => expiry.stop());

  const keyring = createKeyring({
    records,
    pepper,
    adminApiKey: settings.adminApiKey,
    now: Date.now,
  });
  const intake = await createIntake({ journal, directory, settings });
  closers.push(() => intake.close());
  const links = new LinkLog({ journal, directory, now: Date.now });
  closers.push(() => links.close());
  const broker = await openBroker({
    settings,
    intake,
    directory,
    links,
    verifySecret: (secret, hash) => isSecretOf(pepper, secret, hash),
    async authenticateReader(key) {
      const principal = await keyring.authenticate(key);
      if (principal === undefined || !hasScope(principal, "events:read")) return undefined;
      return { allows: (projectId) => seesProject(principal, projectId as ProjectId) };
    },
    log,
  });
  closers.push(() => broker.close());
  closers.push(
    startMqttEvents({ feed, publish: (topic, payload) => broker.publish(topic, payload) }),
  );

  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  registerIngestMetrics(metrics, {
    journal,
    pipeline,
    writer,
    counts: () => ({ ...intake.stats(), ...broker.stats() }),
    gauges: ["sessions", "readers", "held_bytes"],
  });
  const outbound = openOutboundClient({
    rules: createAddressRules(settings.outboundAllowCidrs),
    resolve: createResolver(),
  });
  closers.push(() => outbound.close());
  const webhooks = await startWebhooks({ records, feed, pepper, outbound, now: Date.now, log });
  closers.push(() => webhooks.stop());
  registerWebhookMetrics(metrics, webhooks, records.webhooks);
  const app = await buildApp({
    records,
    telemetry,
    directory,
    live: pipeline.live,
    plans,
    feed,
    fences,
    webhooks: { outbound, changed: () => void webhooks.refresh() },
    zoneOf(assetId) {
      const state = pipeline.live.state(assetId);
      const zone = state && smallestZone(fences, state.geofences, state.projectId);
      return zone && { id: zone.geofenceId, name: zone.name };
    },
    keyring,
    pepper,
    replay: createReplay(journal, directory, settings),
    health: () => [
      ...journalTrouble(journal),
      ...(pipeline.stalled === undefined ? [] : [pipeline.stalled]),
      ...(writer.stalled === undefined ? [] : [writer.stalled]),
    ],
    metrics,
    now: Date.now,
    log,
  });
  closers.push(() => app.close());
  const { httpHost: host, httpPort: port } = settings;
  await app.listen({ host, port }).catch((error: unknown) => {
    throw listenError("HTTP_PORT", host, port, error);
  });

  const firstAdminKey =
    settings.adminApiKey === undefined
      ? await makeBootstrapKey(records.apiKeys, pepper, Date.now())
      : undefined;
  const address = app.server.address() as AddressInfo;
  const mqttHost = reachable(settings.mqttHost);
  const { mqtt, ws, mqtts } = broker.ports;
  return {
    urls: {
      http: `http://${reachable(settings.httpHost)}:${address.port}`,
      mqtt: `mqtt://${mqttHost}:${mqtt}`,
      ...(ws === undefined ? {} : { mqttWs: `ws://${mqttHost}:${ws}/mqtt` }),
      ...(mqtts === undefined ? {} : { mqtts: `mqtts://${mqttHost}:${mqtts}` }),
    },
    firstAdminKey,
  };
}

/** Why the journal takes no records now; nothing when it does. */
function journalTrouble(journal: Journal): readonly string[] {
  const { state } = journal;
  if (state === "open") return [];
  if (state !== "full") return [`journal has ${state}`];
  const freeMib = Math.floor(journal.stats().freeBytes / 1024 ** 2);
  return [
    `journal is full: ${freeMib} MiB free on its disk, less than the reserve and the next file need`,
  ];
}

/** A host to connect to: a wildcard address is not one. */
function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
