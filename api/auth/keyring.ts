import { hash, randomBytes } from "node:crypto";
import type { ApiKeyId } from "../../domain/ids.ts";
import { hashSecret } from "../../domain/platform/secret-hash.ts";
import type { ApiKeyRow } from "../../storage/ports/platform/api-keys.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import { isPlausibleKey } from "./key-format.ts";
import { ADMIN, type Principal, principalOf } from "./principal.ts";

export interface KeyringOptions {
  readonly records: Pick<RecordStore, "apiKeys">;
  readonly pepper: Uint8Array;
  readonly adminApiKey: string | undefined;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
}

/**
 * How long an answer of the record store is trusted after the query, ms. A revocation must take effect within
 * 5 s (docs/rules.md#keys-and-requests); a second is left for a late look-up.
 */
const FRESH_MS = 4_000;
/**
 * Age at which a key in use is looked up again beside the request, so that none waits, ms: longer risks that
 * an answer is too old before it is renewed, shorter is more queries for each key.
 */
const RENEW_MS = 2_000;
/**
 * How long an unknown key is refused without a look-up, ms: longer keeps out a key that was just made,
 * shorter lets guessing reach the store.
 */
const REFUSED_MS = 5_000;
/** How long a valid key outlives the record store, ms (docs/rules.md#keys-and-requests). */
const OUTAGE_MS = 30_000;
/** Least time between two notes of one key's use, ms. */
const TOUCH_MS = 60_000;
/**
 * Most keys remembered, and most refused keys; the oldest goes first: about 3 MB each. Fewer, and busy keys
 * push each other out.
 */
const MAX_REMEMBERED = 10_000;

interface Remembered {
  readonly principal: Principal;
  /** When the record store was asked: what it said may be as old as that. */
  readonly checkedAtMs: number;
}

/** Turns API keys into principals, for HTTP and for MQTT readers alike. */
export class Keyring {
  readonly #records: KeyringOptions["records"];
  readonly #pepper: Uint8Array;
  readonly #now: () => number;
  // Keys are remembered by digest, so that memory holds no key in clear.
  readonly #known = new Map<string, Remembered>();
  readonly #refusedAtMs = new Map<string, number>();
  readonly #lookups = new Map<string, Promise<Principal | undefined>>();
  readonly #touchedAtMs = new Map<string, number>();
  readonly #adminDigest: string | undefined;
  #revocations = 0;

  constructor({ records, pepper, adminApiKey, now }: KeyringOptions) {
    this.#records = records;
    this.#pepper = pepper;
    this.#now = now;
    this.#adminDigest = adminApiKey === undefined ? undefined : digest(adminApiKey);
  }

  /** The principal of a key that was looked up within the last 4 s; never waits. */
  recall(key: string): Principal | undefined {
    return this.#recallDigest(key, digest(key));
  }

  /**
   * The principal of a valid key, `undefined` for any other text. While the record store is away, a
   * key that was valid at most 30 s ago still is.
   * @throws DomainError `STORE_UNAVAILABLE` when it cannot be decided.
   */
  async authenticate(key: string): Promise<Principal | undefined> {
    const keyDigest = digest(key);
    const recalled = this.#recallDigest(key, keyDigest);
    if (recalled !== undefined) return recalled;
    if (!isPlausibleKey(key)) return undefined;
    const refused = this.#refusedAtMs.get(keyDigest);
    if (refused !== undefined && this.#now() - refused <= REFUSED_MS) return undefined;
    try {
      return await this.#lookUp(key, keyDigest);
    } catch (error) {
      const entry = this.#known.get(keyDigest);
      if (entry === undefined || this.#now() - entry.checkedAtMs > OUTAGE_MS) throw error;
      return alive(entry.principal, this.#now());
    }
  }

  /** Makes a revocation effective immediately in this process, and within 5 s in others. */
  forget(id: ApiKeyId): void {
    this.#revocations += 1;
    for (const [keyDigest, { principal }] of this.#known) {
      if (principal.keyId === id) this.#known.delete(keyDigest);
    }
  }

  #remember(
    keyDigest: string,
    row: ApiKeyRow | undefined,
    askedAtMs: number,
  ): Principal | undefined {
    const nowMs = this.#now();
    if (row === undefined || row.key.revoked_at !== undefined) {
      this.#known.delete(keyDigest);
      put(this.#refusedAtMs, keyDigest, nowMs);
      return undefined;
    }
    const principal = principalOf(row.key);
    put(this.#known, keyDigest, { principal, checkedAtMs: askedAtMs });
    if (nowMs - (this.#touchedAtMs.get(row.key.id) ?? 0) >= TOUCH_MS) {
      put(this.#touchedAtMs, row.key.id, nowMs);
      // Beside the request; a lost note is repeated a minute later.
      const usedAt = new Date(nowMs).toISOString();
      this.#records.apiKeys.touch(row.key.id, usedAt).catch(() => undefined);
    }
    return alive(principal, nowMs);
  }

  /** One look-up per key at a time, however many requests wait for it. */
  #lookUp(key: string, keyDigest: string): Promise<Principal | undefined> {
    const running = this.#lookups.get(keyDigest);
    if (running !== undefined) return running;
    const revocationsBefore = this.#revocations;
    const askedAtMs = this.#now();
    const lookup = this.#records.apiKeys
      .findByHash(hashSecret(this.#pepper, key))
      .then((row) => {
        // A key was revoked meanwhile, perhaps this one: query again rather than trust the old answer.
        if (this.#revocations !== revocationsBefore) {
          this.#lookups.delete(keyDigest);
          return this.#lookUp(key, keyDigest);
        }
        return this.#remember(keyDigest, row, askedAtMs);
      })
      .finally(() => this.#lookups.delete(keyDigest));
    this.#lookups.set(keyDigest, lookup);
    return lookup;
  }

  #recallDigest(key: string, keyDigest: string): Principal | undefined {
    if (keyDigest === this.#adminDigest) return ADMIN;
    const entry = this.#known.get(keyDigest);
    if (entry === undefined) return undefined;
    const nowMs = this.#now();
    const ageMs = nowMs - entry.checkedAtMs;
    if (ageMs > FRESH_MS) return undefined;
    // A failure shows when the answer is too old to be trusted.
    if (ageMs > RENEW_MS) this.#lookUp(key, keyDigest).catch(() => undefined);
    return alive(entry.principal, nowMs);
  }
}

function alive(principal: Principal, nowMs: number): Principal | undefined {
  return principal.expiresAtMs > nowMs ? principal : undefined;
}

/** New in every process, so that nobody can choose a key by its digest and time how far a comparison gets. */
const DIGEST_SALT = randomBytes(32).toString("hex");

function digest(key: string): string {
  return hash("sha256", DIGEST_SALT + key, "base64");
}

/** Adds to a bounded map as its newest entry. */
function put<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  const oldest = map.size >= MAX_REMEMBERED ? map.keys().next() : undefined;
  if (oldest?.done === false) map.delete(oldest.value);
  map.set(key, value);
}
