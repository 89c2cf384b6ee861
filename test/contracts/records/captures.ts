import { describe, expect, it } from "vitest";
import type { Capture } from "../../../domain/sites/capture.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import {
  camera,
  cameraId,
  capture,
  captureId,
  completed,
  estimate,
  report,
  reportId,
  view,
  workZone,
  zoneId,
} from "./progress-rows.ts";
import { event, type OpenStore, project, projectId } from "./rows.ts";

const P1 = projectId("p1");
const C1 = captureId("c1");
const PAGE = { limit: 10, offset: 0 };
const FOR_EVER = Number.MAX_SAFE_INTEGER;
const UNKNOWN = { code: "CAPTURE_NOT_FOUND" };
const PRODUCTS = {
  dsm: "captures/c1/dsm.tif",
  orthomosaic: undefined,
  orthomosaic_preview: undefined,
  preview_corners: undefined,
  model_3d: "captures/c1/model.glb",
  survey_report: "captures/c1/report.html",
};

export function describeCaptureRecords(current: () => OpenStore): void {
  const captures = () => current().store.captures;

  async function insertAll(...all: readonly Capture[]): Promise<void> {
    for (const id of new Set(["p1", ...all.map((one) => one.project_id)])) {
      await current().store.projects.insert(project(id));
    }
    for (const one of all) await captures().insert(one);
  }

  async function insertZones(...zones: readonly WorkZone[]): Promise<void> {
    for (const zone of zones) await current().store.workZones.insert(zone);
  }

  describe("captures", () => {
    it("lists captures by their state", async () => {
      await insertAll(capture("c1"), capture("c2"), capture("c3", { project_id: projectId("p2") }));
      await captures().complete(completed("c2", 12));
      const ids = async (filter: object) =>
        (await captures().list({ ...PAGE, ...filter })).captures.map(({ id }) => id);
      expect((await ids({ states: ["processing"] })).toSorted()).toEqual(["c1", "c3"]);
      expect(await ids({ states: ["processing"], projectIds: [P1] })).toEqual(["c1"]);
      expect(await ids({ states: [] })).toEqual([]);
      expect((await captures().list({ ...PAGE, states: ["completed"] })).total).toBe(1);
    });

    it("finds a capture with every field it was given", async () => {
      const full = capture("c1", {
        capture_type: "cctv",
        flight_metadata: { gsd_cm: 2.1, own: { key: ["\0", null] } },
        warnings: ["2 images are one"],
      });
      await insertAll(full, capture("c2"));
      expect(await captures().find(C1)).toEqual(full);
      expect(await captures().find(captureId("c3"))).toBeUndefined();
      await expect(captures().insert(capture("c1"))).rejects.toMatchObject({ code: "ID_CONFLICT" });
      await expect(
        captures().insert(capture("c4", { project_id: projectId("none") })),
      ).rejects.toMatchObject({ code: "PROJECT_NOT_FOUND" });
    });

    it("lists captures newest first, by project, in pages", async () => {
      const later = { created_at: "2026-11-20T10:00:00.001Z" };
      await insertAll(
        capture("a"),
        capture("c", later),
        capture("b", { project_id: projectId("p2") }),
        capture("d", later),
      );
      const ids = async (filter: object) => {
        const { captures: found, total } = await captures().list({ ...PAGE, ...filter });
        return [found.map(({ id }) => id), total];
      };
      expect(await ids({})).toEqual([["d", "c", "b", "a"], 4]);
      expect(await ids({ limit: 2, offset: 1 })).toEqual([["c", "b"], 4]);
      expect(await ids({ isReversed: true })).toEqual([["a", "b", "c", "d"], 4]);
      expect(await ids({ projectIds: [P1] })).toEqual([["d", "c", "a"], 3]);
      expect(await ids({ projectIds: [] })).toEqual([[], 0]);
    });

    it("stores the end of a capture with all that it found, once", async () => {
      const { store } = current();
      await insertAll(capture("c1"));
      await insertZones(workZone("z1"));
      await store.siteCameras.insert(camera("k1"));
      const done = completed(
        "c1",
        15,
        { report_id: reportId("r1"), estimates: [estimate("z1")], products: PRODUCTS },
        {
          report: report("r1"),
          baselines: [
            {
              zoneId: zoneId("z1"),
              surface: { kind: "raster", surface_key: "captures/c1/dsm.tif" },
            },
          ],
          datum: { version: 1, lat: 52.5, none: null },
          views: [view("i1"), view("i1", { features_version: 2 }), view("i2")],
          suspended: [cameraId("k1")],
          events: [event("e1", { type: "progress.report.created", assetId: undefined })],
        },
      );
      expect(await captures().complete(done)).toEqual(done.capture);
      expect(await captures().find(C1)).toEqual(done.capture);
      expect(await store.progressReports.find(reportId("r1"))).toEqual({
        report: report("r1"),
        supersededBy: undefined,
      });
      expect(await store.workZones.find(zoneId("z1"))).toEqual(
        workZone("z1", {
          baseline: { kind: "raster", surface_key: "captures/c1/dsm.tif" },
          updated_at: "2026-11-20T10:07:00.000Z",
        }),
      );
      expect(await captures().datum(P1)).toEqual({ version: 1, lat: 52.5, none: null });
      expect(await store.siteCameras.views(C1)).toEqual([view("i1"), view("i2")]);
      expect(await store.siteCameras.find(cameraId("k1"))).toEqual(
        camera("k1", {
          state: "suspended",
          suspended_at: "2026-11-20T10:07:00.000Z",
          updated_at: "2026-11-20T10:07:00.000Z",
        }),
      );

      const again = { ...done, report: report("r2"), events: [event("e2")] };
      expect(await captures().complete({ ...again, datum: { version: 2 } })).toEqual(done.capture);
      expect(await store.progressReports.find(reportId("r2"))).toBeUndefined();
      expect(await store.events.after(0, { limit: 9 })).toMatchObject([{ id: "e1" }]);
    });

    it("the store of captures ends one of simultaneous attempts", async () => {
      await insertAll(capture("c1"));
      const attempts = Array.from({ length: 6 }, (_, i) =>
        captures().complete(
          completed(
            "c1",
            15,
            { warnings: [`attempt ${i}`] },
            { report: report(`r${i}`), events: [event(`e${i}`)] },
          ),
        ),
      );
      const warned = (await Promise.all(attempts)).map(({ warnings }) => warnings[0]);
      expect(new Set(warned).size).toBe(1);
      const { reports } = await current().store.progressReports.list({ projectId: P1, ...PAGE });
      expect(reports).toHaveLength(1);
      expect(await current().store.events.after(0, { limit: 9 })).toHaveLength(1);
    });

    it("the store of captures stores nothing of an end that fails", async () => {
      const { store } = current();
      await insertAll(capture("c1"), capture("c2"));
      await insertZones(workZone("z1"));
      await captures().complete(completed("c1", 15, {}, { report: report("r1") }));
      const clash = completed(
        "c2",
        16,
        { estimates: [estimate("z1")] },
        { report: report("r1", { capture_id: captureId("c2") }), datum: { version: 1 } },
      );
      await expect(captures().complete(clash)).rejects.toMatchObject({ code: "ID_CONFLICT" });
      expect(await captures().find(captureId("c2"))).toEqual(capture("c2"));
      expect(await captures().estimates([zoneId("z1")], FOR_EVER)).toEqual([]);
      expect(await captures().datum(P1)).toBeUndefined();
      expect(await store.events.after(0, { limit: 9 })).toEqual([]);
      await expect(captures().complete(completed("c9", 15))).rejects.toMatchObject(UNKNOWN);
    });

    it("the store of captures gives a baseline only to a zone that has none, and the frame to the first", async () => {
      await insertAll(capture("c1"));
      const level = { kind: "level", height_m: 3, reference: "survey" } as const;
      await insertZones(workZone("z1", { baseline: level }), workZone("z2"));
      const raster = { kind: "raster", surface_key: "s.tif" } as const;
      const baselines = ["z1", "z2", "gone"].map((id) => ({ zoneId: zoneId(id), surface: raster }));
      await captures().complete(completed("c1", 15, {}, { baselines, datum: { first: true } }));
      await captures().insert(capture("c2"));
      await captures().complete(completed("c2", 16, {}, { baselines, datum: { first: false } }));
      await captures().insert(capture("c3"));
      await captures().complete(completed("c3", 17, {}, { datum: null }));
      const { workZones } = current().store;
      expect((await workZones.find(zoneId("z1")))?.baseline).toEqual(level);
      expect((await workZones.find(zoneId("z2")))?.baseline).toEqual(raster);
      expect(await captures().datum(P1)).toEqual({ first: true });
      expect(await captures().datum(projectId("p2"))).toBeUndefined();
    });

    it("the store of captures takes nothing for zones and cameras that were deleted meanwhile", async () => {
      const { store } = current();
      await insertAll(capture("c1"));
      await insertZones(workZone("z1"), workZone("z2"));
      await store.siteCameras.insert(camera("k1"));
      await store.siteCameras.insert(camera("k2"));
      await store.workZones.delete(zoneId("z1"));
      await store.siteCameras.delete(cameraId("k1"));
      const views = ["z1", "z2"].flatMap((zone) =>
        ["k1", "k2", undefined].map((id) =>
          view(`i-${id}`, {
            zone_id: zoneId(zone),
            camera_id: id === undefined ? undefined : cameraId(id),
          }),
        ),
      );
      const estimates = [estimate("z1"), estimate("z2")];
      const suspended = [cameraId("k1")];
      const ended = await captures().complete(
        completed("c1", 15, { estimates }, { views, suspended }),
      );
      expect(ended.estimates).toHaveLength(2);
      const found = await captures().estimates([zoneId("z1"), zoneId("z2")], FOR_EVER);
      expect(found.map((past) => past.estimate.zone_id)).toEqual(["z2"]);
      expect((await store.siteCameras.views(C1)).map(({ image_sha256 }) => image_sha256)).toEqual([
        "i-k2",
        "i-undefined",
      ]);
    });

    it("the store of captures leaves a camera alone that got its reference view after the capture was sent", async () => {
      const { siteCameras } = current().store;
      await insertAll(capture("c1"));
      const fresh = camera("k1", { reference_set_at: "2026-11-20T10:00:00.001Z" });
      await siteCameras.insert(fresh);
      await captures().complete(completed("c1", 15, {}, { suspended: [cameraId("k1")] }));
      expect(await siteCameras.find(cameraId("k1"))).toEqual(fresh);
    });

    it("keeps the failure of a capture, and fails none that is over", async () => {
      await insertAll(capture("c1"), capture("c2"));
      const failure = {
        error: { code: "images_unusable", message: "no image could be used" },
        completedAt: "2026-11-20T10:03:00.000Z",
        images: [{ url: "a.jpg", status: "rejected", reason: "blurred" } as const],
      };
      const failed = capture("c1", {
        state: "failed",
        error: failure.error,
        completed_at: failure.completedAt,
        images: failure.images,
      });
      expect(await captures().fail(C1, failure)).toEqual(failed);
      expect(await captures().find(C1)).toEqual(failed);
      expect(await captures().complete(completed("c1", 15))).toEqual(failed);
      await captures().complete(completed("c2", 15));
      expect(await captures().fail(captureId("c2"), failure)).toMatchObject({ state: "completed" });
      await expect(captures().fail(captureId("c9"), failure)).rejects.toMatchObject(UNKNOWN);
    });

    it("captures give the percents of zones by completed captures up to a time", async () => {
      await insertAll(capture("b"), capture("a"), capture("early"), capture("late"));
      await insertZones(workZone("z1"), workZone("z2"), workZone("z3"));
      const silent = estimate("z1", { raw_progress: undefined, no_estimate: "not_observed" });
      const end = (id: string, day: number, estimates: Capture["estimates"]) =>
        captures().complete(completed(id, day, { estimates }));
      await end("b", 16, [estimate("z1", { raw_progress: 20, interval_95: undefined })]);
      await end("a", 16, [estimate("z1", { raw_progress: 0 }), estimate("z2")]);
      await end("early", 14, [estimate("z1"), estimate("z3")]);
      await end("late", 17, [silent]);
      const found = await captures().estimates([zoneId("z1"), zoneId("z2")], FOR_EVER);
      expect(found.map((past) => [past.captureId, past.estimate.zone_id])).toEqual([
        ["early", "z1"],
        ["a", "z1"],
        ["a", "z2"],
        ["b", "z1"],
      ]);
      expect(found.map((past) => past.estimate.raw_progress)).toEqual([41.25, 0, 41.25, 20]);
      expect(found[0]).toEqual({
        captureId: "early",
        captureDateMs: Date.UTC(2026, 10, 14, 12),
        estimate: estimate("z1"),
      });
      const until = async (ms: number) => (await captures().estimates([zoneId("z1")], ms)).length;
      expect(await until(Date.UTC(2026, 10, 16, 12))).toBe(3);
      expect(await until(Date.UTC(2026, 10, 16, 12) - 1)).toBe(1);
    });

    it("the store of captures finds the newest flight with products up to a time", async () => {
      const other = { project_id: projectId("p2") };
      await insertAll(
        ...["f14", "f16", "bare", "cctv", "open"].map((id) => capture(id)),
        capture("alone", { purpose: "survey" }),
        capture("other", other),
      );
      await captures().complete(completed("f14", 14, { products: PRODUCTS }));
      await captures().complete(completed("f16", 16, { products: PRODUCTS }));
      await captures().complete(completed("bare", 17));
      await captures().complete(
        completed("cctv", 18, { products: PRODUCTS, capture_type: "cctv" }),
      );
      await captures().complete(completed("other", 19, { products: PRODUCTS, ...other }));
      // Nothing may rest on what can be deleted.
      await captures().complete(completed("alone", 18, { products: PRODUCTS, purpose: "survey" }));
      const newest = async (ms: number) => (await captures().newestFlight(P1, ms))?.id;
      expect(await newest(FOR_EVER)).toBe("f16");
      expect(await newest(Date.UTC(2026, 10, 16, 12))).toBe("f16");
      expect(await newest(Date.UTC(2026, 10, 16, 12) - 1)).toBe("f14");
      expect(await newest(Date.UTC(2026, 10, 13))).toBeUndefined();
    });

    it("the store of captures deletes one that was made for its survey alone, and no other", async () => {
      await insertAll(capture("c1"), capture("c2", { purpose: "survey" }));
      await captures().complete(completed("c2", 15, { products: PRODUCTS, purpose: "survey" }));
      await captures().delete(captureId("c2"));
      expect(await captures().find(captureId("c2"))).toBeUndefined();
      for (const id of ["c1", "c2", "c3"]) {
        await expect(captures().delete(captureId(id))).rejects.toMatchObject(UNKNOWN);
      }
      expect(await captures().find(C1)).toMatchObject({ id: "c1" });
    });

    it("a capture does not keep its project from being deleted", async () => {
      await insertAll(capture("c1"));
      await captures().complete(completed("c1", 15, {}, { report: report("r1"), datum: [1] }));
      await current().store.projects.delete(P1);
      expect(await captures().find(C1)).toMatchObject({ id: "c1" });
    });
  });
}
