import type { Socket } from "node:net";
import { plainAddress } from "../../domain/platform/plain-address.ts";
import type { ConnectionOutcome } from "../broker/connection-outcome.ts";
import { readCodec12Response } from "../commands/carriers/codec12.ts";
import { InboundMessage } from "../intake/inbound-message.ts";
import type { CloseReason, IntakeSession, SessionListener } from "../intake/session.ts";
import type { TeltonikaCounter } from "./counters.ts";
import { PacketReader, type TeltonikaPacket } from "./packet-reader.ts";

const ACCEPTED = Buffer.of(1);
const REFUSED = Buffer.of(0);
/** Codecs whose packets carry records, and which devices expect the count of: 8, 8 Extended and 16. */
const RECORD_CODECS = new Set([0x08, 0x8e, 0x10]);
/**
 * Wrong CRCs one after the other until the connection is given up. More keep a broken stream for longer; fewer cut
 * a device for single bit errors.
 */
const MAX_BAD_CRCS = 3;
/**
 * Bytes of answers that wait for a peer to read. Chosen: a device reads each answer before it sends on, and
 * one packet again and again, which costs nearly nothing, would fill the memory with its answers.
 */
const MAX_UNREAD_BYTES = 4_096;
/**
 * How long a peer may take to read what was sent before the end, ms. Longer keeps sockets of peers that do not
 * read; shorter loses last answers on a slow link.
 */
const LINGER_MS = 1_000;

/** What comes of an IMEI. */
export type Admission =
  | { readonly session: IntakeSession }
  /** The device gets an answer. */
  | "unknown"
  /** It gets no answer, and comes again. `too_soon`: another link of its IMEI has just begun. */
  | "later"
  | "too_soon";

/** What becomes of the connection of a device that is not let in. */
const REFUSAL = {
  unknown: "unknown_user",
  later: "unavailable",
  too_soon: "too_soon",
} as const satisfies Record<Extract<Admission, string>, ConnectionOutcome>;

/** What a connection needs of the listener. */
export interface ConnectionOwner {
  /** Longest time until the IMEI is there, and longest silence afterwards, ms. */
  readonly handshakeMs: number;
  readonly idleMs: number;
  /** Server clock, ms since the Unix epoch. */
  now(): number;
  count(counter: TeltonikaCounter): void;
  admit(imei: string, connection: TeltonikaConnection): Admission;
  /** Where messages of the session belong; `undefined`: the asset is gone. */
  topic(session: IntakeSession): string | undefined;
  offer(session: IntakeSession, inbound: InboundMessage): void;
  /** A packet with a wrong CRC came; it is answered by 0 records. */
  onBadCrc(session: IntakeSession, packet: TeltonikaPacket): void;
  /**
   * Takes a tracker's answer to a command; resolves when it is durable. `undefined`: no command waits for one,
   * and the packet is a message like any other.
   */
  onResponse(session: IntakeSession, response: Uint8Array): Promise<void> | undefined;
  /** The device's rate holds answers back; `detail` says so to people. */
  onHeld(connection: TeltonikaConnection, detail: string): void;
  onIntakeClosed(session: IntakeSession, reason: CloseReason): void;
  onClosed(connection: TeltonikaConnection, outcome: ConnectionOutcome): void;
}

/**
 * One tracker. States: `handshake` (its IMEI is awaited) -> `idle` (reads) -> `storing` (one packet is
 * with intake, nothing is read) -> `idle` ... -> closed.
 *
 * The protocol is stop-and-wait: a device sends its next packet after the answer to the last. So the
 * socket is not read while one is being stored, which keeps answers in order. It also holds the device
 * back for as long as its session is congested: that lasts no longer than its only message waits.
 */
export class TeltonikaConnection implements SessionListener {
  /** IP address of the peer. */
  readonly address: string;
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #reader = new PacketReader();
  readonly #handshakeTimer: NodeJS.Timeout;
  #state: "handshake" | "idle" | "storing" | "closed" = "handshake";
  #session: IntakeSession | undefined;
  #imei = "";
  #badCrcs = 0;
  /** CRC of the packet before; the same again is a device that did not hear the answer. */
  #lastCrc: number | undefined;
  #isReading = false;

  constructor(socket: Socket, owner: ConnectionOwner) {
    this.#socket = socket;
    this.address = plainAddress(socket.remoteAddress);
    this.#owner = owner;
    this.#handshakeTimer = setTimeout(() => {
      owner.count("teltonika_handshake_timeout");
      this.end("connect_timeout");
    }, owner.handshakeMs);
    socket.on("data", (chunk: Buffer) => {
      this.#reader.append(chunk);
      this.#read();
    });
    socket.on("error", () => socket.destroy());
    socket.on("end", () => this.end("disconnect"));
    socket.on("close", () => this.end("cut"));
    socket.setTimeout(owner.idleMs, () => {
      if (this.#state !== "closed") owner.count("teltonika_idle");
      this.end("keep_alive");
      // There is no peer to read what lingers.
      socket.destroy();
    });
  }

  get session(): IntakeSession | undefined {
    return this.#session;
  }

  /** What the device calls itself; "" until it did. */
  get imei(): string {
    return this.#imei;
  }

  /** Intake answers through each message's own `reply`. */
  acknowledge(): void {}

  relieved(): void {}

  held(detail: string): void {
    this.#owner.onHeld(this, detail);
  }

  close(reason: CloseReason): void {
    if (this.#session !== undefined) this.#owner.onIntakeClosed(this.#session, reason);
    this.end(reason);
  }

  /** Ends the connection; what was not acknowledged the device sends again. */
  end(outcome: ConnectionOutcome): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    clearTimeout(this.#handshakeTimer);
    this.#session?.close();
    this.#linger();
    this.#owner.onClosed(this, outcome);
  }

  /** Lets the last answer, a refusal for instance, reach the peer. */
  #linger(): void {
    const socket = this.#socket;
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    socket.removeAllListeners("data");
    socket.end();
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    timer.unref();
    socket.once("close", () => clearTimeout(timer));
  }

  /** Reads what is there, up to a packet that has to be stored first. */
  #read(): void {
    // Intake may answer at once, from within `offer`.
    if (this.#isReading) return;
    this.#isReading = true;
    let hasMore = true;
    while (hasMore) {
      if (this.#state === "handshake") hasMore = this.#readImei();
      else if (this.#state === "idle") hasMore = this.#readPacket();
      else hasMore = false;
    }
    this.#isReading = false;
    if (this.#state === "storing") this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  #readImei(): boolean {
    const found = this.#reader.readImei();
    if (found === undefined) return false;
    if (typeof found === "string") return this.#violate(found);
    this.#imei = found.imei;
    const admission = this.#owner.admit(found.imei, this);
    if (admission === "unknown") this.#socket.write(REFUSED);
    if (typeof admission === "string") {
      this.end(REFUSAL[admission]);
      return false;
    }
    clearTimeout(this.#handshakeTimer);
    this.#session = admission.session;
    this.#state = "idle";
    this.#socket.write(ACCEPTED);
    return true;
  }

  /** Writes a command to the tracker; answers to its own packets may go before and after. */
  write(packet: Buffer): void {
    if (this.#state === "idle" || this.#state === "storing") this.#socket.write(packet);
  }

  /** Ends the connection so that what the tracker says later cannot pass for the answer to another command. */
  drop(): void {
    this.end("command_unanswered");
  }

  #readPacket(): boolean {
    const packet = this.#reader.readPacket();
    if (packet === undefined) return false;
    if (typeof packet === "string") return this.#violate(packet);
    this.#owner.count("teltonika_packets");
    if (packet.isIntact) {
      this.#badCrcs = 0;
      if (!this.#takeResponse(packet)) this.#offer(packet);
      return true;
    }
    if (this.#session !== undefined) this.#owner.onBadCrc(this.#session, packet);
    this.#badCrcs += 1;
    // "If the number reported by the server does not match, the module resends" (wiki, Codec 8).
    this.#answer(0);
    if (this.#badCrcs >= MAX_BAD_CRCS) this.end("malformed");
    return true;
  }

  /** Whether the packet is an answer that a command waits for; nothing more is read until it is stored. */
  #takeResponse({ bytes }: TeltonikaPacket): boolean {
    const response = this.#session === undefined ? undefined : readCodec12Response(bytes);
    const stored =
      response && this.#session && this.#owner.onResponse(this.#session, Buffer.from(response));
    if (stored === undefined) return false;
    this.#state = "storing";
    stored.then(
      () => this.#stored(undefined),
      () => this.end("failed"),
    );
    return true;
  }

  #offer({ bytes, codec, recordCount, crc }: TeltonikaPacket): void {
    const session = this.#session;
    const topic = session === undefined ? undefined : this.#owner.topic(session);
    if (session === undefined || topic === undefined) {
      this.end("asset_gone");
      return;
    }
    // The first one may be the last one before the connection broke.
    const dup = this.#lastCrc === undefined || this.#lastCrc === crc;
    this.#lastCrc = crc;
    this.#state = "storing";
    const message = { topic, payload: bytes, qos: 1, dup, packetId: crc } as const;
    const reply = (error?: Error): void => {
      if (error === undefined) this.#stored(RECORD_CODECS.has(codec) ? recordCount : undefined);
    };
    this.#owner.offer(session, new InboundMessage(message, this.#owner.now(), reply));
  }

  /** The packet is in the journal. `recordCount` undefined: this codec has no answer. */
  #stored(recordCount: number | undefined): void {
    if (this.#state !== "storing") return;
    this.#state = "idle";
    if (recordCount !== undefined) {
      this.#owner.count("teltonika_acknowledged");
      this.#answer(recordCount);
    }
    this.#read();
  }

  #answer(recordCount: number): void {
    const answer = Buffer.alloc(4);
    answer.writeUInt32BE(recordCount);
    this.#socket.write(answer);
    if (this.#socket.writableLength <= MAX_UNREAD_BYTES) return;
    this.#owner.count("teltonika_unread");
    this.end("slow_publisher");
  }

  #violate(problem: "malformed" | "oversized"): false {
    this.#owner.count(`teltonika_${problem}`);
    this.end(problem);
    return false;
  }
}
