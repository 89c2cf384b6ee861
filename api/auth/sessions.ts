import { DomainError } from "../../domain/errors.ts";
import { newId, type SessionId } from "../../domain/ids.ts";
import { hashSecret } from "../../domain/platform/secret-hash.ts";
import { sessionEndMs } from "../../domain/platform/session.ts";
import type { Session, SessionRow } from "../../storage/ports/platform/sessions.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import type { Keyring } from "./keyring.ts";
import type { Principal } from "./principal.ts";
import { digestOf, RememberedPrincipals } from "./remembered-principals.ts";
import { newSessionToken } from "./session-cookie.ts";
import { UseNotes } from "./use-notes.ts";

/**
 * Sessions that one key may have: a crew of twenty with a computer and a phone each. More, and one key could ask
 * that many times as often as its plan allows; fewer, and people who share a key log each other out.
 */
const SESSIONS_PER_KEY = 50;
/** What is kept of a `User-Agent`, characters: those of browsers are below 200. */
const MAX_USER_AGENT = 300;

export interface SessionsOptions {
  readonly records: Pick<RecordStore, "sessions">;
  /** Says what the key of a session may do. */
  readonly keyring: Pick<Keyring, "findByHash">;
  readonly pepper: Uint8Array;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
}

/** Who logs in. */
export interface LogIn {
  /** A valid key. */
  readonly key: string;
  readonly keyId: string;
  readonly address: string;
  readonly userAgent: string;
}

/**
 * Turns the cookies of browsers into principals: those of the keys that they logged in with, as these are now. A key
 * that is revoked or changed ends its sessions, and gives them their new rights, as it does for requests with the key.
 */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #remembered: RememberedPrincipals;
  readonly #uses = new UseNotes();

  constructor(options: SessionsOptions) {
    this.#options = options;
    const { now } = options;
    this.#remembered = new RememberedPrincipals({ lookUp: (token) => this.#lookUp(token), now });
  }

  /** The principal of a session that was looked up within the last 4 s; never waits. */
  recall(token: string): Principal | undefined {
    return this.#remembered.recall(token, digestOf(token));
  }

  /**
   * The principal of a session that lasts. While the record store is away, one that lasted at most 30 s ago does.
   * @throws DomainError `STORE_UNAVAILABLE` when it cannot be decided.
   */
  authenticate(token: string): Promise<Principal | undefined> {
    return this.#remembered.find(token, digestOf(token));
  }

  /**
   * Begins a session and yields its cookie; the least recently used ones of the key beyond 50 end.
   * @throws DomainError `STORE_UNAVAILABLE`.
   */
  async open({ key, keyId, address, userAgent }: LogIn): Promise<string> {
    const { records, pepper, now } = this.#options;
    const token = newSessionToken();
    const nowMs = now();
    const session: Session = {
      id: newId<SessionId>("ses"),
      keyId,
      createdAtMs: nowMs,
      lastSeenAtMs: nowMs,
      address,
      userAgent: userAgent.slice(0, MAX_USER_AGENT),
    };
    const row = { session, hash: hashSecret(pepper, token), keyHash: hashSecret(pepper, key) };
    await records.sessions.insert(row, SESSIONS_PER_KEY);
    return token;
  }

  /** The session of a cookie as it is stored, ended or not. */
  async find(token: string): Promise<SessionRow | undefined> {
    const { records, pepper } = this.#options;
    return await records.sessions.findByHash(hashSecret(pepper, token));
  }

  /**
   * Ends a session: immediately in this process, within 5 s in others.
   * @throws DomainError `SESSION_NOT_FOUND`, `STORE_UNAVAILABLE`.
   */
  async end(id: SessionId): Promise<void> {
    await this.#options.records.sessions.remove(id);
    this.#remembered.forget(({ sessionId }) => sessionId === id);
  }

  /** Ends the session of a cookie, if there is one. */
  async endOfToken(token: string): Promise<void> {
    const row = await this.find(token);
    if (row === undefined) return;
    await this.end(row.session.id).catch((error: unknown) => {
      // Somebody else ended it meanwhile.
      if (!(error instanceof DomainError) || error.code !== "SESSION_NOT_FOUND") throw error;
    });
  }

  /** Ends the sessions of a key that was revoked. */
  async endOfKey(id: string): Promise<void> {
    this.#remembered.forget(({ keyId }) => keyId === id);
    await this.#options.records.sessions.removeOfKey(id);
  }

  async #lookUp(token: string): Promise<Principal | undefined> {
    const { records, keyring, now } = this.#options;
    const row = await this.find(token);
    if (row === undefined) return undefined;
    const { session, keyHash } = row;
    const nowMs = now();
    const endMs = sessionEndMs(session);
    if (endMs <= nowMs) return undefined;
    const ofKey = await keyring.findByHash(keyHash);
    if (ofKey === undefined || ofKey.expiresAtMs <= nowMs) return undefined;
    const { id } = session;
    this.#uses.note(id, nowMs, () => records.sessions.touch(id, nowMs));
    return { ...ofKey, sessionId: id, expiresAtMs: Math.min(ofKey.expiresAtMs, endMs) };
  }
}
