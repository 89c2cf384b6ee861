import type { Logger } from "pino";
import type { Settings } from "./config/settings.ts";
import type { BrokerPorts } from "./ingest/broker/listeners.ts";
import { startApi } from "./roles/api.ts";
import { type Closers, createClosers } from "./roles/closers.ts";
import { createStart, openCommon } from "./roles/common.ts";
import { startHousekeeping } from "./roles/housekeeping.ts";
import { startIngest } from "./roles/ingest.ts";
import { reachable } from "./roles/listen.ts";
import { openStores } from "./storage/open.ts";

/** Where the service listens; MQTT only where its role and the settings ask for it. */
export interface ServiceUrls {
  readonly http: string;
  readonly mqtt?: string;
  readonly mqttWs?: string;
  readonly mqtts?: string;
}

/** One running process of the service. */
export interface Service {
  /** Addresses that a client on this machine can use; the ports are the real ones. */
  readonly urls: ServiceUrls;
  /** The key made at the very first start, to be shown once. */
  readonly firstAdminKey: string | undefined;
  close(): Promise<void>;
}

/**
 * Starts what the role asks for, in order: stores, the readers of the journal, intake and broker, the
 * API. What was started is stopped in reverse when a later part fails, and by `close`.
 */
export async function startService(settings: Settings, log: Logger): Promise<Service> {
  const closers = createClosers();
  try {
    return { ...(await startRole(settings, log, closers)), close: () => closers.close() };
  } catch (error) {
    await closers.close().catch((cause: unknown) => log.error({ err: cause }, "stop failed"));
    throw error;
  }
}

type Started = Pick<Service, "urls" | "firstAdminKey">;

async function startRole(settings: Settings, log: Logger, closers: Closers): Promise<Started> {
  const start = createStart(settings, log, closers);
  const stores = await openStores(settings);
  closers.push(() => stores.close());
  const common = await openCommon(start, stores.records);
  const ingest = await startIngest(start, common, stores);
  const webhooks = await startHousekeeping(start, common);
  const api = await startApi(start, common, {
    live: ingest.live,
    telemetry: stores.telemetry,
    replay: ingest.replay,
    health: () => ingest.health(),
    backups: stores.backups,
    webhooksChanged: () => void webhooks.refresh(),
  });
  const urls = { http: api.url, ...mqttUrls(settings.mqttHost, ingest.brokerPorts) };
  return { urls, firstAdminKey: api.firstAdminKey };
}

function mqttUrls(host: string, { mqtt, ws, mqtts }: BrokerPorts): Omit<ServiceUrls, "http"> {
  const name = reachable(host);
  return {
    mqtt: `mqtt://${name}:${mqtt}`,
    ...(ws === undefined ? {} : { mqttWs: `ws://${name}:${ws}/mqtt` }),
    ...(mqtts === undefined ? {} : { mqtts: `mqtts://${name}:${mqtts}` }),
  };
}
