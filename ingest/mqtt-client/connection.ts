import type { Socket } from "node:net";
import mqtt, { type Packet, type Parser } from "mqtt-packet";
import type { Logger } from "pino";
import { FrameReader, PACKET_TYPE } from "../broker/frames/frames.ts";
import { type PublishFrame, PublishReader } from "../broker/frames/publish-frame.ts";
import { backOffMs } from "../pacing/back-off.ts";

/** MQTT keep-alive, s, and how long the broker may be silent, ms. Chosen: a dead broker is noticed within 20 s. */
const KEEP_ALIVE_S = 10;
const MAX_SILENCE_MS = 20_000;
/**
 * From the start of a connection to its CONNACK, ms. Longer waits for brokers that do not answer; shorter gives up
 * on slow links.
 */
const CONNECT_MS = 10_000;
/**
 * Pauses between two attempts to connect, ms. Longer delays messages after an outage; shorter burdens a broker
 * that is down.
 */
const BACK_OFF = { firstMs: 200, longestMs: 8_000 };
/**
 * A connection that lasted longer is not a failed attempt, ms. Longer slows down after every loss; shorter hurries
 * to a broker that cuts us again and again.
 */
const SETTLED_MS = 5_000;
/**
 * How soon a connection that must not be opened now is tried again, ms. Longer delays the connection; shorter asks
 * for nothing.
 */
const BARRED_MS = 250;
/**
 * Largest packet that is taken from a broker, bytes: a payload of 256 KiB is refused by intake, not here. Larger
 * lets a broker take memory; smaller cuts the connection for a payload that intake would refuse.
 */
const MAX_PACKET_BYTES = 16 * 1024 * 1024;
const PINGREQ = Buffer.of(0xc0, 0);
const DISCONNECT = Buffer.of(0xe0, 0);

/** What a message was delivered with. */
export interface BrokerMessage extends PublishFrame {
  /** Sent because of a new subscription, not because it was published just now. */
  readonly retained: boolean;
}

/** What we are to the broker; `undefined`: it asks for none. */
export interface BrokerLogin {
  readonly username: string | undefined;
  readonly password: string | undefined;
}

/** Who a connection is for. None of these may throw. */
export interface ConnectionUser {
  /** The broker let us in; `sessionPresent`: it had kept our session. */
  opened(sessionPresent: boolean): void;
  message(message: BrokerMessage): void;
  /** PUBACK, SUBACK and UNSUBACK. */
  packet(packet: Packet): void;
  /** The connection is gone; another one follows. */
  lost(): void;
  /** A connection or an attempt ended, and why; before `lost`. `cause`: the socket's error. */
  failed?(reason: string, cause: Error | undefined): void;
}

export interface ConnectionOptions {
  /** Opens a socket towards the broker; `ready` is called once bytes may be written. */
  readonly open: (ready: () => void) => Socket;
  readonly login: BrokerLogin;
  readonly clientId: string;
  /** Whether the broker is to forget the session when the connection ends. */
  readonly clean: boolean;
  readonly user: ConnectionUser;
  /** Asked before every attempt. */
  readonly mayConnect: () => boolean;
  /** Absent: only its user learns why a connection ended. */
  readonly log?: Pick<Logger, "warn">;
  readonly random?: () => number;
}

/** One MQTT 3.1.1 client connection to a broker that comes back by itself until it is closed. */
export class BrokerConnection {
  readonly #options: ConnectionOptions;
  readonly #random: () => number;
  #socket: Socket | undefined;
  #frames = new FrameReader(MAX_PACKET_BYTES);
  #publishes = new PublishReader();
  #parser: Parser = mqtt.parser({ protocolVersion: 4 });
  #timer: NodeJS.Timeout | undefined;
  #pinger: NodeJS.Timeout | undefined;
  #isOpen = false;
  #isClosed = false;
  #isPaused = false;
  #failures = 0;
  #heardMs = 0;
  #openedMs = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Connects, now and whenever the connection was lost. */
  start(): void {
    this.#isClosed = false;
    this.#connect();
  }

  /** Sends bytes; nothing while the connection is not open. */
  write(bytes: Buffer): void {
    if (this.#isOpen) this.#socket?.write(bytes);
  }

  /** Reads no further, so that the broker keeps what it has. */
  pause(): void {
    this.#isPaused = true;
    this.#socket?.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    // What a paused connection did not read is not a silence of the broker.
    this.#heardMs = Date.now();
    this.#socket?.resume();
  }

  /** Gives this connection up because of `reason`; the next one follows after a pause. */
  drop(reason: string, cause?: Error): void {
    if (this.#socket === undefined) return;
    const { log, clientId, user } = this.#options;
    const wasOpen = this.#isOpen;
    const hadSettled = wasOpen && Date.now() - this.#openedMs > SETTLED_MS;
    this.#release();
    log?.warn({ clientId, reason }, "connection to the external broker ended");
    user.failed?.(reason, cause);
    this.#failures = hadSettled ? 1 : this.#failures + 1;
    if (wasOpen) user.lost();
    this.#retryIn(backOffMs(this.#failures, BACK_OFF, this.#random));
  }

  /** Says goodbye and ends for good; the broker keeps a session that is not clean. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    if (socket === undefined) return;
    if (this.#isOpen) socket.write(DISCONNECT);
    this.#release(false);
    socket.end(() => socket.destroy());
  }

  #connect(): void {
    if (this.#isClosed || this.#socket !== undefined) return;
    if (!this.#options.mayConnect()) {
      this.#retryIn(BARRED_MS);
      return;
    }
    const { open, login, clientId, clean } = this.#options;
    const { username, password } = login;
    const socket = open(() => {
      socket.write(
        mqtt.generate({
          cmd: "connect",
          protocolId: "MQTT",
          protocolVersion: 4,
          clean,
          clientId,
          keepalive: KEEP_ALIVE_S,
          ...(username === undefined ? {} : { username }),
          ...(password === undefined ? {} : { password: Buffer.from(password) }),
        }),
      );
    });
    this.#socket = socket;
    this.#frames = new FrameReader(MAX_PACKET_BYTES);
    this.#publishes = new PublishReader();
    this.#parser = mqtt.parser({ protocolVersion: 4 });
    this.#parser.on("packet", (packet) => this.#takePacket(packet));
    this.#parser.on("error", (error) => this.drop(`unreadable packet: ${error.message}`));
    socket.on("data", (chunk: Buffer) => this.#read(socket, chunk));
    socket.on("error", (error) => this.#dropIf(socket, error.message, error));
    socket.on("close", () => this.#dropIf(socket, "closed by the broker"));
    this.#timer = setTimeout(() => this.#dropIf(socket, "no CONNACK in time"), CONNECT_MS);
  }

  #dropIf(socket: Socket, reason: string, cause?: Error): void {
    if (this.#socket === socket) this.drop(reason, cause);
  }

  #retryIn(ms: number): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), ms);
  }

  #release(destroy = true): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isOpen = false;
    this.#isPaused = false;
    clearTimeout(this.#timer);
    clearInterval(this.#pinger);
    socket?.removeAllListeners("data");
    if (destroy) socket?.destroy();
  }

  #read(socket: Socket, chunk: Buffer): void {
    this.#heardMs = Date.now();
    this.#frames.append(chunk);
    // A message may cost the connection, and then the rest of what was read.
    while (this.#socket === socket) {
      const found = this.#frames.next();
      if (found === false) return;
      if (found !== true) {
        this.drop(`${found} packet`);
        return;
      }
      this.#takeFrame();
    }
  }

  #takeFrame(): void {
    const { buffer, start, end } = this.#frames;
    const first = buffer[start] ?? 0;
    if (first >> 4 !== PACKET_TYPE.publish) {
      this.#parser.parse(buffer.subarray(start, end));
      return;
    }
    const message = this.#publishes.read(this.#frames);
    // QoS 2 is never requested: a broker must not deliver with more than was granted
    // [MQTT-3.8.4-6].
    if (typeof message === "string" || message.qos === 2 || !this.#isOpen) {
      this.drop("a PUBLISH that breaks the protocol");
      return;
    }
    this.#options.user.message({ ...message, retained: (first & 1) !== 0 });
  }

  #takePacket(packet: Packet): void {
    if (packet.cmd === "pingresp") return;
    if (this.#isOpen) {
      this.#options.user.packet(packet);
      return;
    }
    if (packet.cmd !== "connack") {
      this.drop(`${packet.cmd} before CONNACK`);
      return;
    }
    if (packet.returnCode !== 0) {
      this.drop(`refused with CONNACK code ${packet.returnCode}`);
      return;
    }
    this.#open(packet.sessionPresent);
  }

  #open(sessionPresent: boolean): void {
    clearTimeout(this.#timer);
    this.#isOpen = true;
    this.#openedMs = Date.now();
    this.#pinger = setInterval(() => this.#ping(), (KEEP_ALIVE_S / 2) * 1_000);
    this.#options.user.opened(sessionPresent);
  }

  #ping(): void {
    // While nothing is read, its answers are not either.
    if (!this.#isPaused && Date.now() - this.#heardMs > MAX_SILENCE_MS) {
      this.drop("the broker is silent");
      return;
    }
    this.#socket?.write(PINGREQ);
  }
}
