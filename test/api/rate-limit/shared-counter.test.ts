import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Count } from "../../../api/rate-limit/request-counter.ts";
import { SharedCounter } from "../../../api/rate-limit/shared-counter.ts";
import type { RequestCount } from "../../../storage/ports/platform/request-counts.ts";
import { NOON_MS, openTestApp } from "../../support/api-app.ts";
import { createMemoryRequestCounts } from "../../support/memory-records/api-processes.ts";

const END_S = NOON_MS / 1_000 + 60;
const ASSETS = "/api/v1/equipment/assets";

/** A store whose statements the test answers by hand. */
function manualCounts() {
  const statements: {
    readonly asked: ReadonlyMap<string, number>;
    answer(total: number): Promise<void>;
    fail(): Promise<void>;
  }[] = [];
  const add = (asked: ReadonlyMap<string, number>) =>
    new Promise<ReadonlyMap<string, RequestCount>>((resolve, reject) => {
      statements.push({
        asked,
        async answer(requests) {
          const count = { requests, endS: END_S, leftMs: 60_000 };
          resolve(new Map(Array.from(asked.keys(), (caller) => [caller, count])));
          await vi.advanceTimersByTimeAsync(0);
        },
        async fail() {
          reject(new Error("away"));
          await vi.advanceTimersByTimeAsync(0);
        },
      });
    });
  return { statements, counts: { add, expire: async () => false } };
}

function open() {
  const { statements, counts } = manualCounts();
  const warnings: string[] = [];
  const clock = { ms: NOON_MS };
  const counter = new SharedCounter({
    counts,
    now: () => clock.ms,
    log: { warn: (_object, message) => warnings.push(message) },
    waitMs: 500,
  });
  const seen: number[] = [];
  const take = (times = 1, limit = 1_000, caller = "key") => {
    for (let i = 0; i < times; i++)
      counter.take(caller, limit, ({ requests }) => seen.push(requests));
  };
  return { statements, warnings, clock, counter, seen, take };
}

describe("requests counted over several processes", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("requests that arrive during a statement are counted in one next statement, in order", async () => {
    const t = open();
    t.take();
    t.take(3);
    t.take(1, 1_000, "other");
    expect(t.statements).toHaveLength(1);
    await t.statements[0]?.answer(7);
    expect(t.seen).toEqual([7]);
    expect(t.statements.map(({ asked }) => [...asked])).toEqual([
      [["key", 1]],
      [
        ["key", 3],
        ["other", 1],
      ],
    ]);
    await t.statements[1]?.answer(12);
    expect(t.seen).toEqual([7, 10, 11, 12, 12]);
  });

  it("the shared counter does not ask the store about a caller over the limit until the minute ends", async () => {
    const t = open();
    t.take(1, 10);
    await t.statements[0]?.answer(10);
    t.take(2, 10);
    expect(t.seen).toEqual([10, 11, 11]);
    expect(t.statements).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(60_000);
    t.clock.ms += 60_000;
    t.take(1, 10);
    expect(t.statements).toHaveLength(2);
  });

  it("lets requests pass by its own count while the store is away, and hands them in after", async () => {
    const t = open();
    t.take(1);
    await t.statements[0]?.answer(5);
    t.take(1);
    await t.statements[1]?.fail();
    t.take(2);
    expect(t.seen).toEqual([5, 6, 7, 8]);
    expect(t.warnings).toHaveLength(1);
    // The second of the two arrived during the third statement.
    expect([...(t.statements[2]?.asked ?? [])]).toEqual([["key", 2]]);
    await t.statements[2]?.answer(30);
    expect([...(t.statements[3]?.asked ?? [])]).toEqual([["key", 1]]);
    await t.statements[3]?.answer(31);
    t.take(1);
    await t.statements[4]?.answer(32);
    expect(t.seen).toEqual([5, 6, 7, 8, 32]);
  });

  it("the shared counter refuses by its own count, too", async () => {
    const t = open();
    t.take(1, 3);
    await t.statements[0]?.answer(3);
    const spent: Count[] = [];
    t.counter.take("key", 3, (count) => spent.push(count));
    expect(spent).toEqual([{ requests: 4, endS: END_S }]);
  });

  it("keeps no request waiting for a store that does not answer", async () => {
    const t = open();
    t.take(2);
    await vi.advanceTimersByTimeAsync(499);
    expect(t.seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(t.seen).toEqual([1, 2]);
    t.take(1);
    expect(t.seen).toEqual([1, 2, 3]);
    expect(t.warnings).toHaveLength(1);
  });

  it("the shared counter forgets what is owed when the minute ends", async () => {
    const t = open();
    t.take(1);
    await t.statements[0]?.fail();
    t.clock.ms += 60_000;
    t.take(1);
    expect([...(t.statements[1]?.asked ?? [])]).toEqual([["key", 1]]);
    expect(t.seen).toEqual([1, 1]);
  });
});

it("the shared counter lets exactly 1,000 of 1,200 requests pass over two apps, with the headers of one count", async () => {
  const requestCounts = createMemoryRequestCounts(() => NOON_MS);
  await using first = await openTestApp({ requestCounts });
  await using second = await openTestApp({ requestCounts });
  // The same key in both, as in one record store.
  const key = await first.key({ scopes: ["equipment:read"] });
  for (const [id, row] of first.records.rows.keys) second.records.rows.keys.set(id, row);

  const answers = await Promise.all(
    Array.from({ length: 1_200 }, (_, i) => (i % 2 === 0 ? first : second).get(ASSETS, key)),
  );

  const passed = answers.filter(({ statusCode }) => statusCode === 200);
  const remaining = passed.map(({ headers }) => Number(headers["x-ratelimit-remaining"]));
  expect(passed).toHaveLength(1_000);
  expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 1_000 }, (_, i) => i));
  for (const { statusCode, headers } of answers.filter((one) => one.statusCode !== 200)) {
    expect(statusCode).toBe(429);
    expect(headers).toMatchObject({ "x-ratelimit-remaining": "0", "retry-after": "60" });
  }
});
