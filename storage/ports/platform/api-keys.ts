import type { ApiKeyId } from "../../../domain/ids.ts";
import type { ApiKey } from "../../../domain/platform/api-key.ts";

/** A stored key: the public part, and the hash that a request is looked up by. */
export interface ApiKeyRow {
  readonly key: ApiKey;
  /** HMAC-SHA-256 of the key under the pepper, 32 bytes. */
  readonly hash: Uint8Array;
}

/** What may be changed of a key. */
export type KeyName = Pick<ApiKey, "name">;

export interface ApiKeyRecords {
  /** @throws DomainError `ID_CONFLICT`. */
  insert(row: ApiKeyRow): Promise<void>;
  list(): Promise<readonly ApiKey[]>;
  find(id: ApiKeyId): Promise<ApiKey | undefined>;
  findByHash(hash: Uint8Array): Promise<ApiKeyRow | undefined>;
  /**
   * Gives a key the name that `change` makes of the one it has. Changes of one key run one after the other; what `change`
   * throws leaves it as it was.
   * @throws DomainError `KEY_NOT_FOUND`.
   */
  rename(id: ApiKeyId, change: (before: KeyName) => KeyName): Promise<ApiKey>;
  /** @throws DomainError `KEY_NOT_FOUND`. */
  revoke(id: ApiKeyId, at: string): Promise<ApiKey>;
  /** Notes the use of a key; the caller bounds how often. */
  touch(id: ApiKeyId, at: string): Promise<void>;
}
