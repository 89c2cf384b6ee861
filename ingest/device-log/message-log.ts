import { MESSAGES_PER_ASSET } from "../../domain/connection-log.ts";
import type { AssetId } from "../../domain/ids.ts";
import type { LoggedMessage, MessageView } from "../../storage/ports/device-log.ts";

/**
 * Messages that an asset gets room for when this many assets have room already. A slot takes about
 * 130 bytes: 100,000 assets take 80 MB, a fleet of 2,000 takes 13 MB.
 */
const ROOM: readonly { readonly assets: number; readonly messages: number }[] = [
  { assets: 2_000, messages: MESSAGES_PER_ASSET },
  { assets: 10_000, messages: 20 },
  { assets: Number.POSITIVE_INFINITY, messages: 4 },
];

type Slot = { -readonly [K in keyof LoggedMessage]: LoggedMessage[K] };

/** A ring of slots that are written over in place: a message costs no allocation. */
interface Ring {
  readonly slots: Slot[];
  readonly room: number;
  /** Where the next message goes. */
  next: number;
  newestFixMs: number;
}

/** What is noted of a message; `late` follows from the messages before it. */
export type NotedMessage = LoggedMessage & {
  readonly outcome: Exclude<LoggedMessage["outcome"], "late">;
};

/**
 * The last messages of each asset in memory, with what became of them. Nothing is written to disk: at
 * 100,000 messages a second that would cost more than the messages themselves.
 */
export class MessageLog {
  readonly #rings = new Map<AssetId, Ring>();
  readonly #sinceMs: number;

  /** `nowMs`: server clock, ms since the Unix epoch; nothing is known from before. */
  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  /**
   * Notes a message whose fate is settled. A stored one that brings no fix newer than those before it is
   * `late`: it changes the past of the asset, not its present.
   */
  note(assetId: AssetId, message: NotedMessage): void {
    const ring = this.#ringOf(assetId);
    const { newestFixMs, outcome } = message;
    const isLate =
      outcome === "stored" && newestFixMs !== undefined && newestFixMs < ring.newestFixMs;
    const slot = ring.slots[ring.next];
    if (slot === undefined) ring.slots.push({ ...message, outcome: isLate ? "late" : outcome });
    else {
      slot.receivedAtMs = message.receivedAtMs;
      slot.topic = message.topic;
      slot.payloadBytes = message.payloadBytes;
      slot.qos = message.qos;
      slot.outcome = isLate ? "late" : outcome;
      slot.reason = message.reason;
      slot.readings = message.readings;
      slot.newestFixMs = newestFixMs;
    }
    ring.next = (ring.next + 1) % ring.room;
    if (newestFixMs !== undefined) ring.newestFixMs = Math.max(ring.newestFixMs, newestFixMs);
  }

  #ringOf(assetId: AssetId): Ring {
    const known = this.#rings.get(assetId);
    if (known !== undefined) return known;
    const room = ROOM.find(({ assets }) => this.#rings.size < assets)?.messages ?? 1;
    const ring = { slots: [], room, next: 0, newestFixMs: Number.NEGATIVE_INFINITY };
    this.#rings.set(assetId, ring);
    return ring;
  }

  /** What is remembered of the asset's messages, newest first. */
  view(assetId: AssetId): MessageView {
    const { slots, next } = this.#rings.get(assetId) ?? { slots: [], next: 0 };
    const oldestFirst = [...slots.slice(next), ...slots.slice(0, next)];
    return { sinceMs: this.#sinceMs, messages: oldestFirst.reverse().map((slot) => ({ ...slot })) };
  }

  /** The asset was deleted. */
  forget(assetId: AssetId): void {
    this.#rings.delete(assetId);
  }
}
