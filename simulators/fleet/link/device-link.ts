import mqtt, { type IClientOptions, type MqttClient, type Packet, Store } from "mqtt";
import type { Message } from "../device/message.ts";
import type { Credentials } from "./provision.ts";

/** The MQTT 3.1.1 connection of one device: QoS 1, a window of unacknowledged messages, reconnects. */
export interface DeviceLink {
  /** Queues a message; it leaves as soon as the link is up and the window has room. */
  send(message: Message): void;
  /** Takes the network away (the socket dies without DISCONNECT) or gives it back. */
  setNetwork(up: boolean): void;
  readonly isConnected: boolean;
  readonly inFlightCount: number;
  readonly queuedCount: number;
  /** Disconnects; what is unacknowledged by then stays so. */
  close(): Promise<void>;
}

export interface DeviceLinkOptions {
  readonly url: string;
  readonly credentials: Credentials;
  /** Most messages sent and not yet acknowledged. */
  readonly window: number;
  /** Most messages kept while the broker is away; beyond it the oldest is dropped, as trackers do. */
  readonly maxQueued: number;
  readonly onSent: (message: Message) => void;
  readonly onAcknowledged: (message: Message) => void;
  readonly onDropped: (message: Message) => void;
  /** The broker refused the log-in; tried again by itself. */
  readonly onRefused: (reason: string) => void;
}

/** Pause before a lost connection is tried again, ms; chosen. */
const RECONNECT_MS = 1_000;
/** Queue slots given back to memory at a time. */
const COMPACT_AT = 1_024;

/**
 * mqtt.js resends what was in flight under the same packet ids but with DUP = 0, which MQTT 3.1.1
 * [MQTT-3.3.1-1] forbids: the stored copy, which only a resend reads, is marked here.
 */
class ResendStore extends Store {
  override put(packet: Packet, done: (error?: Error) => void): this {
    if (packet.cmd === "publish") packet.dup = true;
    return super.put(packet, done);
  }
}

/** Opens the connection of one device; the session is kept (clean = false) so that resends are legal. */
export function openDeviceLink(options: DeviceLinkOptions): DeviceLink {
  const { credentials, window } = options;
  const store = new ResendStore({ clean: false });
  const settings: IClientOptions = {
    protocolVersion: 4,
    clientId: credentials.username,
    username: credentials.username,
    password: credentials.password,
    clean: false,
    keepalive: 60,
    reconnectPeriod: RECONNECT_MS,
    reconnectOnConnackError: true,
    outgoingStore: store,
  };
  const client = mqtt.connect(options.url, settings);
  let queue: Message[] = [];
  let head = 0;
  let inFlight = 0;
  let networkUp = true;
  /** What was in flight is resent before anything new: what is published meanwhile, a break would drop. */
  let isReady = false;

  function take(): Message | undefined {
    const message = queue[head];
    if (message === undefined) return undefined;
    head += 1;
    if (head >= COMPACT_AT && head * 2 >= queue.length) {
      queue = queue.slice(head);
      head = 0;
    }
    return message;
  }

  function pump(): void {
    while (isReady && networkUp && inFlight < window) {
      const message = take();
      if (message === undefined) return;
      inFlight += 1;
      options.onSent(message);
      const topic = topicOf(credentials.topic, message.topicFormat);
      client.publish(topic, message.payload, { qos: 1 }, (error) => {
        inFlight -= 1;
        // An error here means that the client was closed with the message still in flight.
        if (error) return;
        options.onAcknowledged(message);
        pump();
      });
    }
  }

  // Comes after the resends only; until then the client calls itself connected already.
  client.on("connect", () => {
    isReady = true;
    // A retry that was under way when the network went may still succeed.
    if (networkUp) pump();
    else dropSocket(client);
  });
  client.on("close", () => {
    isReady = false;
  });
  client.on("error", (error) => {
    if (error.message.startsWith("Connection refused")) options.onRefused(error.message);
  });

  return {
    get isConnected() {
      return client.connected;
    },
    get inFlightCount() {
      return inFlight;
    },
    get queuedCount() {
      return queue.length - head;
    },
    send(message) {
      if (queue.length - head >= options.maxQueued) {
        const oldest = take();
        if (oldest !== undefined) options.onDropped(oldest);
      }
      queue.push(message);
      pump();
    },
    setNetwork(up) {
      if (up === networkUp) return;
      networkUp = up;
      client.options.reconnectPeriod = up ? RECONNECT_MS : 0;
      if (!up) dropSocket(client);
      // While the old socket is still closing, its close event brings the reconnect.
      else if (!client.connected) {
        client.reconnect({ incomingStore: new Store(), outgoingStore: store });
      }
    },
    // Forced while something is in flight: a polite end would wait for its acknowledgement.
    close: () => client.endAsync(inFlight > 0 || !client.connected),
  };
}

/** Ends the TCP connection as a lost radio link does: no DISCONNECT, no more reconnects. */
function dropSocket(client: MqttClient): void {
  client.stream.destroy();
}

/** The device's topic of this format: its last level names the format. */
function topicOf(topic: string, format: string): string {
  return `${topic.slice(0, topic.lastIndexOf("/") + 1)}${format}`;
}
