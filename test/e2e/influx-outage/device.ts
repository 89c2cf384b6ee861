import { connect, type Socket } from "node:net";
import mqtt from "mqtt-packet";
import type { DeviceAccess } from "../../support/site.ts";
import type { DeviceLog } from "../crash/device.ts";

const TICK_MS = 20;
const RECONNECT_MS = 300;
/** Messages without an acknowledgement at which it waits: a device's own buffer. */
const MOST_IN_FLIGHT = 500;

/**
 * A live device: so many readings a second at QoS 1 with the time at which they are sent, sent again
 * with DUP = 1 after every break. Every second device sends no time, so that only the filter of resent
 * messages keeps its readings from being stored twice.
 */
export class LiveDevice implements DeviceLog {
  readonly id: string;
  readonly timed: boolean;
  readonly acked = new Set<number>();
  readonly #access: DeviceAccess;
  readonly #port: () => number;
  readonly #inFlight = new Map<number, string>();
  #socket: Socket | undefined;
  #isConnected = false;
  #isClosed = false;
  #sent = 0;
  #owed = 0;
  #lastMs = 0;
  #timeMs = 0;
  #ticker: NodeJS.Timeout | undefined;

  constructor(access: DeviceAccess, timed: boolean, port: () => number) {
    this.#access = access;
    this.id = access.username;
    this.timed = timed;
    this.#port = port;
    this.#open();
  }

  get sent(): number {
    return this.#sent;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Publishes at that rate until `pause`. */
  publish(ratePerS: number): void {
    clearInterval(this.#ticker);
    this.#lastMs = performance.now();
    this.#ticker = setInterval(() => this.#tick(ratePerS), TICK_MS);
  }

  /** Sends nothing new; what is in flight is still seen through. */
  pause(): void {
    clearInterval(this.#ticker);
  }

  close(): void {
    this.#isClosed = true;
    this.pause();
    this.#socket?.destroy();
  }

  #tick(ratePerS: number): void {
    const nowMs = performance.now();
    // What could not be sent while there was no connection is not owed for ever.
    this.#owed = Math.min(this.#owed + ((nowMs - this.#lastMs) * ratePerS) / 1_000, ratePerS);
    this.#lastMs = nowMs;
    while (this.#isConnected && this.#owed >= 1 && this.#inFlight.size < MOST_IN_FLIGHT) {
      this.#owed -= 1;
      this.#sent += 1;
      this.#inFlight.set(this.#sent, this.#payload(this.#sent));
      this.#write(this.#sent, false);
    }
  }

  #payload(number: number): string {
    this.#timeMs = Math.max(this.#timeMs + 1, Date.now());
    const time = this.timed ? { timestamp: this.#timeMs } : {};
    const place = { latitude: 52.5 + (number % 1_000) / 1e5, longitude: 13.4 };
    return JSON.stringify({ ...time, number, ...place, speed_kmh: 12.5, engine_on: true });
  }

  #write(number: number, dup: boolean): void {
    const payload = this.#inFlight.get(number);
    if (payload === undefined) return;
    this.#socket?.write(
      mqtt.generate({
        cmd: "publish",
        topic: this.#access.topic,
        payload,
        qos: 1,
        dup,
        retain: false,
        messageId: ((number - 1) % 65_535) + 1,
      }),
    );
  }

  #open(): void {
    if (this.#isClosed) return;
    const socket = connect({ port: this.#port(), host: "127.0.0.1", noDelay: true });
    this.#socket = socket;
    const parser = mqtt.parser();
    socket.on("data", (bytes) => parser.parse(bytes));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#isConnected = false;
      if (!this.#isClosed) setTimeout(() => this.#open(), RECONNECT_MS);
    });
    parser.on("packet", (packet) => {
      if (packet.cmd === "connack" && packet.returnCode === 0) {
        this.#isConnected = true;
        for (const number of this.#inFlight.keys()) this.#write(number, true);
      } else if (packet.cmd === "puback") {
        this.#acknowledge(packet.messageId ?? 0);
      }
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
        keepalive: 0,
      }),
    );
  }

  /** In flight are fewer messages than there are packet identifiers: one of them has this one. */
  #acknowledge(messageId: number): void {
    for (const number of this.#inFlight.keys()) {
      if (((number - 1) % 65_535) + 1 !== messageId) continue;
      this.#inFlight.delete(number);
      this.acked.add(number);
      return;
    }
  }
}
