import { describe, expect, it } from "vitest";
import type { SiteCamera, ZoneView } from "../../../domain/sites/site-camera.ts";
import {
  camera,
  cameraId,
  capture,
  captureId,
  completed,
  label,
  observationId,
  view,
  workZone,
  zoneId,
} from "./progress-rows.ts";
import { type OpenStore, project, projectId } from "./rows.ts";

const K1 = cameraId("k1");
const Z1 = zoneId("z1");
const UNKNOWN = { code: "CAMERA_NOT_FOUND" };

export function describeSiteCameraRecords(current: () => OpenStore): void {
  const cameras = () => current().store.siteCameras;

  async function insertAll(...all: readonly SiteCamera[]): Promise<void> {
    for (const id of new Set(["p1", ...all.map((one) => one.project_id)])) {
      await current().store.projects.insert(project(id));
    }
    for (const id of ["z1", "z2"]) await current().store.workZones.insert(workZone(id));
    for (const one of all) await cameras().insert(one);
  }

  /** Ends a capture that left these views. */
  async function see(id: string, ...views: readonly ZoneView[]): Promise<void> {
    await current().store.captures.insert(capture(id));
    await current().store.captures.complete(completed(id, 15, {}, { views }));
  }

  const images = (views: readonly { readonly image_sha256: string }[]) =>
    views.map(({ image_sha256 }) => image_sha256);

  describe("site cameras", () => {
    it("finds a camera with every field it was given, and refuses what is taken", async () => {
      const full = camera("k1", {
        url_prefixes: ["https://cam.example/1/"],
        state: "suspended",
        suspended_at: "2026-11-20T09:00:00.000Z",
      });
      await insertAll(full, camera("k2"));
      expect(await cameras().find(K1)).toEqual(full);
      expect(await cameras().find(cameraId("k2"))).toEqual(camera("k2"));
      expect(await cameras().find(cameraId("k3"))).toBeUndefined();
      await expect(cameras().insert(camera("k1"))).rejects.toMatchObject({ code: "ID_CONFLICT" });
      await expect(
        cameras().insert(camera("k4", { project_id: projectId("none") })),
      ).rejects.toMatchObject({ code: "PROJECT_NOT_FOUND" });
    });

    it("lists cameras oldest first, by project, in pages", async () => {
      await insertAll(
        camera("c", { created_at: "2026-11-20T08:00:00.001Z" }),
        camera("b"),
        camera("a", { project_id: projectId("p2") }),
      );
      const ids = async (filter: object) => {
        const { cameras: found, total } = await cameras().list({ offset: 0, ...filter });
        return [found.map(({ id }) => id), total];
      };
      expect(await ids({})).toEqual([["a", "b", "c"], 3]);
      expect(await ids({ limit: 1, offset: 1 })).toEqual([["b"], 3]);
      expect(await ids({ isReversed: true })).toEqual([["c", "b", "a"], 3]);
      expect(await ids({ projectIds: [projectId("p1")] })).toEqual([["b", "c"], 2]);
    });

    it("runs simultaneous changes of one camera one after the other", async () => {
      await insertAll(camera("k1"));
      const longer = (before: SiteCamera): SiteCamera => ({ ...before, name: `${before.name}!` });
      await Promise.all(Array.from({ length: 6 }, () => cameras().update(K1, longer)));
      const refused = cameras().update(K1, () => {
        throw new RangeError("no");
      });
      await expect(refused).rejects.toThrow(RangeError);
      expect(await cameras().find(K1)).toEqual(camera("k1", { name: "Mast Nord!!!!!!" }));
      await expect(cameras().update(cameraId("k2"), longer)).rejects.toMatchObject(UNKNOWN);
    });

    it("site cameras keep views bit by bit and list those of a zone without a label", async () => {
      await insertAll(camera("k1"));
      const bits = Float32Array.from({ length: 648 }, (_, i) => Math.fround(Math.sin(i) * 1e3));
      const first = view("i1", {
        features: bits,
        camera_id: undefined,
        reference_sha256: undefined,
      });
      const later = view("i2", { taken_at: "2026-11-16T12:00:00.000Z" });
      await see("c1", later, first, view("i3", { zone_id: zoneId("z2") }));
      await see(
        "c2",
        view("i4", { capture_id: captureId("c2"), taken_at: "2026-11-17T00:00:00.000Z" }),
      );
      expect(await cameras().views(captureId("c1"))).toEqual([
        first,
        view("i3", { zone_id: zoneId("z2") }),
        later,
      ]);
      const unlabelled = async (ms: number, limit = 10) =>
        images(await cameras().unlabelled(Z1, ms, limit));
      expect(await unlabelled(0)).toEqual(["i1", "i2", "i4"]);
      expect(await unlabelled(0, 2)).toEqual(["i1", "i2"]);
      expect(await unlabelled(Date.UTC(2026, 10, 16, 12))).toEqual(["i2", "i4"]);
      expect(await unlabelled(Date.UTC(2026, 10, 16, 12) + 1)).toEqual(["i4"]);
      await cameras().addLabel(label("l2", { image_sha256: "i2" }));
      await cameras().addLabel(label("l4", { image_sha256: "i4", zone_id: zoneId("z2") }));
      expect(await unlabelled(0)).toEqual(["i1", "i4"]);
    });

    it("the store of site cameras puts a label of the same zone and image in the place of the earlier one", async () => {
      await insertAll(camera("k1"));
      const staged = label("l1", { image_sha256: "i1", stage: "framing", camera_id: undefined });
      await cameras().addLabel(staged);
      expect(await cameras().labels([Z1])).toEqual([staged]);
      const other = label("l2", { image_sha256: "i1", zone_id: zoneId("z2") });
      await cameras().addLabel(other);
      const better = label("l3", { image_sha256: "i1", progress: 70, features_version: 2 });
      await cameras().addLabel(better);
      await cameras().addLabel(better);
      expect(await cameras().labels([Z1, zoneId("z2")])).toEqual([other, better]);
      await expect(cameras().addLabel(label("l3", { image_sha256: "i9" }))).rejects.toMatchObject({
        code: "ID_CONFLICT",
      });
      await expect(
        cameras().addLabel(label("l5", { zone_id: zoneId("none") })),
      ).rejects.toMatchObject({ code: "ZONE_NOT_FOUND" });
      await expect(
        cameras().addLabel(label("l5", { camera_id: cameraId("none") })),
      ).rejects.toMatchObject(UNKNOWN);
      await Promise.all(
        Array.from({ length: 5 }, (_, i) =>
          cameras().addLabel(label(`m${i}`, { image_sha256: "i1" })),
        ),
      );
      expect(await cameras().labels([Z1])).toHaveLength(1);
    });

    it("the store of site cameras lists labels newest first without their features, and deletes one", async () => {
      await insertAll(camera("k1"));
      await cameras().addLabel(label("b"));
      await cameras().addLabel(label("c"));
      await cameras().addLabel(label("a", { taken_at: "2026-11-16T00:00:00.000Z" }));
      await cameras().addLabel(label("other", { zone_id: zoneId("z2") }));
      const listed = async (limit: number, offset: number) => {
        const { labels, total } = await cameras().listLabels(Z1, { limit, offset });
        return [labels.map(({ id }) => id), total];
      };
      expect(await listed(2, 0)).toEqual([["a", "c"], 3]);
      expect(await listed(2, 2)).toEqual([["b"], 3]);
      const { labels } = await cameras().listLabels(zoneId("z2"), { limit: 1, offset: 0 });
      const { features: _, ...expected } = label("other", { zone_id: zoneId("z2") });
      expect(labels).toEqual([expected]);
      expect(labels[0]).not.toHaveProperty("features");
      expect((await cameras().labels([Z1])).map(({ id }) => id)).toEqual(["b", "c", "a"]);
      await cameras().deleteLabel(Z1, observationId("c"));
      expect(await listed(9, 0)).toEqual([["a", "b"], 2]);
      for (const id of ["c", "other"]) {
        await expect(cameras().deleteLabel(Z1, observationId(id))).rejects.toMatchObject({
          code: "OBSERVATION_NOT_FOUND",
        });
      }
    });

    it("forgets a deleted camera with its views and labels, and keeps its id taken", async () => {
      await insertAll(camera("k1"), camera("k2"));
      await see("c1", view("i1"), view("i2", { camera_id: cameraId("k2") }));
      await cameras().addLabel(label("l1"));
      await cameras().addLabel(label("l2", { camera_id: cameraId("k2") }));
      await cameras().delete(K1);
      expect(await cameras().find(K1)).toBeUndefined();
      expect(images(await cameras().views(captureId("c1")))).toEqual(["i2"]);
      expect((await cameras().labels([Z1])).map(({ id }) => id)).toEqual(["l2"]);
      await expect(cameras().insert(camera("k1"))).rejects.toMatchObject({ code: "ID_CONFLICT" });
      await expect(cameras().delete(K1)).rejects.toMatchObject(UNKNOWN);
      await expect(cameras().addLabel(label("l3"))).rejects.toMatchObject(UNKNOWN);
    });

    it("the store of site cameras expires old views, and keeps labels", async () => {
      await insertAll(camera("k1"));
      await see("c1", view("i1"), view("i2", { taken_at: "2026-11-16T12:00:00.000Z" }));
      await cameras().addLabel(label("l1", { image_sha256: "i1" }));
      expect(await cameras().expireViews(Date.UTC(2026, 10, 16, 12))).toBe(false);
      expect(images(await cameras().views(captureId("c1")))).toEqual(["i2"]);
      expect(await cameras().labels([Z1])).toHaveLength(1);
    });

    it("a site camera keeps its project from being deleted", async () => {
      const { projects, workZones } = current().store;
      await insertAll(camera("k1"));
      for (const id of ["z1", "z2"]) await workZones.delete(zoneId(id));
      await expect(projects.delete(projectId("p1"))).rejects.toMatchObject({
        code: "PROJECT_IN_USE",
        message: 'project "p1" has site cameras',
      });
      await cameras().delete(K1);
      await projects.delete(projectId("p1"));
      expect(await projects.list()).toEqual([]);
    });
  });
}
