import { MINUTE_MS } from "../../domain/time.ts";
import type { RequestCount, RequestCounts } from "../../storage/ports/platform/request-counts.ts";
import type { Count, RequestCounter } from "./request-counter.ts";

/**
 * Longest wait of a request for its count, ms; after that this process counts alone. Longer delays requests
 * while the store hangs; shorter counts less exactly when it is busy.
 */
const WAIT_MS = 1_000;

export interface SharedCounterOptions {
  readonly counts: RequestCounts;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
  readonly log: { warn(object: object, message: string): void };
  readonly waitMs?: number;
}

/** Requests of one caller for the next statement. */
interface Waiting {
  /** Requests to be counted, including those admitted meanwhile. */
  requests: number;
  readonly taken: ((count: Count) => void)[];
}

type Batch = Map<string, Waiting>;

/**
 * Counts exactly over all processes of one record store. One statement is under way at a time, and
 * counts everything that arrived during the last one. A caller over its limit is refused from memory
 * until the minute ends. While the store is away each process counts alone, on top of what was known;
 * those counts are handed in when it is back.
 */
export class SharedCounter implements RequestCounter {
  readonly #options: SharedCounterOptions;
  readonly #waitMs: number;
  /** What is known of each caller in `#minute`, by the clock of this process. */
  readonly #known = new Map<string, number>();
  /** Callers over their limit, and until when on the monotonic clock. */
  readonly #spent = new Map<string, { readonly count: Count; readonly untilMs: number }>();
  readonly #limits = new Map<string, number>();
  #minute = 0;
  #pending: Batch = new Map();
  #isAsking = false;
  #isAway = false;

  constructor(options: SharedCounterOptions) {
    this.#options = options;
    this.#waitMs = options.waitMs ?? WAIT_MS;
  }

  take(caller: string, limit: number, done: (count: Count) => void): void {
    this.#turn();
    const full = this.#spent.get(caller);
    if (full !== undefined && full.untilMs > performance.now()) {
      done(full.count);
      return;
    }
    this.#limits.set(caller, limit);
    const waiting = this.#owe(caller, 1);
    if (this.#isAway) done(this.#countAlone(caller));
    else waiting.taken.push(done);
    this.#ask();
  }

  /** Forgets what belongs to an earlier minute: every map is bounded by the callers of one. */
  #turn(): void {
    const current = Math.floor(this.#options.now() / MINUTE_MS);
    if (current === this.#minute) return;
    this.#minute = current;
    this.#known.clear();
    this.#limits.clear();
    for (const [caller, { untilMs }] of this.#spent) {
      if (untilMs <= performance.now()) this.#spent.delete(caller);
    }
    for (const waiting of this.#pending.values()) waiting.requests = waiting.taken.length;
  }

  #countAlone(caller: string): Count {
    const requests = (this.#known.get(caller) ?? 0) + 1;
    this.#known.set(caller, requests);
    return { requests, endS: ((this.#minute + 1) * MINUTE_MS) / 1_000 };
  }

  #note(caller: string, { requests, endS, leftMs }: RequestCount): void {
    this.#known.set(caller, requests);
    const limit = this.#limits.get(caller);
    if (limit === undefined || requests < limit) return;
    const count = { requests: limit + 1, endS };
    this.#spent.set(caller, { count, untilMs: performance.now() + leftMs });
  }

  /** Admits waiting requests by the count of this process; their counts are handed in later. */
  #answerAlone(batch: Batch): void {
    for (const [caller, { taken }] of batch) {
      for (const done of taken.splice(0)) done(this.#countAlone(caller));
    }
  }

  #goAway(error: unknown, batch: Batch): void {
    if (!this.#isAway) {
      this.#options.log.warn({ err: error }, "requests are counted by this process alone");
    }
    this.#isAway = true;
    this.#answerAlone(batch);
    this.#answerAlone(this.#pending);
  }

  #ask(): void {
    if (this.#isAsking || this.#pending.size === 0) return;
    const batch = this.#pending;
    const asked = this.#minute;
    this.#pending = new Map();
    this.#isAsking = true;
    const overdue = setTimeout(() => {
      this.#goAway(new Error(`no count within ${this.#waitMs} ms`), batch);
    }, this.#waitMs);
    const added = new Map(Array.from(batch, ([caller, { requests }]) => [caller, requests]));
    this.#options.counts
      .add(added)
      .then(
        (counted) => {
          this.#isAway = false;
          for (const [caller, count] of counted) this.#settle(caller, count, batch.get(caller));
        },
        (error: unknown) => {
          this.#goAway(error, batch);
          this.#turn();
          // Owed, as long as the minute lasts.
          if (asked !== this.#minute) return;
          for (const [caller, { requests }] of batch) this.#owe(caller, requests);
        },
      )
      .finally(() => {
        clearTimeout(overdue);
        this.#isAsking = false;
        // While the store is unavailable the next request queries it; a loop here would be busy.
        if (!this.#isAway) this.#ask();
      });
  }

  #settle(caller: string, count: RequestCount, waiting: Waiting | undefined): void {
    const taken = waiting?.taken.splice(0) ?? [];
    this.#note(caller, count);
    const before = count.requests - taken.length;
    taken.forEach((done, i) => {
      done({ requests: before + i + 1, endS: count.endS });
    });
  }

  #owe(caller: string, requests: number): Waiting {
    const waiting = this.#pending.get(caller) ?? { requests: 0, taken: [] };
    waiting.requests += requests;
    this.#pending.set(caller, waiting);
    return waiting;
  }
}
