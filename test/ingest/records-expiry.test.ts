import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DomainError } from "../../domain/errors.ts";
import { type RecordsExpiry, startRecordsExpiry } from "../../ingest/records-expiry.ts";
import { label, view } from "../contracts/records/progress-rows.ts";
import { alert, commit, visit, visitEnd } from "../contracts/records/rows.ts";
import { delivery, webhook } from "../contracts/records/webhook-rows.ts";
import { type MemoryRecords, openMemoryRecords } from "../support/memory-records.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const log = pino({ level: "silent" });

describe("expiry of records", () => {
  let records: MemoryRecords;
  let expiry: RecordsExpiry | undefined;

  beforeEach(() => {
    records = openMemoryRecords(() => NOW_MS - 11 * DAY_MS);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  });
  afterEach(async () => {
    await expiry?.stop();
    vi.useRealTimers();
  });

  function start(now: () => number = () => NOW_MS): void {
    expiry = startRecordsExpiry({ records, retentionDays: 10, log, now });
  }

  it("expiry of records deletes what is older than the retention of every kind, and nothing younger", async () => {
    const oldMs = NOW_MS - 10 * DAY_MS - 1;
    const youngMs = NOW_MS - 10 * DAY_MS;
    const ended = (atMs: number) => ({ entered: visitEnd(atMs), exited: visitEnd(atMs) });
    await records.pipeline.commit(
      commit(1, {
        visits: [
          visit("old", { ordinal: 1, ...ended(oldMs) }),
          visit("young", { ordinal: 2, ...ended(youngMs) }),
        ],
        alerts: [alert("old", { resolvedAtMs: oldMs }), alert("young", { resolvedAtMs: youngMs })],
      }),
    );
    const settled = { state: "delivered", nextAttemptAtMs: undefined } as const;
    await records.webhooks.insert(webhook("w1"));
    await records.webhooks.record({
      deliveries: [
        delivery("w1", 1, { ...settled, lastAttemptAtMs: oldMs }),
        delivery("w1", 2, { ...settled, lastAttemptAtMs: youngMs }),
      ],
      cursors: new Map(),
    });
    const taken = (image: string, ms: number) =>
      view(image, { taken_at: new Date(ms).toISOString() });
    records.rows.views.push(taken("old", oldMs), taken("young", youngMs));
    records.rows.labels.push(label("old", { taken_at: new Date(oldMs).toISOString() }));
    start();
    await expect.poll(() => records.rows.views.map((one) => one.image_sha256)).toEqual(["young"]);
    expect(records.rows.labels).toHaveLength(1);
    expect(records.rows.deliveries.size).toBe(1);
    expect([...records.rows.visits.keys()]).toEqual(["young"]);
    expect([...records.rows.alerts.keys()]).toEqual(["young"]);
  });

  it("expiry of records asks again until nothing is left, one kind after the other", async () => {
    const left: Record<string, number> = { quarantine: 2, events: 3 };
    const calls: string[] = [];
    const cutoffs = new Set<number>();
    for (const port of [
      "quarantine",
      "visits",
      "alerts",
      "webhooks",
      "events",
      "eventReaders",
      "telemetryDeadLetters",
    ] as const) {
      records[port].expire = async (beforeMs) => {
        cutoffs.add(beforeMs);
        calls.push(port);
        left[port] = (left[port] ?? 0) - 1;
        return left[port] >= 0;
      };
    }
    start();
    const each = ["quarantine", "quarantine", "quarantine", "visits", "alerts", "webhooks"];
    const events = ["events", "events", "events", "events"];
    await expect
      .poll(() => calls)
      .toEqual([...each, ...events, "eventReaders", "telemetryDeadLetters"]);
    expect([...cutoffs]).toEqual([NOW_MS - 10 * DAY_MS]);
  });

  it("expiry of records goes on with the others when one fails, and tries again an hour later", async () => {
    let nowMs = NOW_MS;
    let isAway = true;
    const expired: [string, number][] = [];
    records.quarantine.expire = async (beforeMs) => {
      if (isAway) throw new DomainError("STORE_UNAVAILABLE", "away");
      expired.push(["quarantine", beforeMs]);
      return false;
    };
    records.events.expire = async (beforeMs) => {
      expired.push(["events", beforeMs]);
      return false;
    };
    start(() => nowMs);
    await expect.poll(() => expired).toEqual([["events", NOW_MS - 10 * DAY_MS]]);
    isAway = false;
    nowMs += HOUR_MS;
    vi.advanceTimersByTime(HOUR_MS);
    const laterMs = NOW_MS - 10 * DAY_MS + HOUR_MS;
    await expect
      .poll(() => expired.slice(1))
      .toEqual([
        ["quarantine", laterMs],
        ["events", laterMs],
      ]);
  });

  it("expiry of records stops between two calls, however much is left", async () => {
    let calls = 0;
    records.quarantine.expire = async () => {
      calls += 1;
      return true;
    };
    start();
    await expect.poll(() => calls).toBeGreaterThanOrEqual(2);
    await expiry?.stop();
    const callsAtStop = calls;
    vi.advanceTimersByTime(HOUR_MS);
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toBe(callsAtStop);
  });
});
