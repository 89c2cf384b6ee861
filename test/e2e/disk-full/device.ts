import { connect, type Socket } from "node:net";
import mqtt from "mqtt-packet";
import type { DeviceAccess } from "../../support/site.ts";
import type { DeviceLog } from "../crash/device.ts";

/** Pause before the next attempt to connect, ms. */
const RECONNECT_MS = 500;
/** Time between two readings, ms. */
const STEP_MS = 10;
/** Numeric fields beside the position: 40 make a message of about 1 KB, and the disk fill soon. */
const EXTRA_FIELDS = 40;

/**
 * A device that never gives up: it connects again after every refusal and every cut, and sends what
 * was not acknowledged again with DUP = 1 [MQTT-4.4.0-1]. Every second message carries no time, so
 * that only the filter of resent messages keeps it from being stored twice.
 */
export class StubbornDevice implements DeviceLog {
  readonly id: string;
  readonly timed: boolean;
  readonly acked = new Set<number>();
  /** From the sending of the oldest message in flight to the end of the connection, ms, per cut. */
  readonly heldMs: number[] = [];
  /** CONNACK codes that were not 0. */
  readonly refusals: number[] = [];
  readonly #access: DeviceAccess;
  readonly #port: () => number;
  readonly #window: number;
  readonly #keepaliveS: number;
  readonly #extraFields: number;
  readonly #firstTimeMs = Date.now() - 12 * 3_600_000;
  readonly #inFlight = new Map<
    number,
    { readonly number: number; readonly payload: string; sentMs: number }
  >();
  #socket: Socket | undefined;
  #connected = false;
  #isPublishing = false;
  #isClosed = false;
  #sent = 0;
  #timer: NodeJS.Timeout | undefined;
  #pinger: NodeJS.Timeout | undefined;

  constructor(options: {
    readonly access: DeviceAccess;
    /** The broker's port; another one after a restart. */
    readonly port: () => number;
    readonly timed: boolean;
    readonly window: number;
    readonly keepaliveS: number;
    readonly extraFields?: number;
  }) {
    this.#access = options.access;
    this.id = options.access.username;
    this.timed = options.timed;
    this.#port = options.port;
    this.#window = options.window;
    this.#keepaliveS = options.keepaliveS;
    this.#extraFields = options.extraFields ?? EXTRA_FIELDS;
    this.#open();
  }

  get sent(): number {
    return this.#sent;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  publish(): void {
    this.#isPublishing = true;
    this.#fill();
  }

  /** Sends nothing new; what is in flight is still seen through. */
  pause(): void {
    this.#isPublishing = false;
  }

  /** One message of QoS 0, if there is a connection; its number is 0 and it is not counted. */
  publishUnsure(): void {
    if (!this.#connected) return;
    const { topic } = this.#access;
    const payload = JSON.stringify({ speed_kmh: 1 });
    this.#socket?.write(
      mqtt.generate({ cmd: "publish", topic, payload, qos: 0, dup: false, retain: false }),
    );
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#pinger);
    this.#socket?.destroy();
  }

  #open(): void {
    const socket = connect({ port: this.#port(), host: "127.0.0.1", noDelay: true });
    this.#socket = socket;
    const parser = mqtt.parser();
    socket.on("data", (bytes) => parser.parse(bytes));
    socket.on("error", () => undefined);
    socket.on("close", () => this.#onClose());
    parser.on("packet", (packet) => {
      if (packet.cmd === "connack" && packet.returnCode === 0) this.#onConnected();
      else if (packet.cmd === "connack") this.refusals.push(packet.returnCode ?? -1);
      else if (packet.cmd === "puback") this.#onAck(packet.messageId ?? 0);
    });
    socket.write(
      mqtt.generate({
        cmd: "connect",
        protocolId: "MQTT",
        protocolVersion: 4,
        clean: true,
        clientId: this.id,
        username: this.id,
        password: Buffer.from(this.#access.password),
        keepalive: this.#keepaliveS,
      }),
    );
  }

  #onClose(): void {
    clearInterval(this.#pinger);
    if (this.#isClosed) return;
    const sentMs = Math.min(...[...this.#inFlight.values()].map((message) => message.sentMs));
    if (this.#connected && Number.isFinite(sentMs)) {
      this.heldMs.push(performance.now() - sentMs);
    }
    this.#connected = false;
    this.#timer = setTimeout(() => this.#open(), RECONNECT_MS);
  }

  #onConnected(): void {
    this.#connected = true;
    const ping = mqtt.generate({ cmd: "pingreq" });
    this.#pinger = setInterval(() => this.#socket?.write(ping), (this.#keepaliveS * 1_000) / 2);
    for (const packetId of this.#inFlight.keys()) this.#write(packetId, true);
    this.#fill();
  }

  #onAck(packetId: number): void {
    const message = this.#inFlight.get(packetId);
    if (message === undefined) return;
    this.#inFlight.delete(packetId);
    this.acked.add(message.number);
    this.#fill();
  }

  #fill(): void {
    while (this.#isPublishing && this.#connected && this.#inFlight.size < this.#window) {
      this.#sent += 1;
      const number = this.#sent;
      const packetId = ((number - 1) % 65_535) + 1;
      this.#inFlight.set(packetId, { number, payload: this.#payload(number), sentMs: 0 });
      this.#write(packetId, false);
    }
  }

  #payload(number: number): string {
    const time = this.timed ? { timestamp: this.#firstTimeMs + number * STEP_MS } : {};
    const extra = Array.from({ length: this.#extraFields }, (_, i) => [
      `sensor_${i}`,
      Math.round(Math.sin(number * (i + 1)) * 1e12) / 1e6,
    ]);
    const place = { latitude: 52.5 + (number % 1_000) / 1e5, longitude: 13.4 };
    return JSON.stringify({ ...time, number, ...place, ...Object.fromEntries(extra) });
  }

  #write(messageId: number, dup: boolean): void {
    const message = this.#inFlight.get(messageId);
    if (message === undefined) return;
    const { topic } = this.#access;
    const { payload } = message;
    message.sentMs = performance.now();
    const packet = { cmd: "publish" as const, topic, payload, qos: 1 as const, retain: false };
    this.#socket?.write(mqtt.generate({ ...packet, dup, messageId }));
  }
}
