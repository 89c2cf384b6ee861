import mqtt, { type IClientOptions, type MqttClient, type Packet, Store } from "mqtt";
import type { DeviceLink, LinkOptions } from "./device-link.ts";
import { MessageQueue } from "./message-queue.ts";
import type { Credentials } from "./provision.ts";

export interface MqttLinkOptions extends LinkOptions {
  readonly url: string;
  readonly credentials: Credentials;
  /** Most messages sent and not yet acknowledged. */
  readonly window: number;
}

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

/**
 * Opens the MQTT 3.1.1 connection of one device: QoS 1, a window of unacknowledged messages; the session
 * is kept (clean = false) so that resends are legal.
 */
export function openMqttLink(options: MqttLinkOptions): DeviceLink {
  const { credentials, window, retryMs } = options;
  const store = new ResendStore({ clean: false });
  const settings: IClientOptions = {
    protocolVersion: 4,
    clientId: credentials.username,
    username: credentials.username,
    password: credentials.password,
    clean: false,
    keepalive: 60,
    reconnectPeriod: retryMs,
    reconnectOnConnackError: true,
    outgoingStore: store,
  };
  const client = mqtt.connect(options.url, settings);
  const queue = new MessageQueue(options);
  let inFlight = 0;
  let networkUp = true;
  /** What was in flight is resent before anything new: what is published meanwhile, a break would drop. */
  let isReady = false;

  function pump(): void {
    while (isReady && networkUp && inFlight < window) {
      const message = queue.take();
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
    // A retry in flight when the network failed may still succeed.
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
      return queue.size;
    },
    send(message) {
      queue.push(message);
      pump();
    },
    setNetwork(up) {
      if (up === networkUp) return;
      networkUp = up;
      client.options.reconnectPeriod = up ? retryMs : 0;
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
