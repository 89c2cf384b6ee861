import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Geofence, GeofenceList } from "../../../../api/equipment/geofences/geofence-schemas.ts";
import { DomainError } from "../../../../domain/errors.ts";
import type { GeofenceId, ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { inlined } from "../../../support/inlined-api.ts";
import { sharedTestApp } from "../../../support/shared-app.ts";

const GEOFENCES = "/api/v1/equipment/geofences";
const geo = { accept: "application/geo+json" };

/** Clockwise on the map: south-west, north-west, north-east, south-east; [latitude, longitude]. */
const YARD = [
  [0, 10],
  [0.001, 10],
  [0.001, 10.001],
  [0, 10.001],
];
/** 0.001 degrees of WGS 84 at the equator: 111.31949 m by 110.57428 m. */
const YARD_M2 = 12_309.07;

const geofence = Compile(Geofence);
const geofenceList = Compile(GeofenceList);

/** For tests that change nothing. */
let unchanged: TestApp;
beforeAll(async () => {
  unchanged = await openTestApp();
  await withProject(unchanged);
});
afterAll(() => unchanged[Symbol.asyncDispose]());

async function withProject(t: TestApp) {
  return t.project({ id: "p1" as ProjectId });
}

const yard = (change: object = {}) => ({
  name: "Yard",
  project_id: "p1",
  polygon: YARD,
  ...change,
});

describe("POST /geofences", () => {
  it("POST /geofences answers 201 with the contract's fields and what was assumed", async () => {
    await using t = await openTestApp();
    await withProject(t);
    const response = await t.send("POST", GEOFENCES, ADMIN_KEY, yard({ unknown: "ignored" }));
    const created = response.json();

    expect(response.statusCode).toBe(201);
    expect(response.headers.location).toBe(`${GEOFENCES}/${created.id}`);
    expect(created).toEqual({
      id: expect.stringMatching(/^gf_[0-9A-Za-z]{16}$/),
      name: "Yard",
      status: "active",
      area_sqm: expect.closeTo(YARD_M2, 0),
      shape: "polygon",
      project_id: "p1",
      kind: "zone",
      polygon: YARD,
      alert_on: ["both"],
      exit_buffer_m: 30,
      confirm_fixes: 2,
      min_dwell_s: 0,
      created_at: "2026-03-05T12:00:00.000Z",
      updated_at: "2026-03-05T12:00:00.000Z",
    });
    expect(created.area_sqm).toBe(Math.round(created.area_sqm * 100) / 100);
    expect(geofence.Check(created)).toBe(true);
    expect((await t.get(`${GEOFENCES}/${created.id}`, ADMIN_KEY)).json()).toEqual(created);
  });

  it.each([
    ["2026-03-02T12:00:00Z", "72 hours ago"],
    ["2026-03-05T13:00:00+01:00", "now, in another zone"],
  ])("POST /geofences puts a fence in force from valid_from on: %s, %s", async (validFrom) => {
    await using t = await openTestApp();
    await withProject(t);
    const body = yard({ id: "f1", valid_from: validFrom });
    const created = await t.send("POST", GEOFENCES, ADMIN_KEY, body);

    expect(created.json()).toMatchObject({ id: "f1", created_at: "2026-03-05T12:00:00.000Z" });
    expect(t.records.rows.fenceVersions).toMatchObject([
      { geofenceId: "f1", validFromMs: Date.parse(validFrom), validToMs: undefined },
    ]);
  });

  it.each([
    ["2026-03-05T12:00:00.001Z", "must not lie in the future"],
    ["2026-03-02T11:59:59.999Z", "must lie within the last 72 hours"],
    ["yesterday", "must match format"],
  ])("POST /geofences refuses valid_from %s before it reads the project: %s", async (validFrom, reason) => {
    const body = yard({ valid_from: validFrom, project_id: "nowhere" });
    const response = await unchanged.send("POST", GEOFENCES, ADMIN_KEY, body);

    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toEqual([
      { parameter: "valid_from", message: expect.stringContaining(reason) },
    ]);
  });

  it("POST /geofences keeps the outline as [longitude, latitude], closed, in force from now on", async () => {
    await using t = await openTestApp();
    await withProject(t);
    await t.send("POST", GEOFENCES, ADMIN_KEY, yard({ id: "f1" }));
    expect(t.records.rows.fenceVersions).toMatchObject([
      {
        geofenceId: "f1",
        ring: [
          [10, 0],
          [10, 0.001],
          [10.001, 0.001],
          [10.001, 0],
          [10, 0],
        ],
        validFromMs: NOON_MS,
      },
    ]);
  });

  it("POST /geofences takes an id, a kind and rules of its own", async () => {
    await using t = await openTestApp();
    await withProject(t);
    const rules = { exit_buffer_m: 12.5, confirm_fixes: 4, min_dwell_s: 60 };
    const body = yard({ id: "crane-zone", kind: "restricted", ...rules });
    const created = (await t.send("POST", GEOFENCES, ADMIN_KEY, body)).json();
    expect(created).toMatchObject({ id: "crane-zone", kind: "restricted", ...rules });
  });

  it.each([
    ["absent", undefined, ["both"]],
    ["a text", "enter", ["enter"]],
    ["an array", ["exit"], ["exit"]],
    ["an array with repeats", ["enter", "exit", "enter"], ["enter", "exit"]],
  ])("POST /geofences reads an alert_on that is %s", async (_name, alert_on, expected) => {
    await using t = await openTestApp();
    await withProject(t);
    const created = await t.send("POST", GEOFENCES, ADMIN_KEY, yard({ alert_on }));
    expect(created.json().alert_on).toEqual(expected);
  });

  it("POST /geofences updates the pipeline's fences before it answers", async () => {
    const known: number[] = [];
    const rows: { fences?: ReadonlyMap<GeofenceId, unknown> } = {};
    const fences = {
      async refresh() {
        known.push(rows.fences?.size ?? -1);
      },
    };
    await using t = await openTestApp({ fences });
    rows.fences = t.records.rows.fences;
    await withProject(t);
    await t.send("POST", GEOFENCES, ADMIN_KEY, yard({ id: "f1" }));
    await t.send("PATCH", `${GEOFENCES}/f1`, ADMIN_KEY, { name: "Gate" });
    await t.send("DELETE", `${GEOFENCES}/f1`, ADMIN_KEY);
    expect(known).toEqual([1, 1, 1]);
  });

  it("POST /geofences answers 201 for a fence that is stored although no follower could be notified", async () => {
    const fences = {
      refresh: () => Promise.reject(new DomainError("STORE_UNAVAILABLE", "away just now")),
    };
    await using t = await openTestApp({ fences });
    await withProject(t);
    const created = await t.send("POST", GEOFENCES, ADMIN_KEY, yard({ id: "f1" }));
    expect([created.statusCode, created.json().id]).toEqual([201, "f1"]);
    expect(t.records.rows.fences.size).toBe(1);
  });

  it("POST /geofences is done once under one Idempotency-Key", async () => {
    await using t = await openTestApp();
    await withProject(t);
    const once = { "idempotency-key": "k1" };
    const first = await t.send("POST", GEOFENCES, ADMIN_KEY, yard(), once);
    const again = await t.send("POST", GEOFENCES, ADMIN_KEY, yard(), once);
    const other = await t.send("POST", GEOFENCES, ADMIN_KEY, yard({ name: "Gate" }), once);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.json()).toEqual(first.json());
    // 409 is none of the contract's statuses.
    expect([other.statusCode, other.json().error.code]).toEqual([400, "invalid_request"]);
    expect(t.records.rows.fences.size).toBe(1);
  });

  it("a fence without alerts is made by an empty alert_on, of POST and of PATCH", async () => {
    await using t = await openTestApp();
    await withProject(t);
    await t.send("POST", GEOFENCES, ADMIN_KEY, yard({ id: "f1", alert_on: [] }));
    await t.send("POST", GEOFENCES, ADMIN_KEY, yard({ id: "f2" }));
    await t.send("PATCH", `${GEOFENCES}/f2`, ADMIN_KEY, { alert_on: [] });
    const { data } = (await t.get(GEOFENCES, ADMIN_KEY)).json();
    expect(data).toMatchObject([
      { id: "f1", alert_on: [] },
      { id: "f2", alert_on: [] },
    ]);
  });

  it("POST /geofences refuses an id that is taken with 400, also one of a fence that was removed", async () => {
    await using t = await openTestApp();
    await withProject(t);
    await t.send("POST", GEOFENCES, ADMIN_KEY, yard({ id: "f1" }));
    const taken = await t.send("POST", GEOFENCES, ADMIN_KEY, yard({ id: "f1" }));
    await t.send("DELETE", `${GEOFENCES}/f1`, ADMIN_KEY);
    const removed = await t.send("POST", GEOFENCES, ADMIN_KEY, yard({ id: "f1" }));
    for (const { statusCode, body } of [taken, removed]) {
      expect([statusCode, JSON.parse(body).error.code]).toEqual([400, "id_taken"]);
    }
  });

  it.each([
    ["no name", { name: undefined }, "name"],
    ["an empty name", { name: "" }, "name"],
    ["a name of 201 characters", { name: "x".repeat(201) }, "name"],
    ["no project", { project_id: undefined }, "project_id"],
    ["a project id with a slash", { project_id: "a/b" }, "project_id"],
    ["no polygon", { polygon: undefined }, "polygon"],
    ["an id with a slash", { id: "a/b" }, "id"],
    ["an unknown trigger", { alert_on: ["leave"] }, "alert_on"],
    ["a trigger that is null", { alert_on: null }, "alert_on"],
    ["a trigger in capitals", { alert_on: "ENTER" }, "alert_on"],
    ["an unknown kind", { kind: "circle" }, "kind"],
    ["a negative buffer", { exit_buffer_m: -1 }, "exit_buffer_m"],
    ["no fix to confirm", { confirm_fixes: 0 }, "confirm_fixes"],
    ["half a fix", { confirm_fixes: 1.5 }, "confirm_fixes"],
    ["a dwell of over a day", { min_dwell_s: 86_401 }, "min_dwell_s"],
    ["a dwell as text", { min_dwell_s: "60" }, "min_dwell_s"],
  ])("POST /geofences refuses %s with 400 and names the field", async (_name, change, parameter) => {
    const response = await unchanged.send("POST", GEOFENCES, ADMIN_KEY, yard(change));
    expect(response.statusCode).toBe(400);
    expect(response.json().error.code).toBe("invalid_parameter");
    const { details } = response.json().error;
    const named = details.map(
      (detail: { parameter: string; message: string }) => `${detail.parameter} ${detail.message}`,
    );
    expect(named.join("; ")).toContain(parameter);
    expect(unchanged.records.rows.fences.size).toBe(0);
  });

  it("POST /geofences answers 404 for a project that is absent or another tenant's, with one body", async () => {
    await using t = await openTestApp();
    await withProject(t);
    const key = await t.key({ project_ids: ["p2" as ProjectId] });
    const absent = await t.send("POST", GEOFENCES, key, yard({ project_id: "p3" }));
    const foreign = await t.send("POST", GEOFENCES, key, yard());
    const [a, b] = [absent.json().error, foreign.json().error];
    expect([absent.statusCode, foreign.statusCode]).toEqual([404, 404]);
    expect({ ...a, request_id: "" }).toEqual({ ...b, request_id: "" });
  });
});

describe("GET /geofences", () => {
  const shared = sharedTestApp();

  async function withFences(t: TestApp) {
    await withProject(t);
    await t.project({ id: "p2" as ProjectId });
    await t.send("POST", GEOFENCES, ADMIN_KEY, yard({ id: "f1" }));
    t.clock.ms += 1_000;
    await t.send("POST", GEOFENCES, ADMIN_KEY, yard({ id: "f2", kind: "boundary" }));
    t.clock.ms += 1_000;
    await t.send("POST", GEOFENCES, ADMIN_KEY, yard({ id: "f3", project_id: "p2" }));
  }

  const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

  it.each([
    ["", ["f1", "f2", "f3"]],
    ["?project_id=p1", ["f1", "f2"]],
    ["?kind=boundary", ["f2"]],
    ["?kind=boundary,zone&project_id=p1", ["f1", "f2"]],
    ["?status=active", ["f1", "f2", "f3"]],
    ["?limit=1&offset=1", ["f2"]],
  ])("%s lists the fences, oldest first", async (query, expected) => {
    await using t = await openTestApp();
    await withFences(t);
    const body = (await t.get(`${GEOFENCES}${query}`, ADMIN_KEY)).json();
    expect(idsOf(body)).toEqual(expected);
    expect(geofenceList.Check(body)).toBe(true);
  });

  it("GET /geofences has pages", async () => {
    await using t = await openTestApp();
    await withFences(t);
    const { pagination } = (await t.get(`${GEOFENCES}?limit=2`, ADMIN_KEY)).json();
    expect(pagination).toEqual({ page: 1, limit: 2, total: 3, has_more: true });
  });

  it.each([
    "kind=circle",
    "status=deleted",
    "limit=1001",
    "kind=zone&kind=zone",
    "project_id=a/b",
  ])("GET /geofences refuses ?%s with 400", async (query) => {
    const { t } = shared;
    expect((await t.get(`${GEOFENCES}?${query}`, ADMIN_KEY)).statusCode).toBe(400);
  });

  it("GET /geofences shows a key the fences of its projects only, and 404 for the others", async () => {
    await using t = await openTestApp();
    await withFences(t);
    const key = await t.key({ project_ids: ["p2" as ProjectId] });
    const list = (await t.get(GEOFENCES, key)).json();
    const statuses = [
      await t.get(`${GEOFENCES}/f3`, key),
      await t.get(`${GEOFENCES}/f1`, key),
      await t.get(`${GEOFENCES}/absent`, key),
      await t.get(`${GEOFENCES}/not%20an%20id`, key),
      await t.get(`${GEOFENCES}?project_id=p1`, key),
      await t.send("PATCH", `${GEOFENCES}/f1`, key, { name: "Mine" }),
      await t.send("DELETE", `${GEOFENCES}/f1`, key),
    ].map(({ statusCode }) => statusCode);
    expect(idsOf(list)).toEqual(["f3"]);
    expect(list.pagination.total).toBe(1);
    expect(statuses).toEqual([200, 404, 404, 404, 404, 404, 404]);
    expect(t.records.rows.fences.get("f1" as GeofenceId)?.name).toBe("Yard");
  });

  it("GET /geofences needs a key with the scope", async () => {
    await using t = await openTestApp();
    await withFences(t);
    const reader = await t.key({ scopes: ["equipment:read"] });
    const outsider = await t.key({ scopes: ["materials:read"] });
    expect((await t.get(GEOFENCES, undefined)).statusCode).toBe(401);
    expect((await t.get(GEOFENCES, outsider)).statusCode).toBe(403);
    expect((await t.send("DELETE", `${GEOFENCES}/f1`, reader)).statusCode).toBe(403);
  });

  it("GET /geofences is GeoJSON on request: [longitude, latitude], closed, counter-clockwise", async () => {
    await using t = await openTestApp();
    await withFences(t);
    const list = await t.get(`${GEOFENCES}?project_id=p2`, ADMIN_KEY, geo);
    const one = await t.get(`${GEOFENCES}/f3`, ADMIN_KEY, geo);
    expect(list.headers["content-type"]).toMatch(/^application\/geo\+json/);
    expect(one.headers["content-type"]).toMatch(/^application\/geo\+json/);
    expect(list.json()).toEqual({
      type: "FeatureCollection",
      features: [one.json()],
      pagination: { page: 1, limit: 100, total: 1, has_more: false },
    });
    expect(one.json()).toMatchObject({
      type: "Feature",
      id: "f3",
      geometry: {
        type: "Polygon",
        coordinates: [
          [
            [10, 0],
            [10.001, 0],
            [10.001, 0.001],
            [10, 0.001],
            [10, 0],
          ],
        ],
      },
      properties: { name: "Yard", kind: "zone", project_id: "p2", status: "active" },
    });
  });

  it("GET /geofences is CSV on request, the outline as WKT", async () => {
    await using t = await openTestApp();
    await withFences(t);
    const { body } = await t.get(`${GEOFENCES}?kind=boundary`, ADMIN_KEY, { accept: "text/csv" });
    const one = await t.get(`${GEOFENCES}/f2`, ADMIN_KEY, { accept: "text/csv" });
    expect(body).toMatch(
      /^id,name,status,area_sqm,project_id,kind,alert_on,exit_buffer_m,confirm_fixes,min_dwell_s,created_at,updated_at,polygon_wkt,shape,drawn_wkt,radius_m,width_m\r\nf2,Yard,active,12309\.\d{1,2},p1,boundary,both,30,2,0,2026-03-05T12:00:01\.000Z,2026-03-05T12:00:01\.000Z,"POLYGON\(\(10 0,10 0\.001,10\.001 0\.001,10\.001 0,10 0\)\)",polygon,,,\r\n$/,
    );
    expect(one.body).toBe(body);
  });
});

describe("PATCH /geofences/{id}", () => {
  it("PATCH /geofences/{id} changes what is named, and begins a version that is in force from now on", async () => {
    await using t = await openTestApp();
    await withProject(t);
    await t.send("POST", GEOFENCES, ADMIN_KEY, yard({ id: "f1", confirm_fixes: 3 }));
    t.clock.ms += 60_000;
    const half = YARD.map(([lat = 0, lng = 0]) => [lat / 2, lng]);
    const body = { polygon: half, alert_on: "exit", exit_buffer_m: 5, project_id: "p9" };
    const response = await t.send("PATCH", `${GEOFENCES}/f1`, ADMIN_KEY, body);

    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      name: "Yard",
      project_id: "p1",
      area_sqm: expect.closeTo(YARD_M2 / 2, 0),
      polygon: half,
      alert_on: ["exit"],
      exit_buffer_m: 5,
      confirm_fixes: 3,
      created_at: "2026-03-05T12:00:00.000Z",
      updated_at: "2026-03-05T12:01:00.000Z",
    });
    expect(
      t.records.rows.fenceVersions.map(({ validFromMs, validToMs }) => [validFromMs, validToMs]),
    ).toEqual([
      [NOON_MS, NOON_MS + 60_000],
      [NOON_MS + 60_000, undefined],
    ]);
  });

  it.each([
    ["an empty name", { name: "" }, "name"],
    ["null as name", { name: null }, "name"],
    ["null as polygon", { polygon: null }, "polygon"],
    ["two points", { polygon: YARD.slice(0, 2) }, "polygon"],
    ["latitude 91", { polygon: [...YARD, [91, 10]] }, "polygon[4]"],
  ])("PATCH /geofences refuses %s with 400 before it reads the fence", async (_name, body, parameter) => {
    const response = await unchanged.send("PATCH", `${GEOFENCES}/absent`, ADMIN_KEY, body);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details[0].parameter).toBe(parameter);
  });

  it("PATCH /geofences/{id} answers 404 for a fence that is not there", async () => {
    const response = await unchanged.send("PATCH", `${GEOFENCES}/absent`, ADMIN_KEY, {
      name: "Gate",
    });
    expect(response.statusCode).toBe(404);
  });
});

describe("DELETE /geofences/{id}", () => {
  it("DELETE /geofences/{id} answers 204, and ends the version in force", async () => {
    await using t = await openTestApp();
    await withProject(t);
    await t.send("POST", GEOFENCES, ADMIN_KEY, yard({ id: "f1" }));
    t.clock.ms += 60_000;
    const removed = await t.send("DELETE", `${GEOFENCES}/f1`, ADMIN_KEY);
    const read = await t.get(`${GEOFENCES}/f1`, ADMIN_KEY);
    const again = await t.send("DELETE", `${GEOFENCES}/f1`, ADMIN_KEY);
    expect([removed.statusCode, read.statusCode, again.statusCode]).toEqual([204, 404, 404]);
    expect((await t.get(GEOFENCES, ADMIN_KEY)).json().data).toEqual([]);
    expect(t.records.rows.fenceVersions[0]?.validToMs).toBe(NOON_MS + 60_000);
  });
});

describe("the OpenAPI description", () => {
  it("the OpenAPI description has the polygon as 3 to 1,001 pairs of latitude and longitude", async () => {
    await using t = await openTestApp();
    const { paths } = inlined((await t.app.inject("/openapi.json")).json());
    const { requestBody, responses } = paths[GEOFENCES].post;
    const [contract, ...own] = requestBody.content["application/json"].schema.anyOf;
    const { polygon } = contract.properties;
    expect(polygon).toMatchObject({ type: "array", minItems: 3, maxItems: 1_001 });
    expect(polygon.items).toMatchObject({
      prefixItems: [
        { minimum: -90, maximum: 90 },
        { minimum: -180, maximum: 180 },
      ],
      minItems: 2,
      maxItems: 2,
    });
    expect(contract.required).toEqual(["name", "project_id", "polygon"]);
    expect(own.map(({ required }: { required: string[] }) => required.at(-1))).toEqual([
      "circle",
      "corridor",
    ]);
    expect(Object.keys(responses)).toEqual(["201", "400", "401", "403", "404", "429", "500"]);
  });
});
