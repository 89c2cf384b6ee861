import { Duplex } from "node:stream";
import type { ClaimedSession } from "../client-sessions/claimed-session.ts";
import type { ConnectionCommands } from "../commands/mqtt-commands.ts";
import { InboundMessage } from "../intake/inbound-message.ts";
import type { CloseReason, IntakeSession, SessionListener } from "../intake/session.ts";
import { ANSWER, Answers } from "./answers.ts";
import type { Arrival } from "./arrival.ts";
import { outcomeOf } from "./client-error.ts";
import type { ConnectionOutcome } from "./connection-outcome.ts";
import type { ConnectionOwner } from "./connection-owner.ts";
import {
  type BrokenConnect,
  type ConnectFrame,
  firstByteProblem,
  readConnect,
} from "./frames/connect-frame.ts";
import { frameProblem, packetIdOf } from "./frames/frame-rules.ts";
import { type FrameProblem, FrameReader, PACKET_TYPE } from "./frames/frames.ts";
import { type PublishFrame, PublishReader } from "./frames/publish-frame.ts";
import { RepeatedFilters } from "./frames/repeated-filters.ts";
import type { KeptSession } from "./kept-session.ts";
import { type Principal, soleName } from "./login.ts";
import { PacketIdSet } from "./packet-id-set.ts";

/**
 * Largest packet after log-in, bytes; intake keeps the first 256 KiB of a payload. Larger lets devices take
 * memory; smaller would cut a device instead of quarantining its payload.
 */
const MAX_PACKET_BYTES = 1024 * 1024;
/**
 * Largest CONNECT, bytes: client id, will and credentials, from an unknown client. Larger lets strangers take
 * memory; smaller could refuse a long will.
 */
const MAX_CONNECT_BYTES = 128 * 1024;
/**
 * How long a peer may take to read what was sent before the end, ms. Longer keeps sockets of peers that do not
 * read; shorter loses last answers on a slow link.
 */
const LINGER_MS = 1_000;
/** What the framing of packets says no to, for people. */
const FRAME_DETAIL: Readonly<Record<FrameProblem, string>> = {
  malformed: "section 2.2.3: a remaining length of more than four bytes",
  oversized: `CONNECT of more than ${MAX_CONNECT_BYTES} bytes, or a packet of more than ${MAX_PACKET_BYTES}`,
};
/** CONNACK with return code 1, unacceptable protocol level [MQTT-3.1.2-2]. */
const VERSION_REFUSED = Buffer.of(0x20, 2, 0, 1);

/**
 * One client: sits between the socket and aedes. Messages of every QoS go straight to intake and are
 * answered from here, the answers of one journal commit in one write. aedes sees CONNECT, SUBSCRIBE,
 * UNSUBSCRIBE, PINGREQ and DISCONNECT, each checked against the standard before, and publishes wills.
 * Through aedes' `authorizePublish`, 51k instead of 71k messages a second were acknowledged at 200
 * connections (medians of four, interleaved, on a machine busy with more).
 *
 * QoS 2: a message is stored when its PUBLISH comes, before PUBREC (method B of section 4.3.3), and
 * its packet identifier is kept until PUBREL. A client may have all 65,535 of them open at once.
 *
 * States: `connect` (nothing read yet) -> `login` (CONNECT is with aedes; nothing more is read) ->
 * `open` (after {@link open}) -> destroyed.
 */
export class MqttConnection extends Duplex implements SessionListener {
  readonly arrival: Arrival;
  /** Id of the session inside the broker; set by the broker when CONNECT has come. */
  sessionId = "";
  /** Who it is; set by the broker after the log-in. */
  principal: Principal | undefined;
  /** Its session as other processes know it; `undefined`: there are none, or it is not logged in. */
  claimed: ClaimedSession | undefined;
  /** A reader's session that outlives the connection; takes the PUBACKs. */
  kept: KeptSession | undefined;
  /** A device's commands on this connection; takes the PUBACKs. */
  commands: ConnectionCommands | undefined;
  /** Topic filters asked for so far. */
  filters = 0;
  /** Why it ended, or would if the peer cut it now. */
  outcome: ConnectionOutcome = "cut";
  readonly #transport: Duplex;
  readonly #owner: ConnectionOwner<MqttConnection>;
  readonly #frames = new FrameReader(MAX_CONNECT_BYTES);
  readonly #publishes = new PublishReader();
  #state: "connect" | "login" | "open" = "connect";
  /** Whether anything was read. */
  #hasBegun = false;
  #session: IntakeSession | undefined;
  readonly #answers = new Answers();
  /** QoS 2 messages that intake has, and whose PUBREL has not come. */
  readonly #unreleased = new PacketIdSet();
  readonly #repeatedFilters = new RepeatedFilters();
  #connect: ConnectFrame | undefined;
  #broken: BrokenConnect | undefined;
  /** What is known of the end beyond `outcome`. */
  #detail: string | undefined;
  #aedesIsFull = false;
  #lastReadMs: number;
  /** Since when the peer has not read its PUBACKs, ms; 0: it does. */
  #blockedSinceMs = 0;

  constructor(transport: Duplex, arrival: Arrival, owner: ConnectionOwner<MqttConnection>) {
    super();
    this.#transport = transport;
    this.arrival = arrival;
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

  /** What CONNECT said; `undefined` before it. */
  get connect(): ConnectFrame | undefined {
    return this.#connect;
  }

  /** User name of CONNECT, or the only name in the client's certificate. */
  get username(): string | undefined {
    return (this.#connect ?? this.#broken)?.username ?? soleName(this.arrival.certificate);
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
    this.#report("accepted");
    this.#consume();
  }

  acknowledge(packetId: number, qos: 1 | 2): void {
    this.#owner.onAcknowledged();
    this.#answer(qos === 1 ? ANSWER.puback : ANSWER.pubrec, packetId);
  }

  relieved(): void {
    this.#flow();
  }

  held(detail: string): void {
    this.#report("quota", detail);
  }

  /** Ends the connection, for a reason of ours or because the peer is dead. */
  finish(outcome: ConnectionOutcome): void {
    if (this.destroyed) return;
    this.outcome = outcome;
    this.destroy();
  }

  close(reason: CloseReason): void {
    this.#owner.onIntakeClosed(this, reason);
    this.finish(reason);
  }

  /** Writes the answers gathered in this turn of the event loop; the journal answers in batches. */
  flush(): void {
    if (this.#answers.isEmpty || !this.#transport.writable) return;
    // A device that does not read its answers is not read either.
    if (this.#transport.write(this.#answers.take())) return;
    this.#blockedSinceMs ||= this.#owner.now();
    this.#transport.pause();
  }

  #answer(firstByte: (typeof ANSWER)[keyof typeof ANSWER], packetId: number): void {
    if (this.#answers.add(firstByte, packetId) && answering.push(this) === 1) {
      process.nextTick(flushAnswers);
    }
  }

  #report(outcome: ConnectionOutcome, detail = this.#detail): void {
    const { clientId } = this.#connect ?? this.#broken ?? {};
    const protocolLevel = this.#connect?.protocolLevel;
    const { address, listener } = this.arrival;
    const { username } = this;
    const wasAccepted = this.#state === "open";
    const atMs = this.#owner.now();
    const assetId = this.principal?.kind === "device" ? this.principal.assetId : undefined;
    const who = { address, listener, username, clientId, protocolLevel, assetId };
    this.#owner.onOutcome({ ...who, outcome, detail, wasAccepted, atMs });
  }

  #receive(chunk: Buffer): void {
    this.#lastReadMs = this.#owner.now();
    if (!this.#hasBegun) {
      const [first] = chunk;
      if (first === undefined) return;
      this.#hasBegun = true;
      // HTTP or TLS could else hold the connection until its time to log in is over.
      const problem = firstByteProblem(first);
      if (problem !== undefined) {
        this.#violate("malformed", problem);
        return;
      }
    }
    this.#frames.append(chunk);
    this.#consume();
  }

  #consume(): void {
    while (!this.destroyed && this.#state !== "login") {
      const found = this.#frames.next();
      if (found === false) break;
      if (found !== true) {
        this.#violate(found, FRAME_DETAIL[found]);
        return;
      }
      if (!this.#dispatch()) return;
    }
    this.#flow();
  }

  /** Deals with the packet that the frame reader is at; `false`: the connection is over. */
  #dispatch(): boolean {
    const { buffer, start, end } = this.#frames;
    if (this.#state === "connect") {
      if (!this.#readConnect()) return false;
    } else {
      const type = (buffer[start] ?? 0) >> 4;
      if (type === PACKET_TYPE.publish) return this.#publish();
      const problem = frameProblem(this.#frames);
      if (problem !== undefined) return this.#violate("malformed", problem);
      if (type === PACKET_TYPE.pubrel) return this.#release(packetIdOf(this.#frames));
      // aedes would remember each client that acknowledges; what it sent is not kept.
      if (type === PACKET_TYPE.puback) {
        (this.kept ?? this.commands)?.acknowledged(packetIdOf(this.#frames));
        return true;
      }
      // We send nothing at QoS 2.
      if (type === PACKET_TYPE.pubrec || type === PACKET_TYPE.pubcomp) return true;
      if (type === PACKET_TYPE.subscribe) this.#repeatedFilters.note(this.#frames);
      if (type === PACKET_TYPE.disconnect) this.outcome = "disconnect";
    }
    if (!this.push(buffer.subarray(start, end))) this.#aedesIsFull = true;
    return true;
  }

  #readConnect(): boolean {
    // [MQTT-3.1.0-1], and the rules of section 3.1.
    const read = readConnect(this.#frames);
    if ("problem" in read) {
      this.#broken = read;
      return this.#violate("malformed", read.problem);
    }
    this.#connect = read;
    if (read.isSupported) {
      this.#state = "login";
      return true;
    }
    this.#owner.onVersionRefused(this);
    this.#transport.write(VERSION_REFUSED);
    this.finish("version_refused");
    return false;
  }

  #publish(): boolean {
    const session = this.#session;
    if (session === undefined) return this.#violate("reader_publish");
    const message = this.#publishes.read(this.#frames);
    if (typeof message === "string") return this.#violate("malformed", message);
    const isRepeated = message.qos === 2 && this.#unreleased.has(message.packetId);
    if (isRepeated) this.#repeat(session, message);
    else this.#offer(session, message);
    return !session.closed;
  }

  /** A message whose packet identifier is not released is the same message [MQTT-4.3.3-2]. */
  #repeat(session: IntakeSession, message: PublishFrame): void {
    this.#owner.repeat(session, new InboundMessage(message, this.#lastReadMs));
  }

  #offer(session: IntakeSession, message: PublishFrame): void {
    if (message.qos === 2) this.#unreleased.add(message.packetId);
    this.#owner.offer(session, new InboundMessage(message, this.#lastReadMs));
  }

  /** PUBREL: also of a message that an earlier connection brought, which is not remembered. */
  #release(packetId: number): boolean {
    this.#unreleased.delete(packetId);
    this.#answer(ANSWER.pubcomp, packetId);
    return true;
  }

  #violate(problem: FrameProblem | "reader_publish", detail?: string): false {
    this.#detail = detail;
    this.#owner.onViolation(this, problem);
    this.finish(problem);
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
    // mqtt-packet corks the stream for the fields of a packet, so a chunk holds whole packets.
    const bytes = this.#repeatedFilters.isEmpty ? chunk : this.#repeatedFilters.complete(chunk);
    if (this.#transport.write(bytes)) done();
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
    if (error !== null && this.outcome === "cut") this.outcome = outcomeOf(error) ?? "cut";
    this.#report(this.outcome);
    if (error === null && this.#transport.writable) this.#linger();
    else this.#transport.destroy();
    done(error);
  }

  /** Lets what was written, a refusing CONNACK for instance, reach the peer. */
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

/** Connections with answers that leave at the end of this turn. A commit has many, and one tick serves all. */
let answering: MqttConnection[] = [];

function flushAnswers(): void {
  const connections = answering;
  answering = [];
  for (const connection of connections) connection.flush();
}
