import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CameraId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { cameraScene } from "../../../support/camera-scene.ts";
import { CAMERAS, createCamera, newCamera, uploaded } from "../../../support/camera-site.ts";
import { createZone, withZoneProjects } from "../../../support/zone-site.ts";

const scene = cameraScene(3);
let t: TestApp;
let reference: string;
beforeAll(async () => {
  t = await openTestApp();
  await withZoneProjects(t);
  await createZone(t, { id: "z1", metric: { kind: "image" } });
  await createZone(t, { id: "z2", metric: { kind: "image" }, project_id: "p2" });
  reference = await uploaded(t, scene, { progress: 0 });
});
afterAll(() => t[Symbol.asyncDispose]());

const create = (change: object = {}) =>
  t.send("POST", CAMERAS, ADMIN_KEY, newCamera(reference, scene, change));

describe("cameras", () => {
  it("cameras are created from an uploaded picture, which is kept among the camera's own files", async () => {
    const prefix = "https://cams.example/gate-3/";
    const response = await create({ id: "k1", url_prefixes: [prefix] });
    expect(response.statusCode).toBe(201);
    expect(response.headers["location"]).toBe("/api/v1/progress/cameras/k1");
    const camera = response.json();
    expect(camera).toMatchObject({
      id: "k1",
      project_id: "p1",
      status: "active",
      suspended_at: null,
      zones: [{ zone_id: "z1", outline: scene.outline }],
      url_prefixes: [prefix],
    });
    const key = `cameras/k1/${camera.reference_sha256}.jpg`;
    expect(camera.reference_image).toContain(key);
    expect(await t.files.store.stat(key)).toBeDefined();
    expect((await t.get(`${CAMERAS}/k1`, ADMIN_KEY)).json()).toEqual(camera);
    const list = await t.get(`${CAMERAS}?project_id=p1`, ADMIN_KEY);
    expect(list.json()).toEqual({
      data: [camera],
      pagination: { page: 1, limit: 100, total: 1, has_more: false },
    });
    expect((await create({ id: "k1" })).statusCode).toBe(409);
  });

  it.each([
    [{ reference_image: "https://site.example/a.jpg" }, "reference_image"],
    [{ zones: [{ zone_id: "z2", outline: scene.outline }] }, "zones[0].zone_id"],
    [{ zones: [{ zone_id: "z9", outline: scene.outline }] }, "zones[0].zone_id"],
    [
      {
        zones: [
          {
            zone_id: "z1",
            outline: [
              [0, 0],
              [100, 50],
              [0, 1],
            ],
          },
        ],
      },
      "zones[0].outline[1]",
    ],
    [
      {
        zones: [
          {
            zone_id: "z1",
            outline: [
              [0, 0],
              [1, 1],
            ],
          },
        ],
      },
      "zones[0].outline",
    ],
    [
      {
        zones: [
          {
            zone_id: "z1",
            outline: [
              [0, 0],
              [1, 0],
              [0.5, 0.01],
            ],
          },
        ],
      },
      "zones[0].outline",
    ],
    [{ zones: [{ zone_id: "z1", outline: "all" }] }, "zones[0].outline"],
    [{ zones: "z1" }, "zones"],
    [{ zones: [7] }, "zones[0]"],
    [
      {
        zones: [
          { zone_id: "z1", outline: scene.outline },
          { zone_id: "z1", outline: scene.outline },
        ],
      },
      "zones[1].zone_id",
    ],
    [{ url_prefixes: ["cams.example"] }, "url_prefixes.0"],
    [{ name: "" }, "name"],
  ])("cameras refuse %j, naming the field", async (change, parameter) => {
    const response = await create(change);
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toMatchObject({
      code: "invalid_parameter",
      details: [expect.objectContaining({ parameter })],
    });
  });

  it("cameras take a closed ring as the open one", async () => {
    const [first] = scene.outline;
    const outline = [...scene.outline, first];
    const response = await create({ zones: [{ zone_id: "z1", outline }] });
    expect(response.json().zones[0].outline).toEqual(scene.outline);
  });

  it("cameras work again with a new reference view, and only with that", async () => {
    const { id, reference_sha256: before } = await createCamera(t, scene);
    await t.records.siteCameras.update(id as CameraId, (camera) => ({
      ...camera,
      state: "suspended",
      suspended_at: "2026-03-01T00:00:00.000Z",
    }));
    const renamed = await t.send("PATCH", `${CAMERAS}/${id}`, ADMIN_KEY, { name: "Gate 4" });
    expect(renamed.json()).toMatchObject({ name: "Gate 4", status: "suspended" });
    t.clock.ms += 60_000;
    const reference_image = await uploaded(t, scene, { progress: 10, shiftX: 0.15 });
    const again = await t.send("PATCH", `${CAMERAS}/${id}`, ADMIN_KEY, { reference_image });
    expect(again.json()).toMatchObject({
      name: "Gate 4",
      status: "active",
      suspended_at: null,
      reference_set_at: new Date(t.clock.ms).toISOString(),
    });
    expect(again.json().reference_sha256).not.toBe(before);
    const wrong = await t.send("PATCH", `${CAMERAS}/${id}`, ADMIN_KEY, {
      zones: [{ zone_id: "z2", outline: scene.outline }],
    });
    expect(wrong.statusCode).toBe(400);
  });

  it("cameras are removed with their files; the id stays taken", async () => {
    const { reference_sha256 } = await createCamera(t, scene, { id: "k9" });
    expect((await t.send("DELETE", `${CAMERAS}/k9`, ADMIN_KEY)).statusCode).toBe(204);
    expect((await t.get(`${CAMERAS}/k9`, ADMIN_KEY)).statusCode).toBe(404);
    await expect
      .poll(() => t.files.store.stat(`cameras/k9/${reference_sha256}.jpg`))
      .toBeUndefined();
    expect((await create({ id: "k9" })).statusCode).toBe(409);
  });

  it("cameras need the scope, and are the project's own", async () => {
    const reader = await t.key({ scopes: ["progress:read"] });
    expect((await t.send("POST", CAMERAS, reader, newCamera(reference, scene))).statusCode).toBe(
      403,
    );
    const foreign = await t.key({ scopes: ["progress:read"], project_ids: ["p2"] as never });
    expect((await t.get(CAMERAS, foreign)).json().data).toEqual([]);
    expect((await t.get(`${CAMERAS}/k1`, foreign)).statusCode).toBe(404);
  });
});
