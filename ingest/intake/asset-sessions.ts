import type { AssetId } from "../../domain/ids.ts";
import type { AssetEntry } from "../asset-directory.ts";
import { Delivery } from "./delivery.ts";
import type { Intake } from "./intake.ts";
import type { IntakeSession } from "./session.ts";

/** A message on its way to intake. */
interface AssetMessage {
  /** Last level of the topic that it is offered under. */
  readonly format: string;
  readonly payload: Uint8Array;
}

/** Messages of one asset that may wait for the journal at once; a phone sends one after the other. Chosen. */
const MAX_PENDING_PER_ASSET = 32;
/** Payload bytes that may wait over all assets. Chosen. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;
/**
 * Intake's keep-alive for these sessions, ms: it holds a message back for the device's rate for half of
 * it and waits for the journal for all of it, so that clients with a time-out of 15 s hear of it. Chosen.
 */
const KEEP_ALIVE_MS = 10_000;

interface Held {
  readonly session: IntakeSession;
  pending: number;
  lastUsedMs: number;
}

/** HTTP knows no sessions and intake does: one for each asset that sends, until it has been quiet. */
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
  take({ asset, project }: AssetEntry, { format, payload }: AssetMessage): Promise<void> {
    const nowMs = this.#now();
    const held = this.#sessionOf(asset.id, nowMs);
    const isFull =
      held.pending >= MAX_PENDING_PER_ASSET ||
      this.#pendingBytes + payload.byteLength > MAX_PENDING_BYTES;
    if (isFull) return Promise.reject(new Error("too many messages wait for the journal"));
    held.lastUsedMs = nowMs;
    held.pending += 1;
    this.#pendingBytes += payload.byteLength;
    return new Promise((resolve, reject) => {
      const topic = `sites/${project.id}/assets/${asset.id}/${format}`;
      const message = { topic, payload, qos: 1, dup: false, packetId: 0 } as const;
      const reply = (error?: Error): void => {
        held.pending -= 1;
        this.#pendingBytes -= payload.byteLength;
        if (error === undefined) resolve();
        else reject(error);
      };
      this.#intake.offer(held.session, new Delivery(message, nowMs, reply));
    });
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
