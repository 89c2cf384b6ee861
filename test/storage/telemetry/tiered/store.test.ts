import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DomainError } from "../../../../domain/errors.ts";
import type { SeriesQuery, TelemetryStore } from "../../../../storage/ports/telemetry-store.ts";
import { createTieredStore } from "../../../../storage/telemetry/tiered/store.ts";
import { forgetTierStart, readTierStart } from "../../../../storage/telemetry/tiered/tier-start.ts";
import { describeTelemetryStore } from "../../../contracts/telemetry-store.ts";
import { openMemoryTelemetryStore } from "../../../support/memory-telemetry-store.ts";
import { all, NOON_MS, point, rowsOf } from "../../../support/telemetry-points.ts";

const DAY_MS = 86_400_000;
const AT = { journalId: "j", sequence: 1 };

// The contract with everything in the local store and nothing in the archive: the writer is not here.
describeTelemetryStore("tiered, nothing archived", async () => {
  const local = openMemoryTelemetryStore();
  const archive = openMemoryTelemetryStore();
  const store = createTieredStore(local, archive, { keepAllUntilMs: 0, now: () => NOON_MS });
  store.archivedThrough(NOON_MS);
  return { store, cleanUp: async () => {} };
});

describe("the tiered telemetry store", () => {
  let local: TelemetryStore;
  let archive: TelemetryStore;
  let asked: SeriesQuery[];
  let expired: number[];
  let nowMs: number;

  const open = (keepAllUntilMs = 0) => {
    const watched: TelemetryStore = {
      ...local,
      durablePosition: undefined,
      expire: async (beforeMs) => void expired.push(beforeMs),
    };
    const reader = {
      read(query: SeriesQuery) {
        asked.push(query);
        return archive.read(query);
      },
    };
    return createTieredStore(watched, reader, { keepAllUntilMs, now: () => nowMs });
  };

  beforeEach(() => {
    local = openMemoryTelemetryStore();
    archive = openMemoryTelemetryStore();
    asked = [];
    expired = [];
    nowMs = NOON_MS;
  });

  it("the tiered telemetry store answers the last 72 h without asking the archive, also while that is away", async () => {
    archive.read = () => Promise.reject(new DomainError("STORE_UNAVAILABLE", "away"));
    await local.write([point(nowMs - 71 * 3_600_000, { a: 1 })], AT);
    const series = await open().read({ ...all(), fromMs: nowMs - 72 * 3_600_000 });
    expect([rowsOf(series), asked]).toEqual([[{ t: nowMs - 71 * 3_600_000, a: 1 }], []]);
  });

  it("the tiered telemetry store joins the archive's older rows and its own, and asks for no more than the older ones", async () => {
    const oldMs = nowMs - 10 * DAY_MS;
    await archive.write([point(oldMs, { a: 1 }), point(nowMs - DAY_MS, { a: 99 })], AT);
    await local.write([point(nowMs - DAY_MS, { a: 2 })], AT);
    const rows = rowsOf(await open().read({ ...all(), fromMs: oldMs }));
    expect(rows).toEqual([
      { t: oldMs, a: 1 },
      { t: nowMs - DAY_MS, a: 2 },
    ]);
    expect(asked.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([[oldMs, nowMs - 4 * DAY_MS]]);
  });

  it("the tiered telemetry store lays late readings that the archive has not got yet over its rows, field by field", async () => {
    const oldMs = nowMs - 10 * DAY_MS;
    await archive.write([point(oldMs, { a: 1, b: 1 }), point(oldMs + 2, { a: 3 })], AT);
    await local.write([point(oldMs, { b: 2, c: 2 }), point(oldMs + 1, { a: 2 })], AT);
    expect(rowsOf(await open().read({ ...all(), fromMs: oldMs }))).toEqual([
      { t: oldMs, a: 1, b: 2, c: 2 },
      { t: oldMs + 1, a: 2 },
      { t: oldMs + 2, a: 3 },
    ]);
  });

  it("the tiered telemetry store gives no part of an answer when the archive is away and the range is older", async () => {
    archive.read = () => Promise.reject(new DomainError("STORE_UNAVAILABLE", "away"));
    const reading = open().read({ ...all(), fromMs: nowMs - 10 * DAY_MS });
    await expect(reading).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  it("the tiered telemetry store lets go of what is older than four days and archived, and of nothing before it knows", async () => {
    const store = open();
    await store.expire(nowMs - 90 * DAY_MS);
    expect(expired).toEqual([]);
    store.archivedThrough(nowMs - 2 * DAY_MS);
    await store.expire(nowMs - 90 * DAY_MS);
    store.archivedThrough(nowMs);
    store.archivedThrough(nowMs - DAY_MS);
    await store.expire(nowMs - 90 * DAY_MS);
    expect(expired).toEqual([nowMs - 6 * DAY_MS, nowMs - 4 * DAY_MS]);
  });

  it("the tiered telemetry store keeps and answers everything itself until telemetry of before the archive has expired", async () => {
    const store = open(nowMs + 90 * DAY_MS);
    store.archivedThrough(nowMs);
    await local.write([point(nowMs - 50 * DAY_MS, { a: 1 })], AT);
    await store.expire(nowMs - 90 * DAY_MS);
    const rows = rowsOf(await store.read({ ...all(), fromMs: 0 }));
    expect([rows, asked, expired]).toEqual([
      [{ t: nowMs - 50 * DAY_MS, a: 1 }],
      [],
      [nowMs - 90 * DAY_MS],
    ]);
    nowMs += 91 * DAY_MS;
    await store.read({ ...all(), fromMs: 0 });
    expect(asked).toHaveLength(1);
  });
});

describe("the note of when the archive began", () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "plumbline-tier-"));
  });
  afterEach(() => rm(dir, { recursive: true }));

  const read = (hasTelemetry: boolean, nowMs: number) =>
    readTierStart(dir, { hasTelemetry, retentionDays: 90, nowMs });

  it("the note of when the archive began holds for ever what was found at the first start", async () => {
    expect(await read(false, NOON_MS)).toBe(0);
    expect(await read(true, NOON_MS + DAY_MS)).toBe(0);
  });

  it("the note of when the archive began is a retention ahead for a store that had telemetry, and begins anew when forgotten", async () => {
    expect(await read(true, NOON_MS)).toBe(NOON_MS + 90 * DAY_MS);
    expect(await read(true, NOON_MS + DAY_MS)).toBe(NOON_MS + 90 * DAY_MS);
    await forgetTierStart(dir);
    await forgetTierStart(dir);
    expect(await read(true, NOON_MS + DAY_MS)).toBe(NOON_MS + 91 * DAY_MS);
    expect(await readFile(join(dir, "telemetry-tier.json"), "utf8")).toContain("keepAllUntilMs");
  });
});
