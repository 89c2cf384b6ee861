import { setTimeout as delay } from "node:timers/promises";
import type { AssetRun } from "./asset-run.ts";
import type { Message } from "./device/message.ts";
import { type ListenerPorts, listenerOf } from "./formats/fleet-formats.ts";
import type { DeviceLink, LinkOptions } from "./link/device-link.ts";
import { EdgeNode } from "./link/edge-node.ts";
import { MqttLink } from "./link/mqtt-link.ts";
import { openOsmandLink } from "./link/osmand-link.ts";
import type { Credentials } from "./link/provision.ts";
import { openTrackerLink } from "./link/tracker-link.ts";
import type { Fleet } from "./setup.ts";

/** Where devices find the service. */
export interface FleetAddresses {
  readonly mqttUrl: string;
  /** Host of the listeners beside MQTT, and their ports. */
  readonly host: string;
  readonly ports: ListenerPorts;
}

/** The connections of all devices, and what passed through them. Counts are readings. */
export interface FleetLinks {
  send(asset: AssetRun, messages: readonly Message[]): void;
  setNetwork(asset: AssetRun, up: boolean): void;
  readonly connected: number;
  readonly sent: number;
  readonly acknowledged: number;
  /** Messages sent and not acknowledged, and messages waiting. */
  readonly inFlight: number;
  readonly queued: number;
  readonly problem: string | undefined;
  /** Resolves with whether everything was acknowledged: gives up after `idleMs` without progress, or at the signal's deadline. */
  drain(idleMs: number, signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Unacknowledged messages per device: 32 keep a connection busy across a commit of some ms. More are sent again
 * after each break.
 */
const WINDOW = 32;
/**
 * Messages that a device keeps while the broker is away: about 3 h at one a second. A thousand devices keep as
 * many each; the oldest are lost beyond.
 */
const DEVICE_MEMORY = 10_000;
/**
 * Pause before a lost connection is tried again, ms. Shorter, a fleet keeps a broker that is starting from doing
 * so; longer, its outage lasts for that much more.
 */
const RETRY_MS = 1_000;
/** Connections opened at a time, then a pause of 10 ms: a thousand CONNECTs at once time each other out. */
const OPEN_AT_ONCE = 50;
const POLL_MS = 20;

/** Opens one connection per asset. `dropsOldest` false: the caller bounds what is queued. */
export async function openFleetLinks(
  addresses: FleetAddresses,
  fleet: Pick<Fleet, "assets" | "credentials" | "edgeNodes">,
  dropsOldest: boolean,
): Promise<FleetLinks> {
  const links = new Map<AssetRun, DeviceLink>();
  const edgeNodes = new Map<string, EdgeNode>();
  let [sent, acknowledged] = [0, 0];
  let problem: string | undefined;
  const onRefused = (reason: string) => {
    problem = reason;
  };
  for (const { registration, group, edgeNode, assetIds } of fleet.edgeNodes) {
    const credentials = credentialsOf(fleet, registration.id);
    const session = { url: addresses.mqttUrl, credentials, group, edgeNode };
    const opened = new EdgeNode({ ...session, retryMs: RETRY_MS, onRefused });
    for (const id of assetIds) edgeNodes.set(id, opened);
  }
  for (const [i, asset] of fleet.assets.entries()) {
    const options: LinkOptions = {
      maxQueued: dropsOldest ? DEVICE_MEMORY : Number.POSITIVE_INFINITY,
      retryMs: RETRY_MS,
      onSent(message) {
        sent += message.seqs.length;
        asset.noteSent(message);
      },
      onAcknowledged(message) {
        acknowledged += message.seqs.length;
        asset.noteAcknowledged(message);
      },
      onDropped: asset.noteDropped,
      onRefused,
    };
    const link =
      edgeNodes.get(asset.id)?.openDevice(asset.id, options) ??
      openLink(addresses, asset, credentialsOf(fleet, asset.id), options);
    links.set(asset, link);
    if (i % OPEN_AT_ONCE === OPEN_AT_ONCE - 1) await delay(10);
  }
  const sum = (count: (link: DeviceLink) => number) => {
    let total = 0;
    for (const link of links.values()) total += count(link);
    return total;
  };
  const opened: FleetLinks = {
    send(asset, messages) {
      const link = links.get(asset);
      for (const message of messages) link?.send(message);
    },
    setNetwork: (asset, up) => links.get(asset)?.setNetwork(up),
    get connected() {
      return sum((link) => (link.isConnected ? 1 : 0));
    },
    get sent() {
      return sent;
    },
    get acknowledged() {
      return acknowledged;
    },
    get inFlight() {
      return sum((link) => link.inFlightCount);
    },
    get queued() {
      return sum((link) => link.queuedCount);
    },
    get problem() {
      return problem;
    },
    async drain(idleMs, signal) {
      let before = acknowledged;
      let sinceMs = Date.now();
      while (opened.inFlight + opened.queued > 0) {
        if (acknowledged > before) {
          before = acknowledged;
          sinceMs = Date.now();
        }
        if (signal.aborted || Date.now() - sinceMs > idleMs) return false;
        await delay(POLL_MS);
      }
      return true;
    },
    async close() {
      await Promise.all([...links.values()].map((link) => link.close()));
    },
  };
  return opened;
}

/** @throws RangeError for an asset that was not registered. */
function credentialsOf({ credentials }: Pick<Fleet, "credentials">, id: string): Credentials {
  const own = credentials.get(id);
  if (own === undefined) throw new RangeError(`no credentials of ${id}`);
  return own;
}

/** @throws RangeError when the listener that the asset's format needs has no known port. */
function openLink(
  { mqttUrl, host, ports }: FleetAddresses,
  { id, format }: AssetRun,
  credentials: Credentials,
  options: LinkOptions,
): DeviceLink {
  const listener = listenerOf(format);
  if (listener === undefined) {
    return new MqttLink({ ...options, url: mqttUrl, credentials, window: WINDOW });
  }
  const port = ports[listener];
  if (port === undefined) throw new RangeError(`no port is known for ${format.name}`);
  if (listener === "osmand") return openOsmandLink({ ...options, host, port });
  return openTrackerLink({ ...options, host, port, imei: format.hardwareId?.(id) ?? id });
}
