import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import type { AssetId } from "../../domain/ids.ts";
import type { InboundMessage } from "./inbound-message.ts";
import type { AssetIntake } from "./readings/asset-intake.ts";
import type { TopicRoute } from "./topic-route.ts";

/** Why intake wants a connection closed. */
export type CloseReason = "asset_gone" | "failed" | "held_too_long" | "held_too_much";

/** The connection behind a session. */
export interface SessionListener {
  /** Sends the PUBACK of a QoS 1 message, or the PUBREC of a QoS 2 message. */
  acknowledge(packetId: number, qos: 1 | 2): void;
  /** The session was congested and is not any more: reading may go on. */
  relieved(): void;
  /** The device's rate holds answers back; at most once a minute and asset. `detail`: for people. */
  held?(detail: string): void;
  close(reason: CloseReason): void;
}

/**
 * Unacknowledged messages and payload bytes at which a connection is read no further. More take memory; fewer slow
 * down a device that sends its backlog.
 */
const MAX_OUTSTANDING = 4_000;
const MAX_OUTSTANDING_BYTES = 1024 * 1024;

/**
 * One device's connection as intake sees it. Messages are acknowledged in the order they came in
 * [MQTT-4.6.0-2, MQTT-4.6.0-3], each after it is durable and not before its `releaseAtMs`.
 */
export class IntakeSession {
  readonly assetId: AssetId;
  readonly asset: AssetIntake;
  /** Itself, or for a will's session the one that ended: identifies the connection. */
  readonly connection: object;
  /** Identifies asset and client id in the search for a resent message, unsigned 32 bits. */
  readonly clientHash: number;
  /** MQTT keep-alive, ms; 0: none. */
  readonly keepAliveMs: number;
  readonly #listener: SessionListener;
  readonly #now: () => number;

  /** Messages that wait to be processed, by ordinal; see `stalled`. */
  waiting: InboundMessage[] = [];
  /**
   * `journal`: it takes nothing now. `duplicate`: the original of a resent message is not durable yet.
   * `answer`: the answer to a command is being stored.
   */
  stalled: "journal" | "duplicate" | "answer" | undefined;
  closed = false;

  #queue: InboundMessage[] = [];
  #head = 0;
  #nextOrdinal = 1;
  #bytes = 0;
  #throttled = 0;
  #reportedCongested = false;
  #timer: NodeJS.Timeout | undefined;
  #route: TopicRoute | undefined;
  #routedFor: AssetRegistration | undefined;

  constructor(
    identity: {
      readonly assetId: AssetId;
      readonly clientHash: number;
      readonly keepAliveMs: number;
      readonly willOf?: IntakeSession | undefined;
    },
    asset: AssetIntake,
    listener: SessionListener,
    now: () => number,
  ) {
    this.assetId = identity.assetId;
    this.asset = asset;
    this.connection = identity.willOf ?? this;
    this.clientHash = identity.clientHash;
    this.keepAliveMs = identity.keepAliveMs;
    this.#listener = listener;
    this.#now = now;
  }

  /** Whether the connection should be read no further now; `relieved` is called when that is over. */
  get congested(): boolean {
    const congested =
      this.stalled !== undefined ||
      this.#throttled > 0 ||
      this.#queue.length - this.#head > MAX_OUTSTANDING ||
      this.#bytes > MAX_OUTSTANDING_BYTES;
    if (congested) this.#reportedCongested = true;
    return congested;
  }

  /** Whether acknowledgements are held back now by the rate of the device. */
  get throttled(): boolean {
    return this.#throttled > 0;
  }

  /**
   * Where `topic` leads; devices use one topic for long, so the last answer is kept, for as long as the
   * registration is the same object.
   */
  route(
    topic: string,
    asset: AssetRegistration,
    find: (topic: string, asset: AssetRegistration) => TopicRoute,
  ): TopicRoute {
    if (this.#route?.topic === topic && this.#routedFor === asset) return this.#route;
    this.#route = find(topic, asset);
    this.#routedFor = asset;
    return this.#route;
  }

  /** Takes a place in the order of acknowledgement. */
  enqueue(inbound: InboundMessage): void {
    inbound.ordinal = this.#nextOrdinal++;
    this.#queue.push(inbound);
    this.#bytes += inbound.payload.byteLength;
  }

  /**
   * Acknowledges a message that this connection brought before, behind everything that came before
   * it; the first of them may not be durable yet.
   */
  repeat(inbound: InboundMessage): void {
    this.enqueue(inbound);
    this.settle(inbound);
  }

  /** Puts a message back where it belongs among those that wait. */
  putBack(inbound: InboundMessage): void {
    // Nearly always the last one; a request by HTTP may have 5,000 of them, and an asset 32 requests.
    if ((this.waiting.at(-1)?.ordinal ?? 0) <= inbound.ordinal) {
      this.waiting.push(inbound);
      return;
    }
    const after = this.waiting.findIndex((other) => other.ordinal > inbound.ordinal);
    this.waiting.splice(after < 0 ? this.waiting.length : after, 0, inbound);
  }

  /** The message is dealt with: durable, or not to be stored. `releaseAtMs` 0: acknowledge at once. */
  settle(inbound: InboundMessage, releaseAtMs = 0): void {
    inbound.settled = true;
    if (releaseAtMs > 0) {
      inbound.releaseAtMs = releaseAtMs;
      this.#throttled += 1;
    }
    if (this.#queue[this.#head] === inbound) this.#release();
  }

  /** Notifies the connection that the device's rate holds answers back. */
  noticeHeld(detail: string): void {
    if (!this.closed) this.#listener.held?.(detail);
  }

  #release(): void {
    if (this.closed || this.#timer !== undefined) return;
    for (;;) {
      const inbound = this.#queue[this.#head];
      if (inbound === undefined || !inbound.settled) break;
      if (inbound.releaseAtMs > 0) {
        const waitMs = inbound.releaseAtMs - this.#now();
        if (waitMs > 0) {
          this.#timer = setTimeout(() => {
            this.#timer = undefined;
            this.#release();
          }, waitMs);
          break;
        }
        this.#throttled -= 1;
      }
      this.#head += 1;
      this.#bytes -= inbound.payload.byteLength;
      if (inbound.reply !== undefined) inbound.reply();
      else if (inbound.qos !== 0) this.#listener.acknowledge(inbound.packetId, inbound.qos);
    }
    if (this.#head === this.#queue.length || this.#head > MAX_OUTSTANDING) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    this.relieve();
  }

  /** Lets the connection read on, if it was stopped. */
  relieve(): void {
    if (!this.#reportedCongested || this.closed || this.congested) return;
    this.#reportedCongested = false;
    this.#listener.relieved();
  }

  /** Gives the session up because of `reason`; the sender sends its messages again. */
  fail(reason: CloseReason): void {
    if (this.closed) return;
    this.close();
    this.#listener.close(reason);
  }

  /** The connection is gone: nothing is acknowledged any more. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.#timer);
    for (const inbound of this.#queue.slice(this.#head)) {
      inbound.reply?.(new Error("session closed before the message was stored"));
    }
    this.#queue = [];
    this.#head = 0;
  }
}
