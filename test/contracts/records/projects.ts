import { describe, expect, it } from "vitest";
import type { TestRecords } from "../../support/databases.ts";
import { asset, fence, hash32, NOON_MS, project, projectId } from "./rows.ts";

export function describeProjectRecords(current: () => TestRecords): void {
  describe("projects", () => {
    it("finds a project with every field it was given", async () => {
      const { projects } = current().store;
      const full = project("p1", { planned_start: "2026-03-01", planned_finish: "2027-10-31" });
      await projects.insert(full);
      await projects.insert(project("p2"));
      expect(await projects.find(projectId("p1"))).toStrictEqual(full);
      expect(await projects.find(projectId("p2"))).toStrictEqual(project("p2"));
      expect(await projects.find(projectId("p3"))).toBeUndefined();
    });

    it("lists projects in order of creation", async () => {
      const { projects } = current().store;
      const later = project("a", { created_at: "2026-11-20T08:00:00.001Z" });
      await projects.insert(later);
      await projects.insert(project("b"));
      expect(await projects.list()).toStrictEqual([project("b"), later]);
    });

    it("the store of projects refuses an id that is taken with ID_CONFLICT and keeps the first", async () => {
      const { projects } = current().store;
      await projects.insert(project("p1"));
      await expect(projects.insert(project("p1", { name: "other" }))).rejects.toMatchObject({
        code: "ID_CONFLICT",
      });
      expect(await projects.find(projectId("p1"))).toStrictEqual(project("p1"));
    });

    it("replaces a project, optional fields included", async () => {
      const { projects } = current().store;
      await projects.insert(project("p1", { planned_start: "2026-03-01" }));
      const changed = project("p1", {
        name: "South pit",
        time_zone: "UTC",
        updated_at: "2026-11-21T00:00:00.000Z",
      });
      expect(await projects.update(changed.id, () => changed)).toStrictEqual(changed);
      expect(await projects.find(projectId("p1"))).toStrictEqual(changed);
    });

    it("runs simultaneous changes of one project one after the other", async () => {
      const { projects } = current().store;
      await projects.insert(project("p1", { name: "" }));
      const letters = [..."abcdefgh"];
      await Promise.all(
        letters.map((letter) =>
          projects.update(projectId("p1"), (before) => ({ ...before, name: before.name + letter })),
        ),
      );
      expect([...((await projects.find(projectId("p1")))?.name ?? "")].sort()).toEqual(letters);
    });

    it("leaves a project alone when its change throws", async () => {
      const { projects } = current().store;
      await projects.insert(project("p1"));
      const refused = projects.update(projectId("p1"), () => {
        throw new RangeError("no");
      });
      await expect(refused).rejects.toThrow(RangeError);
      expect(await projects.find(projectId("p1"))).toStrictEqual(project("p1"));
    });

    it("the store of projects answers PROJECT_NOT_FOUND to an update or deletion of an unknown project", async () => {
      const { projects } = current().store;
      const unknown = { code: "PROJECT_NOT_FOUND" };
      await expect(projects.update(projectId("p1"), (before) => before)).rejects.toMatchObject(
        unknown,
      );
      await expect(projects.delete(projectId("p1"))).rejects.toMatchObject(unknown);
    });

    it("deletes a project only when its last asset is gone", async () => {
      const { projects, assets } = current().store;
      await projects.insert(project("p1"));
      await assets.insert(asset("a1"), hash32(1));
      await expect(projects.delete(projectId("p1"))).rejects.toMatchObject({
        code: "PROJECT_IN_USE",
        message: 'project "p1" has assets',
      });
      await assets.delete(asset("a1").id, Date.UTC(2026, 10, 21));
      await projects.delete(projectId("p1"));
      expect(await projects.list()).toEqual([]);
    });

    it("deletes a project only when its last geofence is gone, and says that it is one", async () => {
      const { projects, geofences } = current().store;
      await projects.insert(project("p1"));
      await geofences.insert(fence("g1"), NOON_MS);
      await expect(projects.delete(projectId("p1"))).rejects.toMatchObject({
        code: "PROJECT_IN_USE",
        message: 'project "p1" has geofences',
      });
      await geofences.delete(fence("g1").id, NOON_MS + 1);
      await projects.delete(projectId("p1"));
      expect(await projects.list()).toEqual([]);
    });

    it("the store of projects keeps the id of a deleted project taken: keys and messages may still name it", async () => {
      const { projects } = current().store;
      await projects.insert(project("p1"));
      await projects.delete(projectId("p1"));
      await expect(projects.insert(project("p1"))).rejects.toMatchObject({ code: "ID_CONFLICT" });
      expect(await projects.list()).toEqual([]);
    });

    it("the store of projects takes text as text: quotes, semicolons and backslashes change nothing else", async () => {
      const { projects } = current().store;
      const hostile = project("p1", { name: "x'); DROP TABLE projects; -- \\ \" $1 {a,b}" });
      await projects.insert(hostile);
      expect(await projects.list()).toStrictEqual([hostile]);
    });

    it("the store of projects refuses text with U+0000, which SQL cannot hold, with PARAMETER_INVALID", async () => {
      const { projects } = current().store;
      await expect(projects.insert(project("p1", { name: "a\0b" }))).rejects.toMatchObject({
        code: "PARAMETER_INVALID",
      });
      expect(await projects.list()).toEqual([]);
    });
  });
}
