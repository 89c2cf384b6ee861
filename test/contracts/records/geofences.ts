import { describe, expect, it } from "vitest";
import type { Geofence } from "../../../domain/geometry/geofence.ts";
import type {
  GeofenceRecords,
  GeofenceVersion,
} from "../../../storage/ports/equipment/geofences.ts";
import { fence, geofenceId, NOON_MS, type OpenStore, project, projectId } from "./rows.ts";

const PAGE = { limit: 10, offset: 0 };

export function describeGeofenceRecords(current: () => OpenStore): void {
  const geofences = () => current().store.geofences;

  async function insertAll(...fences: readonly Geofence[]): Promise<void> {
    for (const id of new Set(fences.map((one) => one.project_id))) {
      await current().store.projects.insert(project(id));
    }
    for (const one of fences) await geofences().insert(one, NOON_MS);
  }

  /** The versions of all fences by rising start, as [fence, name, start, end], from noon. */
  async function intervals(): Promise<readonly unknown[]> {
    const { rows } = await geofences().changesSince(0);
    return [...rows]
      .sort((a, b) => a.validFromMs - b.validFromMs)
      .map((row) => [row.name, row.validFromMs - NOON_MS, untilNoon(row)]);
  }
  const untilNoon = ({ validToMs }: GeofenceVersion) =>
    validToMs === undefined ? "in force" : validToMs - NOON_MS;

  const rename = (id: string, name: string, atMs: number) =>
    geofences().update(geofenceId(id), (before) => ({ ...before, name }), atMs);

  describe("geofences", () => {
    it("the store of geofences finds a fence with every field it was given, and its first version", async () => {
      const full = fence("g1", {
        kind: "restricted",
        alert_on: ["enter", "exit"],
        rules: { exit_buffer_m: 0.125, confirm_fixes: 7, min_dwell_s: 90 },
        updated_at: "2026-11-20T11:30:00.000Z",
      });
      await insertAll(full);
      expect(await geofences().find(geofenceId("g1"))).toStrictEqual(full);
      expect(await geofences().find(geofenceId("g2"))).toBeUndefined();
      expect(await geofences().changesSince(0)).toStrictEqual({
        revision: 1,
        rows: [
          {
            geofenceId: geofenceId("g1"),
            projectId: projectId("p1"),
            name: full.name,
            kind: "restricted",
            ring: full.ring,
            areaSqm: 3_771.25,
            alertOn: ["enter", "exit"],
            rules: full.rules,
            validFromMs: NOON_MS,
            validToMs: undefined,
            revision: 1,
          },
        ],
      });
    });

    it("the store of geofences keeps a ring of 1,001 positions to the last digit", async () => {
      const ring = Array.from({ length: 1_001 }, (_, i) => [i / 3, -(i + 1) / 30] as const);
      await insertAll(fence("g1", { ring }));
      expect((await geofences().find(geofenceId("g1")))?.ring).toStrictEqual(ring);
    });

    it("the store of geofences keeps circles and corridors as they were drawn, and a fence that becomes a polygon as that", async () => {
      const circle = { type: "circle", centre: [13.405, 52.52], radius_m: 40.125 } as const;
      const line = [
        [179.9999, -17.12345678901234],
        [-179.9999, -17],
      ] as const;
      const corridor = { type: "corridor", line, width_m: 12.5 } as const;
      await insertAll(fence("g1", { drawn: circle }), fence("g2"));
      expect(await geofences().find(geofenceId("g1"))).toStrictEqual(
        fence("g1", { drawn: circle }),
      );
      const edit = (drawn?: Geofence["drawn"]) => () =>
        fence("g1", drawn === undefined ? {} : { drawn });
      const edited = await geofences().update(geofenceId("g1"), edit(corridor), NOON_MS + 1);
      expect(edited).toStrictEqual(fence("g1", { drawn: corridor }));
      expect((await geofences().list(PAGE)).fences).toStrictEqual([edited, fence("g2")]);
      await geofences().update(geofenceId("g1"), edit(), NOON_MS + 2);
      expect(await geofences().find(geofenceId("g1"))).toStrictEqual(fence("g1"));
    });

    it("the store of geofences stores 600 fences at once, or none of them where one cannot be", async () => {
      await current().store.projects.insert(project("p1"));
      const many = Array.from({ length: 600 }, (_, i) =>
        fence(`m${String(i).padStart(3, "0")}`, { name: i === 3 ? '"\\ {Tor, 3}' : `Tor ${i}` }),
      );
      await geofences().insertAll(many, NOON_MS);
      const { fences, total } = await geofences().list({ limit: 1_000, offset: 0 });
      expect(total).toBe(600);
      expect(fences).toStrictEqual(many);
      const { revision, rows } = await geofences().changesSince(0);
      expect(rows.map((row) => row.geofenceId)).toEqual(many.map(({ id }) => id));
      const taken = [...Array.from({ length: 300 }, (_, i) => fence(`n${i}`)), fence("m007")];
      await expect(geofences().insertAll(taken, NOON_MS)).rejects.toMatchObject({
        code: "ID_CONFLICT",
      });
      expect((await geofences().changesSince(revision)).rows).toEqual([]);
      expect((await geofences().list(PAGE)).total).toBe(600);
    });

    it("geofences refuse an unknown project and a taken id, and followers see no change", async () => {
      await insertAll(fence("g1"));
      const before = await geofences().changesSince(0);
      const elsewhere = fence("g2", { project_id: projectId("p9") });
      await expect(geofences().insert(elsewhere, NOON_MS)).rejects.toMatchObject({
        code: "PROJECT_NOT_FOUND",
      });
      await expect(geofences().insert(fence("g1"), NOON_MS + 9)).rejects.toMatchObject({
        code: "ID_CONFLICT",
      });
      expect(await geofences().changesSince(0)).toStrictEqual(before);
    });

    it("the store of geofences lists live fences, oldest first, by page, project and kind", async () => {
      const at = (minute: number) => `2026-11-20T11:0${minute}:00.000Z`;
      await insertAll(
        fence("b", { created_at: at(1) }),
        fence("a", { created_at: at(2), kind: "boundary" }),
        fence("c", { created_at: at(0), project_id: projectId("p2") }),
        fence("gone", { created_at: at(0) }),
      );
      await geofences().delete(geofenceId("gone"), NOON_MS + 1);
      const list = async (filter: Partial<Parameters<GeofenceRecords["list"]>[0]>) => {
        const { fences, total } = await geofences().list({ ...PAGE, ...filter });
        return [total, ...fences.map((one) => one.id)];
      };
      expect(await list({})).toEqual([3, "c", "b", "a"]);
      expect(await list({ limit: 1, offset: 1 })).toEqual([3, "b"]);
      expect(await list({ isReversed: true, limit: 2 })).toEqual([3, "a", "b"]);
      expect(await list({ projectIds: [projectId("p1")] })).toEqual([2, "b", "a"]);
      expect(await list({ projectIds: [] })).toEqual([0]);
      expect(await list({ kinds: ["boundary"] })).toEqual([1, "a"]);
    });

    it("the store of geofences ends the version in force and begins the next when a fence is edited", async () => {
      await insertAll(fence("g1", { name: "first" }));
      const edited = await rename("g1", "second", NOON_MS + 1_000);
      expect(edited).toStrictEqual(fence("g1", { name: "second" }));
      expect(await geofences().find(geofenceId("g1"))).toStrictEqual(edited);
      expect(await intervals()).toEqual([
        ["first", 0, 1_000],
        ["second", 1_000, "in force"],
      ]);
    });

    it("the store of geofences gives every version at least 1 ms: two edits in one ms, and a clock that went back", async () => {
      await insertAll(fence("g1", { name: "first" }));
      await rename("g1", "second", NOON_MS);
      await rename("g1", "third", NOON_MS);
      await rename("g1", "fourth", NOON_MS - 60_000);
      await geofences().delete(geofenceId("g1"), NOON_MS - 60_000);
      expect(await intervals()).toEqual([
        ["first", 0, 1],
        ["second", 1, 2],
        ["third", 2, 3],
        ["fourth", 3, 4],
      ]);
    });

    it("the store of geofences leaves a fence alone when its change throws or names an unknown project", async () => {
      await insertAll(fence("g1"));
      const before = await geofences().changesSince(0);
      const thrown = geofences().update(
        geofenceId("g1"),
        () => {
          throw new RangeError("no");
        },
        NOON_MS + 1,
      );
      await expect(thrown).rejects.toThrow(RangeError);
      const moved = geofences().update(
        geofenceId("g1"),
        (fenceBefore) => ({ ...fenceBefore, project_id: projectId("p9") }),
        NOON_MS + 1,
      );
      await expect(moved).rejects.toMatchObject({ code: "PROJECT_NOT_FOUND" });
      expect(await geofences().changesSince(0)).toStrictEqual(before);
      expect(await geofences().find(geofenceId("g1"))).toStrictEqual(fence("g1"));
    });

    it("the store of geofences ends the version of a deleted fence, which is not found, and keeps its id taken", async () => {
      await insertAll(fence("g1", { name: "only" }));
      await geofences().delete(geofenceId("g1"), NOON_MS + 500);
      expect(await geofences().find(geofenceId("g1"))).toBeUndefined();
      expect(await intervals()).toEqual([["only", 0, 500]]);
      await expect(geofences().insert(fence("g1"), NOON_MS + 900)).rejects.toMatchObject({
        code: "ID_CONFLICT",
      });
    });

    it("the store of geofences answers GEOFENCE_NOT_FOUND for an unknown and for a deleted fence", async () => {
      await insertAll(fence("gone"));
      await geofences().delete(geofenceId("gone"), NOON_MS);
      const missing = { code: "GEOFENCE_NOT_FOUND" };
      for (const id of ["never", "gone"]) {
        await expect(rename(id, "x", NOON_MS)).rejects.toMatchObject(missing);
        await expect(geofences().delete(geofenceId(id), NOON_MS)).rejects.toMatchObject(missing);
      }
    });

    it("a follower of geofences gets every version that began or ended since, by rising revision", async () => {
      await insertAll(fence("g1"), fence("g2"));
      const { revision } = await geofences().changesSince(0);
      await rename("g2", "edited", NOON_MS + 10);
      await geofences().delete(geofenceId("g1"), NOON_MS + 20);
      const changes = await geofences().changesSince(revision);
      const versions = changes.rows.map((row) => [
        row.geofenceId,
        row.validFromMs - NOON_MS,
        untilNoon(row),
      ]);
      expect(versions).toEqual([
        ["g2", 0, 10],
        ["g2", 10, "in force"],
        ["g1", 0, 20],
      ]);
      const revisions = changes.rows.map((row) => row.revision);
      expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
      expect(changes.revision).toBe(revisions.at(-1));
      expect(await geofences().changesSince(changes.revision)).toEqual({
        revision: changes.revision,
        rows: [],
      });
    });

    it("the store of geofences leaves out versions that ended at or before a given time", async () => {
      await insertAll(fence("g1", { name: "first" }));
      await rename("g1", "second", NOON_MS + 10);
      await rename("g1", "third", NOON_MS + 20);
      const names = async (endedAfterMs: number) =>
        (await geofences().changesSince(0, endedAfterMs)).rows.map((row) => row.name);
      expect(await names(NOON_MS + 9)).toEqual(["first", "second", "third"]);
      expect(await names(NOON_MS + 10)).toEqual(["second", "third"]);
      expect(await names(NOON_MS + 20)).toEqual(["third"]);
    });

    it("the store of geofences runs simultaneous edits of one fence one after the other, each a version of its own", async () => {
      await insertAll(fence("g1", { name: "" }));
      const letters = [..."abcdefgh"];
      const addLetter = (letter: string) =>
        geofences().update(
          geofenceId("g1"),
          (before) => ({ ...before, name: before.name + letter }),
          NOON_MS,
        );
      await Promise.all(letters.map(addLetter));
      const name = (await geofences().find(geofenceId("g1")))?.name ?? "";
      expect([...name].sort()).toEqual(letters);
      const expected = Array.from({ length: 9 }, (_, i) => [
        name.slice(0, i),
        i,
        i === 8 ? "in force" : i + 1,
      ]);
      expect(await intervals()).toEqual(expected);
    });

    it("the store of geofences loses none of 40 fences drawn at once to a follower that polls", async () => {
      await current().store.projects.insert(project("p1"));
      const seen = new Set<string>();
      let revision = 0;
      let inserting = true;
      const inserts = Promise.all(
        Array.from({ length: 40 }, (_, i) => geofences().insert(fence(`g${i}`), NOON_MS)),
      ).finally(() => {
        inserting = false;
      });
      const follow = async () => {
        const changes = await geofences().changesSince(revision);
        revision = changes.revision;
        for (const row of changes.rows) seen.add(row.geofenceId);
        await new Promise((resolve) => setImmediate(resolve));
      };
      while (inserting) await follow();
      await inserts;
      await follow();
      expect(seen.size).toBe(40);
    });
  });
}
