const MINUTE_MS = 60_000;
/** Failed log-ins of one address within a minute that block it (DESIGN section 3.1). */
const MAX_FAILURES = 10;
const BLOCKED_MS = 60_000;
/** Take-overs of one client id within a minute that ban it, and for how long (API_AND_SECURITY C3.7). */
const MAX_TAKEOVERS = 15;
const BANNED_MS = 5 * 60_000;
/** Names that are remembered at a time; the oldest goes first. Chosen. */
const MAX_NAMES = 10_000;

interface Tally {
  startedMs: number;
  count: number;
  barredUntilMs: number;
}

/** Counts something by name in fixed minutes and bars a name that does it too often. */
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

/** 10 failed log-ins of one address in a minute block the address for 60 s. */
export const createAddressGuard = (): MinuteGuard => new MinuteGuard(MAX_FAILURES, BLOCKED_MS);

/**
 * 15 take-overs of one client id in a minute ban it for 5 min: two devices with the same id throw
 * each other out for ever, and neither gets its backlog through.
 */
export const createTakeoverGuard = (): MinuteGuard => new MinuteGuard(MAX_TAKEOVERS, BANNED_MS);
