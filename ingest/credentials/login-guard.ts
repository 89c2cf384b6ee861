import { isId } from "../../domain/ids.ts";
import { clientNetwork } from "../../domain/platform/client-network.ts";
import { MINUTE_MS } from "../../domain/time.ts";

/** Wrong passwords of one user name from one address within a minute until that pair is barred. */
const MAX_FAILURES_OF_USER = 10;
/**
 * Wrong passwords from one address within a minute until the address is barred. A mobile network may
 * put thousands of devices behind one address, so this is far above what a few misconfigured ones do.
 */
const MAX_FAILURES_OF_ADDRESS = 1_000;
const BARRED_MS = 60_000;
/** Take-overs of one client id within a minute that ban it, and for how long (docs/rules.md#intake). */
export const TAKEOVER_LIMIT = { takeovers: 15, bannedMs: 5 * MINUTE_MS } as const;
/** Names that one guard remembers; the oldest goes first. An entry takes about 200 bytes: 2 MB. */
const MAX_NAMES = 10_000;

interface Tally {
  startedMs: number;
  count: number;
  barredUntilMs: number;
}

/** Counts something by name in minutes and bars a name that does it too often. Bounded in memory. */
class MinuteGuard {
  readonly #limit: number;
  readonly #barredMs: number;
  readonly #tallies = new Map<string, Tally>();

  constructor(limit: number, barredMs: number) {
    this.#limit = limit;
    this.#barredMs = barredMs;
  }

  isBarred(name: string, nowMs: number): boolean {
    return nowMs < (this.#tallies.get(name)?.barredUntilMs ?? 0);
  }

  /** Counts once more; `true` when that bars the name. */
  note(name: string, nowMs: number): boolean {
    let tally = this.#tallies.get(name);
    if (tally === undefined || nowMs - tally.startedMs >= MINUTE_MS) {
      this.#tallies.delete(name);
      tally = { startedMs: nowMs, count: 0, barredUntilMs: 0 };
      this.#tallies.set(name, tally);
      if (this.#tallies.size > MAX_NAMES) this.#forgetOldest();
    }
    tally.count += 1;
    if (tally.count !== this.#limit) return false;
    tally.barredUntilMs = nowMs + this.#barredMs;
    return true;
  }

  #forgetOldest(): void {
    for (const name of this.#tallies.keys()) {
      this.#tallies.delete(name);
      return;
    }
  }
}

/** What a wrong password led to. */
export interface FailureNote {
  /** Whether the pair or the address was barred before: the refusal says so. */
  readonly wasBarred: boolean;
  /** Whether this failure bars the pair, or the whole address. */
  readonly bars: "user" | "address" | undefined;
}

/**
 * Wrong passwords by (address, user name) and by address. It is consulted for wrong passwords only:
 * passwords are verified first, and a right one is let in whatever others behind the same address do.
 * Verifying always is affordable: passwords are random tokens under one HMAC of a few us, a fraction
 * of what the connection itself costs. Guessing 170 random bits is hopeless. A bar therefore limits
 * log lines and counts, and asks a client with a wrong password to stop.
 */
export class FailedLogins {
  readonly #pairs = new MinuteGuard(MAX_FAILURES_OF_USER, BARRED_MS);
  readonly #addresses = new MinuteGuard(MAX_FAILURES_OF_ADDRESS, BARRED_MS);

  /** Counts a wrong password. */
  note(address: string, username: string | undefined, nowMs: number): FailureNote {
    const network = clientNetwork(address);
    // Names that no asset can have share one count; they may be 64 KiB long.
    const pair = `${network} ${isId(username ?? "") ? username : ""}`;
    if (this.#addresses.isBarred(network, nowMs) || this.#pairs.isBarred(pair, nowMs)) {
      return { wasBarred: true, bars: undefined };
    }
    const barsUser = this.#pairs.note(pair, nowMs);
    if (this.#addresses.note(network, nowMs)) return { wasBarred: false, bars: "address" };
    return { wasBarred: false, bars: barsUser ? "user" : undefined };
  }
}

/**
 * 15 take-overs of one client id in a minute ban it for 5 min. Two devices with the same id throw
 * each other out for ever, and neither gets its backlog through.
 */
export const createTakeoverGuard = (): MinuteGuard =>
  new MinuteGuard(TAKEOVER_LIMIT.takeovers, TAKEOVER_LIMIT.bannedMs);
