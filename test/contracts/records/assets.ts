import { describe, expect, it } from "vitest";
import type { AssetRegistration } from "../../../domain/equipment/asset.ts";
import type { AssetRecords } from "../../../storage/ports/equipment/assets.ts";
import type { TestRecords } from "../../support/databases.ts";
import { asset, assetId, hash32, project, projectId } from "./rows.ts";

const NOON_MS = Date.UTC(2026, 10, 20, 12);

export function describeAssetRecords(current: () => TestRecords): void {
  const assignments = () =>
    current().database.query<{ project_id: string; from: number; to: number | null }>(
      `SELECT project_id, valid_from_ms AS from, valid_to_ms AS to
       FROM asset_assignments ORDER BY valid_from_ms`,
    );

  const replaceAsset = (assets: AssetRecords, to: AssetRegistration, atMs: number) =>
    assets.update(to.id, () => to, atMs);

  describe("assets", () => {
    it("finds an asset with every field it was given, and without those that were taken away", async () => {
      const { projects, assets } = current().store;
      await projects.insert(project("p1"));
      const placed = asset("a1", {
        location: { latitude: -33.8568, longitude: 151.2153 },
        maintenance: true,
        liveness_timeout_s: 3_600,
        hardware_id: "Sparkplug/Edge-1/Dev_2",
        make: "BELL",
        model: "B50E",
        serial_number: "AEBA 850-EC03509823",
        decoder_options: { teltonika_ids: "fmx6" },
      });
      await assets.insert(placed, hash32(1));
      await assets.insert(asset("a2"), hash32(2));
      expect(await assets.find(assetId("a1"))).toStrictEqual(placed);
      expect(await assets.find(assetId("a2"))).toStrictEqual(asset("a2"));
      expect(await assets.find(assetId("a3"))).toBeUndefined();
      await replaceAsset(assets, { ...asset("a2"), liveness_timeout_s: 120 }, NOON_MS);
      expect((await assets.find(assetId("a2")))?.liveness_timeout_s).toBe(120);
      await replaceAsset(assets, asset("a1"), NOON_MS);
      expect(await assets.find(assetId("a1"))).toStrictEqual(asset("a1"));
    });

    it("assets refuse an unknown project and a taken id, and followers see no change", async () => {
      const { projects, assets } = current().store;
      await expect(assets.insert(asset("a1"), hash32(1))).rejects.toMatchObject({
        code: "PROJECT_NOT_FOUND",
      });
      await projects.insert(project("p1"));
      await assets.insert(asset("a1"), hash32(1));
      const before = await assets.changesSince(0);
      await expect(assets.insert(asset("a1"), hash32(2))).rejects.toMatchObject({
        code: "ID_CONFLICT",
      });
      await expect(
        replaceAsset(assets, asset("a1", { project_id: projectId("p9") }), NOON_MS),
      ).rejects.toMatchObject({ code: "PROJECT_NOT_FOUND" });
      expect(await assets.changesSince(0)).toStrictEqual(before);
    });

    it("the store of assets lets each hardware id belong to one asset that exists, whatever its project", async () => {
      const { projects, assets } = current().store;
      for (const id of ["p1", "p2"]) await projects.insert(project(id));
      const taken = { code: "ID_CONFLICT", message: "hardware_id is taken by another asset" };
      const imei = { hardware_id: "356307042441013" };
      const elsewhere = { project_id: projectId("p2"), ...imei };
      await assets.insert(asset("a1", imei), hash32(1));
      const before = await assets.changesSince(0);
      await expect(assets.insert(asset("a2", elsewhere), hash32(2))).rejects.toMatchObject(taken);
      await assets.insert(asset("a2"), hash32(2));
      await assets.insert(asset("a3"), hash32(3));
      await expect(replaceAsset(assets, asset("a2", imei), NOON_MS)).rejects.toMatchObject(taken);
      expect((await assets.changesSince(before.revision)).rows.map((row) => row.asset)).toEqual([
        asset("a2"),
        asset("a3"),
      ]);
      // Its own name does not conflict with itself, and case matters.
      await replaceAsset(assets, asset("a1", { ...imei, name: "renamed" }), NOON_MS);
      await replaceAsset(assets, asset("a3", { hardware_id: "Edge" }), NOON_MS);
      await replaceAsset(assets, asset("a2", { hardware_id: "edge" }), NOON_MS);
      await assets.delete(assetId("a1"), NOON_MS);
      await replaceAsset(assets, asset("a2", elsewhere), NOON_MS);
      expect((await assets.find(assetId("a2")))?.hardware_id).toBe(imei.hardware_id);
    });

    it("a follower of assets gets every change once, by rising revision", async () => {
      const { projects, assets } = current().store;
      await projects.insert(project("p1"));
      await assets.insert(asset("a1"), hash32(1));
      await assets.insert(asset("a2"), hash32(2));
      const first = await assets.changesSince(0);
      expect(first.rows.map((row) => row.asset.id)).toEqual(["a1", "a2"]);
      expect(first.rows.map((row) => row.secretHash)).toStrictEqual([hash32(1), hash32(2)]);
      expect(first.revision).toBe(first.rows[1]?.revision);

      await assets.setSecret(assetId("a1"), hash32(9));
      await replaceAsset(assets, asset("a2", { name: "renamed" }), NOON_MS);
      await replaceAsset(assets, asset("a1", { name: "twice" }), NOON_MS);
      const second = await assets.changesSince(first.revision);
      expect(second.rows).toStrictEqual([
        {
          asset: asset("a2", { name: "renamed" }),
          secretHash: hash32(2),
          revision: second.revision - 1,
          deleted: false,
        },
        {
          asset: asset("a1", { name: "twice" }),
          secretHash: hash32(9),
          revision: second.revision,
          deleted: false,
        },
      ]);
      expect(await assets.changesSince(second.revision)).toStrictEqual({
        revision: second.revision,
        rows: [],
      });
    });

    it("a deleted asset stays as a tombstone: visible to followers, not found, its id taken", async () => {
      const { projects, assets } = current().store;
      await projects.insert(project("p1"));
      await assets.insert(asset("a1"), hash32(1));
      const { revision } = await assets.changesSince(0);
      await assets.delete(assetId("a1"), NOON_MS);
      expect(await assets.find(assetId("a1"))).toBeUndefined();
      const { rows } = await assets.changesSince(revision);
      expect(rows.map((row) => [row.asset.id, row.deleted])).toEqual([["a1", true]]);
      await expect(assets.insert(asset("a1"), hash32(2))).rejects.toMatchObject({
        code: "ID_CONFLICT",
      });
      expect(await assignments()).toEqual([
        { project_id: "p1", from: Date.parse(asset("a1").created_at), to: NOON_MS },
      ]);
    });

    it("the store of assets answers ASSET_NOT_FOUND for an unknown and for a deleted asset", async () => {
      const { projects, assets } = current().store;
      await projects.insert(project("p1"));
      await assets.insert(asset("gone"), hash32(1));
      await assets.delete(assetId("gone"), NOON_MS);
      const missing = { code: "ASSET_NOT_FOUND" };
      for (const id of ["never", "gone"]) {
        await expect(replaceAsset(assets, asset(id), NOON_MS)).rejects.toMatchObject(missing);
        await expect(assets.setSecret(assetId(id), hash32(2))).rejects.toMatchObject(missing);
        await expect(assets.delete(assetId(id), NOON_MS)).rejects.toMatchObject(missing);
      }
    });

    it("the store of assets keeps the hash for Mosquitto with its secret only, and not of deleted assets", async () => {
      const { projects, assets } = current().store;
      await projects.insert(project("p1"));
      await assets.insert(asset("a1"), hash32(1), "$7$first");
      await assets.insert(asset("a2"), hash32(2));
      await assets.insert(asset("a3"), hash32(3), "$7$gone");
      await assets.delete(assetId("a3"), NOON_MS);
      const hashes = () => assets.mosquittoHashes().then((found) => [...found]);
      expect(await hashes()).toEqual([
        ["a1", "$7$first"],
        ["a2", undefined],
      ]);
      await assets.setSecret(assetId("a1"), hash32(4));
      await assets.setSecret(assetId("a2"), hash32(5), "$7$second");
      expect(await hashes()).toEqual([
        ["a1", undefined],
        ["a2", "$7$second"],
      ]);
    });

    it("runs simultaneous changes of one asset one after the other", async () => {
      const { projects, assets } = current().store;
      await projects.insert(project("p1"));
      await assets.insert(asset("a1", { name: "" }), hash32(1));
      const letters = [..."abcdefgh"];
      const addLetter = (letter: string) =>
        assets.update(
          assetId("a1"),
          (before) => ({ ...before, name: before.name + letter }),
          NOON_MS,
        );
      await Promise.all(letters.map(addLetter));
      expect([...((await assets.find(assetId("a1")))?.name ?? "")].sort()).toEqual(letters);
    });

    it("the store of assets closes the assignment in force and opens the next when an asset moves", async () => {
      const { projects, assets } = current().store;
      for (const id of ["p1", "p2"]) await projects.insert(project(id));
      await assets.insert(asset("a1"), hash32(1));
      const registeredMs = Date.parse(asset("a1").created_at);
      await replaceAsset(assets, asset("a1", { name: "still there" }), NOON_MS - 1);
      await replaceAsset(assets, asset("a1", { project_id: projectId("p2") }), NOON_MS);
      expect(await assignments()).toEqual([
        { project_id: "p1", from: registeredMs, to: NOON_MS },
        { project_id: "p2", from: NOON_MS, to: null },
      ]);
      // Back within the same ms: the assignment of no length is dropped.
      await replaceAsset(assets, asset("a1"), NOON_MS);
      expect(await assignments()).toEqual([
        { project_id: "p1", from: registeredMs, to: NOON_MS },
        { project_id: "p1", from: NOON_MS, to: null },
      ]);
    });

    it("the store of assets never makes an assignment end before it began when the clock goes back", async () => {
      const { projects, assets } = current().store;
      for (const id of ["p1", "p2"]) await projects.insert(project(id));
      await assets.insert(asset("a1"), hash32(1));
      const registeredMs = Date.parse(asset("a1").created_at);
      await replaceAsset(
        assets,
        asset("a1", { project_id: projectId("p2") }),
        registeredMs - 5_000,
      );
      expect(await assignments()).toEqual([{ project_id: "p2", from: registeredMs, to: null }]);
    });

    it("the store of assets yields the assignments of the wanted assets, or of all, by rising start", async () => {
      const { projects, assets } = current().store;
      for (const id of ["p1", "p2"]) await projects.insert(project(id));
      await assets.insert(asset("a1"), hash32(1));
      await assets.insert(asset("a2"), hash32(2));
      const registeredMs = Date.parse(asset("a1").created_at);
      await replaceAsset(assets, asset("a1", { project_id: projectId("p2") }), NOON_MS);
      await assets.delete(assetId("a1"), NOON_MS + 5);
      const first = { projectId: "p1", validFromMs: registeredMs };
      const ofA1 = [
        { ...first, assetId: "a1", validToMs: NOON_MS },
        { assetId: "a1", projectId: "p2", validFromMs: NOON_MS, validToMs: NOON_MS + 5 },
      ];
      const ofA2 = { ...first, assetId: "a2", validToMs: undefined };
      expect(await assets.assignments([assetId("a1")])).toEqual(ofA1);
      expect(await assets.assignments([assetId("a2"), assetId("a9")])).toEqual([ofA2]);
      expect(await assets.assignments(undefined)).toEqual([ofA1[0], ofA2, ofA1[1]]);
      expect(await assets.assignments([])).toEqual([]);
    });

    it("loses none of 40 assets inserted at once to a follower that polls", async () => {
      const { projects, assets } = current().store;
      await projects.insert(project("p1"));
      const seen = new Set<string>();
      let revision = 0;
      let inserting = true;
      const inserts = Promise.all(
        Array.from({ length: 40 }, (_, i) => assets.insert(asset(`a${i}`), hash32(i))),
      ).finally(() => {
        inserting = false;
      });
      const follow = async () => {
        const changes = await assets.changesSince(revision);
        revision = changes.revision;
        for (const row of changes.rows) seen.add(row.asset.id);
      };
      while (inserting) await follow();
      await inserts;
      await follow();
      expect(seen.size).toBe(40);
    });
  });
}
