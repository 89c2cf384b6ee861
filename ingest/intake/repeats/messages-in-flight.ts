import type { MessageOrigin } from "../../journal-record/header.ts";
import { mix32 } from "./payload-hash.ts";

/**
 * The QoS 1 and 2 messages whose records are being written, by the identity of a resent one. Two different
 * messages collide once in 4 billion: then a resent one waits unnecessarily.
 */
export class MessagesInFlight {
  readonly #countByKey = new Map<number, number>();

  begin(origin: MessageOrigin): void {
    const key = keyOf(origin);
    this.#countByKey.set(key, (this.#countByKey.get(key) ?? 0) + 1);
  }

  /** Durable or refused. */
  end(origin: MessageOrigin): void {
    const key = keyOf(origin);
    const count = this.#countByKey.get(key) ?? 0;
    if (count > 1) this.#countByKey.set(key, count - 1);
    else this.#countByKey.delete(key);
  }

  has(origin: MessageOrigin): boolean {
    return this.#countByKey.has(keyOf(origin));
  }
}

/** Signed, so that the engine keeps it as a small integer. */
const keyOf = ({ clientHash, packetId, payloadHash }: MessageOrigin): number =>
  mix32(clientHash, packetId) ^ payloadHash;
