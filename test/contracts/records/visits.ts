import { describe, expect, it } from "vitest";
import type { Visit, VisitRecords } from "../../../storage/ports/equipment/visits.ts";
import {
  assetId,
  commit,
  geofenceId,
  NOON_MS,
  type OpenStore,
  projectId,
  visit,
  visitEnd,
} from "./rows.ts";

export function describeVisitRecords(current: () => OpenStore): void {
  const visits = () => current().store.visits;
  const keep = (...rows: readonly Visit[]) =>
    current().store.pipeline.commit(commit(1, { visits: rows }));
  const ids = (rows: readonly Visit[]) => rows.map((row) => row.id);

  async function listed(filter: Partial<Parameters<VisitRecords["list"]>[0]>) {
    const page = await visits().list({ limit: 10, offset: 0, ...filter });
    return [page.total, ...ids(page.visits)];
  }

  describe("visits", () => {
    it("the store of visits gives back every field of a visit, with and without an end", async () => {
      const ended = visit("v1", {
        ordinal: 2,
        entered: visitEnd(NOON_MS, { cause: "first_fix" }),
        exited: visitEnd(NOON_MS + 60_000, { accuracyM: 0, cause: "fence_deleted" }),
        inferred: true,
        published: {
          entered: 3,
          exited: 2,
          exitWithdrawn: true,
          enterAlerted: false,
          exitAlerted: true,
        },
      });
      const open = visit("v2", { ordinal: 1 });
      await keep(ended, open);
      expect(await visits().since(assetId("a1"), 0)).toStrictEqual([open, ended]);
    });

    it("replaces a visit of the same id: it ends, it is inside again, it is withdrawn", async () => {
      await keep(visit("v1"));
      const ended = visit("v1", { exited: visitEnd(NOON_MS + 1) });
      for (const now of [ended, visit("v1"), ended]) {
        await keep(now);
        expect(await visits().newest()).toStrictEqual([now]);
      }
      await keep({ ...ended, withdrawn: true });
      expect(await visits().newest()).toEqual([]);
      expect(await visits().since(assetId("a1"), 0)).toEqual([]);
      expect(await visits().list({ limit: 10, offset: 0 })).toEqual({ visits: [], total: 0 });
    });

    it("the newest visit of each asset in each fence is the one stored last, not the one entered last", async () => {
      await keep(
        visit("v1", { ordinal: 1 }),
        visit("v3", { ordinal: 3, entered: visitEnd(NOON_MS - 1) }),
        visit("v2", { ordinal: 2 }),
        visit("v4", { ordinal: 4, withdrawn: true }),
        visit("g2", { ordinal: 1, geofenceId: geofenceId("g2") }),
        visit("a2", { ordinal: 9, assetId: assetId("a2") }),
      );
      expect(ids(await visits().newest()).sort()).toEqual(["a2", "g2", "v3"]);
    });

    it("yields the visits of one asset from an ordinal on, by rising ordinal", async () => {
      await keep(
        visit("v3", { ordinal: 3 }),
        visit("v2", { ordinal: 2, geofenceId: geofenceId("g2") }),
        visit("v1", { ordinal: 1 }),
        visit("a2", { ordinal: 5, assetId: assetId("a2") }),
      );
      expect(ids(await visits().since(assetId("a1"), 2))).toEqual(["v1", "v2", "v3"]);
      expect(ids(await visits().since(assetId("a1"), 4))).toEqual([]);
    });

    it("the store of visits yields with them, of each of their fences, the visit before: it may have been open then", async () => {
      await keep(
        visit("v1", { ordinal: 1 }),
        visit("v2", { ordinal: 2 }),
        visit("v3", { ordinal: 3, withdrawn: true }),
        visit("v4", { ordinal: 4 }),
        visit("g2", { ordinal: 0, geofenceId: geofenceId("g2") }),
        visit("a2", { ordinal: 2, assetId: assetId("a2") }),
      );
      expect(ids(await visits().since(assetId("a1"), 4))).toEqual(["v2", "v4"]);
    });

    it("lists visits, newest entry first, by page and by every filter", async () => {
      await keep(
        visit("v1", { entered: visitEnd(NOON_MS + 1) }),
        visit("v3", { entered: visitEnd(NOON_MS + 3), assetId: assetId("a2") }),
        visit("v2", { entered: visitEnd(NOON_MS + 2), geofenceId: geofenceId("g2") }),
        visit("v4", { entered: visitEnd(NOON_MS + 4), projectId: projectId("p2") }),
        visit("v5", { entered: visitEnd(NOON_MS + 5), withdrawn: true }),
      );
      expect(await listed({})).toEqual([4, "v4", "v3", "v2", "v1"]);
      expect(await listed({ limit: 2, offset: 1 })).toEqual([4, "v3", "v2"]);
      expect(await listed({ isReversed: true, limit: 3 })).toEqual([4, "v1", "v2", "v3"]);
      expect(await listed({ projectIds: [projectId("p1")] })).toEqual([3, "v3", "v2", "v1"]);
      expect(await listed({ projectIds: [] })).toEqual([0]);
      expect(await listed({ geofenceId: geofenceId("g2") })).toEqual([1, "v2"]);
      expect(await listed({ assetId: assetId("a2") })).toEqual([1, "v3"]);
    });

    it("lists visits that overlap [from, to): not one that ends at from or begins at to", async () => {
      const from10to20 = { entered: visitEnd(NOON_MS + 10), exited: visitEnd(NOON_MS + 20) };
      await keep(visit("ended", from10to20), visit("open", { entered: visitEnd(NOON_MS + 10) }));
      const between = async (fromMs: number, toMs: number) =>
        (await listed({ fromMs: NOON_MS + fromMs, toMs: NOON_MS + toMs })).slice(1);
      expect(await between(0, 10)).toEqual([]);
      expect(await between(0, 11)).toEqual(["ended", "open"]);
      expect(await between(19, 30)).toEqual(["ended", "open"]);
      expect(await between(20, 30)).toEqual(["open"]);
      expect(await listed({ fromMs: NOON_MS + 20 })).toEqual([1, "open"]);
    });

    it("the store of visits forgets what ended before a time, but not what is open or newest of its asset and fence", async () => {
      const ended = (atMs: number) => ({ entered: visitEnd(atMs - 5), exited: visitEnd(atMs) });
      await keep(
        visit("old", { ordinal: 1, ...ended(NOON_MS - 1) }),
        visit("on time", { ordinal: 2, ...ended(NOON_MS) }),
        visit("newer", { ordinal: 3, ...ended(NOON_MS + 9) }),
        visit("newest, old", { ordinal: 1, assetId: assetId("a2"), ...ended(NOON_MS - 1) }),
        visit("open, old", { ordinal: 2, assetId: assetId("a3"), entered: visitEnd(NOON_MS - 9) }),
        visit("open, newer", { ordinal: 3, assetId: assetId("a3") }),
        visit("withdrawn, old", {
          ordinal: 7,
          withdrawn: true,
          assetId: assetId("a4"),
          entered: visitEnd(NOON_MS - 1),
        }),
      );
      expect(await visits().expire(NOON_MS)).toBe(false);
      const left = await Promise.all(
        ["a1", "a2", "a3"].map((id) => visits().since(assetId(id), 0)),
      );
      expect(left.map(ids)).toEqual([
        ["on time", "newer"],
        ["newest, old"],
        ["open, old", "open, newer"],
      ]);
      // Withdrawn visits show nowhere: the same id is free for a new row.
      await keep(visit("withdrawn, old", { assetId: assetId("a4") }));
      expect(ids(await visits().since(assetId("a4"), 0))).toEqual(["withdrawn, old"]);
    });
  });
}
