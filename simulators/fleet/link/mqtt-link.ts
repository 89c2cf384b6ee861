import mqtt, { type MqttClient, type Packet, Store } from "mqtt";
import type { Message } from "../device/message.ts";
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
 * The MQTT 3.1.1 connection of one device: QoS 1, a window of unacknowledged messages; the session
 * is kept (clean = false) so that resends are legal.
 */
export class MqttLink implements DeviceLink {
  readonly #options: MqttLinkOptions;
  readonly #queue: MessageQueue;
  readonly #store = new ResendStore({ clean: false });
  readonly #client: MqttClient;
  #inFlight = 0;
  #networkUp = true;
  /** What was in flight is resent before anything new: what is published meanwhile, a break would drop. */
  #isReady = false;

  constructor(options: MqttLinkOptions) {
    const { url, credentials, retryMs } = options;
    this.#options = options;
    this.#queue = new MessageQueue(options);
    const client = mqtt.connect(url, {
      protocolVersion: 4,
      clientId: credentials.username,
      username: credentials.username,
      password: credentials.password,
      clean: false,
      keepalive: 60,
      reconnectPeriod: retryMs,
      reconnectOnConnackError: true,
      outgoingStore: this.#store,
    });
    this.#client = client;
    // Comes after the resends only; until then the client calls itself connected already.
    client.on("connect", () => {
      this.#isReady = true;
      // A retry in flight when the network failed may still succeed.
      if (this.#networkUp) this.#pump();
      else dropSocket(client);
    });
    client.on("close", () => {
      this.#isReady = false;
    });
    client.on("error", (error) => {
      if (error.message.startsWith("Connection refused")) options.onRefused(error.message);
    });
  }

  get isConnected(): boolean {
    return this.#client.connected;
  }

  get inFlightCount(): number {
    return this.#inFlight;
  }

  get queuedCount(): number {
    return this.#queue.size;
  }

  send(message: Message): void {
    this.#queue.push(message);
    this.#pump();
  }

  setNetwork(up: boolean): void {
    if (up === this.#networkUp) return;
    this.#networkUp = up;
    this.#client.options.reconnectPeriod = up ? this.#options.retryMs : 0;
    if (!up) dropSocket(this.#client);
    // While the old socket is still closing, its close event brings the reconnect.
    else if (!this.#client.connected) {
      this.#client.reconnect({ incomingStore: new Store(), outgoingStore: this.#store });
    }
  }

  close(): Promise<void> {
    // Forced while something is in flight: a polite end would wait for its acknowledgement.
    return this.#client.endAsync(this.#inFlight > 0 || !this.#client.connected);
  }

  #pump(): void {
    const { credentials, window, onSent, onAcknowledged } = this.#options;
    while (this.#isReady && this.#networkUp && this.#inFlight < window) {
      const message = this.#queue.take();
      if (message === undefined) return;
      this.#inFlight += 1;
      onSent(message);
      const topic = topicOf(credentials.topic, message.topicFormat);
      this.#client.publish(topic, message.payload, { qos: 1 }, (error) => {
        this.#inFlight -= 1;
        // An error here means that the client was closed with the message still in flight.
        if (error) return;
        onAcknowledged(message);
        this.#pump();
      });
    }
  }
}

/** Ends the TCP connection as a lost radio link does: no DISCONNECT, no more reconnects. */
function dropSocket(client: MqttClient): void {
  client.stream.destroy();
}

/** The device's topic of this format: its last level names the format. */
function topicOf(topic: string, format: string): string {
  return `${topic.slice(0, topic.lastIndexOf("/") + 1)}${format}`;
}
