import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Zone, ZoneList } from "../../../../api/progress/zones/zone-schemas.ts";
import type { ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import {
  createZone,
  newZone,
  withZoneProjects,
  ZONE_POLYGON,
  ZONES,
} from "../../../support/zone-site.ts";

const zone = Compile(Zone);
const zoneList = Compile(ZoneList);
const NOON = "2026-03-05T12:00:00.000Z";

/** For tests that change nothing. */
let unchanged: TestApp;
beforeAll(async () => {
  unchanged = await openTestApp();
  await withZoneProjects(unchanged);
  await createZone(unchanged, { id: "south" });
  unchanged.clock.ms += 1_000;
  await createZone(unchanged, {
    id: "inside",
    name: "=Ausbau, 2. OG",
    metric: {
      kind: "stages",
      stages: [
        { name: "framing", credit: 20 },
        { name: "paint", credit: 100 },
      ],
    },
    polygon: undefined,
    weight: 2.5,
    declared_progress: 12.5,
    declared_at: "2026-03-01T08:00:00+01:00",
    activities: { codes: ["A", "B"], names: ["Ausbau*"] },
  });
  await createZone(unchanged, { id: "other", project_id: "p2", metric: { kind: "manual" } });
});
afterAll(() => unchanged[Symbol.asyncDispose]());

const list = (query: string, headers: Record<string, string> = {}) =>
  unchanged.get(`${ZONES}${query}`, ADMIN_KEY, headers);

const post = (change: object) => unchanged.send("POST", ZONES, ADMIN_KEY, newZone(change));

describe("POST /progress/zones", () => {
  it("POST /progress/zones answers 201 with the zone and what was assumed", async () => {
    await using t = await openTestApp();
    await withZoneProjects(t);
    const response = await t.send("POST", ZONES, ADMIN_KEY, newZone({ unknown: 1 }));
    const created = response.json();
    expect(response.statusCode).toBe(201);
    expect(response.headers.location).toBe(`${ZONES}/${created.id}`);
    expect(created).toEqual({
      id: expect.stringMatching(/^zon_[0-9A-Za-z]{16}$/),
      project_id: "p1",
      name: "Baufeld Süd",
      polygon: ZONE_POLYGON,
      metric: { kind: "fill" },
      declared_progress: 0,
      declared_at: NOON,
      activities: { codes: [], wbs: [], names: [] },
      created_at: NOON,
      updated_at: NOON,
    });
    expect(zone.Check(created)).toBe(true);
    expect((await t.get(`${ZONES}/${created.id}`, ADMIN_KEY)).json()).toEqual(created);
  });

  it("POST /progress/zones takes every metric with what belongs to it", async () => {
    await using t = await openTestApp();
    await withZoneProjects(t);
    const levels = [
      { name: "EG", top_m: 3.2 },
      { name: "1. OG", top_m: 6.4, weight: 2 },
    ];
    const made = await createZone(t, { metric: { kind: "height", levels, tolerance_m: 0.15 } });
    expect(made.metric).toEqual({
      kind: "height",
      levels: [{ name: "EG", top_m: 3.2, weight: 1 }, levels[1]],
      tolerance_m: 0.15,
    });
    for (const kind of ["fill", "cut", "area"]) {
      const metric = { kind, tolerance_m: 0.05 };
      expect((await createZone(t, { metric })).metric).toEqual(metric);
    }
    for (const kind of ["image", "manual"]) {
      const { metric, polygon } = await createZone(t, { metric: { kind }, polygon: undefined });
      expect([metric, polygon]).toEqual([{ kind }, undefined]);
    }
  });

  it.each([
    [{ project_id: undefined }, "project_id", /required/],
    [{ name: "" }, "name", /characters/],
    [{ name: "a\nb" }, "name", /pattern/],
    [
      { metric: { kind: "height", levels: [{ name: "a\0", top_m: 3 }] } },
      "metric.levels[0].name",
      /1 to 200 characters, on one line/,
    ],
    [{ metric: undefined }, "metric", /is required/],
    [{ metric: "fill" }, "metric", /must be an object, not a string/],
    [{ metric: { kind: "bim" } }, "metric.kind", /must be one of fill, cut, height/],
    [
      { metric: { kind: "fill", levels: [] } },
      "metric.levels",
      /goes with the kind height, not with fill/,
    ],
    [
      { metric: { kind: "manual", tolerance_m: 1 } },
      "metric.tolerance_m",
      /goes with the kind fill, cut/,
    ],
    [{ metric: { kind: "area", tolerance_m: 0 } }, "metric.tolerance_m", /0.001 to 10, not 0/],
    [{ metric: { kind: "area", tolerance_m: "1" } }, "metric.tolerance_m", /not a string/],
    [{ metric: { kind: "height" } }, "metric.levels", /is required for the kind height/],
    [
      { metric: { kind: "height", levels: [] } },
      "metric.levels",
      /array of 1 to 200, not an array of 0/,
    ],
    [
      { metric: { kind: "height", levels: [7] } },
      "metric.levels[0]",
      /must be an object, not a number/,
    ],
    [
      { metric: { kind: "height", levels: [{ name: "a", top_m: 0 }] } },
      "metric.levels[0].top_m",
      /above 0, at most 10000, not 0/,
    ],
    [
      {
        metric: {
          kind: "height",
          levels: [
            { name: "a", top_m: 3 },
            { name: "b", top_m: 3 },
          ],
        },
      },
      "metric.levels[1].top_m",
      /must rise: 3 is not above 3/,
    ],
    [
      {
        metric: {
          kind: "height",
          levels: [
            { name: "a", top_m: 3 },
            { name: "a", top_m: 4 },
          ],
        },
      },
      "metric.levels[1].name",
      /name of one before/,
    ],
    [
      { metric: { kind: "height", levels: [{ name: "a", top_m: 3, weight: 0 }] } },
      "metric.levels[0].weight",
      /above 0/,
    ],
    [
      { metric: { kind: "stages", stages: [{ name: "a", credit: 1 }] } },
      "metric.stages",
      /array of 2 to 100/,
    ],
    [
      {
        metric: {
          kind: "stages",
          stages: [
            { name: "a", credit: 1 },
            { name: "b", credit: 101 },
          ],
        },
      },
      "metric.stages[1].credit",
      /0 to 100, not 101/,
    ],
    [
      { metric: { kind: "stages", stages: [{ credit: 1 }, { name: "b", credit: 2 }] } },
      "metric.stages[0].name",
      /text of 1 to 200/,
    ],
    [{ polygon: undefined }, "polygon", /is required for the metric fill/],
    [
      {
        polygon: [
          [45, 15],
          [45.001, 15],
        ],
      },
      "polygon",
      /./,
    ],
    [
      {
        polygon: [
          [45, 15],
          [95, 15],
          [45, 15.1],
        ],
      },
      "polygon[1]",
      /outside -90 to 90/,
    ],
    [
      {
        polygon: [
          [45, 15],
          [45.1, 15],
          [45.1, 15.1],
          [45, 15.1],
        ],
      },
      "polygon",
      /at most 10000000 m2/,
    ],
    [{ weight: 0 }, "weight", /> 0/],
    [{ declared_progress: 100.1 }, "declared_progress", /<= 100/],
    [{ declared_at: "2026-03-05T12:00:01.001Z" }, "declared_at", /must not lie in the future/],
    [{ activities: { codes: [""] } }, "activities.codes.0", /characters/],
    [{ id: "a b" }, "id", /./],
  ])("POST /progress/zones answers 400 to %j, naming what is wrong", async (change, parameter, message) => {
    const response = await post(change);
    expect(response.statusCode).toBe(400);
    const { code, details } = response.json().error;
    expect(code).toBe("invalid_parameter");
    expect(details[0]).toMatchObject({ parameter, message: expect.stringMatching(message) });
  });

  it("POST /progress/zones answers 409 to an id that is taken, also by a zone that was deleted, and 404 to no project", async () => {
    await using t = await openTestApp();
    await withZoneProjects(t);
    await createZone(t, { id: "z1" });
    const again = () => t.send("POST", ZONES, ADMIN_KEY, newZone({ id: "z1" }));
    expect((await again()).statusCode).toBe(409);
    await t.send("DELETE", `${ZONES}/z1`, ADMIN_KEY);
    expect((await again()).statusCode).toBe(409);
    expect((await post({ project_id: "none" })).statusCode).toBe(404);
  });
});

describe("GET /progress/zones", () => {
  it("GET /progress/zones lists the zones of all projects of the key, oldest first, in pages", async () => {
    const all = (await list("")).json();
    expect(all.data.map(({ id }: { id: string }) => id)).toEqual(["south", "inside", "other"]);
    expect(all.pagination).toEqual({ page: 1, limit: 100, total: 3, has_more: false });
    expect(zoneList.Check(all)).toBe(true);
    const second = (await list("?limit=1&offset=1")).json();
    expect(second.data).toMatchObject([
      {
        id: "inside",
        weight: 2.5,
        declared_progress: 12.5,
        declared_at: "2026-03-01T07:00:00.000Z",
        activities: { codes: ["A", "B"], wbs: [], names: ["Ausbau*"] },
      },
    ]);
    expect(second.pagination).toEqual({ page: 2, limit: 1, total: 3, has_more: true });
    expect((await list("?project_id=p2")).json().pagination.total).toBe(1);
    const key = await unchanged.key({
      scopes: ["progress:read"],
      project_ids: ["p2" as ProjectId],
    });
    const seen = (await unchanged.get(ZONES, key)).json();
    expect(seen.data).toMatchObject([{ id: "other" }]);
    expect((await unchanged.get(`${ZONES}?project_id=p1`, key)).statusCode).toBe(404);
    expect((await list("?limit=1001")).statusCode).toBe(400);
  });

  it("GET /zones returns GeoJSON with positions as longitude and latitude, and null without an outline", async () => {
    const response = await list("?project_id=p1", { accept: "application/geo+json" });
    expect(response.headers["content-type"]).toMatch(/^application\/geo\+json/);
    const { type, features, pagination } = response.json();
    expect([type, pagination.total]).toEqual(["FeatureCollection", 2]);
    expect(features[0]).toMatchObject({
      type: "Feature",
      id: "south",
      geometry: { type: "Polygon" },
    });
    // Counter-clockwise (RFC 7946 section 3.1.6); it was drawn clockwise.
    const ring = [
      [15, 45],
      [15.001, 45],
      [15.001, 45.001],
      [15, 45.001],
      [15, 45],
    ];
    expect(features[0].geometry.coordinates).toEqual([ring]);
    expect(features[0].properties).not.toHaveProperty("polygon");
    expect(features[1]).toMatchObject({ id: "inside", geometry: null });
    const one = await list("/south", { accept: "application/geo+json" });
    expect(one.json()).toEqual(features[0]);
  });

  it("GET /progress/zones has CSV that no spreadsheet takes for formulas", async () => {
    const response = await list("?project_id=p1", { accept: "text/csv" });
    const [header, south, inside] = response.body.split("\r\n");
    expect(header).toBe(
      "id,project_id,name,metric,baseline,design,weight,declared_progress,declared_at,activity_codes,activity_wbs,activity_names,created_at,updated_at,polygon_wkt",
    );
    expect(south).toMatch(/^south,p1,Baufeld Süd,fill,,,,0,.*"POLYGON\(\(15 45,/);
    expect(inside).toMatch(/^inside,p1,"'=Ausbau, 2. OG",stages,,,2.5,12.5,.*,A; B,,Ausbau\*,/);
    const one = await list("/south", { accept: "text/csv" });
    expect(one.body).toBe(`${header}\r\n${south}\r\n`);
  });

  it("GET /progress/zones answers 404 to a zone that is not there", async () => {
    expect((await list("/none")).statusCode).toBe(404);
    expect((await list("/not%20an%20id")).statusCode).toBe(404);
  });
});
