import type { MessageOrigin } from "../../journal-record/header.ts";
import { mix32 } from "./payload-hash.ts";

/**
 * Counters, a power of two. Two messages share one by chance once in so many: then a resent one waits for a commit
 * that is not its own. More take memory (256 kB now), fewer let more of them wait.
 */
const COUNTERS = 1 << 16;

/**
 * The QoS 1 and 2 messages whose records are being written, by the identity of a resent one. Few messages are ever
 * looked for, and each is counted twice, so they are counted and not kept: a map of them took 0.4 us of each message.
 */
export class MessagesInFlight {
  readonly #counts = new Uint32Array(COUNTERS);

  begin(origin: MessageOrigin): void {
    const at = indexOf(origin);
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  /** Durable or refused. */
  end(origin: MessageOrigin): void {
    const at = indexOf(origin);
    this.#counts[at] = (this.#counts[at] ?? 1) - 1;
  }

  has(origin: MessageOrigin): boolean {
    return (this.#counts[indexOf(origin)] ?? 0) > 0;
  }
}

const indexOf = ({ clientHash, packetId, payloadHash }: MessageOrigin): number =>
  (mix32(clientHash, packetId) ^ payloadHash) & (COUNTERS - 1);
