import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  Stockpile,
  StockpileList,
} from "../../../../api/materials/stockpiles/stockpile-schemas.ts";
import type { ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import {
  createStockpile,
  FOOTPRINT,
  newStockpile,
  STOCKPILES,
  withProjects,
} from "../../../support/stockpile-site.ts";

const stockpile = Compile(Stockpile);
const stockpileList = Compile(StockpileList);

/** For tests that change nothing. */
let unchanged: TestApp;
beforeAll(async () => {
  unchanged = await openTestApp();
  await withProjects(unchanged);
  await createStockpile(unchanged, { id: "gravel-1", material: "Gravel", footprint: FOOTPRINT });
  unchanged.clock.ms += 1_000;
  await createStockpile(unchanged, {
    id: "sand-1",
    material: "=Sand, washed",
    current_volume_m3: 523.6,
    density_t_per_m3: 1.6,
    measured_at: "2026-03-01T08:00:00+01:00",
    base: { method: "level", height_m: -2.5 },
  });
  await createStockpile(unchanged, { id: "gravel-2", material: "GRAVEL", project_id: "p2" });
});
afterAll(() => unchanged[Symbol.asyncDispose]());

const list = (query: string, headers: Record<string, string> = {}) =>
  unchanged.get(`${STOCKPILES}${query}`, ADMIN_KEY, headers);

const post = (change: object) =>
  unchanged.send("POST", STOCKPILES, ADMIN_KEY, newStockpile(change));

describe("POST /stockpiles", () => {
  it("POST /stockpiles answers 201 with the contract's fields and what was assumed", async () => {
    await using t = await openTestApp();
    await withProjects(t);
    const response = await t.send("POST", STOCKPILES, ADMIN_KEY, newStockpile({ unknown: 1 }));
    const created = response.json();

    expect(response.statusCode).toBe(201);
    expect(response.headers.location).toBe(`${STOCKPILES}/${created.id}`);
    expect(created).toEqual({
      id: expect.stringMatching(/^stk_[0-9A-Za-z]{16}$/),
      material: "Gravel 16/32",
      location: "Bay 3",
      current_volume_m3: 0,
      max_capacity_m3: 2_500,
      last_measured: "2026-03-05T12:00:00.000Z",
      status: "empty",
      project_id: "p1",
      volume_basis: "none",
      is_outdated: false,
      thresholds: { empty_percent: 2, low_percent: 20, full_percent: 95 },
      footprint_status: "none",
      base: { method: "plane" },
      created_at: "2026-03-05T12:00:00.000Z",
      updated_at: "2026-03-05T12:00:00.000Z",
    });
    expect(Object.keys(created).slice(0, 7)).toEqual([
      "id",
      "material",
      "location",
      "current_volume_m3",
      "max_capacity_m3",
      "last_measured",
      "status",
    ]);
    expect(stockpile.Check(created)).toBe(true);
    expect((await t.get(`${STOCKPILES}/${created.id}`, ADMIN_KEY)).json()).toEqual(created);
  });

  it("POST /stockpiles takes everything that a person may say, volumes to the litre", async () => {
    await using t = await openTestApp();
    await withProjects(t);
    const fence = { id: "bay-3", name: "Bay 3", project_id: "p1", polygon: FOOTPRINT };
    await t.send("POST", "/api/v1/equipment/geofences", ADMIN_KEY, fence);
    const given = {
      id: "bay-3-gravel",
      density_t_per_m3: 1.65,
      footprint: FOOTPRINT,
      base: { method: "level", height_m: 12.25 },
      geofence_id: "bay-3",
    };
    const created = await createStockpile(t, {
      ...given,
      max_capacity_m3: 800.123_456,
      current_volume_m3: 100.000_4,
      measured_at: "2026-03-04T10:30:00+02:00",
      thresholds: { low_percent: 12.5 },
    });
    expect(created).toMatchObject({
      ...given,
      max_capacity_m3: 800.123,
      current_volume_m3: 100,
      last_measured: "2026-03-04T08:30:00.000Z",
      // 100 of 800.123 m3 are 12.498 %.
      status: "low",
      tonnes: 165,
      thresholds: { empty_percent: 2, low_percent: 12.5, full_percent: 95 },
      footprint_status: "confirmed",
    });
    expect(stockpile.Check(created)).toBe(true);
  });

  it.each([
    [0, "empty"],
    [49.999, "empty"],
    [50, "low"],
    [499.999, "low"],
    [500, "adequate"],
    [2_374.999, "adequate"],
    [2_375, "full"],
    [9_000, "full"],
  ])("the status of a stockpile of %d m3 of 2,500 is %s", async (current_volume_m3, status) => {
    expect((await post({ current_volume_m3, project_id: "p2" })).json().status).toBe(status);
  });

  it("POST /stockpiles refuses an id that is taken with 409, also by another tenant's or a deleted one", async () => {
    await using t = await openTestApp();
    await withProjects(t);
    await createStockpile(t, { id: "s1", project_id: "p2" });
    await createStockpile(t, { id: "s2" });
    await t.send("DELETE", `${STOCKPILES}/s2`, ADMIN_KEY);
    const key = await t.key({ scopes: ["materials:write"], project_ids: ["p1" as ProjectId] });
    for (const id of ["s1", "s2"]) {
      const answer = await t.send("POST", STOCKPILES, key, newStockpile({ id }));
      expect([answer.statusCode, answer.json().error.code]).toEqual([409, "id_taken"]);
    }
  });

  it.each([
    ["material", { material: "" }, "must not have fewer than 1 characters"],
    ["material", { material: 7 }, "must be string"],
    ["location", { location: "x".repeat(201) }, "must not have more than 200 characters"],
    ["max_capacity_m3", { max_capacity_m3: 0 }, "must be >= 0.001"],
    ["max_capacity_m3", { max_capacity_m3: 1e10 }, "must be <= 1000000000"],
    ["max_capacity_m3", { max_capacity_m3: "2500" }, "must be number"],
    ["max_capacity_m3", { max_capacity_m3: undefined }, "is required"],
    ["current_volume_m3", { current_volume_m3: -0.001 }, "must be >= 0"],
    ["current_volume_m3", { current_volume_m3: null }, "must be number"],
    ["measured_at", { measured_at: "2026-03-05T12:00:01.001Z" }, "must not lie in the future"],
    ["measured_at", { measured_at: "yesterday" }, 'must match format "date-time"'],
    ["measured_at", { measured_at: "1969-12-31T23:59:59Z" }, "of the years 1970 to 9999"],
    ["density_t_per_m3", { density_t_per_m3: 0 }, "must be >= 0.001"],
    ["density_t_per_m3", { density_t_per_m3: 25.1 }, "must be <= 25"],
    ["thresholds.low_percent", { thresholds: { low_percent: 101 } }, "must be <= 100"],
    [
      "thresholds.low_percent",
      { thresholds: { low_percent: 2 } },
      "must be above empty_percent: 2 is not above 2",
    ],
    [
      "thresholds.full_percent",
      { thresholds: { full_percent: 20 } },
      "must be above low_percent: 20 is not above 20",
    ],
    ["footprint", { footprint: "here" }, "must be an array of [latitude, longitude] pairs"],
    ["footprint", { footprint: null }, "must be an array of [latitude, longitude] pairs, not null"],
    [
      "footprint[1]",
      {
        footprint: [
          [53, 9],
          [153, 9.9],
          [53, 9.1],
        ],
      },
      "latitude of 153",
    ],
    [
      "footprint[2]",
      {
        footprint: [
          [53, 9],
          [53.1, 9.1],
          [53, 9.1],
          [53.1, 9],
        ],
      },
      "crosses",
    ],
    [
      "footprint",
      {
        footprint: [
          [53, 9],
          [53, 9.1],
          [53.1, 9],
        ],
      },
      "has at most 1000000 m2",
    ],
    ["footprint", { footprint: Array(5_000).fill([53, 9]) }, "3 to 1000"],
    ["base", { base: "plane" }, "must be an object with a method, not a string"],
    ["base", { base: null }, "not null"],
    ["base.method", { base: {} }, "must be one of plane, tin, survey, level"],
    ["base.method", { base: { method: "constructor" } }, "must be one of"],
    ["base.height_m", { base: { method: "level" } }, "is required for the method level"],
    [
      "base.height_m",
      { base: { method: "level", height_m: 10_001 } },
      "must be a number of metres, -1000 to 10000, not 10001",
    ],
    ["base.height_m", { base: { method: "level", height_m: "3" } }, "not a string"],
    ["base.surface_url", { base: { method: "survey" } }, "is required for the method survey"],
    ["base.surface_url", { base: { method: "survey", surface_url: 7 } }, "not a number"],
    [
      "base.surface_url",
      { base: { method: "survey", surface_url: "https://site.test/files/images/a.tif" } },
      "must be an address that POST /progress/images gave",
    ],
    ["geofence_id", { geofence_id: "absent" }, "names no geofence of the stockpile's project"],
    ["geofence_id", { geofence_id: "../x" }, "must match pattern"],
    ["id", { id: "a/b" }, "must match pattern"],
    ["project_id", { project_id: undefined }, "is required"],
  ])("POST /stockpiles refuses a wrong %s and names it: %j", async (parameter, change, message) => {
    const response = await post(change);
    expect(response.statusCode).toBe(400);
    const { code, details } = response.json().error;
    expect(code).toBe("invalid_parameter");
    expect(details[0]).toEqual({ parameter, message: expect.stringContaining(message) });
  });

  it("POST /stockpiles refuses a body that is not an object, and values that are not numbers", async () => {
    for (const payload of ["[]", "7", '{"max_capacity_m3":1e999}', '{"footprint":[[1e999,0]]}']) {
      const response = await unchanged.app.inject({
        method: "POST",
        url: STOCKPILES,
        headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
        payload,
      });
      expect([payload, response.statusCode]).toEqual([payload, 400]);
    }
  });

  it("POST /stockpiles does not name a geofence of another project, whoever asks", async () => {
    await using t = await openTestApp();
    await withProjects(t);
    const fence = { id: "g2", name: "Bay", project_id: "p2", polygon: FOOTPRINT };
    await t.send("POST", "/api/v1/equipment/geofences", ADMIN_KEY, fence);
    const key = await t.key({ scopes: ["materials:write"], project_ids: ["p1" as ProjectId] });
    const answers = [
      await t.send("POST", STOCKPILES, ADMIN_KEY, newStockpile({ geofence_id: "g2" })),
      await t.send("POST", STOCKPILES, key, newStockpile({ geofence_id: "g2" })),
      await t.send("POST", STOCKPILES, key, newStockpile({ geofence_id: "absent" })),
    ];
    const message = "geofence_id names no geofence of the stockpile's project";
    expect(answers.map((answer) => [answer.statusCode, answer.json().error.message])).toEqual(
      answers.map(() => [400, message]),
    );
  });
});

describe("GET /stockpiles", () => {
  it("GET /stockpiles has the stockpiles of the project, oldest first, and no pagination unless asked", async () => {
    const response = await list("?project_id=p1");
    const body = response.json();
    const [gravel, sand] = body.data;
    expect(response.statusCode).toBe(200);
    expect(Object.keys(body)).toEqual(["data"]);
    expect([gravel.id, sand.id]).toEqual(["gravel-1", "sand-1"]);
    expect(gravel.footprint).toEqual(FOOTPRINT);
    expect(sand).toMatchObject({
      current_volume_m3: 523.6,
      last_measured: "2026-03-01T07:00:00.000Z",
      status: "adequate",
      // 523.6 m3 of 1.6 t.
      tonnes: 837.76,
    });
    expect(stockpileList.Check(body)).toBe(true);
    expect(response.body).not.toContain("null");
  });

  it.each([
    ["&limit=1", ["gravel-1"], { page: 1, limit: 1, total: 2, has_more: true }],
    ["&limit=1&offset=1", ["sand-1"], { page: 2, limit: 1, total: 2, has_more: false }],
    ["&offset=9", [], { page: 1, limit: 20, total: 2, has_more: false }],
  ])("GET /stockpiles with %s returns one page and its place in the list", async (query, ids, pagination) => {
    const body = (await list(`?project_id=p1${query}`)).json();
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(body.pagination).toEqual(pagination);
    expect(stockpileList.Check(body)).toBe(true);
  });

  it.each([
    ["gravel", ["gravel-1"]],
    ["GRAVEL", ["gravel-1"]],
    ["grav", []],
    ["%25", []],
  ])("GET /stockpiles filters by material in any case: %s", async (material, ids) => {
    const { data } = (await list(`?project_id=p1&material_type=${material}`)).json();
    expect(data.map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  it.each([
    ["", "project_id", "is required"],
    ["?project_id=p1&project_id=p2", "project_id", "must be given once"],
    ["?project_id=a%2Fb", "project_id", "must match pattern"],
    ["?project_id=p1&material_type=", "material_type", "must not have fewer than 1 characters"],
    ["?project_id=p1&limit=101", "limit", "must be <= 100"],
    ["?project_id=p1&limit=0", "limit", "must be >= 1"],
    ["?project_id=p1&offset=-1", "offset", "must be >= 0"],
  ])("GET /stockpiles refuses %s with 400", async (query, parameter, message) => {
    const response = await list(query);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details[0]).toEqual({
      parameter,
      message: expect.stringContaining(message),
    });
  });

  it("GET /stockpiles names unknown parameters, and answers all the same", async () => {
    const response = await list("?project_id=p1&material=gravel");
    expect(response.statusCode).toBe(200);
    expect(response.headers["x-ignored-parameters"]).toBe("material");
  });

  it("GET /stockpiles is GeoJSON on request: [longitude, latitude], and null where nothing was drawn", async () => {
    const response = await list("?project_id=p1&limit=9", { accept: "application/geo+json" });
    const { type, features, pagination } = response.json();
    expect(response.headers["content-type"]).toMatch(/^application\/geo\+json/);
    expect([type, pagination.total]).toEqual(["FeatureCollection", 2]);
    expect(features).toMatchObject([
      {
        type: "Feature",
        id: "gravel-1",
        geometry: {
          type: "Polygon",
          coordinates: [
            [
              [9.9, 53.5],
              [9.9002, 53.5],
              [9.9002, 53.5002],
              [9.9, 53.5002],
              [9.9, 53.5],
            ],
          ],
        },
        properties: { material: "Gravel", status: "empty" },
      },
      { type: "Feature", id: "sand-1", geometry: null, properties: { base: { height_m: -2.5 } } },
    ]);
    expect(features[0].properties).not.toHaveProperty("footprint");
  });

  it("GET /stockpiles is CSV on request, formulas disarmed and the footprint as WKT", async () => {
    const response = await list("?project_id=p1", { accept: "text/csv" });
    const [header, gravel, sand] = response.body.split("\r\n");
    expect(response.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(header).toMatch(
      /^id,material,location,current_volume_m3,max_capacity_m3,last_measured,status,/,
    );
    expect(gravel).toContain(
      '"POLYGON((9.9 53.5,9.9 53.5002,9.9002 53.5002,9.9002 53.5,9.9 53.5))"',
    );
    expect(sand).toContain(
      `sand-1,"'=Sand, washed",Bay 3,523.6,2500,2026-03-01T07:00:00.000Z,adequate,p1,declared,false,,,837.76,1.6,none,level,`,
    );
  });
});

describe("GET /stockpiles/{stockpile_id}", () => {
  it("GET /stockpiles/{stockpile_id} is one of the list, also as GeoJSON and as CSV", async () => {
    const url = `${STOCKPILES}/gravel-1`;
    const { data } = (await list("?project_id=p1")).json();
    expect((await unchanged.get(url, ADMIN_KEY)).json()).toEqual(data[0]);
    const geo = await unchanged.get(url, ADMIN_KEY, { accept: "application/geo+json" });
    expect(geo.json()).toMatchObject({ type: "Feature", geometry: { type: "Polygon" } });
    const csv = await unchanged.get(url, ADMIN_KEY, { accept: "text/csv" });
    expect(csv.body.split("\r\n")).toHaveLength(3);
  });

  it.each([
    "absent",
    "a%2Fb",
    "%00",
    "x".repeat(65),
    "..",
  ])("GET /stockpiles/{stockpile_id} answers 404 for %s", async (id) => {
    const response = await unchanged.get(`${STOCKPILES}/${id}`, ADMIN_KEY);
    expect(response.statusCode).toBe(404);
    expect(response.json().error).toMatchObject({ code: "not_found", message: "Not found" });
  });

  it("GET /stockpiles/{stockpile_id} needs a key with the scope, and is of the key's projects alone", async () => {
    await using t = await openTestApp();
    await withProjects(t);
    await createStockpile(t, { id: "s1" });
    const other = await t.key({ scopes: ["equipment:read", "progress:write"] });
    const reader = await t.key({ scopes: ["materials:read"] });
    const writer = await t.key({ scopes: ["materials:write"] });
    const foreign = await t.key({
      scopes: ["materials:read", "materials:write"],
      project_ids: ["p2" as ProjectId],
    });
    const answers = [
      await t.get(`${STOCKPILES}?project_id=p1`, other),
      await t.get(`${STOCKPILES}?project_id=p1`, writer),
      await t.send("POST", STOCKPILES, reader, newStockpile()),
      await t.get(`${STOCKPILES}?project_id=p1`, foreign),
      await t.get(`${STOCKPILES}/s1`, foreign),
      await t.send("POST", STOCKPILES, foreign, newStockpile()),
      await t.send("PATCH", `${STOCKPILES}/s1`, foreign, { material: "x" }),
      await t.send("DELETE", `${STOCKPILES}/s1`, foreign),
      await t.get(`${STOCKPILES}/s1`, reader),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([
      403, 403, 403, 404, 404, 404, 404, 404, 200,
    ]);
  });
});
