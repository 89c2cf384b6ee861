import type { Logger } from "pino";
import { collectDefaultMetrics, Registry } from "prom-client";
import { Keyring } from "../../api/auth/keyring.ts";
import type { Settings } from "../../config/settings.ts";
import type { AssetId } from "../../domain/ids.ts";
import type { LiveAssets } from "../../ingest/asset-state/asset-state.ts";
import type { BrokerPorts } from "../../ingest/broker/listeners.ts";
import { type EventFeed, startEventFeed } from "../../ingest/delivery/event-feed.ts";
import {
  type AssetDirectory,
  openAssetDirectory,
} from "../../ingest/directories/asset-directory.ts";
import {
  type FenceDirectory,
  openFenceDirectory,
} from "../../ingest/directories/fence-directory.ts";
import { openPlanDirectory, type PlanDirectory } from "../../ingest/directories/plan-directory.ts";
import type { HttpIngest } from "../../ingest/http/http-ingest.ts";
import type { Replay } from "../../ingest/replay/replay.ts";
import { createAddressRules } from "../../outbound/address-rules.ts";
import { type OutboundClient, openOutboundClient } from "../../outbound/client.ts";
import { createMqttSockets, MQTT_PORTS, type MqttSockets } from "../../outbound/mqtt-address.ts";
import { createResolver } from "../../outbound/resolve-host.ts";
import { type DamageLog, openDamageLog } from "../../storage/check/damage-log.ts";
import { type DiskSpace, openDiskSpace } from "../../storage/disk/disk-space.ts";
import type { MessageView } from "../../storage/ports/equipment/device-log.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import { registerTlsMetrics } from "../../tls/metrics.ts";
import { registerProxyMetrics } from "../../tls/proxy-protocol/metrics.ts";
import { ProxyProtocol } from "../../tls/proxy-protocol/proxy-protocol.ts";
import { openTls, type Tls } from "../../tls/tls.ts";
import type { Closers } from "./closers.ts";
import { openSecretKey } from "./secret-key.ts";
import { logStart, type StartProgress } from "./start-progress.ts";
import { watchDisk } from "./watch-disk.ts";

/** What a role starts from. */
export interface Start {
  readonly settings: Settings;
  readonly log: Logger;
  /** Takes what is to be ended when the process stops. */
  readonly closers: Closers;
  /** What is damaged in the data folder. */
  readonly damage: DamageLog;
  readonly metrics: Registry;
  /** Admits everybody who writes to the disk of the data folder beside intake. */
  readonly disk: DiskSpace;
  /** Called with each step of the start. */
  readonly progress: StartProgress;
  /** Absent: there is no certificate, and so no listener with TLS. */
  readonly tls: Tls | undefined;
  /** Absent: the address of a client is the one that its connection comes from. */
  readonly proxyProtocol: ProxyProtocol | undefined;
}

/** What ingest and API both need of the record store; in one process they share it. */
export interface Common {
  readonly records: RecordStore;
  /** Secret of every stored hash. */
  readonly pepper: Uint8Array;
  readonly directory: AssetDirectory;
  readonly fences: FenceDirectory;
  readonly plans: PlanDirectory;
  readonly feed: EventFeed;
  readonly keyring: Keyring;
  readonly outbound: OutboundClient;
  /** To brokers that clients of the API named. */
  readonly mqttSockets: MqttSockets;
}

/** Ports of device protocols other than MQTT; `undefined`: it is not listened on. */
export interface DevicePorts {
  readonly teltonika: number | undefined;
  readonly osmand: number | undefined;
}

/** What ingest has of devices: where they connect, what they sent, and what is to reach them. */
export interface Devices {
  readonly replay: Replay;
  /** What is remembered of the asset's last messages. */
  messageView(assetId: AssetId): MessageView;
  /** Called after every write to fleet sources, and when a poll is requested. Never waits. */
  fleetSourcesChanged(): void;
  /** Called for a new command for an asset. Never waits. */
  commandAdded(assetId: AssetId): void;
  /** Ports of the embedded broker; `undefined`: devices publish to an external one. */
  readonly brokerPorts: BrokerPorts | undefined;
  readonly devicePorts: DevicePorts;
  /** Takes readings that devices send by HTTP. */
  readonly httpIngest: HttpIngest;
}

/** The part of a process that takes messages in. */
export interface Ingest {
  readonly live: LiveAssets;
  readonly devices: Devices;
  /** Polls for changed forwarders now. Never throws. */
  refreshForwarders(): Promise<void>;
  /** Why messages are not taken or stored now; empty when they are. */
  health(): readonly string[];
}

/** @throws DomainError `SETTINGS_INVALID` when the TLS files cannot be used. */
export async function createStart(
  settings: Settings,
  log: Logger,
  closers: Closers,
): Promise<Start> {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const { dataDir: dir, minFreeDiskBytes: minFreeBytes, diskMarginBytes: marginBytes } = settings;
  const disk = openDiskSpace({ dir, minFreeBytes, marginBytes });
  watchDisk(disk, metrics, log);
  const damage = openDamageLog(dir);
  const tls = await openTls(settings, { log });
  if (tls !== undefined) {
    closers.push(() => tls.close());
    registerTlsMetrics(metrics, tls);
  }
  const proxyProtocol = readFromBalancers(settings, metrics, log);
  const progress = logStart(log);
  return { settings, log, closers, damage, metrics, disk, tls, proxyProtocol, progress };
}

/** `undefined`: the settings name no balancer. */
function readFromBalancers(
  { proxyProtocolFrom: from }: Settings,
  metrics: Registry,
  log: Logger,
): ProxyProtocol | undefined {
  if (from.length === 0) return undefined;
  const proxyProtocol = new ProxyProtocol({ from, log });
  registerProxyMetrics(metrics, proxyProtocol);
  return proxyProtocol;
}

/** Opens everything that follows the record store. */
export async function openCommon(start: Start, records: RecordStore): Promise<Common> {
  const { settings, log, closers } = start;
  const pepper = await openSecretKey(settings, records);
  const directory = await openAssetDirectory(records);
  closers.push(() => directory.close());
  const fences = await openFenceDirectory(records, directory);
  closers.push(() => fences.close());
  const plans = await openPlanDirectory(records, directory);
  closers.push(() => plans.close());
  const feed = await startEventFeed({ records: records.events, log });
  closers.push(() => feed.stop());
  const keyring = new Keyring({
    records,
    pepper,
    adminApiKey: settings.adminApiKey,
    now: Date.now,
  });
  const resolve = createResolver();
  const outbound = openOutboundClient({
    rules: createAddressRules(settings.outboundAllowCidrs),
    resolve,
  });
  closers.push(() => outbound.close());
  const mqttSockets = createMqttSockets({
    rules: createAddressRules(settings.outboundAllowCidrs, MQTT_PORTS),
    resolve,
  });
  return { records, pepper, directory, fences, plans, feed, keyring, outbound, mqttSockets };
}
