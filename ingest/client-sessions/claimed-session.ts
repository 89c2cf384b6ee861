import { createHash } from "node:crypto";
import type { AssetId } from "../../domain/ids.ts";
import type {
  ClientSession,
  NumberedSession,
} from "../../storage/ports/equipment/client-sessions.ts";

/** Whose session it is. */
export interface SessionOwner {
  /** The same for every connection that is to end the one before it, in every process. */
  readonly name: string;
  /** `undefined`: a reader of events. */
  readonly assetId: AssetId | undefined;
  /** Whether the session is the asset's link. */
  readonly isLink: boolean;
}

/** Why a process loses a session: another process has it, or its connections ended each other too often. */
export type SessionLoss = "takeover" | "takeover_banned";

/** The session of one connection, while the connection lasts. */
export interface ClaimedSession {
  /** Resolves before long, also while the store is away: then the client is let in, and the claim follows. */
  readonly decided: Promise<"held" | "banned">;
  /**
   * The connection is gone. Resolves to whether another process has the session, before long; `false` while that is
   * not known. Calling it again changes nothing.
   */
  release(): Promise<boolean>;
}

/**
 * - `fresh`: to be claimed. `asked`: the store is being asked. `late`: the store did not take the claim in time.
 * - `held`: it has a number. `over`: released, lost or refused.
 */
export type ClaimState = "fresh" | "asked" | "late" | "held" | "over";

/** One connection's claim to its session, as {@link ClientSessionClaims} keeps it. */
export class Claim {
  readonly session: ClientSession;
  state: ClaimState = "fresh";
  epoch = 0;
  /** Whether the connection is gone. */
  isLeaving = false;
  /** Whether the store may have taken it without an answer. */
  isUncertain = false;
  readonly decided: Promise<"held" | "banned">;
  readonly left: Promise<boolean>;
  readonly #onLost: (why: SessionLoss) => void;
  #isDecided = false;
  #decide: (result: "held" | "banned") => void = () => undefined;
  #leave: (isElsewhere: boolean) => void = () => undefined;

  constructor(owner: SessionOwner, atMs: number, onLost: (why: SessionLoss) => void) {
    const { name, assetId, isLink } = owner;
    this.session = { id: sessionHash(name), assetId, isLink, atMs };
    this.#onLost = onLost;
    this.decided = new Promise((resolve) => {
      this.#decide = resolve;
    });
    this.left = new Promise((resolve) => {
      this.#leave = resolve;
    });
  }

  get numbered(): NumberedSession {
    return { id: this.session.id, epoch: this.epoch };
  }

  /** Whoever waits for the decision hears the first one; yields whether this is it. */
  decide(result: "held" | "banned"): boolean {
    if (this.#isDecided) return false;
    this.#isDecided = true;
    this.#decide(result);
    return true;
  }

  /** It is over; `isElsewhere`: another process has the session. */
  end(isElsewhere: boolean): void {
    this.state = "over";
    this.decide("held");
    this.#leave(isElsewhere);
  }

  /** It is over, and the connection with it. One that is about to be refused needs no end. */
  lose(why: SessionLoss): void {
    const isRefused = why === "takeover_banned" && this.decide("banned");
    this.end(why === "takeover");
    if (!isRefused && !this.isLeaving) this.#onLost(why);
  }
}

/** 32 characters: a client id may have 64 KiB. */
const sessionHash = (name: string): string =>
  createHash("sha256").update(name).digest("base64url").slice(0, 32);
