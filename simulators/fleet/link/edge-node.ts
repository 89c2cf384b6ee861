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

/** An edge node of Sparkplug B: one MQTT session for all the devices behind it. */
export interface EdgeNode {
  /** A device behind it, named by its `id`; it is born as soon as the node is. */
  openDevice(id: string, options: Omit<LinkOptions, "retryMs">): DeviceLink;
}

/** Most messages of one device that are sent and not acknowledged. Chosen. */
const WINDOW = 8;
/** `seq` and `bdSeq` count 0 to 255 and begin again (Sparkplug 3.0, sections 6.4.3 and 6.4.16). */
const TURN = 256;

interface Device {
  readonly id: string;
  readonly firstAlias: number;
  readonly queue: MessageQueue;
  readonly options: Omit<LinkOptions, "retryMs">;
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
 * Opens the session of an edge node (Sparkplug 3.0). Its will is an NDEATH with `bdSeq`; after CONNACK and
 * SUBACK come NBIRTH with `seq` 0, a DBIRTH for each device, and DDATA by aliases. A rebirth command is
 * answered by fresh births. Each connection has a client of its own and a `bdSeq` that is 1 higher; what
 * had no answer on the last one is sent again in its order.
 *
 * The specification has QoS 0 for all but the will, where it is unknown what arrived. Here it is QoS 1, so
 * that truth.json can say what was acknowledged.
 */
export function openEdgeNode(options: EdgeNodeOptions): EdgeNode {
  const { url, credentials, group, edgeNode, retryMs } = options;
  const devices: Device[] = [];
  let client: MqttClient | undefined;
  let retry: NodeJS.Timeout | undefined;
  let bdSeq = -1;
  let seq = 0;
  /** After NBIRTH, until the connection is gone. */
  let isBorn = false;

  const topicOf = (type: string, device?: string) =>
    ["spBv1.0", group, type, edgeNode, ...(device === undefined ? [] : [device])].join("/");
  const bdSeqMetric = (): MetricToWrite => ({ name: "bdSeq", type: "Int64", value: bdSeq });
  const death = () => encodeSparkplugPayload({ timestampMs: Date.now(), metrics: [bdSeqMetric()] });

  function open(): void {
    retry = undefined;
    bdSeq = (bdSeq + 1) % TURN;
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
      will: { topic: topicOf("NDEATH"), payload: death(), qos: 1, retain: false },
    });
    client = opened;
    opened.on("connect", () => {
      opened.subscribe(topicOf("NCMD"), { qos: 1 }, (error) => {
        if (!error && client === opened) beBorn();
      });
    });
    opened.on("message", (topic, payload) => {
      if (topic === topicOf("NCMD") && asksForRebirth(payload)) beBorn();
    });
    opened.on("error", (error) => {
      if (error.message.startsWith("Connection refused")) options.onRefused(error.message);
    });
    opened.on("close", () => {
      if (client !== opened) return;
      client = undefined;
      isBorn = false;
      for (const device of devices) device.isBorn = false;
      opened.end(true);
      if (devices.some(({ isClosed }) => !isClosed)) retry = setTimeout(open, retryMs);
    });
  }

  /** Publishes with the next `seq`. */
  function publish(
    type: "DBIRTH" | "DDEATH" | "DDATA" | "NBIRTH",
    { id, metrics }: { readonly id?: string; readonly metrics: readonly MetricToWrite[] },
    done: (error?: Error) => void = () => undefined,
  ): void {
    const payload = encodeSparkplugPayload({ timestampMs: Date.now(), seq, metrics });
    seq = (seq + 1) % TURN;
    client?.publish(topicOf(type, id), payload, { qos: 1 }, done);
  }

  function beBorn(): void {
    seq = 0;
    publish("NBIRTH", {
      metrics: [bdSeqMetric(), { name: "Node Control/Rebirth", type: "Boolean", value: false }],
    });
    isBorn = true;
    for (const device of devices) {
      device.isBorn = false;
      bear(device);
    }
  }

  function bear(device: Device): void {
    if (!isBorn || !device.isUp || device.isClosed || device.isBorn) return;
    device.isBorn = true;
    const metrics = birthMetrics(device.last, device.firstAlias, Date.now());
    publish("DBIRTH", { id: device.id, metrics });
    // On the previous connection, every message is still in transit.
    const isNewConnection = device.client !== client;
    device.client = client;
    if (isNewConnection) for (const message of device.waiting) say(device, message);
    pump(device);
  }

  function pump(device: Device): void {
    while (device.isBorn && device.waiting.size < WINDOW) {
      const message = device.queue.take();
      if (message === undefined) return;
      device.waiting.add(message);
      device.options.onSent(message);
      say(device, message);
    }
  }

  function say(device: Device, message: Message): void {
    const readings = sparkplugReadings(message.payload);
    // What was stored while the device was without network is sent as historical (section 6.4.13).
    const isHistorical = message.treatment === "backlog";
    const metrics = readings.flatMap((reading) =>
      dataMetrics(reading, device.firstAlias, isHistorical),
    );
    for (const reading of isHistorical ? [] : readings) {
      if (reading.timeMs >= (device.last?.timeMs ?? 0)) device.last = reading;
    }
    publish("DDATA", { id: device.id, metrics }, (error) => {
      // An error means that the connection broke first: it is said again on the next one.
      if (error || !device.waiting.delete(message)) return;
      device.options.onAcknowledged(message);
      pump(device);
    });
  }

  async function close(): Promise<void> {
    clearTimeout(retry);
    const closing = client;
    client = undefined;
    if (closing === undefined) return;
    // A DISCONNECT takes the will back, so the node says it itself [tck-id-operational-behavior-edge-node-intentional-disconnect-ndeath].
    if (isBorn) closing.publish(topicOf("NDEATH"), death(), { qos: 1 });
    isBorn = false;
    const isBusy = devices.some(({ waiting }) => waiting.size > 0);
    await new Promise<void>((resolve) => {
      // Also where the connection breaks before the last word is answered.
      closing.once("close", () => resolve());
      closing.end(isBusy || !closing.connected, () => resolve());
    });
  }

  return {
    openDevice(id, deviceOptions) {
      const device: Device = {
        id,
        firstAlias: 1 + devices.length * ALIASES_PER_DEVICE,
        queue: new MessageQueue(deviceOptions),
        options: deviceOptions,
        waiting: new Set(),
        last: undefined,
        isUp: true,
        isBorn: false,
        isClosed: false,
        client: undefined,
      };
      devices.push(device);
      if (devices.length === 1) open();
      else bear(device);
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
        send(message) {
          device.queue.push(message);
          pump(device);
        },
        setNetwork(up) {
          if (up === device.isUp) return;
          device.isUp = up;
          if (up) bear(device);
          else if (device.isBorn) {
            device.isBorn = false;
            publish("DDEATH", { id, metrics: [] });
          }
        },
        async close() {
          device.isClosed = true;
          if (devices.every(({ isClosed }) => isClosed)) await close();
        },
      };
    },
  };
}
