import type { Logger } from "pino";
import type { AssetId } from "../../domain/ids.ts";
import type { ClientSessions } from "../../storage/ports/equipment/client-sessions.ts";
import { TAKEOVER_LIMIT } from "../credentials/login-guard.ts";
import { createCounters } from "../intake/readings/counters.ts";
import { coalesceRefresh } from "../pacing/coalesced-refresh.ts";
import {
  Claim,
  type ClaimedSession,
  type SessionLoss,
  type SessionOwner,
} from "./claimed-session.ts";

/**
 * How often it is read which sessions other processes took, ms. Sooner asks an idle database more often; later leaves
 * two connections of one client open for longer.
 */
const POLL_MS = 500;
/** How often the process says that it is alive, ms: four beats are less than the silence that it is given up for. */
const BEAT_MS = 2_000;
/** Sessions of one statement. More hold up others' statements; fewer need more of them when a fleet comes back. */
const BATCH = 500;
/** How long a log-in waits for its claim, ms: a store that is slow or away must not keep devices out. */
const DECIDED_MS = 1_000;

const COUNTERS = [
  "sessions_claimed",
  /** Connections that ended because their client has connected to another process. */
  "sessions_lost",
  /** Claims that the store did not take in time; they followed when it did. */
  "session_claims_late",
] as const;

export interface ClientSessionClaimsOptions {
  readonly sessions: ClientSessions;
  /** Names this run of the process among all. */
  readonly nodeId: string;
  readonly log: Pick<Logger, "warn">;
  readonly now?: () => number;
  readonly pollMs?: number;
  readonly beatMs?: number;
  readonly decidedMs?: number;
}

/**
 * Keeps the record of which process has which client's session. A connection claims its session before CONNACK, and
 * the process that had it ends the older connection. Claims and releases that come together are one statement: while
 * one is under way the next gather, so a thousand devices that come back at once take a few of them.
 *
 * The record is a help, not a condition: while the store is away clients are let in, and their claims follow.
 */
export class ClientSessionClaims {
  readonly #options: ClientSessionClaimsOptions;
  readonly #now: () => number;
  readonly #counters = createCounters(COUNTERS);
  /** The newest claim of each session in this process. */
  readonly #claims = new Map<string, Claim>();
  readonly #fresh = new Set<Claim>();
  readonly #late = new Set<Claim>();
  readonly #leaving = new Set<Claim>();
  readonly #takeovers = new Map<string, number>();
  readonly #flushing = coalesceRefresh(() => this.#attempt(() => this.#flush()));
  readonly #polling = coalesceRefresh(() => this.#attempt(() => this.#poll()));
  readonly #beating = coalesceRefresh(() => this.#attempt(() => this.#beat()));
  readonly #timers: readonly NodeJS.Timeout[];
  #isTroubled = false;
  #onGivenUp: () => void = () => undefined;
  #beatingSinceMs: number | undefined;
  /** When the last beat reached the store, by the monotonic clock, ms. */
  #beatAtMs = performance.now();

  /** @throws DomainError `STORE_UNAVAILABLE`. */
  static async start(options: ClientSessionClaimsOptions): Promise<ClientSessionClaims> {
    await options.sessions.beat(options.nodeId);
    return new ClientSessionClaims(options);
  }

  private constructor(options: ClientSessionClaimsOptions) {
    const { now = Date.now, pollMs = POLL_MS, beatMs = BEAT_MS } = options;
    this.#options = options;
    this.#now = now;
    this.#timers = [
      setInterval(() => {
        void this.#polling.refresh();
        if (this.#owesAnything) void this.#flushing.refresh();
      }, pollMs),
      setInterval(() => void this.#beating.refresh(), beatMs),
    ];
  }

  /** Names this run of the process among all. */
  get nodeId(): string {
    return this.#options.nodeId;
  }

  /** For how long every beat of this process has reached the store, ms. */
  get beatingMs(): number {
    return this.#beatingSinceMs === undefined ? 0 : performance.now() - this.#beatingSinceMs;
  }

  /** For how long no beat of this process has reached the store, ms. */
  get silentMs(): number {
    return performance.now() - this.#beatAtMs;
  }

  /**
   * Takes the session for a connection that has just proved who it is. `onLost` is called once at most, when it has
   * to end: never after `release`.
   */
  claim(owner: SessionOwner, onLost: (why: SessionLoss) => void): ClaimedSession {
    const claim = new Claim(owner, this.#now(), onLost);
    const { id } = claim.session;
    const older = this.#claims.get(id);
    if (older !== undefined) {
      // The caller ends the older connection itself.
      this.#noteTakeover(id);
      this.#leave(older);
    }
    this.#claims.set(id, claim);
    this.#fresh.add(claim);
    void this.#flushing.refresh();
    // A store that is known to be away is not waited for.
    if (this.#isTroubled) claim.decide("held");
    return {
      decided: this.#inTime(claim.decided, () => claim.decide("held")),
      release: () => this.#release(claim),
    };
  }

  /**
   * Those of the assets whose link another process has.
   * @throws DomainError `STORE_UNAVAILABLE`.
   */
  readonly elsewhere = async (assetIds: readonly AssetId[]): Promise<ReadonlySet<AssetId>> => {
    const { sessions, nodeId } = this.#options;
    return new Set(await sessions.elsewhere(nodeId, assetIds));
  };

  /**
   * Whether no other process has a newer session of the asset.
   * @throws DomainError `STORE_UNAVAILABLE`.
   */
  readonly isNewest = async (assetId: AssetId): Promise<boolean> => {
    const { sessions, nodeId } = this.#options;
    return ((await sessions.newestNode(assetId)) ?? nodeId) === nodeId;
  };

  /** Names who hears that other processes took this one for dead: they journalled the ends of its links. */
  onGivenUp(listener: () => void): void {
    this.#onGivenUp = listener;
  }

  stats(): Readonly<Record<string, number>> {
    return { ...this.#counters, claimed_sessions: this.#claims.size };
  }

  /** Stores nothing more. What the process still has is given up by its silence, or taken before. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([this.#flushing.stop(), this.#polling.stop(), this.#beating.stop()]);
    for (const claim of [...this.#claims.values(), ...this.#leaving]) claim.end(false);
  }

  get #owesAnything(): boolean {
    return this.#fresh.size + this.#late.size + this.#leaving.size + this.#takeovers.size > 0;
  }

  /** Gives up waiting after a while. */
  async #inTime<T>(promise: Promise<T>, giveUp: () => void): Promise<T> {
    const timer = setTimeout(giveUp, this.#options.decidedMs ?? DECIDED_MS);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #release(claim: Claim): Promise<boolean> {
    this.#leave(claim);
    // Nothing is known of other processes while the store is away.
    if (this.#isTroubled && claim.state !== "over") return Promise.resolve(false);
    return new Promise((resolve) => {
      void this.#inTime(claim.left, () => resolve(false)).then(resolve);
    });
  }

  /** The connection is gone, or about to be. */
  #leave(claim: Claim): void {
    if (claim.isLeaving || claim.state === "over") return;
    claim.isLeaving = true;
    if (this.#claims.get(claim.session.id) === claim) this.#claims.delete(claim.session.id);
    if (claim.state === "held") {
      this.#leaving.add(claim);
      void this.#flushing.refresh();
    } else if (claim.state !== "asked" && !claim.isUncertain) {
      // Never stored.
      this.#forget(claim);
      claim.end(false);
    }
  }

  #forget(claim: Claim): void {
    this.#fresh.delete(claim);
    this.#late.delete(claim);
  }

  #noteTakeover(id: string): void {
    this.#takeovers.set(id, (this.#takeovers.get(id) ?? 0) + 1);
  }

  /** Runs a step; what it did not store stays owed, and is tried again with the next poll. */
  async #attempt(step: () => Promise<void>): Promise<void> {
    try {
      await step();
      this.#isTroubled = false;
    } catch (error) {
      if (!this.#isTroubled) {
        this.#options.log.warn(
          { err: error },
          "sessions of clients cannot be stored; trying again",
        );
      }
      this.#isTroubled = true;
      this.#beatingSinceMs = undefined;
      this.#letIn();
    }
  }

  /** Nobody waits for a store that is away. */
  #letIn(): void {
    for (const claim of this.#fresh) {
      this.#fresh.delete(claim);
      this.#beLate(claim);
    }
  }

  #beLate(claim: Claim): void {
    this.#counters.session_claims_late += 1;
    claim.state = "late";
    claim.decide("held");
    this.#late.add(claim);
  }

  /** Releases first: a client that left and came back at once throws nobody out. */
  async #flush(): Promise<void> {
    await this.#storeReleases();
    await this.#storeClaims(this.#fresh, false);
    await this.#storeClaims(this.#late, true);
    await this.#storeTakeovers();
    if (this.#owesAnything) void this.#flushing.refresh();
  }

  async #storeReleases(): Promise<void> {
    const { sessions, nodeId } = this.#options;
    const leaving = first(this.#leaving, BATCH);
    if (leaving.length === 0) return;
    const numbered = leaving.map((claim) => claim.numbered);
    const elsewhere = new Set(await sessions.release(nodeId, numbered));
    for (const claim of leaving) {
      this.#leaving.delete(claim);
      claim.end(elsewhere.has(claim.session.id));
    }
  }

  async #storeClaims(from: Set<Claim>, isLate: boolean): Promise<void> {
    const { sessions, nodeId } = this.#options;
    const taken = first(from, BATCH);
    if (taken.length === 0) return;
    for (const claim of taken) from.delete(claim);
    const newest = new Map(taken.map((claim) => [claim.session.id, claim]));
    const claims = [...newest.values()];
    // Of a connection that is gone, and whose client is back.
    for (const claim of taken) if (newest.get(claim.session.id) !== claim) claim.end(false);
    for (const claim of claims) claim.state = "asked";
    const asked = claims.map(({ session }) => session);
    const results = await sessions.claim(nodeId, asked, isLate).catch((error: unknown) => {
      for (const claim of claims) if (claim.state === "asked") this.#unanswered(claim);
      throw error;
    });
    const byId = new Map(results.map((result) => [result.id, result]));
    for (const claim of claims) {
      const result = byId.get(claim.session.id);
      // Taken over in this process meanwhile: the newer claim follows.
      if (claim.state !== "asked" || result === undefined) continue;
      if (result.outcome === "held") this.#hold(claim, result.epoch);
      else this.#refuse(claim, result.outcome);
    }
  }

  /** The store may have taken it all the same: then it is claimed once more. */
  #unanswered(claim: Claim): void {
    claim.isUncertain = true;
    this.#beLate(claim);
  }

  #hold(claim: Claim, epoch: number): void {
    this.#counters.sessions_claimed += 1;
    claim.state = "held";
    claim.isUncertain = false;
    claim.epoch = epoch;
    claim.decide("held");
    if (claim.isLeaving) this.#leaving.add(claim);
  }

  #refuse(claim: Claim, outcome: "banned" | "superseded"): void {
    if (this.#claims.get(claim.session.id) === claim) this.#claims.delete(claim.session.id);
    if (outcome === "superseded") this.#counters.sessions_lost += 1;
    claim.lose(outcome === "banned" ? "takeover_banned" : "takeover");
  }

  async #storeTakeovers(): Promise<void> {
    if (this.#takeovers.size === 0) return;
    const counts = new Map(this.#takeovers);
    this.#takeovers.clear();
    // A count that the store does not take is worth no second attempt.
    await this.#options.sessions.countTakeovers(counts, TAKEOVER_LIMIT);
  }

  /** Ends the connections whose sessions other processes have. */
  async #poll(): Promise<void> {
    const { sessions, nodeId } = this.#options;
    const lost = await sessions.lost(nodeId);
    if (lost.length === 0) return;
    const read = lost.filter(({ id, epoch }) => {
      const claim = this.#claims.get(id);
      if (claim === undefined) return true;
      // Which of the two is the newer one is not known yet.
      if (claim.state !== "held") return false;
      if (claim.epoch < epoch) {
        this.#claims.delete(id);
        this.#counters.sessions_lost += 1;
        this.#noteTakeover(id);
        claim.lose("takeover");
      }
      return true;
    });
    await sessions.forgetLost(nodeId, read);
    if (this.#takeovers.size > 0) void this.#flushing.refresh();
  }

  /** A process that was given up for dead claims anew what it still has, as far as nobody else has it. */
  async #beat(): Promise<void> {
    const { sessions, nodeId } = this.#options;
    const isNew = await sessions.beat(nodeId);
    this.#beatAtMs = performance.now();
    this.#beatingSinceMs ??= this.#beatAtMs;
    if (!isNew) return;
    this.#onGivenUp();
    for (const claim of this.#claims.values()) {
      if (claim.state !== "held") continue;
      claim.state = "late";
      this.#late.add(claim);
    }
    void this.#flushing.refresh();
  }
}

/** The first `count` members of a set. */
function first<T>(from: ReadonlySet<T>, count: number): readonly T[] {
  const taken: T[] = [];
  for (const one of from) {
    if (taken.length === count) break;
    taken.push(one);
  }
  return taken;
}
