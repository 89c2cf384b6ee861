import { describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../../domain/ids.ts";
import { WHOLE_DAY } from "../../../../domain/project.ts";
import { newDayUsage, packUsage } from "../../../../ingest/track/day-usage.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { sharedTestApp } from "../../../support/shared-app.ts";

const ASSETS = "/api/v1/equipment/assets";
const QUARANTINE = "/api/v1/equipment/quarantine";
const MINUTE_MS = 60_000;

async function withAsset(t: TestApp, project: Parameters<TestApp["project"]>[0] = {}) {
  const project_id = await t.project(project);
  return { project_id, asset: await t.asset({ project_id, id: "a1" as AssetId }) };
}

async function openWithAsset(): Promise<TestApp> {
  const t = await openTestApp();
  await withAsset(t);
  return t;
}

/** One reading at each whole minute of the last hour: fuel falls by 1 a minute, speed on even minutes. */
async function hourOfReadings(t: TestApp, assetId: AssetId): Promise<void> {
  const points = Array.from({ length: 60 }, (_, i) => ({
    assetId,
    projectId: "p" as ProjectId,
    fixTimeMs: NOON_MS - (60 - i) * MINUTE_MS,
    seq: -1,
    payloadHash: 0,
    fields: { fuel_level_percent: 100 - i, ...(i % 2 === 0 ? { speed_kmh: i } : {}) },
  }));
  await t.telemetry.write(points, { journalId: "j", sequence: 1 });
}

describe.each(["a1", "absent"])("a range of asset %s that is none", (id) => {
  const shared = sharedTestApp(openWithAsset);

  it.each([
    ["telemetry", "from=2026-03-05T11:00:00Z&to=2026-03-05T10:00:00Z", "from"],
    ["telemetry", "from=2026-01-01T00:00:00Z&to=2026-03-05T10:00:00Z", "from"],
    ["telemetry", "to=1969-12-31T23:59:59Z", "to"],
    ["telemetry", "to=9999-12-31T23:59:59-00:01", "to"],
    ["telemetry", "from=2026-03-01T00:00:00Z&interval_s=60&max_points=10", "max_points"],
    ["telemetry", "from=2026-02-25T00:00:00Z&max_points=10", "max_points"],
    ["utilization", "from=2026-03-02&to=2026-03-01", "from"],
    ["utilization", "from=2025-03-01&to=2026-03-02", "from"],
    ["utilization", "from=2025-03-01", "from"],
    ["utilization", "from=2026-03-07", "from"],
    ["utilization", "from=1969-12-31&to=1970-02-01", "from"],
    ["utilization", "to=0000-01-01", "to"],
  ])("%s?%s is a 400 that names %s", async (route, query, parameter) => {
    const { t } = shared;
    const answer = await t.get(`${ASSETS}/${id}/${route}?${query}`, ADMIN_KEY);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.details[0].parameter).toBe(parameter);
  });
});

describe("GET /assets/{id}/telemetry", () => {
  const shared = sharedTestApp(openWithAsset);

  it("GET /assets/{id}/telemetry answers with every reading as it came, in [from, to)", async () => {
    await using t = await openTestApp();
    const { asset } = await withAsset(t);
    await hourOfReadings(t, asset);
    const range = "from=2026-03-05T11:00:00Z&to=2026-03-05T11:03:00Z";
    const body = (await t.get(`${ASSETS}/a1/telemetry?${range}`, ADMIN_KEY)).json();
    expect(body).toEqual({
      asset_id: "a1",
      from: "2026-03-05T11:00:00.000Z",
      to: "2026-03-05T11:03:00.000Z",
      data: [
        { timestamp: "2026-03-05T11:00:00.000Z", fuel_level_percent: 100, speed_kmh: 0 },
        { timestamp: "2026-03-05T11:01:00.000Z", fuel_level_percent: 99 },
        { timestamp: "2026-03-05T11:02:00.000Z", fuel_level_percent: 98, speed_kmh: 2 },
      ],
      pagination: { limit: 100, has_more: false },
    });
  });

  it("GET /assets/{id}/telemetry gives pages that fit together without loss or repetition", async () => {
    await using t = await openTestApp();
    const { asset } = await withAsset(t);
    await hourOfReadings(t, asset);
    const seen: string[] = [];
    let start = "from=2026-03-04T12:00:00Z";
    for (let page = 0; page < 3; page += 1) {
      const query = `${start}&to=2026-03-05T12:00:00Z&limit=25`;
      const body = (await t.get(`${ASSETS}/a1/telemetry?${query}`, ADMIN_KEY)).json();
      seen.push(...body.data.map((row: { timestamp: string }) => row.timestamp));
      expect(body.pagination).toMatchObject({ limit: 25, has_more: page < 2 });
      start = `cursor=${body.pagination.next_cursor}`;
    }
    expect(seen).toHaveLength(60);
    expect(new Set(seen).size).toBe(60);
  });

  it.each([
    ["mean", 95.5, 4],
    ["min", 91, 0],
    ["max", 100, 8],
    ["last", 91, 8],
    ["count", 10, 5],
  ])("GET /assets/{id}/telemetry reduces 10 min to their %s", async (aggregate, fuel, speed) => {
    await using t = await openTestApp();
    const { asset } = await withAsset(t);
    await hourOfReadings(t, asset);
    const query = `interval_s=600&aggregate=${aggregate}&from=2026-03-05T11:00:00Z`;
    const { data } = (await t.get(`${ASSETS}/a1/telemetry?${query}`, ADMIN_KEY)).json();
    expect(data).toHaveLength(6);
    expect(data[0]).toEqual({
      timestamp: "2026-03-05T11:00:00.000Z",
      fuel_level_percent: fuel,
      speed_kmh: speed,
    });
  });

  it("GET /assets/{id}/telemetry never cuts an interval at the border of two reads", async () => {
    await using t = await openTestApp();
    const { asset } = await withAsset(t);
    const fixTimes = Array.from({ length: 24 * 60 }, (_, i) => NOON_MS - i * MINUTE_MS);
    await t.telemetry.write(
      fixTimes.map((fixTimeMs) => ({
        assetId: asset,
        projectId: "p" as ProjectId,
        fixTimeMs,
        seq: -1,
        payloadHash: 0,
        fields: { x: 1 },
      })),
      { journalId: "j", sequence: 1 },
    );
    const query =
      "interval_s=5040&aggregate=count&from=2026-03-04T12:00:30Z&to=2026-03-05T12:00:01Z";
    const { data } = (await t.get(`${ASSETS}/a1/telemetry?${query}`, ADMIN_KEY)).json();
    const starts = data.map((row: { timestamp: string }) => row.timestamp);
    const counts = data.map((row: { x: number }) => row.x);
    expect(new Set(starts).size).toBe(starts.length);
    expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(24 * 60);
    expect(counts.slice(1, -1).every((count: number) => count === 84)).toBe(true);
  });

  it("GET /assets/{id}/telemetry thins the whole range to max_points that keep its ends", async () => {
    await using t = await openTestApp();
    const { asset } = await withAsset(t);
    await hourOfReadings(t, asset);
    const query = "fields=fuel_level_percent&max_points=10";
    const { data } = (await t.get(`${ASSETS}/a1/telemetry?${query}`, ADMIN_KEY)).json();
    expect(data).toHaveLength(10);
    expect([data[0].fuel_level_percent, data.at(-1).fuel_level_percent]).toEqual([100, 41]);
  });

  it("GET /assets/{id}/telemetry is CSV with the fields asked for", async () => {
    await using t = await openTestApp();
    const { asset } = await withAsset(t);
    await hourOfReadings(t, asset);
    const query = "fields=speed_kmh,fuel_level_percent&from=2026-03-05T11:58:00Z";
    const response = await t.get(`${ASSETS}/a1/telemetry?${query}`, ADMIN_KEY, {
      accept: "text/csv",
    });
    expect(response.body).toBe(
      "timestamp,speed_kmh,fuel_level_percent\r\n" +
        "2026-03-05T11:58:00.000Z,58,42\r\n" +
        "2026-03-05T11:59:00.000Z,,41\r\n",
    );
  });

  it.each([
    "from=yesterday",
    "from=2026-03-05T12:00:00Z&to=2026-03-05T12:00:00Z",
    "from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z",
    "fields=",
    "fields=__proto__",
    "interval_s=0",
    "aggregate=median",
    "limit=1001",
    "cursor=soon",
    "cursor=2026-03-05T12:00:00Z&to=2026-03-05T12:00:00Z",
    "max_points=5&interval_s=60",
    "max_points=5&from=2026-02-20T00:00:00Z",
  ])("GET /assets/{id}/telemetry refuses ?%s with 400", async (query) => {
    const { t } = shared;
    const response = await t.get(`${ASSETS}/a1/telemetry?${query}`, ADMIN_KEY);
    expect([response.statusCode, response.json().error.code]).toEqual([400, "invalid_parameter"]);
  });
});

describe("GET /assets/{id}/utilization", () => {
  const shared = sharedTestApp(openWithAsset);

  const day = (date: string, workingS: number) => ({
    day: date,
    workingS,
    overtimeS: 60,
    engineOnS: workingS + 60,
    distanceM: 1_000,
  });

  /** Of days that were stored before bounds were kept. */
  const unexplained = (workingS: number) => {
    const figure = (value: number) => ({
      ...{ value, lower: null, upper: null, basis: "observed", seen_percent: null },
      parts: { observed: value, meter: 0, bridged: 0 },
      reason: "stored by a version that kept no bounds",
    });
    return {
      working: figure(workingS),
      overtime: figure(60),
      engine_on: figure(workingS + 60),
      distance: figure(1_000),
    };
  };

  it("GET /assets/{id}/utilization says of a day what was seen, what came from the meter, and what nothing is known of", async () => {
    await using t = await openTestApp();
    const { asset, project_id } = await withAsset(t, { time_zone: "UTC", shift: WHOLE_DAY });
    const usage = newDayUsage();
    Object.assign(usage.engineCover, { seenMs: 3_600_000, meterMs: 82_800_000 });
    Object.assign(usage.engine, { meter: 32_400_000, lower: 35_000_000, upper: 36_300_000 });
    const stored = { assetId: asset, projectId: project_id, day: "2026-03-03", overtimeS: 0 };
    t.records.rows.days.push({
      ...{ ...stored, workingS: 0, engineOnS: 36_000, distanceM: 0, usage: packUsage(usage) },
    });

    const body = (await t.get(`${ASSETS}/a1/utilization`, ADMIN_KEY)).json();

    expect(body.data[0]).toMatchObject({ engine_on_s: 36_000, working_s: null, distance_m: null });
    expect(body.data[0].utilization).toBeNull();
    expect(body.data[0].figures.engine_on).toEqual({
      ...{ value: 36_000, lower: 35_000, upper: 36_300, basis: "meter", seen_percent: 4.2 },
      parts: { observed: 3_600, meter: 32_400, bridged: 0 },
    });
    const csv = await t.get(`${ASSETS}/a1/utilization`, ADMIN_KEY, { accept: "text/csv" });
    expect(csv.body).toContain("engine_on_lower");
  });

  it("GET /assets/{id}/utilization answers with the stored days as percent of the shift, and today live", async () => {
    await using t = await openTestApp();
    const shift = { start: "07:00", end: "17:00" };
    const { asset, project_id } = await withAsset(t, { time_zone: "Europe/Berlin", shift });
    const stored = { assetId: asset, projectId: project_id };
    t.records.rows.days.push(
      { ...stored, ...day("2026-03-03", 18_000) },
      { ...stored, ...day("2026-03-05", 1) },
      { ...stored, ...day("2026-02-01", 1) },
    );
    // 12:00 UTC is 13:00 in Berlin: 6 h of the shift have passed.
    t.live(asset, { today: day("2026-03-05", 5_400) });

    const body = (await t.get(`${ASSETS}/a1/utilization`, ADMIN_KEY)).json();

    expect(body).toEqual({
      asset_id: "a1",
      from: "2026-02-27",
      to: "2026-03-05",
      time_zone: "Europe/Berlin",
      data: [
        {
          day: "2026-03-03",
          utilization: 50,
          working_s: 18_000,
          overtime_s: 60,
          engine_on_s: 18_060,
          distance_m: 1_000,
          figures: unexplained(18_000),
        },
        {
          day: "2026-03-05",
          utilization: 25,
          working_s: 5_400,
          overtime_s: 60,
          engine_on_s: 5_460,
          distance_m: 1_000,
          figures: unexplained(5_400),
        },
      ],
    });
  });

  it.each([
    ["to=1970-01-08", "1970-01-02", "1970-01-08"],
    ["from=2025-03-02&to=2026-03-02", "2025-03-02", "2026-03-02"],
    ["from=9999-12-31&to=9999-12-31", "9999-12-31", "9999-12-31"],
    // On Kiritimati (UTC+14) the next day has begun.
    ["from=2026-03-06", "2026-03-06", "2026-03-06"],
  ])("GET /assets/{id}/utilization takes the widest ranges: %s", async (query, from, to) => {
    await using t = await openTestApp();
    await withAsset(t);
    const answer = await t.get(`${ASSETS}/a1/utilization?${query}`, ADMIN_KEY);
    expect(answer.json()).toMatchObject({ from, to, data: [] });
  });

  it("GET /assets/{id}/utilization measures a day of a clock change by its own length", async () => {
    await using t = await openTestApp();
    const { asset, project_id } = await withAsset(t, { time_zone: "Europe/Berlin" });
    t.clock.ms = Date.UTC(2026, 2, 31, 12);
    // 2026-03-29 has 23 h in Berlin; half of it is 41,400 s.
    t.records.rows.days.push({
      assetId: asset,
      projectId: project_id,
      ...day("2026-03-29", 41_400),
    });
    const { data } = (await t.get(`${ASSETS}/a1/utilization`, ADMIN_KEY)).json();
    expect(data).toMatchObject([{ day: "2026-03-29", utilization: 50 }]);
  });

  it.each([
    "from=2026-03-06&to=2026-03-05",
    "from=2024-01-01&to=2026-03-05",
    "from=2026-3-1",
    "to=2026-02-30",
  ])("GET /assets/{id}/utilization refuses ?%s with 400", async (query) => {
    const { t } = shared;
    const response = await t.get(`${ASSETS}/a1/utilization?${query}`, ADMIN_KEY);
    expect(response.statusCode).toBe(400);
  });
});

describe("the quarantine", () => {
  async function withEntries(t: TestApp, count: number) {
    const { asset, project_id } = await withAsset(t);
    for (let i = 0; i < count; i += 1) {
      t.records.rows.quarantine.push({
        id: `j-${i}`,
        assetId: asset,
        projectId: project_id,
        receivedAtMs: NOON_MS + i,
        topic: "sites/p/assets/a1/telemetry",
        format: "telemetry",
        reason: "not JSON",
        payload: Buffer.alloc(5_000, "x"),
        replayedAtMs: undefined,
      });
    }
  }

  it("the quarantine lists messages newest first, with the beginning of each payload", async () => {
    await using t = await openTestApp();
    await withEntries(t, 3);
    const body = (await t.get(`${QUARANTINE}?asset_id=a1&limit=2`, ADMIN_KEY)).json();
    expect(body.pagination).toEqual({ page: 1, limit: 2, total: 3, has_more: true });
    expect(body.dropped).toBe(0);
    expect(body.data.map((entry: { id: string }) => entry.id)).toEqual(["j-2", "j-1"]);
    expect(body.data[0]).toMatchObject({
      asset_id: "a1",
      received_at: "2026-03-05T12:00:00.002Z",
      reason: "not JSON",
      payload_bytes: 5_000,
    });
    expect(Buffer.from(body.data[0].payload_base64, "base64").toString()).toBe("x".repeat(4_096));
    expect(body.data[0]).not.toHaveProperty("replayed_at");
  });

  it("the quarantine replays a message and notes when it was accepted", async () => {
    await using t = await openTestApp();
    await withEntries(t, 1);
    const response = await t.send("POST", `${QUARANTINE}/j-0/replay`, ADMIN_KEY);
    expect([response.statusCode, response.json()]).toEqual([200, { id: "j-0", accepted: true }]);
    expect(t.replayed.map((entry) => entry.id)).toEqual(["j-0"]);
    const { data } = (await t.get(QUARANTINE, ADMIN_KEY)).json();
    expect(data).toMatchObject([{ replayed_at: "2026-03-05T12:00:00.000Z" }]);
  });

  it("the quarantine says why a message is still refused, and notes nothing", async () => {
    await using t = await openTestApp({
      replay: async () => ({ accepted: false, reason: "not JSON" }),
    });
    await withEntries(t, 1);
    const response = await t.send("POST", `${QUARANTINE}/j-0/replay`, ADMIN_KEY);
    expect(response.json()).toEqual({ id: "j-0", accepted: false, reason: "not JSON" });
    expect(t.records.rows.quarantine[0]?.replayedAtMs).toBeUndefined();
  });
});
