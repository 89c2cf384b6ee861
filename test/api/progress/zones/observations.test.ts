import { Compile } from "typebox/compile";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Observation } from "../../../../api/progress/zones/observation-schemas.ts";
import type { ProjectId, WorkZoneId } from "../../../../domain/ids.ts";
import { camera, capture, completed, view } from "../../../contracts/records/progress-rows.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { createZone, forgetZones, withZoneProjects, ZONES } from "../../../support/zone-site.ts";

const Z1 = "z1" as WorkZoneId;
const STAGES = [
  { name: "framing", credit: 20 },
  { name: "paint", credit: 100 },
];

let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
  await withZoneProjects(t);
});
afterAll(() => t[Symbol.asyncDispose]());
beforeEach(async () => {
  forgetZones(t);
  await createZone(t, { id: "z1" });
  await createZone(t, { id: "z2", metric: { kind: "stages", stages: STAGES } });
});

const observe = (body: object, zone = "z1", key = ADMIN_KEY) =>
  t.send("POST", `${ZONES}/${zone}/observations`, key, body);

/** A capture of 4 March at noon that saw `z1` in two images and `z2` in one. */
async function seen(): Promise<void> {
  const { siteCameras, captures } = t.records;
  await siteCameras.insert(camera("k1"));
  const dated = { capture_date: "2026-03-04T12:00:00.000Z" };
  await captures.insert(capture("c1"));
  const later = { taken_at: "2026-11-15T12:00:01.000Z" };
  const views = [view("i1"), view("i2", later), view("i3", { zone_id: "z2" as WorkZoneId })];
  await captures.complete(completed("c1", 4, dated, { views }));
}

describe("POST /progress/zones/{zone_id}/observations", () => {
  it("POST /progress/zones/{zone_id}/observations stores what a person saw, under the name of the key", async () => {
    const key = await t.key({ name: "Bauleitung", scopes: ["progress:write"] });
    const response = await observe({ progress: 40 }, "z1", key);
    const { labels, ...answer } = response.json();
    expect(response.statusCode).toBe(201);
    expect([labels, answer]).toEqual([
      0,
      {
        id: expect.stringMatching(/^obs_[0-9A-Za-z]{16}$/),
        zone_id: "z1",
        project_id: "p1",
        progress: 40,
        observed_at: "2026-03-05T12:00:00.000Z",
        observed_by: "Bauleitung",
        note: "",
        source: "observation",
        recorded_at: "2026-03-05T12:00:00.000Z",
      },
    ]);
    expect(Compile(Observation).Check(answer)).toBe(true);
    const { observed_by } = (await observe({ progress: 1 })).json();
    expect(observed_by).toBe("admin");
  });

  it("POST /progress/zones/{zone_id}/observations takes bounds, time, person and note, and one that is older than others", async () => {
    await observe({ progress: 60 });
    const body = {
      progress: 40,
      interval_95: [35, 42.5],
      observed_at: "2026-03-01T09:00:00+01:00",
      observed_by: "Polier",
      note: "ohne Rampe",
    };
    const answer = (await observe(body)).json();
    expect(answer).toMatchObject({ ...body, observed_at: "2026-03-01T08:00:00.000Z" });
    const all = await t.records.workZones.observations([Z1], t.clock.ms);
    expect(all.map(({ progress }) => progress)).toEqual([40, 60]);
  });

  it("POST /progress/zones/{zone_id}/observations makes what a capture saw of the zone labels, dated by the capture", async () => {
    await seen();
    const answer = (await observe({ progress: 40, capture_id: "c1" })).json();
    expect(answer).toMatchObject({ labels: 2, observed_at: "2026-03-04T12:00:00.000Z" });
    const labels = await t.records.siteCameras.labels([Z1]);
    expect(labels).toMatchObject(
      ["i1", "i2"].map((image_sha256) => ({
        image_sha256,
        progress: 40,
        labelled_by: "admin",
        labelled_at: "2026-03-05T12:00:00.000Z",
        source: "observation",
        camera_id: "k1",
        capture_id: "c1",
      })),
    );
    expect(labels[0]?.features).toEqual(view("i1").features);
    expect((await observe({ progress: 45, capture_id: "c1" })).json().labels).toBe(2);
    expect(await t.records.siteCameras.labels([Z1])).toMatchObject([
      { progress: 45 },
      { progress: 45 },
    ]);
  });

  it("POST /progress/zones/{zone_id}/observations takes the stage of a zone for its credit, and a credit for its stage", async () => {
    await seen();
    const staged = (await observe({ stage: "framing", capture_id: "c1" }, "z2")).json();
    expect(staged).toMatchObject({ progress: 20, labels: 1 });
    const z2 = ["z2" as WorkZoneId];
    expect(await t.records.siteCameras.labels(z2)).toMatchObject([
      { stage: "framing", progress: 20 },
    ]);
    await observe({ progress: 100, capture_id: "c1" }, "z2");
    expect(await t.records.siteCameras.labels(z2)).toMatchObject([{ stage: "paint" }]);
    await observe({ progress: 50, capture_id: "c1" }, "z2");
    const [between] = await t.records.siteCameras.labels(z2);
    expect([between?.progress, between?.stage]).toEqual([50, undefined]);
  });

  it.each([
    ["z1", {}, "progress", /is required/],
    ["z1", { progress: 101 }, "progress", /<= 100/],
    ["z1", { stage: "framing" }, "stage", /the zone's metric is fill, which has no stages/],
    ["z2", { stage: "roof" }, "stage", /the zone has framing, paint/],
    ["z2", { stage: "framing", progress: 30 }, "progress", /must be 20, the credit of the stage/],
    ["z1", { progress: 40, interval_95: [41, 50] }, "interval_95", /40 is not within 41 to 50/],
    ["z1", { progress: 40, interval_95: [40] }, "interval_95", /./],
    ["z1", { progress: 4, observed_at: "2026-03-05T12:00:01Z" }, "observed_at", /future/],
    ["z1", { progress: 4, capture_id: "none" }, "capture_id", /names no capture of the zone's/],
    ["z1", { progress: 4, capture_id: "c2" }, "capture_id", /names no capture of the zone's/],
  ])("POST /progress/zones/{zone_id}/observations answers 400 for %s to %j, naming what is wrong", async (zone, body, parameter, message) => {
    await t.records.captures.insert(capture("c2", { project_id: "p2" as ProjectId }));
    const response = await observe(body, zone);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details[0]).toMatchObject({
      parameter,
      message: expect.stringMatching(message),
    });
    expect(t.records.rows.observations).toEqual([]);
  });

  it("POST /progress/zones/{zone_id}/observations is answered once under one Idempotency-Key", async () => {
    const headers = { "idempotency-key": "once" };
    const url = `${ZONES}/z1/observations`;
    const first = await t.send("POST", url, ADMIN_KEY, { progress: 4 }, headers);
    const again = await t.send("POST", url, ADMIN_KEY, { progress: 4 }, headers);
    expect(again.json()).toEqual(first.json());
    expect(t.records.rows.observations).toHaveLength(1);
  });
});

describe("GET /progress/zones/{zone_id}/observations", () => {
  it("GET /progress/zones/{zone_id}/observations lists what people said, newest first, in pages", async () => {
    for (const day of [2, 4, 3]) {
      await observe({ progress: day, observed_at: `2026-03-0${day}T12:00:00Z` });
    }
    await observe({ progress: 9 }, "z2");
    const page = async (query: string) => {
      const { data, pagination } = (
        await t.get(`${ZONES}/z1/observations${query}`, ADMIN_KEY)
      ).json();
      return [data.map(({ progress }: { progress: number }) => progress), pagination];
    };
    expect(await page("")).toEqual([[4, 3, 2], { page: 1, limit: 100, total: 3, has_more: false }]);
    expect(await page("?limit=2&offset=2")).toEqual([
      [2],
      { page: 2, limit: 2, total: 3, has_more: false },
    ]);
  });
});
