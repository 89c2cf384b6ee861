import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";

const PREVIEW = "/api/v1/equipment/geofences/preview";
const MINUTE_MS = 60_000;
const CIRCLE = { centre: [52.5, 13.4], radius_m: 100 };
const P1 = "p1" as ProjectId;

/** A state with a position on the parallel of the circle's centre. */
const at = (longitude: number) => ({
  fix: {
    ...{ latitude: 52.5, longitude, accuracyMeters: 5, accuracySource: "reported" as const },
    ...{ speedKmh: 0, heading: 0, fixTimeMs: NOON_MS - MINUTE_MS, timeSource: "device" as const },
    receivedAtMs: NOON_MS,
    ...{ speedSource: "none" as const, headingSource: "none" as const },
  },
});

/**
 * `in` and `out` are stationary; `walker` comes from the west, is in the circle from second 60 to 140 of the last hour,
 * and leaves to the east. `other` is where `in` is, in another project.
 */
async function site(): Promise<TestApp> {
  const t = await openTestApp();
  await t.project({ id: P1 });
  await t.project({ id: "theirs" as ProjectId });
  for (const id of ["in", "out", "walker"]) await t.asset({ id: id as AssetId, project_id: P1 });
  await t.asset({ id: "other" as AssetId, project_id: "theirs" as ProjectId });
  t.live("in" as AssetId, at(13.4));
  t.live("other" as AssetId, at(13.4));
  t.live("out" as AssetId, at(13.5));
  t.live("walker" as AssetId, at(13.41));
  const points = Array.from({ length: 21 }, (_, i) => ({
    ...{ assetId: "walker" as AssetId, projectId: P1, seq: -1, payloadHash: 0 },
    fixTimeMs: NOON_MS - 60 * MINUTE_MS + i * 10_000,
    fields: { latitude: 52.5, longitude: 13.396 + i * 0.0004, accuracy_meters: 3 },
  }));
  await t.telemetry.write(points, { journalId: "j", sequence: 1 });
  return t;
}

let t: TestApp;
beforeAll(async () => {
  t = await site();
});
afterAll(() => t[Symbol.asyncDispose]());

const preview = (body: object, key = ADMIN_KEY) =>
  t.send("POST", PREVIEW, key, { project_id: "p1", ...body });
const hours = (count: number) => new Date(NOON_MS - count * 60 * MINUTE_MS).toISOString();

describe("POST /geofences/preview", () => {
  it("POST /geofences/preview shows the outline and who of the project is inside now, and stores nothing", async () => {
    const key = await t.key({ scopes: ["equipment:read"], project_ids: [P1] });
    const response = await preview({ circle: CIRCLE }, key);
    expect(response.statusCode).toBe(200);
    const shown = response.json();
    expect(shown).toMatchObject({
      project_id: "p1",
      circle: CIRCLE,
      inside: [
        {
          ...{ asset_id: "in", location: { latitude: 52.5, longitude: 13.4 } },
          ...{ accuracy_meters: 5, timestamp: "2026-03-05T11:59:00.000Z" },
        },
      ],
    });
    expect(shown.polygon.length).toBeGreaterThan(95);
    expect(shown).not.toHaveProperty("range");
    expect(t.records.rows.fenceVersions).toEqual([]);
    expect(t.records.rows.fences.size).toBe(0);
  });

  it("POST /geofences/preview shows the crossings that the fence would have seen in a past range", async () => {
    const { range } = (await preview({ circle: CIRCLE, from: hours(1) })).json();
    expect(range).toMatchObject({
      ...{ from: hours(1), to: hours(0), assets: 3, fixes: 21, is_complete: true },
      crossings: [
        { asset_id: "walker", type: "entered", cause: "crossing", inferred: false },
        { asset_id: "walker", type: "exited", cause: "crossing", inferred: false },
      ],
    });
    const [enteredS, exitedS] = range.crossings.map(
      ({ timestamp }: { timestamp: string }) => (Date.parse(timestamp) - NOON_MS) / 1_000 + 3_600,
    );
    // By the rules a crossing may be dated up to two fixes from the edge.
    expect(enteredS).toBeGreaterThanOrEqual(40);
    expect(enteredS).toBeLessThanOrEqual(90);
    expect(exitedS).toBeGreaterThanOrEqual(130);
    expect(exitedS).toBeLessThanOrEqual(180);
  });

  it("POST /geofences/preview sees other crossings by other edges, and only those of the assets that are asked for", async () => {
    const west = {
      polygon: [
        [52.499, 13.39],
        [52.501, 13.39],
        [52.501, 13.3985],
        [52.499, 13.3985],
      ],
    };
    const { range } = (await preview({ ...west, from: hours(1), to: hours(0) })).json();
    expect(range.crossings).toMatchObject([
      { asset_id: "walker", type: "entered", cause: "first_fix" },
      { asset_id: "walker", type: "exited", cause: "crossing" },
    ]);
    const only = await preview({ ...west, from: hours(1), asset_ids: ["in"] });
    expect(only.json().range).toMatchObject({ assets: 1, fixes: 0, crossings: [] });
  });

  it("POST /geofences/preview does not see what an asset did while it was in another project", async () => {
    const moved = await site();
    await moved.asset({ id: "mover" as AssetId, project_id: "theirs" as ProjectId });
    moved.clock.ms += MINUTE_MS;
    await moved.send("PATCH", "/api/v1/equipment/assets/mover", ADMIN_KEY, { project_id: "p1" });
    const point = {
      ...{ assetId: "mover" as AssetId, projectId: P1, seq: -1, payloadHash: 0 },
      fixTimeMs: NOON_MS - MINUTE_MS,
      fields: { latitude: 52.5, longitude: 13.4 },
    };
    await moved.telemetry.write([point], { journalId: "j", sequence: 2 });
    const body = { project_id: "p1", circle: CIRCLE, from: hours(1), asset_ids: ["mover"] };
    const { range } = (await moved.send("POST", PREVIEW, ADMIN_KEY, body)).json();
    expect(range).toMatchObject({ assets: 1, fixes: 1, crossings: [] });
    await moved[Symbol.asyncDispose]();
  });

  it("POST /geofences/preview leaves out positions that a device says were mocked", async () => {
    const mocked = await site();
    const { fix } = at(13.4);
    mocked.live("in" as AssetId, { fix: { ...fix, isMocked: true } });
    const points = Array.from({ length: 3 }, (_, i) => ({
      ...{ assetId: "in" as AssetId, projectId: P1, seq: -1, payloadHash: 0 },
      fixTimeMs: NOON_MS - MINUTE_MS + i * 1_000,
      fields: { latitude: 52.5, longitude: 13.4, position_mocked: 1 },
    }));
    await mocked.telemetry.write(points, { journalId: "j", sequence: 2 });
    const body = { project_id: "p1", circle: CIRCLE, from: hours(1), asset_ids: ["in"] };
    const shown = (await mocked.send("POST", PREVIEW, ADMIN_KEY, body)).json();
    expect(shown).toMatchObject({ inside: [], range: { fixes: 0, crossings: [] } });
    await mocked[Symbol.asyncDispose]();
  });

  it.each([
    ["no shape", {}, "polygon"],
    ["a radius of 0", { circle: { ...CIRCLE, radius_m: 0 } }, "circle.radius_m"],
    ["more than 72 h", { circle: CIRCLE, from: hours(73) }, "from"],
    ["an end alone", { circle: CIRCLE, to: hours(0) }, "from"],
    ["a start after the end", { circle: CIRCLE, from: hours(1), to: hours(2) }, "from"],
    ["a start in the future", { circle: CIRCLE, from: hours(-1) }, "from"],
    ["an asset of another project", { circle: CIRCLE, asset_ids: ["other"] }, "asset_ids[0]"],
    ["a rule out of range", { circle: CIRCLE, confirm_fixes: 0 }, "confirm_fixes"],
  ])("POST /geofences/preview refuses %s with 400", async (_name, body, parameter) => {
    const response = await preview(body);
    expect([response.statusCode, response.json().error.details[0].parameter]).toEqual([
      400,
      parameter,
    ]);
  });

  it("POST /geofences/preview answers 404 for a project of another tenant", async () => {
    const key = await t.key({ scopes: ["equipment:read"], project_ids: ["theirs" as ProjectId] });
    expect((await preview({ circle: CIRCLE }, key)).statusCode).toBe(404);
  });
});
