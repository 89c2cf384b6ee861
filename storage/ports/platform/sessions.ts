import type { SessionId } from "../../../domain/ids.ts";

/** A log-in of a browser with an API key; all times in ms since the Unix epoch. */
export interface Session {
  readonly id: SessionId;
  /** The id of the key; `admin` for the key of the environment. */
  readonly keyId: string;
  readonly createdAtMs: number;
  /** The last request that was noted: the caller notes one a minute. */
  readonly lastSeenAtMs: number;
  /** IP address of the log-in. */
  readonly address: string;
  /** `User-Agent` of the log-in; empty where there was none. */
  readonly userAgent: string;
}

/** A stored session: what lists show, and the hashes. */
export interface SessionRow {
  readonly session: Session;
  /** HMAC-SHA-256 of the cookie under the pepper, 32 bytes. */
  readonly hash: Uint8Array;
  /**
   * HMAC-SHA-256 of the API key under the pepper, 32 bytes: the session has the rights of the key with this hash, and
   * none when there is no such key, so that another key under the same id (`admin`) inherits no sessions.
   */
  readonly keyHash: Uint8Array;
}

/** Log-ins of browsers, shared by all API processes. */
export interface SessionRecords {
  /**
   * Stores a session, and removes the least recently seen ones of its key beyond `mostOfKey`.
   * @throws DomainError `ID_CONFLICT`.
   */
  insert(row: SessionRow, mostOfKey: number): Promise<void>;
  findByHash(hash: Uint8Array): Promise<SessionRow | undefined>;
  /** All that are stored, also those that have ended by time; by creation. */
  list(): Promise<readonly Session[]>;
  /** Notes a request; never moves `lastSeenAtMs` back. The caller bounds how often. */
  touch(id: SessionId, atMs: number): Promise<void>;
  /** @throws DomainError `SESSION_NOT_FOUND`. */
  remove(id: SessionId): Promise<void>;
  /** Removes all sessions of a key. */
  removeOfKey(keyId: string): Promise<void>;
  /** Deletes a bounded number of sessions last seen or created before these times, and yields whether more are left. */
  expire(seenBeforeMs: number, createdBeforeMs: number): Promise<boolean>;
}
