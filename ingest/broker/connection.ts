import { Duplex } from "node:stream";
import { Delivery } from "../intake/delivery.ts";
import type { CloseReason, IntakeSession, SessionListener } from "../intake/session.ts";
import type { LinkEnd } from "../journal-record/link-change.ts";
import { type FrameProblem, FrameReader, PACKET_TYPE } from "./frames.ts";
import type { LoginRequest, Principal } from "./login.ts";
import { type PublishFrame, PublishReader } from "./publish-frame.ts";

/** Largest packet after log-in, bytes; intake keeps the first 256 KiB of a payload. Chosen. */
const MAX_PACKET_BYTES = 1024 * 1024;
/** Largest CONNECT, bytes: client id, will and credentials, from somebody unknown. Chosen. */
const MAX_CONNECT_BYTES = 128 * 1024;
/** How long a peer may take to read what was sent before the end, ms. Chosen. */
const LINGER_MS = 1_000;

/** What a connection tells the broker. */
export interface ConnectionOwner {
  /** Server clock, ms since the Unix epoch. */
  now(): number;
  offer(session: IntakeSession, delivery: Delivery): void;
  onAcknowledged(): void;
  onViolation(connection: MqttConnection, problem: FrameProblem | "reader_publish"): void;
  onIntakeClosed(connection: MqttConnection, reason: CloseReason): void;
}

/**
 * One client: sits between the socket and aedes. PUBLISH packets of QoS 0 and 1, which are nearly
 * all packets, go straight to intake and are answered from here, the PUBACKs of one journal commit
 * in one write; aedes sees everything else: CONNECT, SUBSCRIBE, QoS 2, PINGREQ, DISCONNECT, wills.
 * The other way, QoS 1 through aedes' `authorizePublish` too, acknowledged 51k instead of 71k
 * messages a second at 200 connections (medians of four, interleaved, on a machine busy with more).
 *
 * States: `connect` (nothing read yet) -> `login` (CONNECT is with aedes; nothing more is read)
 * -> `open` (after {@link open}) -> destroyed.
 */
export class MqttConnection extends Duplex implements SessionListener {
  readonly remoteAddress: string;
  /** What CONNECT asked for; set by the broker. */
  request:
    | (Pick<LoginRequest, "address" | "sessionId" | "lacksId"> & { readonly keepAliveMs: number })
    | undefined;
  /** Who it is; set by the broker after the log-in. */
  principal: Principal | undefined;
  /** Topic filters asked for so far. */
  filters = 0;
  /** How it ended, or would when the peer cuts it now. */
  ending: LinkEnd = "cut";
  readonly #transport: Duplex;
  readonly #owner: ConnectionOwner;
  readonly #frames = new FrameReader(MAX_CONNECT_BYTES);
  readonly #publishes = new PublishReader();
  #state: "connect" | "login" | "open" = "connect";
  #session: IntakeSession | undefined;
  /** Packet ids to acknowledge with the next write. */
  #acks: number[] = [];
  #aedesIsFull = false;
  #lastReadMs: number;
  /** Since when the peer has not read its PUBACKs, ms; 0: it does. */
  #blockedSinceMs = 0;

  constructor(transport: Duplex, remoteAddress: string, owner: ConnectionOwner) {
    super();
    this.#transport = transport;
    this.remoteAddress = remoteAddress;
    this.#owner = owner;
    this.#lastReadMs = owner.now();
    transport.on("data", (chunk: Buffer) => this.#receive(chunk));
    transport.on("drain", () => {
      this.#blockedSinceMs = 0;
      this.#flow();
    });
    transport.on("error", (error) => this.destroy(error));
    transport.on("end", () => this.destroy());
    transport.on("close", () => this.destroy());
  }

  /** The device's session; `undefined` before log-in and for readers. */
  get session(): IntakeSession | undefined {
    return this.#session;
  }

  /** Bytes that the peer has not taken yet. */
  get backlogBytes(): number {
    return this.writableLength + this.#transport.writableLength;
  }

  /** Ms since anything was read; 0 while reading is suspended by us. */
  silenceMs(nowMs: number): number {
    if (this.#transport.isPaused()) this.#lastReadMs = nowMs;
    return nowMs - this.#lastReadMs;
  }

  /** Ms since the peer stopped reading its PUBACKs; 0: it reads. */
  blockedMs(nowMs: number): number {
    return this.#blockedSinceMs === 0 ? 0 : nowMs - this.#blockedSinceMs;
  }

  /** Log-in is complete: reads on, what came behind CONNECT first. No session: a reader. */
  open(session: IntakeSession | undefined): void {
    this.#session = session;
    this.#state = "open";
    this.#frames.limit = MAX_PACKET_BYTES;
    this.#consume();
  }

  acknowledge(packetId: number): void {
    this.#owner.onAcknowledged();
    if (this.#acks.push(packetId) === 1) process.nextTick(flushAcks, this);
  }

  relieved(): void {
    this.#flow();
  }

  /** Ends the connection, for a reason of ours or because the peer is dead. */
  finish(ending: LinkEnd): void {
    this.ending = ending;
    this.destroy();
  }

  close(reason: CloseReason): void {
    this.#owner.onIntakeClosed(this, reason);
    this.finish("closed");
  }

  /** Writes the PUBACKs gathered in this turn of the event loop; the journal answers in batches. */
  flush(): void {
    const acks = this.#acks;
    if (acks.length === 0 || !this.#transport.writable) return;
    const packets = Buffer.allocUnsafe(acks.length * 4);
    let at = 0;
    for (const packetId of acks) {
      packets[at] = 0x40;
      packets[at + 1] = 2;
      packets[at + 2] = packetId >> 8;
      packets[at + 3] = packetId & 0xff;
      at += 4;
    }
    acks.length = 0;
    // A device that does not read its answers is not read either.
    if (this.#transport.write(packets)) return;
    this.#blockedSinceMs ||= this.#owner.now();
    this.#transport.pause();
  }

  #receive(chunk: Buffer): void {
    this.#lastReadMs = this.#owner.now();
    this.#frames.append(chunk);
    this.#consume();
  }

  #consume(): void {
    while (!this.destroyed && this.#state !== "login") {
      const found = this.#frames.next();
      if (found === false) break;
      if (found !== true) {
        this.#violate(found);
        return;
      }
      if (!this.#dispatch()) return;
    }
    this.#flow();
  }

  /** Deals with the packet that the frame reader stands on; `false`: the connection is over. */
  #dispatch(): boolean {
    const { buffer, start, end } = this.#frames;
    const type = (buffer[start] ?? 0) >> 4;
    if (this.#state === "connect") {
      if (type !== PACKET_TYPE.connect) return this.#violate("malformed");
      this.#state = "login";
    } else if (type === PACKET_TYPE.publish) {
      if (this.#session === undefined) return this.#violate("reader_publish");
      const message = this.#publishes.read(this.#frames);
      if (message === undefined) return this.#violate("malformed");
      if (message.qos < 2) return this.#offer(this.#session, message);
    } else if (
      type === PACKET_TYPE.puback ||
      type === PACKET_TYPE.pubrec ||
      type === PACKET_TYPE.pubcomp
    ) {
      // A message that was sent is not kept, so its PUBACK ends nothing, and we send nothing at QoS 2;
      // aedes would remember each client that acknowledges.
      return true;
    } else if (type === PACKET_TYPE.disconnect) {
      this.ending = "disconnect";
    }
    if (!this.push(buffer.subarray(start, end))) this.#aedesIsFull = true;
    return true;
  }

  #offer(session: IntakeSession, message: PublishFrame): boolean {
    this.#owner.offer(session, new Delivery(message, this.#lastReadMs));
    return !session.closed;
  }

  #violate(problem: FrameProblem | "reader_publish"): false {
    this.#owner.onViolation(this, problem);
    this.finish("closed");
    return false;
  }

  /** Reads on or stops reading, by what the journal, the device's rate and the peer allow. */
  #flow(): void {
    if (this.destroyed) return;
    const stop =
      this.#state === "login" ||
      this.#aedesIsFull ||
      this.#transport.writableNeedDrain ||
      (this.#session?.congested ?? false);
    if (stop) this.#transport.pause();
    else if (this.#transport.isPaused()) this.#transport.resume();
  }

  override _read(): void {
    if (!this.#aedesIsFull) return;
    this.#aedesIsFull = false;
    this.#flow();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    if (this.#transport.write(chunk)) done();
    else this.#transport.once("drain", () => done());
  }

  override _writev(
    chunks: { chunk: Buffer; encoding: BufferEncoding }[],
    done: (error?: Error) => void,
  ): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), "binary", done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#session?.close();
    if (error === null && this.#transport.writable) this.#linger();
    else this.#transport.destroy();
    done(error);
  }

  /** Lets what was written, a CONNACK that says no for instance, reach the peer. */
  #linger(): void {
    this.flush();
    const transport = this.#transport;
    transport.removeAllListeners("data");
    transport.end();
    transport.resume();
    const timer = setTimeout(() => transport.destroy(), LINGER_MS);
    timer.unref();
    transport.once("close", () => clearTimeout(timer));
  }
}

const flushAcks = (connection: MqttConnection): void => connection.flush();
