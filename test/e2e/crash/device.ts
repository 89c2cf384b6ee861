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
}

/** Time between two readings of a device with times, ms. */
export const STEP_MS = 10;

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
  #connected = false;
  #running = false;
  #sent = 0;

  constructor(options: DeviceOptions) {
    this.#options = options;
    this.id = options.id;
    this.timed = options.timed;
  }

  get sent(): number {
    return this.#sent;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Connects (again and again while the server is away) and publishes until `pause`. */
  run(port: number): void {
    this.#running = true;
    this.#open(port);
  }

  /** Sends nothing new; what is in flight is still waited for. */
  pause(): void {
    this.#running = false;
  }

  close(): void {
    this.#running = false;
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(port: number): void {
    this.#socket?.destroy();
    this.#connected = false;
    const socket = connect(port, "127.0.0.1");
    this.#socket = socket;
    const parser = mqtt.parser();
    socket.on("data", (bytes) => parser.parse(bytes));
    // The server was killed: the harness reconnects when the next one is up.
    socket.on("error", () => undefined);
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

  #fill(): void {
    while (this.#running && this.#connected && this.#inFlight.size < this.#options.window) {
      this.#sent += 1;
      const number = this.#sent;
      const packetId = ((number - 1) % 65_535) + 1;
      const time = this.timed ? { timestamp: this.#options.firstTimeMs + number * STEP_MS } : {};
      const payload = JSON.stringify({
        ...time,
        number,
        latitude: 52.5 + (number % 1_000) / 1e5,
        longitude: 13.4,
        speed_kmh: 12.5,
      });
      this.#inFlight.set(packetId, { number, payload });
      this.#write(packetId, payload, false);
    }
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
