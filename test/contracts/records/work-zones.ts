import { describe, expect, it } from "vitest";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import {
  camera,
  capture,
  captureId,
  completed,
  estimate,
  label,
  observation,
  view,
  workZone,
  zoneId,
} from "./progress-rows.ts";
import { NOON_MS, type OpenStore, project, projectId } from "./rows.ts";

const Z1 = zoneId("z1");
const UNKNOWN = { code: "ZONE_NOT_FOUND" };
const FOR_EVER = Number.MAX_SAFE_INTEGER;

export function describeWorkZoneRecords(current: () => OpenStore): void {
  const zones = () => current().store.workZones;

  async function insertAll(...all: readonly WorkZone[]): Promise<void> {
    for (const id of new Set(all.map((one) => one.project_id))) {
      await current().store.projects.insert(project(id));
    }
    for (const one of all) await zones().insert(one);
  }

  describe("work zones", () => {
    it("finds a zone with every field it was given", async () => {
      const full = workZone("z1", {
        polygon: [
          [13.405, 52.52],
          [13.406, 52.52],
          [13.406123456789013, 52.521],
          [13.405, 52.52],
        ],
        metric: {
          kind: "height",
          levels: [
            { name: "EG", top_m: 3.2, weight: 2 },
            { name: "1. OG", top_m: 6.4, weight: 1.5 },
          ],
          tolerance_m: 0.15,
        },
        baseline: { kind: "flight", surface_key: "zones/z1/b.tif", capture_id: captureId("c1") },
        design: { kind: "level", height_m: -12.345, reference: "survey" },
        weight: 2.5,
        declared_progress: 12.5,
        declared_at: "2026-11-01T00:00:00.123Z",
        activities: { codes: ["Süd"], wbs: ["PRJ.20"], names: ["Aushub*"] },
        updated_at: "2026-11-20T11:30:00.000Z",
      });
      await insertAll(full, workZone("z2"));
      expect(await zones().find(Z1)).toEqual(full);
      expect(await zones().find(zoneId("z2"))).toEqual(workZone("z2"));
      expect(await zones().find(zoneId("z3"))).toBeUndefined();
    });

    it("the store of work zones refuses an id that is taken and a project that is not there", async () => {
      await insertAll(workZone("z1"));
      await expect(zones().insert(workZone("z1", { name: "other" }))).rejects.toMatchObject({
        code: "ID_CONFLICT",
      });
      await expect(
        zones().insert(workZone("z2", { project_id: projectId("none") })),
      ).rejects.toMatchObject({ code: "PROJECT_NOT_FOUND" });
      expect(await zones().find(Z1)).toEqual(workZone("z1"));
      expect((await zones().list({ offset: 0 })).total).toBe(1);
    });

    it("lists zones oldest first, by project, in pages", async () => {
      const later = { created_at: "2026-11-20T08:00:00.001Z" };
      await insertAll(
        workZone("c", later),
        workZone("b"),
        workZone("a", { project_id: projectId("p2") }),
        workZone("d", later),
      );
      const ids = async (filter: object) => {
        const { zones: found, total } = await zones().list({ offset: 0, ...filter });
        return [found.map(({ id }) => id), total];
      };
      expect(await ids({})).toEqual([["a", "b", "c", "d"], 4]);
      expect(await ids({ limit: 2, offset: 1 })).toEqual([["b", "c"], 4]);
      expect(await ids({ isReversed: true })).toEqual([["d", "c", "b", "a"], 4]);
      expect(await ids({ projectIds: [projectId("p1")] })).toEqual([["b", "c", "d"], 3]);
      expect(await ids({ projectIds: [] })).toEqual([[], 0]);
    });

    it("runs simultaneous changes of one zone one after the other, and forgets one that throws", async () => {
      await insertAll(workZone("z1", { weight: 1 }));
      const heavier = (before: WorkZone): WorkZone => ({
        ...before,
        weight: (before.weight ?? 0) + 1,
      });
      const changes = Array.from({ length: 8 }, () => zones().update(Z1, heavier));
      const refused = zones().update(Z1, () => {
        throw new RangeError("no");
      });
      await expect(refused).rejects.toThrow(RangeError);
      await Promise.all(changes);
      expect(await zones().find(Z1)).toEqual(workZone("z1", { weight: 9 }));
      await expect(zones().update(zoneId("z2"), heavier)).rejects.toMatchObject(UNKNOWN);
    });

    it("the store of work zones keeps observations in the order of their own time, each once", async () => {
      await insertAll(workZone("z1"), workZone("z2"));
      const bounded = observation("b", {
        interval_95: [30, 45.5],
        note: "Gerüst\nsteht",
        image_key: `zones/z1/observations/${"b".repeat(64)}.jpg`,
        source: "correction",
      });
      const older = observation("a", { observed_at: "2026-11-19T12:00:00.000Z" });
      const added = [
        observation("c", { recorded_at: "2026-11-20T13:00:00.001Z" }),
        bounded,
        older,
        observation("d", { zone_id: zoneId("z2"), observed_at: "2026-11-21T00:00:00.000Z" }),
      ];
      for (const one of added) await zones().addObservation(one);
      await zones().addObservation({ ...bounded, progress: 99 });
      const all = await zones().observations([Z1, zoneId("z2")], FOR_EVER);
      expect(all.map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
      expect(all.slice(0, 2)).toEqual([older, bounded]);
      const ids = async (untilMs: number) =>
        (await zones().observations([Z1], untilMs)).map(({ id }) => id);
      expect(await ids(NOON_MS)).toEqual(["a", "b", "c"]);
      expect(await ids(NOON_MS - 1)).toEqual(["a"]);
      expect(await zones().observations([], FOR_EVER)).toEqual([]);
      await expect(
        zones().addObservation(observation("e", { zone_id: zoneId("none") })),
      ).rejects.toMatchObject(UNKNOWN);
    });

    it("forgets a deleted zone with all that was said of it, and keeps its id taken", async () => {
      const { captures, siteCameras } = current().store;
      await insertAll(workZone("z1"), workZone("z2"));
      await siteCameras.insert(camera("k1"));
      await captures.insert(capture("c1"));
      await captures.complete(
        completed(
          "c1",
          15,
          { estimates: [estimate("z1"), estimate("z2")] },
          { views: [view("i1"), view("i2", { zone_id: zoneId("z2") })] },
        ),
      );
      for (const zone of ["z1", "z2"]) {
        await zones().addObservation(observation(`o-${zone}`, { zone_id: zoneId(zone) }));
        await siteCameras.addLabel(label(`l-${zone}`, { zone_id: zoneId(zone) }));
      }
      await zones().delete(Z1);
      expect(await zones().find(Z1)).toBeUndefined();
      expect((await zones().list({ offset: 0 })).zones).toMatchObject([{ id: "z2" }]);
      const both = [Z1, zoneId("z2")];
      expect(await zones().observations(both, FOR_EVER)).toMatchObject([{ id: "o-z2" }]);
      expect(await siteCameras.labels(both)).toMatchObject([{ id: "l-z2" }]);
      expect(await siteCameras.views(captureId("c1"))).toMatchObject([{ image_sha256: "i2" }]);
      expect(await captures.estimates(both, FOR_EVER)).toMatchObject([
        { estimate: { zone_id: "z2" } },
      ]);
      await expect(zones().insert(workZone("z1"))).rejects.toMatchObject({ code: "ID_CONFLICT" });
      await expect(zones().delete(Z1)).rejects.toMatchObject(UNKNOWN);
      await expect(zones().addObservation(observation("late"))).rejects.toMatchObject(UNKNOWN);
      await expect(siteCameras.addLabel(label("late"))).rejects.toMatchObject(UNKNOWN);
    });

    it("a work zone keeps its project from being deleted", async () => {
      const { projects } = current().store;
      await insertAll(workZone("z1"));
      await expect(projects.delete(projectId("p1"))).rejects.toMatchObject({
        code: "PROJECT_IN_USE",
        message: 'project "p1" has work zones',
      });
      await zones().delete(Z1);
      await projects.delete(projectId("p1"));
      expect(await projects.list()).toEqual([]);
    });
  });
}
