import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Geofence } from "../../../../api/equipment/geofences/geofence-schemas.ts";
import type { ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";

const GEOFENCES = "/api/v1/equipment/geofences";
const geofence = Compile(Geofence);
const CIRCLE = { centre: [52.5, 13.4], radius_m: 100 };
const ROAD = {
  line: [
    [52.5, 13.4],
    [52.5, 13.41],
    [52.505, 13.41],
  ],
  width_m: 12,
};
const YARD = [
  [52.5, 13.4],
  [52.501, 13.4],
  [52.501, 13.401],
];

const given = (shape: object) => ({ name: "Shape", project_id: "p1", ...shape });

async function site(): Promise<TestApp> {
  const t = await openTestApp();
  await t.project({ id: "p1" as ProjectId });
  return t;
}

/** For tests that change nothing. */
let unchanged: TestApp;
beforeAll(async () => {
  unchanged = await site();
});
afterAll(() => unchanged[Symbol.asyncDispose]());

describe("POST /geofences with a circle or corridor", () => {
  it("stores a circle as it is, and shows its outline as the polygon", async () => {
    await using t = await site();
    const response = await t.send(
      "POST",
      GEOFENCES,
      ADMIN_KEY,
      given({ id: "c1", circle: CIRCLE }),
    );
    const created = response.json();
    expect(response.statusCode).toBe(201);
    expect(geofence.Check(created)).toBe(true);
    expect(created).toMatchObject({ shape: "circle", circle: CIRCLE });
    expect(created).not.toHaveProperty("corridor");
    expect(created.area_sqm).toBeGreaterThan(Math.PI * 100 ** 2 * 0.999);
    expect(created.area_sqm).toBeLessThan(Math.PI * 100 ** 2);
    expect(created.polygon.length).toBeGreaterThanOrEqual(96);
    expect(t.records.rows.fenceVersions[0]?.ring).toHaveLength(created.polygon.length + 1);
    expect((await t.get(`${GEOFENCES}/c1`, ADMIN_KEY)).json()).toEqual(created);
  });

  it("POST /geofences with a circle or corridor shows a corridor in JSON, GeoJSON and CSV", async () => {
    await using t = await site();
    await t.send("POST", GEOFENCES, ADMIN_KEY, given({ id: "r1", corridor: ROAD }));
    const read = (await t.get(`${GEOFENCES}/r1`, ADMIN_KEY)).json();
    expect(read).toMatchObject({ shape: "corridor", corridor: ROAD });
    const geo = await t.get(`${GEOFENCES}/r1`, ADMIN_KEY, { accept: "application/geo+json" });
    expect(geo.json()).toMatchObject({
      geometry: { type: "Polygon" },
      properties: { shape: "corridor", corridor: ROAD },
    });
    const csv = await t.get(GEOFENCES, ADMIN_KEY, { accept: "text/csv" });
    expect(csv.body).toMatch(
      /,corridor,"LINESTRING\(13\.4 52\.5,13\.41 52\.5,13\.41 52\.505\)",,12\r\n$/,
    );
  });

  it.each([
    ["no shape at all", {}, "polygon"],
    ["two shapes", { circle: CIRCLE, corridor: ROAD }, "corridor"],
    ["a polygon and a circle", { polygon: YARD, circle: CIRCLE }, "circle"],
    ["a circle without a radius", { circle: { centre: [52.5, 13.4] } }, "circle.radius_m"],
    ["a circle without a centre", { circle: { radius_m: 50 } }, "circle.centre"],
    ["a radius of 0", { circle: { ...CIRCLE, radius_m: 0 } }, "circle.radius_m"],
    ["a radius as text", { circle: { ...CIRCLE, radius_m: "50" } }, "circle.radius_m"],
    ["a centre with latitude 91", { circle: { ...CIRCLE, centre: [91, 0] } }, "circle.centre"],
    ["a misspelt part", { circle: { ...CIRCLE, radius: 50 } }, "circle.radius"],
    ["an array as circle", { circle: [CIRCLE] }, "circle"],
    ["a circle around a pole", { circle: { centre: [90, 0], radius_m: 50 } }, "circle"],
    ["a line of one point", { corridor: { line: [[52.5, 13.4]], width_m: 5 } }, "corridor.line"],
    [
      "a line of no length",
      {
        corridor: {
          line: [
            [52.5, 13.4],
            [52.5, 13.4],
          ],
          width_m: 5,
        },
      },
      "corridor.line",
    ],
    ["a width of 10 cm", { corridor: { ...ROAD, width_m: 0.1 } }, "corridor.width_m"],
    [
      "a point that is not a pair",
      { corridor: { ...ROAD, line: [[52.5, 13.4], 7] } },
      "corridor.line[1]",
    ],
    [
      "a line of 201 points",
      { corridor: { ...ROAD, line: Array.from({ length: 201 }, (_, i) => [52, 13 + i / 1e3]) } },
      "corridor.line",
    ],
    [
      "a line of 1,000 km",
      {
        corridor: {
          ...ROAD,
          line: [
            [52, 13],
            [52, 28],
          ],
        },
      },
      "corridor.line[0]",
    ],
    [
      "a line round a square",
      {
        corridor: {
          line: [
            [0, 0],
            [0, 0.01],
            [0.01, 0.01],
            [0.01, 0],
            [0, 0],
          ],
          width_m: 9,
        },
      },
      "corridor.line",
    ],
  ])("POST /geofences with a circle or corridor refuses %s with 400", async (_name, shape, parameter) => {
    const response = await unchanged.send("POST", GEOFENCES, ADMIN_KEY, given(shape));
    expect([response.statusCode, response.json().error.details?.[0].parameter]).toEqual([
      400,
      parameter,
    ]);
    expect(unchanged.records.rows.fenceVersions).toEqual([]);
  });
});

describe("PATCH /geofences/{id} with a circle or corridor", () => {
  it("PATCH /geofences/{id} with a circle or corridor changes one part of a circle and keeps the other", async () => {
    await using t = await site();
    await t.send("POST", GEOFENCES, ADMIN_KEY, given({ id: "c1", circle: CIRCLE }));
    const body = { circle: { radius_m: 50 } };
    const changed = (await t.send("PATCH", `${GEOFENCES}/c1`, ADMIN_KEY, body)).json();
    expect(changed.circle).toEqual({ centre: CIRCLE.centre, radius_m: 50 });
    expect(changed.area_sqm).toBeLessThan(Math.PI * 50 ** 2);
    expect(t.records.rows.fenceVersions).toHaveLength(2);
  });

  it("PATCH /geofences/{id} with a circle or corridor keeps the shape when only the name changes", async () => {
    await using t = await site();
    await t.send("POST", GEOFENCES, ADMIN_KEY, given({ id: "r1", corridor: ROAD }));
    const before = (await t.get(`${GEOFENCES}/r1`, ADMIN_KEY)).json();
    const changed = await t.send("PATCH", `${GEOFENCES}/r1`, ADMIN_KEY, { name: "Haul road" });
    expect(changed.json()).toEqual({ ...before, name: "Haul road" });
  });

  it("PATCH /geofences/{id} makes a polygon of a circle, which is then not a circle any more, and a circle of a polygon", async () => {
    await using t = await site();
    await t.send("POST", GEOFENCES, ADMIN_KEY, given({ id: "c1", circle: CIRCLE }));
    const polygon = (await t.send("PATCH", `${GEOFENCES}/c1`, ADMIN_KEY, { polygon: YARD })).json();
    expect(polygon).toMatchObject({ shape: "polygon", polygon: YARD });
    expect(polygon).not.toHaveProperty("circle");
    const half = { circle: { radius_m: 50 } };
    const refused = await t.send("PATCH", `${GEOFENCES}/c1`, ADMIN_KEY, half);
    expect([refused.statusCode, refused.json().error.details[0].parameter]).toEqual([
      400,
      "circle.centre",
    ]);
    const circle = await t.send("PATCH", `${GEOFENCES}/c1`, ADMIN_KEY, { circle: CIRCLE });
    expect(circle.json()).toMatchObject({ shape: "circle", circle: CIRCLE });
  });

  it("PATCH /geofences refuses a part out of range before it reads the fence", async () => {
    const body = { circle: { centre: [52.5, 13.4], radius_m: -5 } };
    const response = await unchanged.send("PATCH", `${GEOFENCES}/absent`, ADMIN_KEY, body);
    expect([response.statusCode, response.json().error.details[0].parameter]).toEqual([
      400,
      "circle.radius_m",
    ]);
  });
});
