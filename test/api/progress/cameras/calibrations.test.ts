import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CameraId, ObservationId, WorkZoneId } from "../../../../domain/ids.ts";
import type { SiteCamera, ZoneView } from "../../../../domain/sites/site-camera.ts";
import { FEATURES_VERSION } from "../../../../processing/progress/camera/features/view-features.ts";
import { FEATURE_COUNT } from "../../../../processing/progress/camera/features/zone-features.ts";
import { viewFrame } from "../../../../processing/progress/camera/model/counting-labels.ts";
import { NETWORK_COUNT } from "../../../../processing/progress/camera/network/network-count.ts";
import { capture, completed } from "../../../contracts/records/progress-rows.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { cameraScene } from "../../../support/camera-scene.ts";
import { createCamera, startLabelling, uploaded } from "../../../support/camera-site.ts";
import { createZone, withZoneProjects, ZONES } from "../../../support/zone-site.ts";

const scene = cameraScene(3);
const DAY_MS = 86_400_000;
const [Z1, Z2, K1] = ["z1" as WorkZoneId, "z2" as WorkZoneId, "k1" as CameraId];
const STAGES = [
  { name: "framing", credit: 20 },
  { name: "paint", credit: 100 },
];
let t: TestApp;
let camera: SiteCamera;
beforeAll(async () => {
  t = await openTestApp();
  await withZoneProjects(t);
  await createZone(t, { id: "z1", metric: { kind: "image" } });
  await createZone(t, { id: "z2", metric: { kind: "stages", stages: STAGES } });
  await createZone(t, { id: "z3" });
  await createCamera(t, scene, { id: "k1" });
  const found = await t.records.siteCameras.find(K1);
  if (found === undefined) throw new Error("no camera");
  camera = found;
});
afterAll(() => t[Symbol.asyncDispose]());
beforeEach(() => {
  t.clock.ms = NOON_MS;
  t.records.rows.labels.length = 0;
  t.records.rows.views.length = 0;
  t.records.rows.captures.clear();
});

const label = (body: object, zone: string = Z1) =>
  t.send("POST", `${ZONES}/${zone}/calibrations`, ADMIN_KEY, body);
const list = async (zone: string = Z1) =>
  (await t.get(`${ZONES}/${zone}/calibrations`, ADMIN_KEY)).json();

/** What a capture left of a zone, some days ago; features along a line by `place`. */
function viewOf(
  image: string,
  place: number,
  daysAgo = 1,
  change: Partial<ZoneView> = {},
): ZoneView {
  return {
    capture_id: undefined,
    camera_id: K1,
    zone_id: Z1,
    image_sha256: image,
    taken_at: new Date(NOON_MS - daysAgo * DAY_MS).toISOString(),
    reference_sha256: viewFrame(camera, Z1),
    features_version: FEATURES_VERSION,
    features: Float32Array.from(
      { length: 4 },
      (_, f) => place * (f + 1) + 0.01 * Math.sin(place * 37 + f),
    ),
    ...change,
  };
}

async function captured(id: string, views: readonly ZoneView[]): Promise<void> {
  await t.records.captures.insert(capture(id));
  await t.records.captures.complete(completed(id, 4, {}, { views }));
}

describe("labels of captures", () => {
  it("take what the capture saw, the newest image of the camera, at once", async () => {
    await captured("c1", [viewOf("i1", 0.4, 2), viewOf("i2", 0.4, 1)]);
    const response = await label({ progress: 40, capture_id: "c1", labelled_by: "Ada" });
    expect(response.statusCode).toBe(201);
    expect(response.json().data).toEqual([
      {
        id: expect.stringMatching(/^obs_/),
        zone_id: "z1",
        camera_id: "k1",
        capture_id: "c1",
        image_sha256: "i2",
        taken_at: viewOf("i2", 0, 1).taken_at,
        progress: 40,
        stage: null,
        labelled_by: "Ada",
        labelled_at: new Date(NOON_MS).toISOString(),
        source: "calibration",
        counts: true,
      },
    ]);
    await label({ progress: 45, capture_id: "c1" });
    expect((await list()).data.map(({ progress }: { progress: number }) => progress)).toEqual([45]);
  });

  it("labels of captures are reported as no longer counting once the zone is outlined anew", async () => {
    await captured("c1", [viewOf("i1", 0.4)]);
    await label({ progress: 40, capture_id: "c1" });
    const patched = {
      zones: [
        {
          zone_id: "z1",
          outline: [
            [0, 0],
            [0.5, 0],
            [0.5, 0.5],
          ],
        },
      ],
    };
    await t.send("PATCH", "/api/v1/progress/cameras/k1", ADMIN_KEY, patched);
    const { data, models } = await list();
    expect(data[0].counts).toBe(false);
    expect(models).toMatchObject([{ camera_id: "k1", labels: 0, is_ready: false }]);
    await t.send("PATCH", "/api/v1/progress/cameras/k1", ADMIN_KEY, { zones: camera.zones });
    expect((await list()).data[0].counts).toBe(true);
  });

  it.each([
    [{ progress: 40 }, "z1", "capture_id"],
    [{ progress: 40, capture_id: "c1", image_url: "https://a.test/b.jpg" }, "z1", "capture_id"],
    [{ progress: 40, capture_id: "c2" }, "z1", "capture_id"],
    [{ progress: 101, capture_id: "c1" }, "z1", "progress"],
    [{ capture_id: "c1" }, "z1", "progress"],
    [{ progress: 40, capture_id: "c1" }, "z3", "zone_id"],
    [{ progress: 40, capture_id: "c1" }, "z2", "stage"],
    [{ stage: "roof", capture_id: "c1" }, "z2", "stage"],
    [{ progress: 40, image_url: "https://site.example/a.jpg" }, "z1", "camera_id"],
    [{ progress: 40, image_url: "ftp://site.example/a.jpg", camera_id: "k1" }, "z1", "image_url"],
    [
      { stage: "paint", image_url: "https://site.example/a.jpg", camera_id: "k1" },
      "z2",
      "camera_id",
    ],
  ])("labels of captures refuse %j of %s, naming %s", async (body, zone, parameter) => {
    await captured("c1", [viewOf("i1", 0.4)]);
    await captured("c2", []);
    const response = await label(body, zone);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toEqual([expect.objectContaining({ parameter })]);
  });

  it("labels of captures can be taken back", async () => {
    await captured("c1", [viewOf("i1", 0.4)]);
    const [{ id }] = (await label({ progress: 40, capture_id: "c1" })).json().data;
    const url = `${ZONES}/z1/calibrations/${id}`;
    expect((await t.send("DELETE", url, ADMIN_KEY)).statusCode).toBe(204);
    expect((await t.send("DELETE", url, ADMIN_KEY)).statusCode).toBe(404);
    expect((await label({ progress: 40, capture_id: "c9" })).statusCode).toBe(404);
  });
});

describe("the models of a zone", () => {
  async function labelled(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      await t.records.siteCameras.addLabel({
        ...viewOf(`m${i}`, i / 10, 30 - i),
        id: `obs_m${i}` as ObservationId,
        progress: 10 * i,
        stage: undefined,
        labelled_by: "test",
        labelled_at: new Date(NOON_MS - 10 * DAY_MS).toISOString(),
        source: "calibration",
      });
    }
  }

  it("the models of a zone show what is missing, then their error, then that they are bounded", async () => {
    await labelled(4);
    expect((await list()).models).toEqual([
      {
        camera_id: "k1",
        labels: 4,
        is_ready: false,
        has_intervals: false,
        loo_mean_points: null,
        loo_95_points: null,
        loo_right: null,
        missing: "4 of at least 5 labels; 9 for an interval",
      },
    ]);
    await labelled(6);
    expect((await list()).models).toMatchObject([
      { labels: 6, is_ready: true, has_intervals: false, missing: null },
    ]);
    await labelled(10);
    const [model] = (await list()).models;
    expect(model).toMatchObject({ labels: 10, is_ready: true, has_intervals: true });
    expect(model.loo_mean_points).toBeLessThan(5);
    expect((await list("z2")).models).toMatchObject([
      { camera_id: null, labels: 0, is_ready: false },
    ]);
  });

  it("the models of a zone ask for the view that is least like the labelled ones, once a week", async () => {
    const requests = async () =>
      (await t.get("/api/v1/progress/label-requests?project_id=p1", ADMIN_KEY)).json().data;
    expect(await requests()).toEqual([]);
    await captured("c1", [viewOf("i1", 0.31, 3)]);
    await captured("c2", [viewOf("i2", 0.95, 2)]);
    await captured("c3", [viewOf("i3", 0.11, 1)]);
    expect(await requests()).toMatchObject([
      { zone_id: "z1", capture_id: "c3", reason: expect.stringContaining("Nothing") },
    ]);
    await labelled(5);
    expect(await requests()).toEqual([
      {
        zone_id: "z1",
        zone_name: "Baufeld Süd",
        camera_id: "k1",
        capture_id: "c2",
        taken_at: viewOf("i2", 0, 2).taken_at,
        picture_url: expect.stringContaining("captures/c2/views/i2.jpg?"),
        outline: scene.outline,
        reason: "It is the least like all that was labelled",
      },
    ]);
    await label({ progress: 90, capture_id: "c2" });
    expect(await requests()).toEqual([]);
    t.clock.ms += 7 * DAY_MS + 1;
    expect(await requests()).toMatchObject([{ capture_id: "c1" }]);
    t.clock.ms += 30 * DAY_MS;
    expect(await requests()).toEqual([]);
  });
});

describe("labels of images that no capture read", () => {
  it("labels of images that no capture read are read, laid on the reference view, and stored", async () => {
    await using _runner = await startLabelling(t);
    const image_url = await uploaded(t, scene, { progress: 60, shiftX: 0.01, day: 4 });
    const response = await label({
      progress: 60,
      image_url,
      camera_id: "k1",
      taken_at: "2026-03-01T10:00:00Z",
    });
    expect(response.statusCode).toBe(201);
    expect(response.json().data).toMatchObject([
      {
        camera_id: "k1",
        capture_id: null,
        progress: 60,
        taken_at: "2026-03-01T10:00:00.000Z",
        counts: true,
      },
    ]);
    const [stored] = await t.records.siteCameras.labels([Z1]);
    expect(stored?.features).toHaveLength(FEATURE_COUNT + NETWORK_COUNT);
    expect(stored?.features.every(Number.isFinite)).toBe(true);
  });

  it("labels of images that no capture read are refused with the reason where the image is aside or unreadable", async () => {
    await using _runner = await startLabelling(t);
    const image_url = await uploaded(t, scene, { progress: 60, shiftX: 0.15, day: 4 });
    const aside = await label({ progress: 60, image_url, camera_id: "k1" });
    expect(aside.statusCode).toBe(400);
    expect(aside.json().error).toMatchObject({
      code: "unusable_images",
      message: expect.stringContaining("15 % of its width"),
    });
    await t.files.store.put("images/broken.jpg", Buffer.from("nothing"));
    expect((await t.records.siteCameras.labels([Z1])).length).toBe(0);
  });

  it("labels of images that no capture read give the stage of a photograph without a fixed view", async () => {
    await using _runner = await startLabelling(t);
    const image_url = await uploaded(t, scene, { progress: 20, day: 6 });
    const response = await label({ stage: "paint", image_url }, Z2);
    expect(response.json().data).toMatchObject([
      { camera_id: null, stage: "paint", progress: 100, counts: true },
    ]);
  });

  it("labels of images that no capture read need a process that works on images", async () => {
    await using idle = await openTestApp({ jobs: { isWorkedOn: false } });
    await withZoneProjects(idle);
    await createZone(idle, { id: "z2", metric: { kind: "stages", stages: STAGES } });
    const body = { stage: "paint", image_url: "https://site.example/a.jpg" };
    const response = await idle.send("POST", `${ZONES}/z2/calibrations`, ADMIN_KEY, body);
    expect(response.statusCode).toBe(500);
    expect(response.json().error.message).toContain("WORKERS=0");
  });
});
