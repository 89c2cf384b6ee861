import mqtt, { type MqttClient } from "mqtt";
import type { Message } from "../device/message.ts";
import {
  ALIASES_PER_DEVICE,
  birthMetrics,
  dataMetrics,
  type SparkplugReading,
  sparkplugReadings,
} from "../formats/sparkplug.ts";
import { encodeSparkplugPayload, type MetricToWrite } from "../formats/sparkplug-payload.ts";
import type { DeviceLink, LinkOptions } from "./device-link.ts";
import { MessageQueue } from "./message-queue.ts";
import type { Credentials } from "./provision.ts";
import { asksForRebirth } from "./rebirth-command.ts";

export interface EdgeNodeOptions {
  readonly url: string;
  readonly credentials: Credentials;
  readonly group: string;
  readonly edgeNode: string;
  /** Pause before a lost connection is tried again, ms. */
  readonly retryMs: number;
  /** The broker refused the log-in; tried again by itself. */
  readonly onRefused: (reason: string) => void;
}

/**
 * Most messages of one device that are sent and not acknowledged. All devices of a node share its connection:
 * more are sent again after each break, fewer leave it idle.
 */
const WINDOW = 8;
/** `seq` and `bdSeq` count 0 to 255 and begin again (Sparkplug 3.0, sections 6.4.3 and 6.4.16). */
const TURN = 256;

type DeviceLinkOptions = Omit<LinkOptions, "retryMs">;

interface Device {
  readonly id: string;
  readonly firstAlias: number;
  readonly queue: MessageQueue;
  readonly options: DeviceLinkOptions;
  /** Sent in this life of the node or one before, and not acknowledged; in their order. */
  readonly waiting: Set<Message>;
  /** What it said last that was of its present. */
  last: SparkplugReading | undefined;
  isUp: boolean;
  isBorn: boolean;
  isClosed: boolean;
  /** The connection that it was born on last. */
  client: MqttClient | undefined;
}

/**
 * An edge node of Sparkplug B (3.0): one MQTT session for all the devices behind it. Its will is an NDEATH
 * with `bdSeq`; after CONNACK and SUBACK come NBIRTH with `seq` 0, a DBIRTH for each device, and DDATA by
 * aliases. A rebirth command is answered by fresh births. Each connection has a client of its own and a
 * `bdSeq` that is 1 higher; what had no answer on the last one is sent again in its order.
 *
 * The specification has QoS 0 for all but the will, where it is unknown what arrived. Here it is QoS 1, so
 * that truth.json can say what was acknowledged.
 */
export class EdgeNode {
  readonly #options: EdgeNodeOptions;
  readonly #devices: Device[] = [];
  #client: MqttClient | undefined;
  #retry: NodeJS.Timeout | undefined;
  #bdSeq = -1;
  #seq = 0;
  /** After NBIRTH, until the connection is gone. */
  #isBorn = false;

  constructor(options: EdgeNodeOptions) {
    this.#options = options;
  }

  /** A device behind it, named by its `id`; it is born as soon as the node is. The first one connects. */
  openDevice(id: string, deviceOptions: DeviceLinkOptions): DeviceLink {
    const device: Device = {
      id,
      firstAlias: 1 + this.#devices.length * ALIASES_PER_DEVICE,
      queue: new MessageQueue(deviceOptions),
      options: deviceOptions,
      waiting: new Set(),
      last: undefined,
      isUp: true,
      isBorn: false,
      isClosed: false,
      client: undefined,
    };
    this.#devices.push(device);
    if (this.#devices.length === 1) this.#open();
    else this.#bear(device);
    return {
      get isConnected() {
        return device.isBorn;
      },
      get inFlightCount() {
        return device.waiting.size;
      },
      get queuedCount() {
        return device.queue.size;
      },
      send: (message) => {
        device.queue.push(message);
        this.#pump(device);
      },
      setNetwork: (up) => {
        if (up === device.isUp) return;
        device.isUp = up;
        if (up) this.#bear(device);
        else if (device.isBorn) {
          device.isBorn = false;
          this.#publish("DDEATH", { id, metrics: [] });
        }
      },
      close: async () => {
        device.isClosed = true;
        if (this.#devices.every(({ isClosed }) => isClosed)) await this.#close();
      },
    };
  }

  #topicOf(type: string, device?: string): string {
    const { group, edgeNode } = this.#options;
    return ["spBv1.0", group, type, edgeNode, ...(device === undefined ? [] : [device])].join("/");
  }

  #bdSeqMetric(): MetricToWrite {
    return { name: "bdSeq", type: "Int64", value: this.#bdSeq };
  }

  #death(): Buffer {
    return encodeSparkplugPayload({ timestampMs: Date.now(), metrics: [this.#bdSeqMetric()] });
  }

  #open(): void {
    const { url, credentials } = this.#options;
    this.#retry = undefined;
    this.#bdSeq = (this.#bdSeq + 1) % TURN;
    const opened = mqtt.connect(url, {
      protocolVersion: 4,
      clientId: credentials.username,
      username: credentials.username,
      password: credentials.password,
      // [tck-id-principles-persistence-clean-session-311]
      clean: true,
      keepalive: 60,
      // Each connection has another will.
      reconnectPeriod: 0,
      will: { topic: this.#topicOf("NDEATH"), payload: this.#death(), qos: 1, retain: false },
    });
    this.#client = opened;
    opened.on("connect", () => {
      opened.subscribe(this.#topicOf("NCMD"), { qos: 1 }, (error) => {
        if (!error && this.#client === opened) this.#beBorn();
      });
    });
    opened.on("message", (topic, payload) => {
      if (topic === this.#topicOf("NCMD") && asksForRebirth(payload)) this.#beBorn();
    });
    opened.on("error", (error) => {
      if (error.message.startsWith("Connection refused")) this.#options.onRefused(error.message);
    });
    opened.on("close", () => {
      if (this.#client !== opened) return;
      this.#client = undefined;
      this.#isBorn = false;
      for (const device of this.#devices) device.isBorn = false;
      opened.end(true);
      if (this.#devices.some(({ isClosed }) => !isClosed))
        this.#retry = setTimeout(() => this.#open(), this.#options.retryMs);
    });
  }

  /** Publishes with the next `seq`. */
  #publish(
    type: "DBIRTH" | "DDEATH" | "DDATA" | "NBIRTH",
    { id, metrics }: { readonly id?: string; readonly metrics: readonly MetricToWrite[] },
    done: (error?: Error) => void = () => undefined,
  ): void {
    const payload = encodeSparkplugPayload({ timestampMs: Date.now(), seq: this.#seq, metrics });
    this.#seq = (this.#seq + 1) % TURN;
    this.#client?.publish(this.#topicOf(type, id), payload, { qos: 1 }, done);
  }

  #beBorn(): void {
    this.#seq = 0;
    this.#publish("NBIRTH", {
      metrics: [
        this.#bdSeqMetric(),
        { name: "Node Control/Rebirth", type: "Boolean", value: false },
      ],
    });
    this.#isBorn = true;
    for (const device of this.#devices) {
      device.isBorn = false;
      this.#bear(device);
    }
  }

  #bear(device: Device): void {
    if (!this.#isBorn || !device.isUp || device.isClosed || device.isBorn) return;
    device.isBorn = true;
    const metrics = birthMetrics(device.last, device.firstAlias, Date.now());
    this.#publish("DBIRTH", { id: device.id, metrics });
    // On the previous connection, every message is still in transit.
    const isNewConnection = device.client !== this.#client;
    device.client = this.#client;
    if (isNewConnection) for (const message of device.waiting) this.#say(device, message);
    this.#pump(device);
  }

  #pump(device: Device): void {
    while (device.isBorn && device.waiting.size < WINDOW) {
      const message = device.queue.take();
      if (message === undefined) return;
      device.waiting.add(message);
      device.options.onSent(message);
      this.#say(device, message);
    }
  }

  #say(device: Device, message: Message): void {
    const readings = sparkplugReadings(message.payload);
    // What was stored while the device was without network is sent as historical (section 6.4.13).
    const isHistorical = message.treatment === "backlog";
    const metrics = readings.flatMap((reading) =>
      dataMetrics(reading, device.firstAlias, isHistorical),
    );
    for (const reading of isHistorical ? [] : readings) {
      if (reading.timeMs >= (device.last?.timeMs ?? 0)) device.last = reading;
    }
    this.#publish("DDATA", { id: device.id, metrics }, (error) => {
      // An error means that the connection broke first: it is said again on the next one.
      if (error || !device.waiting.delete(message)) return;
      device.options.onAcknowledged(message);
      this.#pump(device);
    });
  }

  async #close(): Promise<void> {
    clearTimeout(this.#retry);
    const closing = this.#client;
    this.#client = undefined;
    if (closing === undefined) return;
    // A DISCONNECT takes the will back, so the node says it itself [tck-id-operational-behavior-edge-node-intentional-disconnect-ndeath].
    if (this.#isBorn) closing.publish(this.#topicOf("NDEATH"), this.#death(), { qos: 1 });
    this.#isBorn = false;
    const isBusy = this.#devices.some(({ waiting }) => waiting.size > 0);
    await new Promise<void>((resolve) => {
      // Also where the connection breaks before the last word is answered.
      closing.once("close", () => resolve());
      closing.end(isBusy || !closing.connected, () => resolve());
    });
  }
}
