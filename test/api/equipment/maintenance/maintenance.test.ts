import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limitsOf } from "../../../../domain/equipment/maintenance.ts";
import type { AssetId, ProjectId } from "../../../../domain/ids.ts";
import {
  type MaintenanceView,
  NO_MAINTENANCE,
} from "../../../../ingest/stages/maintenance/maintenance-view.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";

const DAY = 86_400_000;
const iso = (ms: number) => new Date(ms).toISOString();

const PLAN = {
  services: [
    { item: "oil", name: "Engine oil", every_hours: 250, warn_at_percent: 80 },
    { item: "check", name: "Yearly check", every_days: 365 },
  ],
  limits: [{ id: "hot", field: "coolant_temperature_c", above: 105, clear_at: 100 }],
  faults: { info: [{ spn: 639 }] },
};

/** As it is answered: what the plan left open is filled in. */
const SHOWN_PLAN = {
  services: [PLAN.services[0], { ...PLAN.services[1], warn_at_percent: 90 }],
  limits: [{ ...PLAN.limits[0], for_s: 0, severity: "warning" }],
  faults: PLAN.faults,
};

/** A project `p1` with an excavator; `url` makes paths of it. */
async function openSite() {
  const t = await openTestApp();
  const project_id = await t.project({ id: "p1" as ProjectId });
  const id = await t.asset({ id: "ex-1" as AssetId, project_id });
  const asset = (rest: string) => `/api/v1/equipment/assets/${id}/${rest}`;
  const type = (name: string) => `/api/v1/equipment/projects/p1/maintenance-plans/${name}`;
  return { t, id, asset, type };
}

const put = (t: TestApp, url: string, body: object = PLAN) => t.send("PUT", url, ADMIN_KEY, body);

/** What live state knows of a machine with `hours` on its own meter and `own` by our sum. */
function metered(hours: number | undefined, own = 0): MaintenanceView {
  return {
    ...NO_MAINTENANCE,
    own: {
      hours: hours === undefined ? undefined : { shown: hours, atMs: NOON_MS, offset: 0 },
      km: undefined,
    },
    meters: {
      hours: { machine: hours, accumulated: own, isSummed: true },
      km: { machine: undefined, accumulated: 0, isSummed: true },
    },
  };
}

describe("maintenance plans", () => {
  it("maintenance plans are kept as they were put, without fields that mean nothing", async () => {
    const { t, asset } = await openSite();
    await using _ = t;
    const answer = await put(t, asset("maintenance-plan"), { ...PLAN, colour: "red" });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      ...SHOWN_PLAN,
      source: "asset",
      valid_from: expect.any(String),
    });
    const read = await t.get(asset("maintenance-plan"), ADMIN_KEY);
    expect(read.json()).toEqual(answer.json());
    // What was read can be put back.
    expect((await put(t, asset("maintenance-plan"), read.json())).statusCode).toBe(200);
  });

  it("maintenance plans of a type hold for its assets until they have one of their own, which wins whole", async () => {
    const { t, asset, type } = await openSite();
    await using _ = t;
    expect((await t.get(asset("maintenance-plan"), ADMIN_KEY)).statusCode).toBe(404);
    await put(t, type("excavator"));
    expect((await t.get(type("excavator"), ADMIN_KEY)).json()).toMatchObject(PLAN);
    expect((await t.get(asset("maintenance-plan"), ADMIN_KEY)).json()).toMatchObject({
      ...PLAN,
      source: "asset_type",
    });
    await put(t, asset("maintenance-plan"), {});
    expect((await t.get(asset("maintenance-plan"), ADMIN_KEY)).json()).toEqual({
      source: "asset",
      valid_from: expect.any(String),
    });
    expect((await t.send("DELETE", asset("maintenance-plan"), ADMIN_KEY)).statusCode).toBe(204);
    expect((await t.get(asset("maintenance-plan"), ADMIN_KEY)).json().source).toBe("asset_type");
    expect((await t.send("DELETE", asset("maintenance-plan"), ADMIN_KEY)).statusCode).toBe(404);
    expect((await t.send("DELETE", type("excavator"), ADMIN_KEY)).statusCode).toBe(204);
    expect((await t.get(type("excavator"), ADMIN_KEY)).statusCode).toBe(404);
  });

  it("maintenance plans may be of a type with any name", async () => {
    const { t, type } = await openSite();
    await using _ = t;
    const name = encodeURIComponent("Raupe / 20 t");
    expect((await put(t, type(name))).statusCode).toBe(200);
    expect((await t.get(type(name), ADMIN_KEY)).json()).toMatchObject(PLAN);
    const long = await put(t, type("x".repeat(65)));
    expect(long.statusCode).toBe(400);
    expect(long.json().error.details).toEqual([
      { parameter: "type", message: "must have 1 to 64 characters" },
    ]);
  });
});

describe("the status of an asset's maintenance", () => {
  it("the status of an asset's maintenance is empty without a plan", async () => {
    const { t, asset } = await openSite();
    await using _ = t;
    expect((await t.get(asset("maintenance"), ADMIN_KEY)).json()).toEqual({
      asset_id: "ex-1",
      status: "ok",
      services: [],
      limits: [],
      faults: [],
    });
  });

  it("the status of an asset's maintenance counts a machine's own meter from 0 where no service is known", async () => {
    const { t, id, asset } = await openSite();
    await using _ = t;
    await put(t, asset("maintenance-plan"));
    t.live(id, { maintenance: metered(205, 3) });
    expect((await t.get(asset("maintenance"), ADMIN_KEY)).json()).toMatchObject({
      status: "warning",
      plan_source: "asset",
      services: [
        {
          item: "oil",
          name: "Engine oil",
          status: "warning",
          used_percent: 82,
          intervals: [
            {
              unit: "hours",
              every: 250,
              used: 205,
              remaining: 45,
              used_percent: 82,
              source: "machine",
            },
          ],
        },
        {
          item: "check",
          status: "ok",
          intervals: [{ unit: "days", every: 365, source: "calendar" }],
        },
      ],
    });
  });

  it("the status of an asset's maintenance shows limits that are exceeded and faults with their names", async () => {
    const { t, id, asset } = await openSite();
    await using _ = t;
    await put(t, asset("maintenance-plan"));
    const [limit] = limitsOf(PLAN);
    if (limit === undefined) throw new Error("the plan has a limit");
    const published = { revision: 1, withdrawn: false };
    t.live(id, {
      maintenance: {
        ...NO_MAINTENANCE,
        exceedances: [
          {
            ...{ id: "exc_1", assetId: id, projectId: "p1" as ProjectId, ordinal: 0, limit },
            exceeded: { atMs: NOON_MS, value: 107.5, cause: "level" },
            cleared: undefined,
            published: { exceeded: published, cleared: { revision: 0, withdrawn: false } },
          },
        ],
        faults: [
          {
            code: { spn: 639, fmi: 2, source: 3, occurrence_count: 4 },
            sinceMs: NOON_MS - DAY,
            lastSeenMs: NOON_MS,
            occurrences: 2,
          },
        ],
      },
    });
    expect((await t.get(asset("maintenance"), ADMIN_KEY)).json()).toMatchObject({
      limits: [
        {
          id: "hot",
          name: "hot",
          field: "coolant_temperature_c",
          above: 105,
          clear_at: 100,
          severity: "warning",
          since: iso(NOON_MS),
          value: 107.5,
        },
      ],
      faults: [
        {
          source: 3,
          spn: 639,
          fmi: 2,
          occurrence_count: 4,
          spn_name: "J1939 network 1",
          fmi_name: "data erratic, intermittent or incorrect",
          severity: "info",
          occurrences: 2,
          since: iso(NOON_MS - DAY),
          last_seen: iso(NOON_MS),
        },
      ],
    });
  });
});

describe("services", () => {
  it("services are recorded with the meters of now, and start the interval anew at once", async () => {
    const { t, id, asset } = await openSite();
    await using _ = t;
    await put(t, asset("maintenance-plan"));
    t.live(id, {
      maintenance: metered(5_100),
      engineHours: { value: 5_100, source: "machine" },
      latest: {
        engine_hours: { value: 5_100, fixTimeMs: NOON_MS },
        odometer_km: { value: 812, fixTimeMs: NOON_MS },
      },
    });
    const answer = await t.send("POST", asset("services"), ADMIN_KEY, {
      item: "oil",
      note: "15W-40",
    });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^srv_[0-9A-Za-z]{16}$/),
      asset_id: "ex-1",
      project_id: "p1",
      item: "oil",
      serviced_at: iso(NOON_MS),
      recorded_at: iso(NOON_MS),
      engine_hours: 5_100,
      hours_source: "machine",
      odometer_km: 812,
      note: "15W-40",
    });
    const status = (await t.get(asset("maintenance"), ADMIN_KEY)).json();
    expect(status.services[0]).toMatchObject({
      status: "ok",
      used_percent: 0,
      counted_from: iso(NOON_MS),
      last_service_id: answer.json().id,
    });
  });

  it("services take the hours that a person states over those that the machine reports", async () => {
    const { t, id, asset } = await openSite();
    await using _ = t;
    await put(t, asset("maintenance-plan"));
    t.live(id, { maintenance: metered(5_100), engineHours: { value: 5_100, source: "machine" } });
    const body = { item: "oil", engine_hours: 4_890 };
    const answer = await t.send("POST", asset("services"), ADMIN_KEY, body);
    expect(answer.json()).toMatchObject({ engine_hours: 4_890, hours_source: "stated" });
    const status = (await t.get(asset("maintenance"), ADMIN_KEY)).json();
    expect(status.services[0].intervals).toMatchObject([{ used: 210, remaining: 40 }]);
  });

  it("services of a machine that sent fuel only have no hours of 0, and its interval says that nothing is known", async () => {
    const { t, id, asset } = await openSite();
    await using _ = t;
    await put(t, asset("maintenance-plan"));
    t.live(id, { maintenance: NO_MAINTENANCE, engineHours: undefined });
    const answer = await t.send("POST", asset("services"), ADMIN_KEY, { item: "oil" });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).not.toHaveProperty("engine_hours");
    expect(answer.json()).not.toHaveProperty("hours_source");
    const status = (await t.get(asset("maintenance"), ADMIN_KEY)).json();
    expect(status.services[0]).toMatchObject({
      used_percent: null,
      intervals: [
        {
          ...{ unit: "hours", used: null, remaining: null, used_percent: null },
          reason: "no hour meter was reported, and no time in which the engine ran or stood",
        },
      ],
    });
  });

  it("services in the past are looked up in the machine's readings", async () => {
    const { t, id, asset } = await openSite();
    await using _ = t;
    await put(t, asset("maintenance-plan"));
    t.live(id, {
      engineHours: { value: 5_100, source: "machine" },
      latest: { engine_hours: { value: 5_100, fixTimeMs: NOON_MS } },
    });
    const point = (daysBack: number, fields: Record<string, number>) => ({
      ...{ assetId: id, projectId: "p1" as ProjectId, seq: -1, payloadHash: 1 },
      fixTimeMs: NOON_MS - daysBack * DAY,
      fields,
    });
    await t.telemetry.write(
      [
        point(20, { engine_hours: 4_700 }),
        point(10.5, { engine_hours: 4_950 }),
        point(10.25, { speed_kmh: 1 }),
        point(9, { engine_hours: 4_960 }),
      ],
      { journalId: "j", sequence: 1 },
    );
    const at = async (daysBack: number) =>
      (
        await t.send("POST", asset("services"), ADMIN_KEY, {
          item: "oil",
          serviced_at: iso(NOON_MS - daysBack * DAY),
        })
      ).json();
    expect(await at(10)).toMatchObject({ engine_hours: 4_950, hours_source: "machine" });
    expect(await at(15)).toMatchObject({ engine_hours: 4_700 });
    const unknown = await at(25);
    expect(unknown).not.toHaveProperty("engine_hours");
    expect(unknown).not.toHaveProperty("hours_source");
  });

  it("services of a machine without a meter are counted by our sum up to the midnight before", async () => {
    const { t, id, asset } = await openSite();
    await using _ = t;
    await put(t, asset("maintenance-plan"));
    const day = (date: string, hours: number) => ({
      ...{ assetId: id, projectId: "p1" as ProjectId, day: date },
      ...{ workingS: 0, overtimeS: 0, distanceM: 0, engineOnS: hours * 3_600 },
    });
    t.records.rows.days.push(day("2026-03-01", 10), day("2026-03-03", 6), day("2026-03-05", 4));
    t.live(id, { engineHours: { value: 20, source: "accumulated" } });
    const now = await t.send("POST", asset("services"), ADMIN_KEY, { item: "oil" });
    expect(now.json()).toMatchObject({ engine_hours: 20, hours_source: "accumulated" });
    const body = { item: "oil", serviced_at: "2026-03-03T15:00:00Z" };
    const back = await t.send("POST", asset("services"), ADMIN_KEY, body);
    expect(back.json()).toMatchObject({ engine_hours: 10, hours_source: "accumulated" });
  });

  it("services recorded late do not move an interval that a later one began", async () => {
    const { t, asset } = await openSite();
    await using _ = t;
    await put(t, asset("maintenance-plan"));
    const latest = await t.send("POST", asset("services"), ADMIN_KEY, { item: "check" });
    const body = { item: "check", serviced_at: iso(NOON_MS - 100 * DAY) };
    await t.send("POST", asset("services"), ADMIN_KEY, body);
    const status = (await t.get(asset("maintenance"), ADMIN_KEY)).json();
    expect(status.services[1].last_service_id).toBe(latest.json().id);
  });

  it("services of an asset without a plan have no interval to start", async () => {
    const { t, asset } = await openSite();
    await using _ = t;
    const answer = await t.send("POST", asset("services"), ADMIN_KEY, { item: "oil" });
    expect(answer.json().error.details[0].message).toBe(
      "names no service: the asset's plan has none",
    );
  });

  it("services are recorded once under one Idempotency-Key", async () => {
    const { t, asset } = await openSite();
    await using _ = t;
    await put(t, asset("maintenance-plan"));
    const post = () =>
      t.send("POST", asset("services"), ADMIN_KEY, { item: "oil" }, { "idempotency-key": "k1" });
    const first = await post();
    expect((await post()).json()).toEqual(first.json());
    expect(t.records.rows.services).toHaveLength(1);
  });

  it("services are listed newest first, by item and page, also as CSV", async () => {
    const { t, asset } = await openSite();
    await using _ = t;
    await put(t, asset("maintenance-plan"));
    for (const [daysBack, item] of [
      [3, "oil"],
      [1, "check"],
      [2, "oil"],
    ] as const) {
      const body = {
        item,
        serviced_at: iso(NOON_MS - daysBack * DAY),
        engine_hours: 100 - daysBack,
      };
      await t.send("POST", asset("services"), ADMIN_KEY, body);
    }
    const all = (await t.get(asset("services"), ADMIN_KEY)).json();
    expect(all.data.map((row: { engine_hours: number }) => row.engine_hours)).toEqual([99, 98, 97]);
    expect(all.pagination).toEqual({ page: 1, limit: 100, total: 3, has_more: false });
    const oil = (await t.get(asset("services?item=oil&limit=1"), ADMIN_KEY)).json();
    expect(oil.data).toMatchObject([{ item: "oil", engine_hours: 98 }]);
    expect(oil.pagination).toMatchObject({ total: 2, has_more: true });
    const csv = await t.get(asset("services?item=check"), ADMIN_KEY, { accept: "text/csv" });
    expect(csv.body.split("\r\n").slice(0, 2)).toEqual([
      "id,asset_id,project_id,item,serviced_at,recorded_at,engine_hours,hours_source,odometer_km,note",
      expect.stringMatching(
        /^srv_\w{16},ex-1,p1,check,2026-03-04T12:00:00.000Z,2026-03-05T12:00:00.000Z,99,stated,,$/,
      ),
    ]);
  });
});

describe("refusals", () => {
  let site: Awaited<ReturnType<typeof openSite>>;
  beforeAll(async () => {
    site = await openSite();
    await put(site.t, site.asset("maintenance-plan"));
  });
  afterAll(() => site.t[Symbol.asyncDispose]());

  it.each([
    [{ services: [{ item: "oil", name: "Oil" }] }, "services.0", /"oil" needs every_hours/],
    [{ limits: [{ id: "hot", field: "t", above: 1, clear_at: 2 }] }, "limits.0.clear_at", /"hot"/],
    [{ limits: [{ id: "hot", field: "t", above: "1" }] }, "limits.0.above", /number/],
    [{ services: "none" }, "services", /array/],
  ])("a plan that is wrong is refused by the name of the entry: %j", async (body, parameter, message) => {
    for (const url of [site.asset("maintenance-plan"), site.type("excavator")]) {
      const answer = await put(site.t, url, body);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error.details[0]).toEqual({
        parameter,
        message: expect.stringMatching(message),
      });
    }
  });

  it.each([
    [{ item: "tyres" }, "item", "must be a service of the asset's plan: oil, check"],
    [{ item: "oil", serviced_at: iso(NOON_MS + 1) }, "serviced_at", "must not be in the future"],
    [{ item: "oil", engine_hours: -1 }, "engine_hours", "must be >= 0"],
    [{}, "item", "is required"],
  ])("a service that cannot be is refused: %j", async (body, parameter, message) => {
    const answer = await site.t.send("POST", site.asset("services"), ADMIN_KEY, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.details[0]).toEqual({ parameter, message });
  });
});

describe("a key", () => {
  it("a key sees nothing of another project's machines, and changes nothing with read access only", async () => {
    const { t, asset, type } = await openSite();
    await using _ = t;
    await put(t, asset("maintenance-plan"));
    await put(t, type("excavator"));
    const foreign = await t.key({ project_ids: [await t.project()] });
    const reader = await t.key({ scopes: ["equipment:read"] });
    for (const url of [
      asset("maintenance-plan"),
      asset("maintenance"),
      asset("services"),
      type("excavator"),
    ]) {
      expect((await t.get(url, foreign)).statusCode, url).toBe(404);
      expect((await t.get(url, reader)).statusCode, url).toBe(200);
    }
    for (const url of [asset("maintenance-plan"), type("excavator")]) {
      expect((await t.send("PUT", url, foreign, {})).statusCode).toBe(404);
      expect((await t.send("DELETE", url, foreign)).statusCode).toBe(404);
      expect((await t.send("PUT", url, reader, {})).statusCode).toBe(403);
      expect((await t.send("DELETE", url, reader)).statusCode).toBe(403);
    }
    expect((await t.send("POST", asset("services"), foreign, { item: "oil" })).statusCode).toBe(
      404,
    );
    expect((await t.send("POST", asset("services"), reader, { item: "oil" })).statusCode).toBe(403);
  });
});
