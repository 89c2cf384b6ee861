import { connect } from "node:net";
import type { Duplex } from "node:stream";
import mqtt, { type IConnectPacket } from "mqtt-packet";
import { PATIENT_MS } from "./patience.ts";
import type { DeviceAccess } from "./site.ts";

export interface DeviceMessage {
  readonly payload: string | Buffer;
  readonly qos?: 0 | 1 | 2;
  readonly retain?: boolean;
  readonly dup?: boolean;
  /** Absent: the next one. */
  readonly messageId?: number;
  /** Absent: the device's own telemetry topic. */
  readonly topic?: string;
}

/** One connection of a device; a plain MQTT 3.1.1 client that resends nothing by itself. */
export interface MqttDevice {
  /** Code of CONNACK; 0: accepted. */
  readonly returnCode: number;
  readonly isClosed: boolean;
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>;
  /** Resolves on PUBACK or PUBCOMP, for QoS 0 when written; rejects when the connection ends first. */
  publish(message: DeviceMessage): Promise<void>;
  /** Says DISCONNECT and ends the connection. */
  disconnect(): Promise<void>;
  /** Cuts the connection without a word. */
  cut(): void;
}

export interface DeviceOptions {
  readonly access: DeviceAccess;
  /** Absent: plain MQTT to this port of 127.0.0.1. */
  readonly transport?: Duplex;
  readonly port?: number;
  readonly clientId?: string;
  readonly keepalive?: number;
  readonly will?: IConnectPacket["will"];
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Connects and waits for CONNACK. Rejects when there is none; a refusal is a `returnCode`. */
export async function openDevice(options: DeviceOptions): Promise<MqttDevice> {
  const { access, clientId = access.username, keepalive = 60, will } = options;
  const transport =
    options.transport ?? connect({ port: options.port ?? 0, host: "127.0.0.1", noDelay: true });
  const parser = mqtt.parser({ protocolVersion: 4 });
  const waiting = new Map<number, Waiting>();
  let connack: ((returnCode: number) => void) | undefined;
  let isClosed = false;
  let nextId = 1;

  parser.on("packet", (packet) => {
    if (packet.cmd === "connack") connack?.(packet.returnCode ?? -1);
    else if (packet.cmd === "puback" || packet.cmd === "pubcomp") {
      waiting.get(packet.messageId ?? 0)?.resolve();
      waiting.delete(packet.messageId ?? 0);
    } else if (packet.cmd === "pubrec") {
      transport.write(mqtt.generate({ cmd: "pubrel", messageId: packet.messageId ?? 0 }));
    }
  });
  transport.on("data", (bytes: Buffer) => parser.parse(bytes));
  transport.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => transport.once("close", resolve)).then(() => {
    isClosed = true;
    for (const { reject } of waiting.values()) reject(new Error("connection closed"));
    waiting.clear();
  });

  transport.write(
    mqtt.generate({
      cmd: "connect",
      protocolId: "MQTT",
      protocolVersion: 4,
      clean: true,
      clientId,
      keepalive,
      username: access.username,
      password: Buffer.from(access.password),
      ...(will === undefined ? {} : { will }),
    }),
  );
  const returnCode = await new Promise<number>((resolve, reject) => {
    connack = resolve;
    const timer = setTimeout(() => reject(new Error("no CONNACK")), PATIENT_MS);
    timer.unref();
    void closed.then(() => reject(new Error("closed before CONNACK")));
  });

  return {
    returnCode,
    get isClosed() {
      return isClosed;
    },
    closed,
    publish({ payload, qos = 1, retain = false, dup = false, topic = access.topic, messageId }) {
      if (isClosed) return Promise.reject(new Error("connection closed"));
      const id = messageId ?? nextId;
      nextId = (id % 65_535) + 1;
      const packet = { cmd: "publish" as const, topic, payload, retain, dup };
      if (qos === 0) {
        transport.write(mqtt.generate({ ...packet, qos }));
        return Promise.resolve();
      }
      const answered = new Promise<void>((resolve, reject) => waiting.set(id, { resolve, reject }));
      transport.write(mqtt.generate({ ...packet, qos, messageId: id }));
      return answered;
    },
    async disconnect() {
      transport.end(mqtt.generate({ cmd: "disconnect" }));
      await closed;
    },
    cut: () => {
      transport.destroy();
    },
  };
}
