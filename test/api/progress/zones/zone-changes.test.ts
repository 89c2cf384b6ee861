import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { WorkZoneId } from "../../../../domain/ids.ts";
import { observation } from "../../../contracts/records/progress-rows.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";
import {
  createZone,
  forgetZones,
  withZoneProjects,
  ZONE_POLYGON,
  ZONES,
} from "../../../support/zone-site.ts";

const Z1 = "z1" as WorkZoneId;

let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
  await withZoneProjects(t);
});
afterAll(() => t[Symbol.asyncDispose]());
beforeEach(async () => {
  forgetZones(t);
  t.clock.ms = NOON_MS;
  await createZone(t, {
    id: "z1",
    weight: 2,
    declared_progress: 10,
    activities: { codes: ["A"], wbs: ["P.1"] },
  });
});

const patch = (body: object) => t.send("PATCH", `${ZONES}/z1`, ADMIN_KEY, body);

describe("PATCH /progress/zones/{zone_id}", () => {
  it("PATCH /progress/zones/{zone_id} changes what is named and leaves the rest", async () => {
    t.clock.ms += 60_000;
    const response = await patch({ name: "Nord", activities: { names: ["x*"] }, unknown: 1 });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      id: "z1",
      project_id: "p1",
      name: "Nord",
      polygon: ZONE_POLYGON,
      metric: { kind: "fill" },
      weight: 2,
      declared_progress: 10,
      declared_at: "2026-03-05T12:00:00.000Z",
      activities: { codes: ["A"], wbs: ["P.1"], names: ["x*"] },
      created_at: "2026-03-05T12:00:00.000Z",
      updated_at: "2026-03-05T12:01:00.000Z",
    });
    expect((await t.get(`${ZONES}/z1`, ADMIN_KEY)).json()).toEqual(response.json());
  });

  it("PATCH /progress/zones/{zone_id} removes what is null", async () => {
    const body = { metric: { kind: "manual" }, polygon: null, weight: null, activities: null };
    const changed = (await patch(body)).json();
    expect(changed).not.toHaveProperty("polygon");
    expect(changed).not.toHaveProperty("weight");
    expect(changed).toMatchObject({
      metric: { kind: "manual" },
      activities: { codes: [], wbs: [], names: [] },
    });
  });

  it("PATCH /progress/zones/{zone_id} declares a progress of its own time", async () => {
    t.clock.ms += 60_000;
    expect((await patch({ declared_progress: 30 })).json()).toMatchObject({
      declared_progress: 30,
      declared_at: "2026-03-05T12:01:00.000Z",
    });
    const dated = { declared_progress: 20, declared_at: "2026-03-04T00:00:00Z" };
    expect((await patch(dated)).json()).toMatchObject({
      declared_progress: 20,
      declared_at: "2026-03-04T00:00:00.000Z",
    });
  });

  it.each([
    [{ polygon: null }, "polygon", /is required for the metric fill/],
    [{ metric: { kind: "fill", stages: [] } }, "metric.stages", /goes with the kind stages/],
    [{ declared_at: "2026-03-04T00:00:00Z" }, "declared_at", /goes with declared_progress/],
    [{ declared_progress: 1, declared_at: "2027-01-01T00:00:00Z" }, "declared_at", /future/],
    [{ name: null }, "name", /./],
  ])("PATCH /progress/zones/{zone_id} answers 400 to %j and changes nothing", async (body, parameter, message) => {
    const before = await t.records.workZones.find(Z1);
    const response = await patch(body);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details[0]).toMatchObject({
      parameter,
      message: expect.stringMatching(message),
    });
    expect(await t.records.workZones.find(Z1)).toEqual(before);
  });

  it("a change is validated against the zone as it is when it is stored", async () => {
    await patch({ metric: { kind: "manual" }, polygon: null });
    const [first, second] = await Promise.all([
      patch({ metric: { kind: "fill" }, polygon: ZONE_POLYGON }),
      patch({ polygon: null }),
    ]);
    expect([first.statusCode, second.statusCode]).toEqual([200, 400]);
    expect((await patch({ metric: { kind: "cut" } })).statusCode).toBe(200);
  });
});

describe("DELETE /progress/zones/{zone_id}", () => {
  it("DELETE /progress/zones/{zone_id} removes the zone, what was said of it and its files, once", async () => {
    await createZone(t, { id: "z10" });
    await t.records.workZones.addObservation(observation("o1"));
    for (const key of ["zones/z1/design/a.tif", "zones/z1/b.tin", "zones/z10/design/a.tif"]) {
      await t.files.store.put(key, Buffer.from("x"));
    }
    const remove = () => t.send("DELETE", `${ZONES}/z1`, ADMIN_KEY);
    const response = await remove();
    expect([response.statusCode, response.body]).toEqual([204, ""]);
    expect((await t.get(`${ZONES}/z1`, ADMIN_KEY)).statusCode).toBe(404);
    expect(t.records.rows.observations).toEqual([]);
    const left = async () => {
      const keys: string[] = [];
      for await (const { key } of t.files.store.list("zones/")) keys.push(key);
      return keys;
    };
    await expect.poll(left).toEqual(["zones/z10/design/a.tif"]);
    expect((await remove()).statusCode).toBe(404);
  });
});
