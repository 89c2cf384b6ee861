import { describe, expect, it } from "vitest";
import type { Schedule } from "../../../domain/sites/schedule.ts";
import { schedule, scheduleId } from "./progress-rows.ts";
import { type OpenStore, project, projectId } from "./rows.ts";

const P1 = projectId("p1");

export function describeScheduleRecords(current: () => OpenStore): void {
  const schedules = () => current().store.schedules;
  const projects = (...ids: readonly string[]) =>
    Promise.all(ids.map((id) => current().store.projects.insert(project(id))));

  /** Imports a file whose content follows from its name. */
  const add = (id: string, file: string, project_id = P1) =>
    schedules().add(project_id, file, (revision) =>
      schedule(id, revision, { project_id, sha256: file }),
    );

  describe("schedules", () => {
    it("finds a schedule as it was made, by id and by revision", async () => {
      await projects("p1");
      const made = schedule("s1", 1, { data_date_min: 29_100_000, sha256: "f1" });
      expect(await schedules().add(P1, "f1", () => made)).toEqual({
        summary: made.summary,
        isNew: true,
      });
      expect(await schedules().find(scheduleId("s1"))).toEqual(made);
      expect(await schedules().summary(P1)).toEqual(made.summary);
      expect(await schedules().summary(P1, 1)).toEqual(made.summary);
      expect(await schedules().summary(P1, 2)).toBeUndefined();
      expect(await schedules().summary(projectId("p2"))).toBeUndefined();
      expect(await schedules().find(scheduleId("s2"))).toBeUndefined();
    });

    it("the store of schedules counts revisions by project and lists them newest first", async () => {
      await projects("p1", "p2");
      await add("s1", "f1");
      await add("s2", "f2");
      await add("t1", "f1", projectId("p2"));
      await add("s3", "f3");
      const listed = async (limit: number, offset: number) => {
        const { schedules: found, total } = await schedules().list(P1, { limit, offset });
        return [found.map(({ id, revision }) => [id, revision]), total];
      };
      expect(await listed(2, 0)).toEqual([
        [
          ["s3", 3],
          ["s2", 2],
        ],
        3,
      ]);
      expect(await listed(2, 2)).toEqual([[["s1", 1]], 3]);
      expect(await schedules().summary(P1)).toMatchObject({ id: "s3" });
      expect(await schedules().summary(P1, 2)).toMatchObject({ id: "s2" });
      expect(await schedules().summary(projectId("p2"))).toMatchObject({ id: "t1", revision: 1 });
    });

    it("the store of schedules stores the newest file once, and an older one that is in force again", async () => {
      await projects("p1");
      await add("s1", "f1");
      const unasked = (): Schedule => {
        throw new Error("asked a second time");
      };
      expect(await schedules().add(P1, "f1", unasked)).toMatchObject({
        summary: { id: "s1", revision: 1 },
        isNew: false,
      });
      await add("s2", "f2");
      expect(await add("s3", "f1")).toMatchObject({ summary: { revision: 3 }, isNew: true });
    });

    it("the store of schedules gives simultaneous imports a revision each, and the same file one", async () => {
      await projects("p1");
      await Promise.all(Array.from({ length: 6 }, (_, i) => add(`s${i}`, `f${i}`)));
      const { schedules: found } = await schedules().list(P1, { limit: 10, offset: 0 });
      expect(found.map(({ revision }) => revision)).toEqual([6, 5, 4, 3, 2, 1]);
      const same = await Promise.all([1, 2, 3].map((i) => add(`same${i}`, "same")));
      expect(same.map(({ summary }) => summary.revision)).toEqual([7, 7, 7]);
      expect(same.filter(({ isNew }) => isNew)).toHaveLength(1);
    });

    it("stores nothing of a schedule that cannot be made or has no project", async () => {
      await projects("p1");
      const refused = schedules().add(P1, "f1", () => {
        throw new RangeError("no");
      });
      await expect(refused).rejects.toThrow(RangeError);
      expect(await schedules().summary(P1)).toBeUndefined();
      await expect(add("s1", "f1", projectId("p9"))).rejects.toMatchObject({
        code: "PROJECT_NOT_FOUND",
      });
    });

    it("the store of schedules keeps 50,000 activities", async () => {
      await projects("p1");
      const [task] = schedule("s1", 1).tasks;
      if (task === undefined) throw new Error("no task to copy");
      const tasks = Array.from({ length: 50_000 }, (_, i) => ({ ...task, code: `A${i}` }));
      await schedules().add(P1, "f1", (revision) => ({ ...schedule("s1", revision), tasks }));
      const found = await schedules().find(scheduleId("s1"));
      expect(found?.tasks.length).toBe(50_000);
      expect(found?.tasks.at(-1)).toEqual(tasks.at(-1));
    });
  });
}
