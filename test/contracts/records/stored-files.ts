import { describe, expect, it } from "vitest";
import type { JobId } from "../../../domain/ids.ts";
import { type OpenStore, projectId } from "./rows.ts";

export function describeStoredFiles(current: () => OpenStore): void {
  describe("stored files", () => {
    const stored = () => current().store.storedFiles;
    const p1 = projectId("p1");
    const p2 = projectId("p2");
    const sums = async () =>
      (await stored().usages()).map(({ projectId: id, bytes, files }) => [id, bytes, files]);

    it("stored files are summed per project, and give their bytes back when they go", async () => {
      expect(await stored().usage(p1)).toEqual({
        projectId: "p1",
        bytes: 0,
        files: 0,
        limitBytes: undefined,
      });
      await stored().put({ key: "images/a.jpg", bytes: 5_000_000_000 }, p1);
      await stored().put({ key: "images/b.jpg", bytes: 7 }, p1);
      await stored().put({ key: "images/c.jpg", bytes: 9 }, p2);
      await stored().put({ key: "images/nobody.jpg", bytes: 11 });
      expect(await sums()).toEqual([
        ["p1", 5_000_000_007, 2],
        ["p2", 9, 1],
      ]);
      await stored().remove("images/a.jpg");
      await stored().remove("images/a.jpg");
      await stored().remove("images/c.jpg");
      expect(await sums()).toEqual([["p1", 7, 1]]);
    });

    it("stored files count once under one key, for the project that stored it last", async () => {
      await stored().put({ key: "images/a.jpg", bytes: 100 }, p1);
      await stored().put({ key: "images/a.jpg", bytes: 60 }, p1);
      expect(await sums()).toEqual([["p1", 60, 1]]);
      await stored().put({ key: "images/a.jpg", bytes: 60 }, p2);
      expect(await sums()).toEqual([["p2", 60, 1]]);
      // What the walk over the store finds is counted already.
      await stored().adopt({ key: "images/a.jpg", bytes: 1 });
      expect(await sums()).toEqual([["p2", 60, 1]]);
    });

    it("stored files count once when many store one key at the same time", async () => {
      const puts = Array.from({ length: 10 }, () =>
        stored().put({ key: "images/same.jpg", bytes: 10 }, p1),
      );
      await Promise.all(puts);
      expect(await sums()).toEqual([["p1", 10, 1]]);
    });

    it("stored files belong to the project of the folder that they are in", async () => {
      await current().store.jobs.add({
        id: "job-1" as JobId,
        kind: "survey",
        projectId: p1,
        input: null,
        dedupeKey: undefined,
        lane: undefined,
        joinCompletedMs: 0,
        priority: 0,
        maxAttempts: 1,
        workUnits: 1,
      });
      await stored().put({ key: "surveys/job-1/1/dsm.tif", bytes: 40 });
      await stored().adopt({ key: "surveys/job-1/1/report.json", bytes: 2 });
      await stored().put({ key: "surveys/unknown/1/dsm.tif", bytes: 40 });
      expect(await sums()).toEqual([["p1", 42, 2]]);
      expect(await stored().ownerOf("surveys/job-1/2/dsm.tif")).toBe("p1");
      for (const key of ["images/a.jpg", "surveys/job-1", "stockpiles/none/base/a.tif"]) {
        expect(await stored().ownerOf(key)).toBeUndefined();
      }
    });

    it("stored files have a limit where one was set, until it is taken back", async () => {
      await stored().updateLimit(p1, () => ({ limitBytes: 2 ** 40 }));
      await stored().put({ key: "images/a.jpg", bytes: 3 }, p1);
      expect(await stored().usage(p1)).toMatchObject({ bytes: 3, limitBytes: 2 ** 40 });
      await stored().updateLimit(p1, () => ({ limitBytes: undefined }));
      expect((await stored().usage(p1)).limitBytes).toBeUndefined();
    });

    it("changes of one project's limit run one after the other, and one that throws leaves it as it was", async () => {
      const raise = () =>
        stored().updateLimit(p1, ({ limitBytes = 0 }) => ({ limitBytes: limitBytes + 1 }));
      await Promise.all([raise(), raise(), raise(), raise()]);
      expect((await stored().usage(p1)).limitBytes).toBe(4);
      const refuse = (limitBytes: number | undefined) => {
        throw new Error(`not from ${limitBytes}`);
      };
      await expect(
        stored().updateLimit(p1, ({ limitBytes }) => refuse(limitBytes)),
      ).rejects.toThrow("not from 4");
      await stored().put({ key: "images/a.jpg", bytes: 3 }, p1);
      expect(await stored().usage(p1)).toMatchObject({ bytes: 3, limitBytes: 4 });
    });

    it("stored files come page by page in the order of their keys", async () => {
      for (const key of ["images/b.jpg", "images/a.jpg", "Z/c.jpg", "schedules/s1"]) {
        await stored().put({ key, bytes: 1 }, p1);
      }
      const first = await stored().page("", 2);
      const second = await stored().page(first.at(-1)?.key ?? "", 2);
      expect([...first, ...second].map(({ key }) => key)).toEqual([
        "Z/c.jpg",
        "images/a.jpg",
        "images/b.jpg",
      ]);
    });
  });
}
