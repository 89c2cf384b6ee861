import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import type { CameraId, ObservationId, WorkZoneId } from "../../../../domain/ids.ts";
import { ThreadPool } from "../../../../processing/pool/pool.ts";
import { AllImagesRefused } from "../../../../processing/progress/analysis/all-images-refused.ts";
import type { CaptureFindings } from "../../../../processing/progress/analysis/analyser.ts";
import { createCameraAnalyser } from "../../../../processing/progress/camera/camera-analyser.ts";
import { FEATURE_COUNT } from "../../../../processing/progress/camera/features/zone-features.ts";
import { NETWORK_COUNT } from "../../../../processing/progress/camera/network/network-count.ts";
import {
  CAMERA,
  type CameraProject,
  openCameraProject,
  ZONE,
} from "../../../support/camera-capture.ts";
import { cameraScene } from "../../../support/camera-scene.ts";

const scene = cameraScene(3);
const options = { signal: new AbortController().signal, onProgress: () => undefined };
const DAY_MS = 86_400_000;

async function analyse(
  project: CameraProject,
  images: readonly string[],
  change: Parameters<CameraProject["input"]>[1] = {},
): Promise<CaptureFindings> {
  const input = await project.input(images, change);
  return await createCameraAnalyser(project.tools).analyse(input, options);
}

const takenAt = (dayNumber: number) => ({
  flight_metadata: { taken_at: new Date(Date.UTC(2026, 0, 1) + dayNumber * DAY_MS).toISOString() },
});

describe("a capture of fixed cameras", () => {
  it("a capture of fixed cameras names what became of every image", async () => {
    await using project = await openCameraProject();
    await project.zone();
    await project.camera(scene);
    const base = "https://cams.test/gate-3";
    const view = scene.shoot({ progress: 40, day: 5 });
    const flat = (value: number) => ({
      width: 640,
      height: 360,
      rgb: new Uint8Array(691_200).fill(value),
    });
    const images = [
      await project.image(`${base}/good.jpg`, view),
      await project.image(`${base}/copy.jpg`, view),
      await project.image(`${base}/night.jpg`, flat(4)),
      await project.image(`${base}/white.jpg`, flat(255)),
      await project.image(`${base}/cap.jpg`, flat(120)),
      await project.image(`${base}/broken.jpg`, Buffer.from("no image")),
      "https://cams.test/gate-3/gone.jpg",
      await project.image("https://other.test/x.jpg", cameraScene(77).shoot({ progress: 0 })),
      await project.image("https://other.test/y.jpg", view),
    ];
    const found = await analyse(
      project,
      images.map((url) => (url.includes("/y.jpg") ? `${url.split("#")[0]}#camera=cam9` : url)),
    );
    const results = found.images.map(({ status, reason, camera_id }) => [
      status,
      reason,
      camera_id,
    ]);
    expect(results[0]).toEqual(["used", undefined, CAMERA]);
    expect(found.images[0]?.change_index).toBeGreaterThan(0.1);
    expect(results[1]).toEqual([
      "rejected",
      "copy.jpg shows what good.jpg shows already",
      undefined,
    ]);
    expect(results[2]?.[1]).toContain("too dark");
    expect(results[3]?.[1]).toContain("overexposed");
    expect(results[4]?.[1]).toContain("blurred");
    expect(results[5]?.[1]).toContain("broken.jpg is damaged");
    expect(results[6]).toEqual(["rejected", "gone.jpg was answered with status 404", undefined]);
    expect(results[7]?.[0]).toBe("rejected");
    expect(results[8]?.[0]).toBe("not_used");
    expect(found.moved).toEqual([]);
  });

  it("a capture of fixed cameras estimates nothing without labels, and keeps views, their pictures and one with outlines", async () => {
    await using project = await openCameraProject();
    await project.zone();
    await project.camera(scene);
    const url = await project.image(
      "https://cams.test/gate-3/a.jpg",
      scene.shoot({ progress: 40, day: 5 }),
    );
    const found = await analyse(project, [
      `${url}?token=secret#frame 7`.replace("?token=secret", ""),
    ]);
    expect(found.estimates).toEqual([
      expect.objectContaining({
        zone_id: ZONE,
        raw_progress: undefined,
        no_estimate: "no_calibration",
        observed_fraction: 1,
        notes: ["Camera cam1 needs 0 of at least 5 labels; 9 for an interval."],
      }),
    ]);
    const [view] = found.views;
    expect(view).toMatchObject({ zone_id: ZONE, camera_id: CAMERA, capture_id: "cap_1" });
    expect(view?.features).toHaveLength(FEATURE_COUNT + NETWORK_COUNT);
    const kept = await project.tools.files.stat(`captures/cap_1/views/${view?.image_sha256}.jpg`);
    expect(kept?.bytes).toBeGreaterThan(1_000);
    expect(found.pictures).toEqual([
      {
        title: expect.stringContaining("Gate 3, 2026-03-05"),
        key: "captures/cap_1/1/camera-cam1.jpg",
      },
    ]);
    const opened = await project.tools.files.get("captures/cap_1/1/camera-cam1.jpg");
    const picture =
      opened &&
      (await sharp(await buffer(opened.body))
        .raw()
        .toBuffer());
    // The upper left corner of the outline is signal yellow.
    const [x = 0, y = 0] = scene.outline[0] ?? [];
    const at = (Math.round(y * 360) * 640 + Math.round(x * 640)) * 3;
    expect(picture?.[at]).toBeGreaterThan(180);
    expect(picture?.[at + 2]).toBeLessThan(110);
  });

  it("a capture of fixed cameras fails when all images are refused, naming each", async () => {
    await using project = await openCameraProject();
    const refused = analyse(project, ["https://a.test/1.jpg", "https://a.test/2.jpg"]);
    await expect(refused).rejects.toThrow(AllImagesRefused);
    await expect(refused).rejects.toMatchObject({
      images: [{ status: "rejected" }, { status: "rejected" }],
    });
  });

  it("a capture of fixed cameras says what an image of no camera could be named by", async () => {
    await using project = await openCameraProject();
    const url = await project.image("https://a.test/1.jpg", scene.shoot({ progress: 0 }));
    const found = await analyse(project, [url], { capture_type: "manual" });
    expect(found.images[0]).toMatchObject({
      status: "not_used",
      reason: expect.stringContaining("#camera="),
    });
    expect(found.estimates).toEqual([]);
  });
});

describe("a camera that was knocked", () => {
  it("a knocked camera is reported and gives no estimate, whether the image names it or not", async () => {
    await using project = await openCameraProject();
    await project.zone();
    await project.camera(scene);
    const shot = scene.shoot({ progress: 30, shiftX: 0.15, day: 9 });
    for (const address of ["https://cams.test/gate-3/m.jpg", "https://elsewhere.test/m.jpg"]) {
      const found = await analyse(project, [await project.image(address, shot)]);
      expect(found.images[0]).toMatchObject({ status: "camera_moved", camera_id: CAMERA });
      expect(found.images[0]?.reason).toContain("15 % of its width");
      expect(found.moved).toEqual([{ cameraId: CAMERA, note: expect.stringContaining("15 %") }]);
      expect(found.estimates).toMatchObject([
        { zone_id: ZONE, no_estimate: "camera_moved", raw_progress: undefined },
      ]);
      expect(found.views).toEqual([]);
    }
  });

  it("a camera is not suspended by a passer-by's photograph, nor when it was turned back", async () => {
    await using project = await openCameraProject();
    await project.zone();
    await project.camera(scene, { url_prefixes: [] });
    const aside = await project.image(
      "https://x.test/m.jpg",
      scene.shoot({ progress: 30, shiftX: 0.15, day: 9 }),
    );
    const back = await project.image("https://x.test/n.jpg", scene.shoot({ progress: 30, day: 8 }));
    const manual = await analyse(project, [aside], { capture_type: "manual" });
    expect(manual.images[0]?.status).toBe("not_used");
    expect(manual.moved).toEqual([]);
    const both = await analyse(project, [aside, back]);
    expect(both.images.map(({ status }) => status)).toEqual(["camera_moved", "used"]);
    expect(both.moved).toEqual([]);
  });

  it("a camera is not suspended by a picture that comes late, after newer ones that lie on the reference view", async () => {
    await using project = await openCameraProject();
    await project.zone();
    await project.camera(scene);
    const still = await project.image(
      "https://cams.test/gate-3/still.jpg",
      scene.shoot({ progress: 30, day: 12 }),
    );
    const input = await project.input([still], takenAt(12));
    const seen = await createCameraAnalyser(project.tools).analyse(input, options);
    expect(seen.images[0]?.status).toBe("used");
    await project.records.captures.complete({
      capture: {
        ...input.capture,
        state: "completed",
        completed_at: new Date().toISOString(),
        capture_date: new Date(seen.captureDateMs).toISOString(),
        images: seen.images,
      },
      ...{ report: undefined, baselines: [], datum: undefined, views: [], suspended: [] },
      events: [],
    });
    const aside = await project.image(
      "https://cams.test/gate-3/late.jpg",
      scene.shoot({ progress: 20, shiftX: 0.15, day: 5 }),
    );
    const late = await analyse(project, [aside], takenAt(5));
    expect(late.images[0]?.status).toBe("camera_moved");
    expect(late.moved).toEqual([]);
    expect((await analyse(project, [aside], takenAt(13))).moved).toHaveLength(1);
  });

  it("a camera that was knocked stays out of use until a new reference view is set", async () => {
    await using project = await openCameraProject();
    await project.zone();
    await project.camera(scene, { state: "suspended", suspended_at: "2026-02-01T00:00:00.000Z" });
    const url = await project.image(
      "https://cams.test/gate-3/a.jpg",
      scene.shoot({ progress: 30, day: 5 }),
    );
    const found = await analyse(project, [url]);
    expect(found.images[0]).toMatchObject({
      status: "camera_moved",
      reason: expect.stringContaining("suspended since 2026-02-01"),
    });
    expect(found.estimates[0]?.no_estimate).toBe("camera_moved");
    expect(found.moved).toEqual([]);
  });

  it("a camera that was knocked is found by three images over a day that show nothing of the scene; not by one day of fog", async () => {
    await using project = await openCameraProject();
    await project.zone();
    await project.camera(scene);
    const other = cameraScene(91);
    const lost = async (day: number, name: string) => {
      const url = await project.image(
        `https://cams.test/gate-3/${name}.jpg`,
        other.shoot({ progress: 50, day }),
      );
      const input = await project.input([url], takenAt(day));
      const run = createCameraAnalyser(project.tools).analyse(input, options);
      return await run.catch(async (error: unknown) => {
        if (!(error instanceof AllImagesRefused)) throw error;
        await project.records.captures.fail(input.capture.id, {
          error: { code: error.code, message: error.message },
          completedAt: new Date().toISOString(),
          images: error.images,
        });
        return error.images;
      });
    };
    expect(await lost(10, "a")).toMatchObject([{ status: "rejected", camera_id: CAMERA }]);
    expect(await lost(10.3, "b")).toMatchObject([{ status: "rejected" }]);
    expect(await lost(10.6, "c")).toMatchObject([{ status: "rejected" }]);
    expect(await lost(11.2, "d")).toMatchObject({
      moved: [
        { cameraId: CAMERA, note: expect.stringContaining("none of 4 images since 2026-01-11") },
      ],
      images: [{ status: "camera_moved" }],
    });
  });
});

describe("a calibrated zone", () => {
  const LABELS = [0, 12, 25, 33, 41, 50, 58, 66, 75, 83, 92, 100, 18, 70];
  let project: CameraProject;
  beforeAll(async () => {
    project = await openCameraProject();
    await project.zone();
    await project.camera(scene);
    const images = await Promise.all(
      LABELS.map((progress, i) =>
        project.image(
          `https://cams.test/gate-3/l${i}.jpg`,
          scene.shoot({ progress, day: 100 + i }),
        ),
      ),
    );
    const { views, images: results } = await analyse(project, images);
    expect(results.every(({ status }) => status === "used")).toBe(true);
    for (const [i, view] of views.entries()) {
      const taken_at = takenAt(i * 2).flight_metadata.taken_at;
      await project.records.siteCameras.addLabel({
        ...view,
        capture_id: undefined,
        taken_at,
        id: `obs_${i}` as ObservationId,
        progress: LABELS[i] ?? 0,
        stage: undefined,
        labelled_by: "test",
        labelled_at: taken_at,
        source: "calibration",
      });
    }
    return () => project[Symbol.asyncDispose]();
  });

  it("a calibrated zone is estimated with an interval that holds the truth", async () => {
    const url = await project.image(
      "https://cams.test/gate-3/t.jpg",
      scene.shoot({ progress: 45, day: 300 }),
    );
    const { estimates, images } = await analyse(project, [url], takenAt(13));
    const [estimate] = estimates;
    expect(images[0]).toMatchObject({ camera_id: CAMERA });
    expect(Math.abs((estimate?.raw_progress ?? 999) - 45)).toBeLessThan(15);
    const [low = 101, high = -1] = estimate?.interval_95 ?? [];
    expect(low).toBeLessThanOrEqual(45);
    expect(high).toBeGreaterThanOrEqual(45);
    expect(estimate).toMatchObject({
      method: "calibrated_image",
      is_at_design: false,
      figures: { labels: LABELS.length, images: 1 },
    });
  });

  it("a calibrated zone is not estimated from labels of another reference view", async () => {
    await project.records.siteCameras.update(CAMERA, (before) => ({
      ...before,
      reference_sha256: "f".repeat(64),
    }));
    const url = await project.image(
      "https://cams.test/gate-3/t.jpg",
      scene.shoot({ progress: 45, day: 300 }),
    );
    const { estimates } = await analyse(project, [url], takenAt(40));
    expect(estimates[0]).toMatchObject({ no_estimate: "no_calibration", raw_progress: undefined });
  });
});

describe("photographs without a fixed view", () => {
  it("photographs without a fixed view give the stage of the zone that they name", async () => {
    await using project = await openCameraProject();
    const id = "flat 3".replace(" ", "-") as WorkZoneId;
    const stages = [
      { name: "framing", credit: 20 },
      { name: "board", credit: 60 },
    ];
    await project.zone({ id, metric: { kind: "stages", stages } });
    await project.zone({ id: "z2" as WorkZoneId, name: "Road" });
    const rooms = { framing: cameraScene(21), board: cameraScene(22) };
    let count = 50;
    const look = async (stage: keyof typeof rooms, hint: string, metadata: object = {}) => {
      count += 1;
      const url = await project.image(
        `https://phone.test/${count}.jpg`,
        rooms[stage].shoot({ progress: 0, day: count }),
      );
      return await analyse(project, [`${url}${hint}`], {
        capture_type: "manual",
        flight_metadata: { ...metadata },
      });
    };
    for (const stage of ["framing", "board"] as const) {
      const addresses = await Promise.all(
        Array.from({ length: 6 }, async (_, i) => {
          const shot = rooms[stage].shoot({ progress: 0, day: i + 1 });
          return `${await project.image(`https://phone.test/${stage}${i}.jpg`, shot)}#zone=${id}`;
        }),
      );
      const { views, estimates } = await analyse(project, addresses, { capture_type: "manual" });
      if (stage === "framing") expect(estimates[0]?.no_estimate).toBe("no_calibration");
      expect(views).toHaveLength(6);
      for (const [i, view] of views.entries()) {
        expect(view.camera_id).toBeUndefined();
        await project.records.siteCameras.addLabel({
          ...view,
          id: `obs_${stage}${i}` as ObservationId,
          progress: stage === "framing" ? 20 : 60,
          stage,
          labelled_by: "test",
          labelled_at: view.taken_at,
          source: "calibration",
        });
      }
    }
    const { estimates, images } = await look("board", "", { zone_id: id });
    expect(images[0]?.status).toMatch(/used|low_confidence/);
    expect(estimates).toMatchObject([
      {
        zone_id: id,
        method: "stage_model",
        raw_progress: 60,
        interval_95: undefined,
        figures: { stage: "board" },
      },
    ]);
    const wrong = await look("board", "#zone=z2");
    expect(wrong.images[0]).toMatchObject({
      status: "not_used",
      reason: expect.stringContaining("metric is image"),
    });
    expect((await look("board", "#zone=z9")).images[0]?.reason).toContain("not in the project");
  });
});

describe("the tasks", () => {
  it("the tasks of fixed cameras cross the thread with everything that they need", async () => {
    await using project = await openCameraProject();
    await project.zone();
    await project.camera(scene, { id: "c-2" as CameraId });
    const pool = new ThreadPool({ threads: 1, memoryBytes: 2 ** 30 });
    try {
      const url = await project.image(
        "https://cams.test/gate-3/a.jpg",
        scene.shoot({ progress: 40, day: 5 }),
      );
      const input = await project.input([url]);
      const found = await createCameraAnalyser({ ...project.tools, pool }).analyse(input, options);
      expect(found.images).toMatchObject([{ status: "used", camera_id: "c-2" }]);
      expect(found.views[0]?.features).toHaveLength(FEATURE_COUNT + NETWORK_COUNT);
      expect(found.pictures).toHaveLength(1);
    } finally {
      await pool.close();
    }
  });
});
