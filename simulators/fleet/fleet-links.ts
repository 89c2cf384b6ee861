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

/** The connections of all devices, one per asset, and what passed through them. Counts are readings. */
export class FleetLinks {
  readonly #links = new Map<AssetRun, DeviceLink>();
  readonly #edgeNodes = new Map<string, EdgeNode>();
  #sent = 0;
  #acknowledged = 0;
  #problem: string | undefined;

  /** `dropsOldest` false: the caller bounds what is queued. */
  static async open(
    addresses: FleetAddresses,
    fleet: Pick<Fleet, "assets" | "credentials" | "edgeNodes">,
    dropsOldest: boolean,
  ): Promise<FleetLinks> {
    const links = new FleetLinks();
    links.#addEdgeNodes(addresses, fleet);
    const maxQueued = dropsOldest ? DEVICE_MEMORY : Number.POSITIVE_INFINITY;
    for (const [i, asset] of fleet.assets.entries()) {
      links.#add(addresses, fleet, asset, maxQueued);
      if (i % OPEN_AT_ONCE === OPEN_AT_ONCE - 1) await delay(10);
    }
    return links;
  }

  private constructor() {}

  get connected(): number {
    return this.#sum((link) => (link.isConnected ? 1 : 0));
  }

  get sent(): number {
    return this.#sent;
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Messages sent and not acknowledged. */
  get inFlight(): number {
    return this.#sum((link) => link.inFlightCount);
  }

  /** Messages waiting. */
  get queued(): number {
    return this.#sum((link) => link.queuedCount);
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  send(asset: AssetRun, messages: readonly Message[]): void {
    const link = this.#links.get(asset);
    for (const message of messages) link?.send(message);
  }

  setNetwork(asset: AssetRun, up: boolean): void {
    this.#links.get(asset)?.setNetwork(up);
  }

  /** Resolves with whether everything was acknowledged: gives up after `idleMs` without progress, or at the signal's deadline. */
  async drain(idleMs: number, signal: AbortSignal): Promise<boolean> {
    let before = this.#acknowledged;
    let sinceMs = Date.now();
    while (this.inFlight + this.queued > 0) {
      if (this.#acknowledged > before) {
        before = this.#acknowledged;
        sinceMs = Date.now();
      }
      if (signal.aborted || Date.now() - sinceMs > idleMs) return false;
      await delay(POLL_MS);
    }
    return true;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#links.values()].map((link) => link.close()));
  }

  #addEdgeNodes(
    { mqttUrl: url }: FleetAddresses,
    fleet: Pick<Fleet, "credentials" | "edgeNodes">,
  ): void {
    for (const { registration, group, edgeNode, assetIds } of fleet.edgeNodes) {
      const opened = new EdgeNode({
        url,
        credentials: credentialsOf(fleet, registration.id),
        group,
        edgeNode,
        retryMs: RETRY_MS,
        onRefused: (reason) => this.#onRefused(reason),
      });
      for (const id of assetIds) this.#edgeNodes.set(id, opened);
    }
  }

  #add(
    addresses: FleetAddresses,
    fleet: Pick<Fleet, "credentials">,
    asset: AssetRun,
    maxQueued: number,
  ): void {
    const options: LinkOptions = {
      maxQueued,
      retryMs: RETRY_MS,
      onSent: (message) => {
        this.#sent += message.seqs.length;
        asset.noteSent(message);
      },
      onAcknowledged: (message) => {
        this.#acknowledged += message.seqs.length;
        asset.noteAcknowledged(message);
      },
      onDropped: (message) => asset.noteDropped(message),
      onRefused: (reason) => this.#onRefused(reason),
    };
    const link =
      this.#edgeNodes.get(asset.id)?.openDevice(asset.id, options) ??
      openLink(addresses, asset, credentialsOf(fleet, asset.id), options);
    this.#links.set(asset, link);
  }

  #onRefused(reason: string): void {
    this.#problem = reason;
  }

  #sum(count: (link: DeviceLink) => number): number {
    let total = 0;
    for (const link of this.#links.values()) total += count(link);
    return total;
  }
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
