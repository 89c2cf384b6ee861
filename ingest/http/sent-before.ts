import { randomBytes } from "node:crypto";
import type { AssetId } from "../../domain/ids.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { hash32 } from "../intake/repeats/payload-hash.ts";
import { senderHash } from "../intake/repeats/sender-hash.ts";

/** How long a body is known that was not answered as stored, ms: as long as intake knows a resent message. */
const KEPT_MS = 10 * MINUTE_MS;
/**
 * Bodies that are known at a time, about 200 bytes each. More would help nobody who tries again within
 * minutes; with fewer a fleet that meets a full disk would have its retries taken for new messages.
 */
const MAX_BODIES = 20_000;

/** What a request is known by when it is sent again. */
export interface SenderName {
  /** Unsigned 32 bits; the same for each time that the request is sent. */
  readonly senderHash: number;
  readonly isAgain: boolean;
  /** The client has the answer, and the answer says that nothing is left to send. */
  settled(): void;
}

interface Unsettled {
  readonly name: string;
  readonly sinceMs: number;
}

/**
 * Distinguishes a request that is sent again from a new one with the same content. A client that names its
 * request (`Idempotency-Key`) is known by that name, also after a restart. Any other body is known for as
 * long as its answer is out: it was refused, answered in part, or its client went away before the answer.
 * After a restart such a body is new; readings with a time of their own are stored once all the same.
 */
export class SentBefore {
  /** Differs in each process, so that no name of an earlier one is met again in the journal. */
  readonly #run = randomBytes(9).toString("base64url");
  readonly #now: () => number;
  readonly #pepper: Uint8Array;
  readonly #unsettled = new Map<string, Unsettled>();
  #count = 0;

  /**
   * `pepper`: keys the names, see `senderHash`. The same after a restart.
   */
  constructor(now: () => number, pepper: Uint8Array) {
    this.#now = now;
    this.#pepper = pepper;
  }

  /** Bodies whose answer is out. */
  get size(): number {
    return this.#unsettled.size;
  }

  /** `path`: what the body is sent to, beside the asset. */
  nameOf(
    assetId: AssetId,
    path: string,
    body: Uint8Array,
    idempotencyKey: string | undefined,
  ): SenderName {
    if (idempotencyKey !== undefined) {
      const senderHash = this.#hashOf(`http/${assetId}/${path}/key/${idempotencyKey}`);
      return { senderHash, isAgain: true, settled: () => undefined };
    }
    const nowMs = this.#now();
    const content = `${assetId}/${path}/${body.byteLength}/${hash32(body)}`;
    const known = this.#unsettled.get(content);
    const isAgain = known !== undefined && nowMs - known.sinceMs < KEPT_MS;
    const unsettled = isAgain ? known : { name: this.#newName(), sinceMs: nowMs };
    this.#unsettled.set(content, unsettled);
    if (this.#unsettled.size > MAX_BODIES) this.#forgetOldest();
    return {
      senderHash: this.#hashOf(`http/${assetId}/${unsettled.name}`),
      isAgain,
      settled: () => {
        if (this.#unsettled.get(content) === unsettled) this.#unsettled.delete(content);
      },
    };
  }

  #hashOf(text: string): number {
    return senderHash(this.#pepper, text);
  }

  #newName(): string {
    this.#count += 1;
    return `${this.#run}-${this.#count}`;
  }

  #forgetOldest(): void {
    for (const content of this.#unsettled.keys()) {
      this.#unsettled.delete(content);
      return;
    }
  }

  /** Forgets what is too old to be sent again. */
  sweep(): void {
    const nowMs = this.#now();
    for (const [content, { sinceMs }] of this.#unsettled) {
      if (nowMs - sinceMs >= KEPT_MS) this.#unsettled.delete(content);
    }
  }
}
