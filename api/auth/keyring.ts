import type { ApiKeyId } from "../../domain/ids.ts";
import { hashSecret } from "../../domain/platform/secret-hash.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import { isPlausibleKey } from "./key-format.ts";
import { ADMIN, type Principal, principalOf } from "./principal.ts";
import { digestOf, RememberedPrincipals } from "./remembered-principals.ts";
import { UseNotes } from "./use-notes.ts";

export interface KeyringOptions {
  readonly records: Pick<RecordStore, "apiKeys">;
  readonly pepper: Uint8Array;
  readonly adminApiKey: string | undefined;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
}

/** Turns API keys into principals, for HTTP and for MQTT readers alike. */
export class Keyring {
  readonly #records: KeyringOptions["records"];
  readonly #now: () => number;
  readonly #remembered: RememberedPrincipals;
  readonly #uses = new UseNotes();
  readonly #adminDigest: string | undefined;
  readonly #adminHash: Uint8Array | undefined;

  constructor({ records, pepper, adminApiKey, now }: KeyringOptions) {
    this.#records = records;
    this.#now = now;
    this.#remembered = new RememberedPrincipals({
      lookUp: (key) => this.findByHash(hashSecret(pepper, key)),
      now,
    });
    if (adminApiKey === undefined) return;
    this.#adminDigest = digestOf(adminApiKey);
    this.#adminHash = hashSecret(pepper, adminApiKey);
  }

  /** The principal of a key that was looked up within the last 4 s; never waits. */
  recall(key: string): Principal | undefined {
    const digest = digestOf(key);
    return digest === this.#adminDigest ? ADMIN : this.#remembered.recall(key, digest);
  }

  /**
   * The principal of a valid key, `undefined` for any other text. While the record store is away, a
   * key that was valid at most 30 s ago still is.
   * @throws DomainError `STORE_UNAVAILABLE` when it cannot be decided.
   */
  async authenticate(key: string): Promise<Principal | undefined> {
    const digest = digestOf(key);
    if (digest === this.#adminDigest) return ADMIN;
    return isPlausibleKey(key) ? await this.#remembered.find(key, digest) : undefined;
  }

  /**
   * The principal of the key with this hash (HMAC-SHA-256 under the pepper) as the record store has it now;
   * `undefined`: there is none, or it was revoked. It may have expired.
   * @throws DomainError `STORE_UNAVAILABLE`.
   */
  async findByHash(hash: Uint8Array): Promise<Principal | undefined> {
    if (this.#adminHash !== undefined && Buffer.compare(this.#adminHash, hash) === 0) return ADMIN;
    const { apiKeys } = this.#records;
    const row = await apiKeys.findByHash(hash);
    if (row === undefined || row.key.revoked_at !== undefined) return undefined;
    const { id } = row.key;
    const nowMs = this.#now();
    this.#uses.note(id, nowMs, () => apiKeys.touch(id, new Date(nowMs).toISOString()));
    return principalOf(row.key);
  }

  /** Makes a revocation effective immediately in this process, and within 5 s in others. */
  forget(id: ApiKeyId): void {
    this.#remembered.forget(({ keyId }) => keyId === id);
  }
}
