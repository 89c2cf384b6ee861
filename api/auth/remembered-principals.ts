import { hash, randomBytes } from "node:crypto";
import type { Principal } from "./principal.ts";

/**
 * How long an answer of the record store is trusted after the query, ms. A revocation must take effect within
 * 5 s (docs/rules.md#keys-and-requests); a second is left for a late look-up.
 */
const FRESH_MS = 4_000;
/**
 * Age at which a credential in use is looked up again beside the request, so that none waits, ms: longer risks
 * that an answer is too old before it is renewed, shorter is more queries for each credential.
 */
const RENEW_MS = 2_000;
/**
 * How long an unknown credential is refused without a look-up, ms: longer keeps out a key that was just made,
 * shorter lets guessing reach the store.
 */
const REFUSED_MS = 5_000;
/** How long a valid credential outlives the record store, ms (docs/rules.md#keys-and-requests). */
const OUTAGE_MS = 30_000;
/**
 * Most credentials remembered, and most refused ones; the oldest goes first: about 3 MB each. Fewer, and busy
 * credentials push each other out.
 */
const MAX_REMEMBERED = 10_000;

interface Remembered {
  readonly principal: Principal;
  /** When the record store was asked: what it said may be as old as that. */
  readonly checkedAtMs: number;
}

export interface RememberedPrincipalsOptions {
  /** Asks the record store; `undefined`: nobody has this credential, or not any longer. */
  readonly lookUp: (credential: string) => Promise<Principal | undefined>;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
}

/** Who has which secret, as the record store said lately: a request waits for it only the first time. */
export class RememberedPrincipals {
  readonly #options: RememberedPrincipalsOptions;
  // By digest, so that memory holds no secret in clear.
  readonly #known = new Map<string, Remembered>();
  readonly #refusedAtMs = new Map<string, number>();
  readonly #lookups = new Map<string, Promise<Principal | undefined>>();
  #revocations = 0;

  constructor(options: RememberedPrincipalsOptions) {
    this.#options = options;
  }

  /** The principal of a credential that was looked up within the last 4 s; never waits. `digest`: `digestOf` it. */
  recall(credential: string, digest: string): Principal | undefined {
    const entry = this.#known.get(digest);
    if (entry === undefined) return undefined;
    const nowMs = this.#options.now();
    const ageMs = nowMs - entry.checkedAtMs;
    if (ageMs > FRESH_MS) return undefined;
    // A failure shows when the answer is too old to be trusted.
    if (ageMs > RENEW_MS) this.#lookUp(credential, digest).catch(() => undefined);
    return alive(entry.principal, nowMs);
  }

  /**
   * The principal of a valid credential. While the record store is away, one that was valid at most 30 s ago
   * still is.
   * @throws DomainError `STORE_UNAVAILABLE` when it cannot be decided.
   */
  async find(credential: string, digest: string): Promise<Principal | undefined> {
    const recalled = this.recall(credential, digest);
    if (recalled !== undefined) return recalled;
    const refused = this.#refusedAtMs.get(digest);
    if (refused !== undefined && this.#options.now() - refused <= REFUSED_MS) return undefined;
    try {
      return await this.#lookUp(credential, digest);
    } catch (error) {
      const entry = this.#known.get(digest);
      const nowMs = this.#options.now();
      if (entry === undefined || nowMs - entry.checkedAtMs > OUTAGE_MS) throw error;
      return alive(entry.principal, nowMs);
    }
  }

  /** Forgets who is concerned immediately; look-ups that are under way are made again. */
  forget(isConcerned: (principal: Principal) => boolean): void {
    this.#revocations += 1;
    for (const [digest, { principal }] of this.#known) {
      if (isConcerned(principal)) this.#known.delete(digest);
    }
  }

  /** One look-up per credential at a time, however many requests wait for it. */
  #lookUp(credential: string, digest: string): Promise<Principal | undefined> {
    const running = this.#lookups.get(digest);
    if (running !== undefined) return running;
    const revocationsBefore = this.#revocations;
    const askedAtMs = this.#options.now();
    const lookup = this.#options
      .lookUp(credential)
      .then((found) => {
        // Something was revoked meanwhile, perhaps this: query again rather than trust the old answer.
        if (this.#revocations !== revocationsBefore) {
          this.#lookups.delete(digest);
          return this.#lookUp(credential, digest);
        }
        return this.#remember(digest, found, askedAtMs);
      })
      .finally(() => this.#lookups.delete(digest));
    this.#lookups.set(digest, lookup);
    return lookup;
  }

  #remember(
    digest: string,
    principal: Principal | undefined,
    askedAtMs: number,
  ): Principal | undefined {
    const nowMs = this.#options.now();
    if (principal === undefined) {
      this.#known.delete(digest);
      putBounded(this.#refusedAtMs, digest, nowMs);
      return undefined;
    }
    putBounded(this.#known, digest, { principal, checkedAtMs: askedAtMs });
    return alive(principal, nowMs);
  }
}

function alive(principal: Principal, nowMs: number): Principal | undefined {
  return principal.expiresAtMs > nowMs ? principal : undefined;
}

/** New in every process, so that nobody can choose a secret by its digest and time how far a comparison gets. */
const DIGEST_SALT = randomBytes(32).toString("hex");

/** What a secret is remembered by in this process. */
export function digestOf(secret: string): string {
  return hash("sha256", DIGEST_SALT + secret, "base64");
}

/** Adds to a map of at most `MAX_REMEMBERED` entries as its newest one. */
export function putBounded<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  const oldest = map.size >= MAX_REMEMBERED ? map.keys().next() : undefined;
  if (oldest?.done === false) map.delete(oldest.value);
  map.set(key, value);
}
