import { connect, type Socket } from "node:net";
import mqtt from "mqtt-packet";
import { HOUR_MS } from "../../domain/time.ts";
import { type Place, readingOf } from "./reading.ts";

/** How often a publisher sends its share, ms. */
const TICK_MS = 20;
/** Messages without acknowledgement at which a publisher waits: a device's own buffer. */
const MAX_IN_FLIGHT = 2_000;

export interface PacedPublisherOptions {
  readonly id: string;
  readonly password: string;
  readonly topic: string;
  readonly port: number;
  /** Whether a reading has the time at which it is sent, as a live device's has; else an hour ago, 5 ms apart. */
  readonly live?: boolean;
  /** Round which it drives; absent: all round the same. */
  readonly place?: Place;
}

/** One device on a raw socket that offers a fixed rate of QoS 1 readings, one reading a message. */
export class PacedPublisher {
  readonly #options: PacedPublisherOptions;
  #socket: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sent = 0;
  #acknowledged = 0;
  #owed = 0;
  #lastMs = 0;
  #timeMs = Date.now() - HOUR_MS;

  constructor(options: PacedPublisherOptions) {
    this.#options = options;
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  get inFlight(): number {
    return this.#sent - this.#acknowledged;
  }

  connect(): Promise<void> {
    const { id, password, port } = this.#options;
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      this.#socket = socket;
      socket.setNoDelay(true);
      socket.once("error", reject);
      let isConnected = false;
      let carry = 0;
      socket.on("data", (bytes) => {
        if (!isConnected) {
          if (bytes[3] !== 0) reject(new Error(`CONNACK ${bytes[3]}`));
          isConnected = true;
          resolve();
          return;
        }
        // Nothing but PUBACKs of 4 bytes comes after the CONNACK.
        const total = carry + bytes.length;
        this.#acknowledged += total >> 2;
        carry = total & 3;
      });
      socket.write(
        mqtt.generate({
          cmd: "connect",
          protocolId: "MQTT",
          protocolVersion: 4,
          clean: true,
          clientId: id,
          username: id,
          password: Buffer.from(password),
          keepalive: 0,
        }),
      );
    });
  }

  start(ratePerS: number): void {
    this.#lastMs = performance.now();
    this.#timer = setInterval(() => this.#tick(ratePerS), TICK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  close(): void {
    this.stop();
    this.#socket?.destroy();
  }

  #tick(ratePerS: number): void {
    const nowMs = performance.now();
    this.#owed += ((nowMs - this.#lastMs) * ratePerS) / 1_000;
    this.#lastMs = nowMs;
    const room = MAX_IN_FLIGHT - this.inFlight;
    const count = Math.min(Math.floor(this.#owed), room);
    // What could not be sent is not owed for ever: the offered rate would rise above what was asked.
    this.#owed = Math.min(this.#owed - count, ratePerS);
    const packets: Buffer[] = [];
    for (let i = 0; i < count; i += 1) packets.push(this.#packet());
    if (packets.length > 0) this.#socket?.write(Buffer.concat(packets));
  }

  #packet(): Buffer {
    this.#sent += 1;
    // Always later than the one before: two readings at one fix time would be one row.
    this.#timeMs = this.#options.live ? Math.max(this.#timeMs + 1, Date.now()) : this.#timeMs + 5;
    const payload = readingOf(this.#sent, this.#timeMs, this.#options.place);
    return mqtt.generate({
      cmd: "publish",
      topic: this.#options.topic,
      payload,
      qos: 1,
      dup: false,
      retain: false,
      messageId: (this.#sent % 65_535) + 1,
    });
  }
}
