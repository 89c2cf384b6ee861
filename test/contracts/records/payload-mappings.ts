import { describe, expect, it } from "vitest";
import { asset, assetId, hash32, NOON_MS, type OpenStore, project } from "./rows.ts";

const TYPE = "Raupe / 20 t";
/** Spaces and order are part of the text, and so is a NUL. */
const TEXT = '{ "fields": {"b": {"pointer": "/ü"},  "a": {"pointer": "/\\u0000"}} }';
const mapped = (id: string, type = TYPE) => asset(id, { type, decoder: "mapping" });

export function describePayloadMappingRecords(current: () => OpenStore): void {
  const mappings = () => current().store.payloadMappings;
  const assets = () => current().store.assets;
  const changes = async (revision = 0) =>
    (await mappings().changesSince(revision)).rows.map((row) => [row.assetType, row.mapping]);

  describe("payload mappings", () => {
    it("keeps the text of a mapping, when it was made and when it was changed", async () => {
      const first = { assetType: TYPE, mapping: TEXT, createdAtMs: NOON_MS, updatedAtMs: NOON_MS };
      expect(await mappings().put(TYPE, TEXT, NOON_MS)).toStrictEqual(first);
      expect(await mappings().find(TYPE)).toStrictEqual(first);
      const changed = { ...first, mapping: "{}", updatedAtMs: NOON_MS + 5 };
      expect(await mappings().put(TYPE, "{}", NOON_MS + 5)).toStrictEqual(changed);
      expect(await mappings().find(TYPE)).toStrictEqual(changed);
      expect(await mappings().find("raupe / 20 t")).toBeUndefined();
    });

    it("the store of payload mappings changes nothing when the same is put again", async () => {
      const first = await mappings().put(TYPE, TEXT, NOON_MS);
      const before = await mappings().changesSince(0);
      expect(await mappings().put(TYPE, TEXT, NOON_MS + 5)).toStrictEqual(first);
      expect(await mappings().changesSince(0)).toStrictEqual(before);
    });

    it("the store of payload mappings lists those that are there, by type", async () => {
      for (const type of ["b", "a", "Z", "gone"]) await mappings().put(type, "{}", NOON_MS);
      await mappings().remove("gone", NOON_MS);
      expect((await mappings().list()).map(({ assetType }) => assetType)).toEqual(["Z", "a", "b"]);
    });

    it("removes a mapping once; put again, it is a new one", async () => {
      await mappings().put(TYPE, TEXT, NOON_MS);
      await mappings().remove(TYPE, NOON_MS + 1);
      expect(await mappings().find(TYPE)).toBeUndefined();
      const absent = { code: "MAPPING_NOT_FOUND" };
      await expect(mappings().remove(TYPE, NOON_MS + 2)).rejects.toMatchObject(absent);
      const again = await mappings().put(TYPE, TEXT, NOON_MS + 3);
      expect(again.createdAtMs).toBe(NOON_MS + 3);
      expect(await mappings().find(TYPE)).toStrictEqual(again);
    });

    it("a follower of payload mappings gets every change once, by rising revision, also a removal", async () => {
      await mappings().put("a", "1", NOON_MS);
      await mappings().put("b", "1", NOON_MS);
      await mappings().put("a", "2", NOON_MS + 1);
      expect(await changes()).toEqual([
        ["b", "1"],
        ["a", "2"],
      ]);
      const { revision } = await mappings().changesSince(0);
      await mappings().remove("b", NOON_MS + 2);
      expect(await changes(revision)).toEqual([["b", undefined]]);
      const later = await mappings().changesSince(revision);
      expect(await mappings().changesSince(later.revision)).toEqual({
        revision: later.revision,
        rows: [],
      });
    });

    it("the store of payload mappings lets no asset speak by a mapping that is not there", async () => {
      const absent = { code: "MAPPING_NOT_FOUND" };
      await current().store.projects.insert(project("p1"));
      await expect(assets().insert(mapped("a1"), hash32(1))).rejects.toMatchObject(absent);
      await assets().insert(asset("a1", { type: TYPE }), hash32(1));
      const update = (type: string) =>
        assets().update(
          assetId("a1"),
          (before) => ({ ...before, decoder: "mapping", type }),
          NOON_MS,
        );
      await expect(update(TYPE)).rejects.toMatchObject(absent);
      await mappings().put(TYPE, TEXT, NOON_MS);
      await update(TYPE);
      await expect(update("other")).rejects.toMatchObject(absent);
      expect(await assets().find(assetId("a1"))).toMatchObject({ decoder: "mapping", type: TYPE });
    });

    it("keeps a mapping as long as an asset needs it", async () => {
      await current().store.projects.insert(project("p1"));
      await mappings().put(TYPE, TEXT, NOON_MS);
      await mappings().put("other", TEXT, NOON_MS);
      await assets().insert(mapped("a1"), hash32(1));
      await assets().insert(mapped("a2"), hash32(2));
      await assets().insert(asset("a3", { type: "other" }), hash32(3));
      const before = await mappings().changesSince(0);
      const used = { code: "MAPPING_IN_USE" };
      await expect(mappings().remove(TYPE, NOON_MS)).rejects.toMatchObject(used);
      expect(await mappings().changesSince(0)).toStrictEqual(before);
      await mappings().remove("other", NOON_MS);
      await assets().delete(assetId("a1"), NOON_MS);
      await assets().update(assetId("a2"), (a2) => ({ ...a2, decoder: "nmea" }), NOON_MS);
      await mappings().remove(TYPE, NOON_MS);
      expect(await mappings().list()).toEqual([]);
    });

    it("the store of payload mappings never lets the removal of a mapping and the asset that needs it both pass", async () => {
      await current().store.projects.insert(project("p1"));
      for (let round = 0; round < 5; round += 1) {
        await mappings().put(TYPE, TEXT, NOON_MS);
        const outcomes = await Promise.allSettled([
          mappings().remove(TYPE, NOON_MS),
          assets().insert(mapped(`a${round}`), hash32(1)),
        ]);
        expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
        if (outcomes[1].status === "fulfilled")
          await assets().delete(assetId(`a${round}`), NOON_MS);
      }
    });
  });
}
