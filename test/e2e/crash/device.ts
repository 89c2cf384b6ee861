import { connect, type Socket } from "node:net";
import mqtt from "mqtt-packet";

/** What one simulated device knows of its own messages; numbers count up from 1. */
export interface DeviceLog {
  readonly id: string;
  /** Whether its payloads carry a time. Without one only the duplicate filter keeps resends apart. */
  readonly timed: boolean;
  readonly sent: number;
  readonly acked: ReadonlySet<number>;
}

interface DeviceOptions {
  readonly id: string;
  readonly password: string;
  readonly topic: string;
  readonly timed: boolean;
  /** Fix time of message 1, ms; later ones are 10 ms apart. */
  readonly firstTimeMs: number;
  readonly window: number;
  /** Absent: as fast as the window allows. */
  readonly pace?: DevicePace;
  /** Further fields of the message with that number. */
  readonly fieldsOf?: (number: number) => Readonly<Record<string, unknown>>;
}

/** How a device behaves over hours. */
interface DevicePace {
  /** Time between two messages, which carry the time at which they are first sent, ms. */
  readonly everyMs: number;
  /** A connection that ends is opened again after so long, ms. */
  readonly reconnectMs: number;
}

/** Time between two readings of a device with times, ms. */
export const STEP_MS = 10;
/**
 * How soon a device without a pace that lost its connection tries again, ms: it is there when the broker
 * begins to listen.
 */
const RETRY_MS = 25;

/**
 * A device that keeps a window of QoS 1 messages in flight and, after a break, sends what was not
 * acknowledged again with DUP = 1 and the same packet identifier [MQTT-4.4.0-1].
 */
export class CrashDevice implements DeviceLog {
  readonly id: string;
  readonly timed: boolean;
  readonly acked = new Set<number>();
  readonly #options: DeviceOptions;
  readonly #inFlight = new Map<number, { readonly number: number; readonly payload: string }>();
  #socket: Socket | undefined;
  #port = 0;
  #connected = false;
  #running = false;
  #sent = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DeviceOptions) {
    this.#options = options;
    this.id = options.id;
    this.timed = options.timed;
  }

  get sent(): number {
    return this.#sent;
  }

  get isConnected(): boolean {
    return this.#connected;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Connects, again and again while the server is away, and publishes until `pause`. */
  run(port: number): void {
    this.#running = true;
    const { pace } = this.#options;
    if (pace !== undefined) this.#timer ??= setInterval(() => this.#sendOne(), pace.everyMs);
    if (port === this.#port && this.#socket !== undefined) {
      this.#fill();
      return;
    }
    this.#port = port;
    this.#open();
  }

  /** Sends nothing new, and connects only for what is in flight, which is still waited for. */
  pause(): void {
    this.#running = false;
  }

  close(): void {
    this.#running = false;
    clearInterval(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
  }

  #open(): void {
    const older = this.#socket;
    this.#connected = false;
    const socket = connect(this.#port, "127.0.0.1");
    this.#socket = socket;
    older?.destroy();
    const parser = mqtt.parser();
    socket.on("data", (bytes) => parser.parse(bytes));
    // The server was killed, or does not listen yet.
    socket.on("error", () => undefined);
    socket.once("close", () => {
      if (this.#socket !== socket) return;
      this.#connected = false;
      this.#reopen(socket);
    });
    parser.on("packet", (packet) => {
      if (packet.cmd === "connack" && packet.returnCode === 0) this.#onConnected();
      else if (packet.cmd === "puback") this.#onAck(packet.messageId ?? 0);
    });
    socket.write(
      mqtt.generate({
        cmd: "connect",
        protocolId: "MQTT",
        protocolVersion: 4,
        clean: false,
        clientId: this.id,
        username: this.id,
        password: Buffer.from(this.#options.password),
        keepalive: 60,
      }),
    );
  }

  #onConnected(): void {
    this.#connected = true;
    for (const [packetId, { payload }] of this.#inFlight) this.#write(packetId, payload, true);
    this.#fill();
  }

  #onAck(packetId: number): void {
    const message = this.#inFlight.get(packetId);
    if (message === undefined) return;
    this.#inFlight.delete(packetId);
    this.acked.add(message.number);
    this.#fill();
  }

  #reopen(ended: Socket): void {
    const { pace } = this.#options;
    setTimeout(() => {
      const isNeeded = this.#running || this.#inFlight.size > 0;
      if (this.#socket === ended && isNeeded) this.#open();
    }, pace?.reconnectMs ?? RETRY_MS).unref();
  }

  #fill(): void {
    if (this.#options.pace !== undefined) return;
    while (this.#maySend) this.#sendOne();
  }

  get #maySend(): boolean {
    return this.#running && this.#connected && this.#inFlight.size < this.#options.window;
  }

  #sendOne(): void {
    if (!this.#maySend) return;
    this.#sent += 1;
    const number = this.#sent;
    const packetId = ((number - 1) % 65_535) + 1;
    const { firstTimeMs, pace } = this.#options;
    const timestamp = pace === undefined ? firstTimeMs + number * STEP_MS : Date.now();
    const payload = JSON.stringify({
      ...(this.timed ? { timestamp } : {}),
      number,
      latitude: 52.5 + (number % 1_000) / 1e5,
      longitude: 13.4,
      speed_kmh: 12.5,
      ...this.#options.fieldsOf?.(number),
    });
    this.#inFlight.set(packetId, { number, payload });
    this.#write(packetId, payload, false);
  }

  #write(messageId: number, payload: string, dup: boolean): void {
    this.#socket?.write(
      mqtt.generate({
        cmd: "publish",
        topic: this.#options.topic,
        payload,
        qos: 1,
        dup,
        retain: false,
        messageId,
      }),
    );
  }
}
