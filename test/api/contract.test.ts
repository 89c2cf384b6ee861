import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { AssetList, AssetLocation } from "../../api/equipment/assets/asset-schemas.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { TelemetryPoint } from "../../storage/ports/telemetry-store.ts";
import { ADMIN_KEY, FIX, NOON_MS, openTestApp, type TestApp } from "../support/api-app.ts";
import { sharedTestApp } from "../support/shared-app.ts";

const ASSETS = "/api/v1/equipment/assets";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const assetList = Compile(AssetList);
const assetLocation = Compile(AssetLocation);

/** A key, a project and one asset in it. */
async function site(t: TestApp) {
  const key = await t.key({ scopes: ["equipment:read"] });
  const project_id = await t.project();
  const asset = await t.asset({ project_id });
  return { key, project_id, asset };
}

function point(assetId: AssetId, fixTimeMs: number, fields: Record<string, number>) {
  const projectId = "p" as ProjectId;
  return { assetId, projectId, fixTimeMs, seq: -1, payloadHash: 0, fields } as TelemetryPoint;
}

async function store(t: TestApp, points: readonly TelemetryPoint[]): Promise<void> {
  await t.telemetry.write(points, { journalId: "j", sequence: 1 });
}

describe("GET /assets", () => {
  const shared = sharedTestApp();

  it("GET /assets answers with every field of the contract", async () => {
    await using t = await openTestApp();
    const { key, asset } = await site(t);
    t.live(asset, {
      lastWorkedAtMs: NOON_MS - MINUTE_MS,
      today: { day: "2026-03-05", workingS: 10_800, overtimeS: 0, engineOnS: 0, distanceM: 0 },
    });

    const response = await t.get(ASSETS, key);

    expect(response.statusCode).toBe(200);
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(response.json()).toEqual({
      data: [
        {
          id: asset,
          name: "Excavator 7",
          type: "excavator",
          status: "active",
          location: { latitude: 53.5511, longitude: 9.9937 },
          last_update: "2026-03-05T11:59:50.000Z",
          // 3 h of work in the 12 h since midnight.
          utilization_today: 25,
          zone: "",
          heading: 270,
          speed_kmh: 12.5,
          accuracy_meters: 2.5,
          last_fix_at: "2026-03-05T11:59:50.000Z",
          location_source: "gnss",
          connection: {
            link: "unknown",
            last_message_at: "2026-03-05T11:59:50.500Z",
            last_fix_at: "2026-03-05T11:59:50.000Z",
            status: "ok",
          },
          // A day of before bounds were kept.
          utilization: { basis: "observed", lower: 0, upper: 100, seen_percent: 0 },
        },
      ],
    });
  });

  it("GET /assets answers with an empty list to a key without assets", async () => {
    await using t = await openTestApp();
    const response = await t.get(ASSETS, ADMIN_KEY);
    expect(response.json()).toEqual({ data: [] });
  });

  it("GET /assets shows an asset that never reported at its registered place, idle, since its registration", async () => {
    await using t = await openTestApp();
    const project_id = await t.project();
    await t.asset({ project_id, location: { latitude: 1.5, longitude: -2.5 } });

    const { data } = (await t.get(ASSETS, ADMIN_KEY)).json();

    expect(data).toMatchObject([
      {
        status: "idle",
        location: { latitude: 1.5, longitude: -2.5 },
        location_source: "registered",
        heading: null,
        speed_kmh: null,
        accuracy_meters: null,
        last_fix_at: null,
        connection: { link: "unknown", status: "unknown" },
        last_update: "2026-03-01T08:00:00.000Z",
        utilization_today: 0,
        zone: "",
      },
    ]);
  });

  it("GET /assets shows an asset without a registered place at its project's, and follows the project", async () => {
    await using t = await openTestApp();
    const project_id = await t.project();
    await t.asset({ project_id });
    const before = (await t.get(ASSETS, ADMIN_KEY)).json();
    const location = { latitude: 10, longitude: 20 };
    await t.send("PATCH", `/api/v1/projects/${project_id}`, ADMIN_KEY, { location });
    const after = (await t.get(ASSETS, ADMIN_KEY)).json();

    expect(before.data[0].location).toEqual({ latitude: 53.5, longitude: 9.9 });
    expect(after.data[0].location).toEqual(location);
  });

  it("GET /assets turns a dead tracker idle by itself after 5 min", async () => {
    await using t = await openTestApp();
    const { key, asset } = await site(t);
    t.live(asset, { lastWorkedAtMs: NOON_MS });
    const statusNow = async () => (await t.get(ASSETS, key)).json().data[0].status;

    const atOnce = await statusNow();
    t.clock.ms = NOON_MS + 5 * MINUTE_MS;
    const after5min = await statusNow();
    t.clock.ms = NOON_MS + 5 * MINUTE_MS + 1_000;
    const aSecondLater = await statusNow();

    expect([atOnce, after5min, aSecondLater]).toEqual(["active", "active", "idle"]);
  });

  it("GET /assets shows the same status and utilisation in the list and in the detail at any time", async () => {
    await using t = await openTestApp();
    const { key, asset } = await site(t);
    t.live(asset, {
      lastWorkedAtMs: NOON_MS,
      today: { day: "2026-03-05", workingS: 7_200, overtimeS: 0, engineOnS: 0, distanceM: 0 },
    });
    const seen: unknown[] = [];
    for (const hours of [0, 1, 6, 13]) {
      t.clock.ms = NOON_MS + hours * HOUR_MS;
      const [listed] = (await t.get(ASSETS, key)).json().data;
      const detail = (await t.get(`${ASSETS}/${asset}`, key)).json();
      seen.push([listed.status, listed.utilization_today]);
      expect([detail.status, detail.utilization_today]).toEqual(seen.at(-1));
    }
    // 2 h of 12, 13 and 18; after midnight it is another day.
    expect(seen).toEqual([
      ["active", 16.7],
      ["idle", 15.4],
      ["idle", 11.1],
      ["idle", 0],
    ]);
  });

  it("GET /assets shows a change of the live state in the next answer, also after the detail was read", async () => {
    await using t = await openTestApp();
    const { key, asset } = await site(t);
    t.live(asset);
    await t.get(ASSETS, key);
    t.live(asset, { fix: { ...FIX, latitude: -33.9 } });
    await t.get(`${ASSETS}/${asset}`, key);
    const { data } = (await t.get(ASSETS, key)).json();
    expect(data[0].location.latitude).toBe(-33.9);
  });

  it("GET /assets filters by project, status and type", async () => {
    await using t = await openTestApp();
    const first = await t.project();
    const second = await t.project();
    const crane = await t.asset({ project_id: first, type: "crane", maintenance: true });
    const van = await t.asset({ project_id: first, type: "van" });
    const other = await t.asset({ project_id: second, type: "van" });
    const ids = async (query: string) => {
      const { data } = (await t.get(`${ASSETS}?${query}`, ADMIN_KEY)).json();
      return data.map((asset: { id: string }) => asset.id);
    };

    expect(await ids(`project_id=${first}`)).toEqual([crane, van].sort());
    expect(await ids("status=maintenance")).toEqual([crane]);
    expect(await ids(`type=van&project_id=${second}`)).toEqual([other]);
    expect(await ids("status=active")).toEqual([]);
    expect((await ids("")).sort()).toEqual([crane, van, other].sort());
  });

  it("GET /assets adds the pagination object only when limit or offset is given", async () => {
    await using t = await openTestApp();
    const project_id = await t.project();
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.push(await t.asset({ project_id, id: `a${i}` as AssetId }));

    const whole = (await t.get(ASSETS, ADMIN_KEY)).json();
    const page = (await t.get(`${ASSETS}?limit=2&offset=2`, ADMIN_KEY)).json();
    const past = (await t.get(`${ASSETS}?offset=100`, ADMIN_KEY)).json();

    expect(whole.pagination).toBeUndefined();
    expect(page.data.map((asset: { id: string }) => asset.id)).toEqual(["a2", "a3"]);
    expect(page.pagination).toEqual({ page: 2, limit: 2, total: 5, has_more: true });
    expect(past).toEqual({
      data: [],
      pagination: { page: 6, limit: 20, total: 5, has_more: false },
    });
  });

  it.each([
    "status=broken",
    "status=",
    "status=active&status=idle",
    "type=",
    "project_id=",
    "project_id=a%20b",
    "limit=101",
    "limit=0",
    "limit=1.5",
    "offset=-1",
  ])("GET /assets refuses ?%s with 400 and names the parameter", async (query) => {
    const { t } = shared;
    const response = await t.get(`${ASSETS}?${query}`, ADMIN_KEY);
    const { error } = response.json();
    expect(response.statusCode).toBe(400);
    expect(error.code).toBe("invalid_parameter");
    expect(error.details[0].parameter).toBe(query.split("=")[0]);
    expect(error.request_id).toBe(response.headers["x-request-id"]);
  });

  it("GET /assets ignores unknown parameters and names them", async () => {
    await using t = await openTestApp();
    const response = await t.get(`${ASSETS}?page=3&colour=%0d%0ared&type=van`, ADMIN_KEY);
    expect(response.statusCode).toBe(200);
    expect(response.headers["x-ignored-parameters"]).toBe("page, colour");
  });

  it("GET /assets names unknown parameters without letting them write headers", async () => {
    await using t = await openTestApp();
    const response = await t.get(`${ASSETS}?a%0d%0aset-cookie%3Ax=1&%F0%9F%9A%9C=2`, ADMIN_KEY);
    expect(response.headers["x-ignored-parameters"]).toBe("a%0D%0Aset-cookie%3Ax, %F0%9F%9A%9C");
    expect(response.headers).not.toHaveProperty("set-cookie");
  });

  it("GET /assets names the zone an asset is in, and follows it", async () => {
    let name = "Pit";
    await using t = await openTestApp({ zoneOf: () => ({ id: "zon_1", name }) });
    const { key } = await site(t);
    const first = (await t.get(ASSETS, key)).json();
    name = "Yard";
    t.clock.ms += 1_000;
    const second = (await t.get(ASSETS, key)).json();
    expect([first.data[0].zone, second.data[0].zone]).toEqual(["Pit", "Yard"]);
  });

  it("GET /assets has every text of a name that JSON and UTF-8 make hard", async () => {
    await using t = await openTestApp();
    const project_id = await t.project();
    const name = 'Bagger "7" \\ \u2028 Ünïcode 掘削機 🚜';
    await t.asset({ project_id, name });
    const { data } = (await t.get(ASSETS, ADMIN_KEY)).json();
    expect(data[0].name).toBe(name);
  });

  it("GET /assets puts the assets of several projects into one valid list", async () => {
    await using t = await openTestApp();
    for (let i = 0; i < 3; i += 1) {
      const project_id = await t.project();
      await t.asset({ project_id });
      await t.asset({ project_id });
    }
    await t.project();
    const body = (await t.get(ASSETS, ADMIN_KEY)).json();
    expect(assetList.Errors(body)).toEqual([]);
    expect(body.data).toHaveLength(6);
  });
});

describe("GET /assets/{asset_id}/location", () => {
  const shared = sharedTestApp();

  it("GET /assets/{asset_id}/location answers with every field of the contract, and without history unless asked", async () => {
    await using t = await openTestApp({ zoneOf: () => ({ id: "zon_1", name: "Pit" }) });
    const { key, asset } = await site(t);
    t.live(asset);

    const response = await t.get(`${ASSETS}/${asset}/location`, key);

    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      asset_id: asset,
      current: {
        latitude: 53.5511,
        longitude: 9.9937,
        accuracy_meters: 2.5,
        timestamp: "2026-03-05T11:59:50.000Z",
        speed_kmh: 12.5,
        heading: 270,
        speed_source: "reported",
        heading_source: "reported",
        accuracy_source: "reported",
        time_source: "device",
      },
      zone: { id: "zon_1", name: "Pit" },
    });
  });

  it("GET /assets/{asset_id}/location has no null for an asset without accuracy, speed, heading or zone", async () => {
    await using t = await openTestApp();
    const { key, asset } = await site(t);
    const assumed = {
      accuracyMeters: 15,
      accuracySource: "assumed",
      speedKmh: 0,
      heading: 0,
    } as const;
    t.live(asset, { fix: { ...FIX, ...assumed } });

    const body = (await t.get(`${ASSETS}/${asset}/location`, key)).json();

    expect(assetLocation.Errors(body)).toEqual([]);
    expect(body).toMatchObject({
      current: { accuracy_meters: 15, accuracy_source: "assumed", speed_kmh: 0, heading: 0 },
      zone: { id: "", name: "" },
    });
  });

  it("GET /location answers 404 with the reason for an asset that never sent a fix, but not to another tenant's key", async () => {
    await using t = await openTestApp();
    const { key, asset } = await site(t);
    const stranger = await t.key({
      scopes: ["equipment:read"],
      project_ids: ["p-other" as ProjectId],
    });
    const messages = [];
    for (const one of [key, stranger]) {
      const response = await t.get(`${ASSETS}/${asset}/location`, one);
      expect(response.statusCode).toBe(404);
      expect(response.json().error.code).toBe("not_found");
      messages.push(response.json().error.message);
    }
    expect(messages).toEqual(["The asset has not sent a position yet", "Not found"]);
  });

  it("GET /assets/{asset_id}/location has history in (now - hours, now], ascending, of rows with a position only", async () => {
    await using t = await openTestApp();
    const { key, asset } = await site(t);
    t.live(asset);
    const at = (ms: number, latitude: number) =>
      point(asset, NOON_MS + ms, { latitude, longitude: -latitude });
    await store(t, [
      at(1, 9),
      at(0, 4),
      at(-HOUR_MS, 1),
      at(-HOUR_MS + 1, 2),
      at(-60, 3),
      point(asset, NOON_MS - 30, { fuel_level_percent: 50 }),
    ]);

    const { history } = (
      await t.get(`${ASSETS}/${asset}/location?history=true&hours=1`, key)
    ).json();

    expect(history).toEqual([
      { latitude: 2, longitude: -2, timestamp: "2026-03-05T11:00:00.001Z" },
      { latitude: 3, longitude: -3, timestamp: "2026-03-05T11:59:59.940Z" },
      { latitude: 4, longitude: -4, timestamp: "2026-03-05T12:00:00.000Z" },
    ]);
  });

  it("GET /location covers 24 h by default, and has an empty history where nothing was reported", async () => {
    await using t = await openTestApp();
    const { key, asset } = await site(t);
    t.live(asset);
    const empty = await t.get(`${ASSETS}/${asset}/location?history=1`, key);
    await store(
      t,
      [-25, -23].map((hours) =>
        point(asset, NOON_MS + hours * HOUR_MS, { latitude: hours, longitude: 0 }),
      ),
    );
    const day = await t.get(`${ASSETS}/${asset}/location?history=1`, key);

    expect(empty.json().history).toEqual([]);
    expect(day.json().history).toMatchObject([{ latitude: -23 }]);
  });

  it("GET /assets/{asset_id}/location sends 72 h at 1 Hz whole: 259,200 points, in order, as the schema says", async () => {
    await using t = await openTestApp();
    const { key, asset } = await site(t);
    t.live(asset);
    const count = 72 * 3_600;
    await store(
      t,
      Array.from({ length: count }, (_, i) =>
        point(asset, NOON_MS - i * 1_000, { latitude: 53 + i / 1e6, longitude: 9.9937 }),
      ),
    );

    const response = await t.get(`${ASSETS}/${asset}/location?history=true&hours=72`, key);
    const { history } = response.json();

    expect(history).toHaveLength(count);
    expect(history[0]).toEqual({
      latitude: 53.259199,
      longitude: 9.9937,
      timestamp: "2026-03-02T12:00:01.000Z",
    });
    expect(history.at(-1)).toEqual({
      latitude: 53,
      longitude: 9.9937,
      timestamp: "2026-03-05T12:00:00.000Z",
    });
    // About 20 MB of JSON: 5 to 7 s on two cores at a load of 4.5, over the default of 5 s.
  });

  it("GET /assets/{asset_id}/location thins to max_points on request and keeps the ends", async () => {
    await using t = await openTestApp();
    const { key, asset } = await site(t);
    t.live(asset);
    await store(
      t,
      Array.from({ length: 1_000 }, (_, i) =>
        point(asset, NOON_MS - i * 1_000, { latitude: Math.sin(i / 50), longitude: i / 1_000 }),
      ),
    );
    const url = `${ASSETS}/${asset}/location?history=true&max_points=50`;
    const { history } = (await t.get(url, key)).json();

    expect(history.length).toBeLessThanOrEqual(50);
    expect(history.length).toBeGreaterThan(25);
    expect(history[0].longitude).toBe(0.999);
    expect(history.at(-1).longitude).toBe(0);
    const times = history.map((row: { timestamp: string }) => row.timestamp);
    expect(times).toEqual([...times].sort());
  });

  it.each([
    "true",
    "TRUE",
    "True",
    "1",
  ])("GET /assets/{asset_id}/location takes history=%s as yes", async (text) => {
    await using t = await openTestApp();
    const { key, asset } = await site(t);
    t.live(asset);
    const body = (await t.get(`${ASSETS}/${asset}/location?history=${text}`, key)).json();
    expect(body.history).toEqual([]);
  });

  it.each([
    "false",
    "FALSE",
    "0",
  ])("GET /assets/{asset_id}/location takes history=%s as no", async (text) => {
    await using t = await openTestApp();
    const { key, asset } = await site(t);
    t.live(asset);
    const body = (await t.get(`${ASSETS}/${asset}/location?history=${text}`, key)).json();
    expect(body).not.toHaveProperty("history");
  });

  it.each([
    1, 24, 72,
  ])("GET /assets/{asset_id}/location takes hours=%i, also without history", async (hours) => {
    await using t = await openTestApp();
    const { key, asset } = await site(t);
    t.live(asset);
    const response = await t.get(`${ASSETS}/${asset}/location?hours=${hours}`, key);
    expect(response.statusCode).toBe(200);
    expect(response.json()).not.toHaveProperty("history");
  });

  it.each([
    "hours=0",
    "hours=73",
    "hours=-1",
    "hours=abc",
    "hours=1.5",
    "hours=",
    "hours=1e1",
    "hours=%2024",
    "hours=24&hours=24",
    "history=maybe",
    "history=",
    "history=true&history=true",
    "max_points=3",
  ])("GET /assets/{asset_id}/location refuses ?%s with 400, with history or without", async (query) => {
    const { t } = shared;
    const { key, asset } = await site(t);
    t.live(asset);
    const alone = await t.get(`${ASSETS}/${asset}/location?${query}`, key);
    expect(alone.statusCode).toBe(400);
    expect(alone.json().error.code).toBe("invalid_parameter");
  });

  it("GET /location refuses a wrong parameter before it reads the asset", async () => {
    await using t = await openTestApp();
    const { key } = await site(t);
    const response = await t.get(`${ASSETS}/nobody/location?hours=73`, key);
    expect(response.statusCode).toBe(400);
  });

  it("GET /assets/{asset_id}/location answers 500 when the store is away, without saying which", async () => {
    await using t = await openTestApp();
    const { key, asset } = await site(t);
    t.live(asset);
    await t.get(ASSETS, key);
    t.telemetry.read = () => Promise.reject(new Error("connect ECONNREFUSED 10.0.0.7:5432"));
    const response = await t.get(`${ASSETS}/${asset}/location?history=true`, key);
    expect(response.statusCode).toBe(500);
    expect(response.json().error).toMatchObject({
      code: "internal_error",
      message: "Internal server error",
    });
  });
});

describe("every answer", () => {
  it("every answer carries the rate, a request id, Vary and Cache-Control", async () => {
    await using t = await openTestApp();
    const { key, asset } = await site(t);
    const urls = [ASSETS, `${ASSETS}?status=x`, `${ASSETS}/${asset}/location`, "/nowhere"];
    const statuses: number[] = [];
    for (const [i, url] of urls.entries()) {
      const { statusCode, headers } = await t.get(url, key);
      statuses.push(statusCode);
      expect(headers).toMatchObject({
        "x-ratelimit-limit": "1000",
        "x-ratelimit-remaining": String(999 - i),
        "x-ratelimit-reset": String(NOON_MS / 1_000 + 60),
        vary: expect.stringMatching(/^Accept, Authorization\b/),
        "cache-control": "private",
      });
      expect(headers["x-request-id"]).toMatch(/^req_/);
    }
    expect(statuses).toEqual([200, 400, 404, 404]);
  });
});
