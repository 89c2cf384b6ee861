import type { AssetId } from "../../domain/ids.ts";
import type { AssetEntry } from "../directories/asset-directory.ts";
import { InboundMessage, type MessageResult } from "./inbound-message.ts";
import type { Intake } from "./intake.ts";
import type { IntakeSession } from "./session.ts";

/** A message for intake. */
interface AssetMessage {
  /** Last level of the topic that it is offered under. */
  readonly format: string;
  readonly payload: Uint8Array;
}

/** Messages of one request, which is answered as a whole. */
export interface AssetBatch {
  /** Last level of the topic that they are offered under. */
  readonly format: string;
  readonly messages: readonly {
    readonly payload: Uint8Array;
    /** What distinguishes the messages of one request, 1 to 65,535. */
    readonly number: number;
  }[];
  /** Hash that names the request, the same each time that it is sent. */
  readonly senderHash: number;
  /** Whether it was sent before, so that some of it may be durable already. */
  readonly isAgain: boolean;
}

/** What became of each message of a batch, in its order; `undefined`: not taken, to be sent again. */
export type BatchResult = readonly (MessageResult | undefined)[];

/**
 * Requests of one asset that may wait for the journal at once. More would let one asset take the room of
 * the others; fewer would refuse a gateway that sends from several connections.
 */
const MAX_PENDING_PER_ASSET = 32;
/**
 * Bytes that may wait over all assets, payloads and what each message costs beside. More takes memory; less
 * refuses requests in a burst.
 */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;
/**
 * What a message takes in memory beside its payload, bytes: about 500 with its record. Without it 160,000 lines
 * of two bytes would count as 0.3 MB.
 */
const MESSAGE_BYTES = 500;
/**
 * Intake's keep-alive for these sessions, ms. It holds a message back for the device's rate for half of
 * it, and waits for the journal for all of it. Clients with a time-out of 15 s get the answer;
 * shorter refuses what a slow disk would have taken.
 */
const KEEP_ALIVE_MS = 10_000;

interface Held {
  readonly session: IntakeSession;
  pending: number;
  lastUsedMs: number;
}

/** HTTP has no sessions, but intake does: one for each asset that sends, until it has been quiet. */
export class AssetSessions {
  readonly #intake: Intake;
  readonly #sender: string;
  readonly #now: () => number;
  readonly #held = new Map<AssetId, Held>();
  #pendingBytes = 0;

  /** `sender`: what brings the messages; first level of the client ids, such as `http`. */
  constructor(intake: Intake, sender: string, now: () => number) {
    this.#intake = intake;
    this.#sender = sender;
    this.#now = now;
  }

  get size(): number {
    return this.#held.size;
  }

  /**
   * Offers a message to intake; resolves when it is durable.
   * @throws Error when it was not taken, now or in time, and has to be sent again.
   */
  async take(entry: AssetEntry, { format, payload }: AssetMessage): Promise<void> {
    const messages = [{ payload, number: 0 }];
    const taking = this.#offer(entry.asset.id, topicOf(entry, format), {
      messages,
      senderHash: undefined,
      isAgain: false,
    });
    if (taking === undefined) throw new Error("too many messages wait for the journal");
    const [result] = await taking;
    if (result === undefined) throw new Error("not taken");
  }

  /**
   * Offers the messages of a request to intake; resolves when each is durable, needs not be stored, or was
   * not taken. `undefined`: too much waits already, and nothing of it was offered.
   */
  takeBatch(entry: AssetEntry, batch: AssetBatch): Promise<BatchResult> | undefined {
    return this.#offer(entry.asset.id, topicOf(entry, batch.format), batch);
  }

  /** Reports that the asset sent something to a topic of another one, by the rules of MQTT; it is not stored. */
  async refuse({ asset }: AssetEntry, topic: string): Promise<void> {
    const messages = [{ payload: new Uint8Array(0), number: 0 }];
    await this.#offer(asset.id, topic, { messages, senderHash: undefined, isAgain: false });
  }

  /**
   * Whether answers to the asset are held back because it is faster than its rate: now, or as soon as the journal
   * has what is in flight. Without the second, 32 requests sent at the same time would all be taken.
   */
  isThrottled(assetId: AssetId): boolean {
    const held = this.#held.get(assetId);
    if (held === undefined) return false;
    const { session, pending } = held;
    return session.throttled || (pending > 0 && session.asset.bucket.isBehind(this.#now()));
  }

  #offer(
    assetId: AssetId,
    topic: string,
    batch: Pick<AssetBatch, "messages" | "isAgain"> & { readonly senderHash: number | undefined },
  ): Promise<BatchResult> | undefined {
    const { messages, senderHash, isAgain } = batch;
    const nowMs = this.#now();
    const held = this.#sessionOf(assetId, nowMs);
    const bytes = messages.reduce(
      (sum, { payload }) => sum + payload.byteLength + MESSAGE_BYTES,
      0,
    );
    const isFull =
      held.pending >= MAX_PENDING_PER_ASSET || this.#pendingBytes + bytes > MAX_PENDING_BYTES;
    if (isFull) return undefined;
    held.lastUsedMs = nowMs;
    held.pending += 1;
    this.#pendingBytes += bytes;
    return new Promise((resolve) => {
      const results = new Array<MessageResult | undefined>(messages.length).fill(undefined);
      let unanswered = messages.length;
      for (const [i, { payload, number: packetId }] of messages.entries()) {
        const message = { topic, payload, qos: 1, dup: isAgain, packetId, senderHash } as const;
        const inbound: InboundMessage = new InboundMessage(message, nowMs, (error) => {
          if (error === undefined) results[i] = inbound.result;
          unanswered -= 1;
          if (unanswered > 0) return;
          held.pending -= 1;
          this.#pendingBytes -= bytes;
          resolve(results);
        });
        this.#offerSafely(held.session, inbound);
      }
    });
  }

  /** An error here costs the session, which answers for all that waits in it. */
  #offerSafely(session: IntakeSession, inbound: InboundMessage): void {
    if (session.closed) {
      inbound.reply?.(new Error("session closed"));
      return;
    }
    try {
      this.#intake.offer(session, inbound);
    } catch {
      session.fail("failed");
    }
  }

  /** Closes the sessions of assets that sent nothing for `idleMs` and wait for nothing. */
  closeIdle(idleMs: number): void {
    const nowMs = this.#now();
    for (const [assetId, { session, pending, lastUsedMs }] of this.#held) {
      if (pending > 0 || nowMs - lastUsedMs < idleMs) continue;
      this.#held.delete(assetId);
      session.close();
    }
  }

  /** Closes all; who still waits has to send again. */
  close(): void {
    for (const { session } of this.#held.values()) session.close();
    this.#held.clear();
  }

  #sessionOf(assetId: AssetId, nowMs: number): Held {
    const known = this.#held.get(assetId);
    if (known !== undefined) return known;
    const session = this.#intake.openSession(
      { assetId, clientId: `${this.#sender}/${assetId}`, keepAliveMs: KEEP_ALIVE_MS },
      {
        // Every message has its own `reply`, and nothing is read ahead.
        acknowledge: () => undefined,
        relieved: () => undefined,
        close: () => {
          if (this.#held.get(assetId)?.session === session) this.#held.delete(assetId);
        },
      },
    );
    const held = { session, pending: 0, lastUsedMs: nowMs };
    this.#held.set(assetId, held);
    return held;
  }
}

const topicOf = ({ asset, project }: AssetEntry, format: string): string =>
  `sites/${project.id}/assets/${asset.id}/${format}`;
