import { MESSAGES_PER_ASSET } from "../../../domain/equipment/connection-log.ts";
import type { AssetId } from "../../../domain/ids.ts";
import type { LoggedMessage, MessageView } from "../../../storage/ports/equipment/device-log.ts";
import { MessageRing } from "./message-ring.ts";

/**
 * Messages that an asset gets room for when this many assets have room already. With its map entry an asset
 * of 50 takes 3.3 KB, one of 4 some 0.7 KB. A fleet of 2,000 takes 7 MB, 100,000 assets take 75 MB.
 */
const ROOM: readonly { readonly assets: number; readonly messages: number }[] = [
  { assets: 2_000, messages: MESSAGES_PER_ASSET },
  { assets: 10_000, messages: 20 },
  { assets: Number.POSITIVE_INFINITY, messages: 4 },
];

/** What is noted of a message; `late` follows from the messages before it. */
export type NotedMessage = LoggedMessage & {
  readonly outcome: Exclude<LoggedMessage["outcome"], "late">;
};

/**
 * The last messages of each asset in memory, with what became of them. Nothing is written to disk: at
 * 100,000 messages a second that would cost more than the messages themselves.
 */
export class MessageLog {
  readonly #rings = new Map<AssetId, MessageRing>();
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
    ring.add(isLate ? { ...message, outcome: "late" } : message);
    if (newestFixMs !== undefined) ring.newestFixMs = Math.max(ring.newestFixMs, newestFixMs);
  }

  #ringOf(assetId: AssetId): MessageRing {
    const known = this.#rings.get(assetId);
    if (known !== undefined) return known;
    const room = ROOM.find(({ assets }) => this.#rings.size < assets)?.messages ?? 1;
    const ring = new MessageRing(room);
    this.#rings.set(assetId, ring);
    return ring;
  }

  /** What is remembered of the asset's messages, newest first. */
  view(assetId: AssetId): MessageView {
    return { sinceMs: this.#sinceMs, messages: this.#rings.get(assetId)?.messages() ?? [] };
  }

  /** The asset was deleted. */
  forget(assetId: AssetId): void {
    this.#rings.delete(assetId);
  }
}
