import { MINUTE_MS } from "../../domain/time.ts";
import type { RequestCount, RequestCounts } from "../../storage/ports/platform/request-counts.ts";
import type { Count, RequestCounter } from "./request-counter.ts";

/** Longest wait of a request for its count, ms; after that this process counts alone. Chosen. */
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
export function createSharedCounter(options: SharedCounterOptions): RequestCounter {
  const { counts, now, log, waitMs = WAIT_MS } = options;
  /** What is known of each caller in `minute`, by the clock of this process. */
  const known = new Map<string, number>();
  /** Callers over their limit, and until when on the monotonic clock. */
  const spent = new Map<string, { readonly count: Count; readonly untilMs: number }>();
  const limits = new Map<string, number>();
  let minute = 0;
  let pending: Batch = new Map();
  let isAsking = false;
  let isAway = false;

  /** Forgets what belongs to an earlier minute: every map is bounded by the callers of one. */
  function turn(): void {
    const current = Math.floor(now() / MINUTE_MS);
    if (current === minute) return;
    minute = current;
    known.clear();
    limits.clear();
    for (const [caller, { untilMs }] of spent) {
      if (untilMs <= performance.now()) spent.delete(caller);
    }
    for (const waiting of pending.values()) waiting.requests = waiting.taken.length;
  }

  function countAlone(caller: string): Count {
    const requests = (known.get(caller) ?? 0) + 1;
    known.set(caller, requests);
    return { requests, endS: ((minute + 1) * MINUTE_MS) / 1_000 };
  }

  function note(caller: string, { requests, endS, leftMs }: RequestCount): void {
    known.set(caller, requests);
    const limit = limits.get(caller);
    if (limit === undefined || requests < limit) return;
    const count = { requests: limit + 1, endS };
    spent.set(caller, { count, untilMs: performance.now() + leftMs });
  }

  /** Admits waiting requests by the count of this process; their counts are handed in later. */
  function answerAlone(batch: Batch): void {
    for (const [caller, { taken }] of batch) {
      for (const done of taken.splice(0)) done(countAlone(caller));
    }
  }

  function goAway(error: unknown, batch: Batch): void {
    if (!isAway) log.warn({ err: error }, "requests are counted by this process alone");
    isAway = true;
    answerAlone(batch);
    answerAlone(pending);
  }

  function ask(): void {
    if (isAsking || pending.size === 0) return;
    const batch = pending;
    const asked = minute;
    pending = new Map();
    isAsking = true;
    const overdue = setTimeout(() => {
      goAway(new Error(`no count within ${waitMs} ms`), batch);
    }, waitMs);
    const added = new Map(Array.from(batch, ([caller, { requests }]) => [caller, requests]));
    counts
      .add(added)
      .then(
        (counted) => {
          isAway = false;
          for (const [caller, count] of counted) settle(caller, count, batch.get(caller));
        },
        (error: unknown) => {
          goAway(error, batch);
          turn();
          // Owed, as long as the minute lasts.
          if (asked === minute) for (const [caller, { requests }] of batch) owe(caller, requests);
        },
      )
      .finally(() => {
        clearTimeout(overdue);
        isAsking = false;
        // While the store is unavailable the next request queries it; a loop here would be busy.
        if (!isAway) ask();
      });
  }

  function settle(caller: string, count: RequestCount, waiting: Waiting | undefined): void {
    const taken = waiting?.taken.splice(0) ?? [];
    note(caller, count);
    const before = count.requests - taken.length;
    taken.forEach((done, i) => {
      done({ requests: before + i + 1, endS: count.endS });
    });
  }

  function owe(caller: string, requests: number): Waiting {
    const waiting = pending.get(caller) ?? { requests: 0, taken: [] };
    waiting.requests += requests;
    pending.set(caller, waiting);
    return waiting;
  }

  return {
    take(caller, limit, done) {
      turn();
      const full = spent.get(caller);
      if (full !== undefined && full.untilMs > performance.now()) {
        done(full.count);
        return;
      }
      limits.set(caller, limit);
      const waiting = owe(caller, 1);
      if (isAway) done(countAlone(caller));
      else waiting.taken.push(done);
      ask();
    },
  };
}
