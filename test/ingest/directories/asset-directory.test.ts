import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import {
  type AssetDirectory,
  openAssetDirectory,
} from "../../../ingest/directories/asset-directory.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { openMemoryRecords } from "../../support/memory-records.ts";

const at = "2026-06-01T08:00:00.000Z";
const project = (id: string, name = id) => ({
  id: id as ProjectId,
  name,
  location: { latitude: 52.5, longitude: 13.4 },
  time_zone: "UTC",
  shift: { start: "00:00", end: "24:00" },
  created_at: at,
  updated_at: at,
});
const asset = (id: string, projectId: string) => ({
  id: id as AssetId,
  project_id: projectId as ProjectId,
  name: id,
  type: "van",
  decoder: "plumbline" as const,
  maintenance: false,
  created_at: at,
  updated_at: at,
});
const hash = new Uint8Array(32);
const truck = "truck-1" as AssetId;

describe("the asset directory", () => {
  let records: RecordStore;
  let directory: AssetDirectory;

  beforeEach(async () => {
    records = openMemoryRecords();
    await records.projects.insert(project("site-a"));
    await records.projects.insert(project("site-b"));
    await records.assets.insert(asset("truck-1", "site-a"), hash);
    directory = await openAssetDirectory(records);
  });
  afterEach(() => directory.close());

  it("the asset directory knows what was there before it was opened", () => {
    expect(directory.find(truck)).toMatchObject({ project: { id: "site-a" }, secretHash: hash });
  });

  it("the asset directory notifies listeners of each addition, move and deletion once", async () => {
    const seen: (readonly [string, string | undefined])[] = [];
    directory.onChange((id, entry) => seen.push([id, entry?.project.id]));
    await records.assets.insert(asset("van-2", "site-a"), hash);
    await directory.refresh();
    await records.assets.update(truck, () => asset("truck-1", "site-b"), Date.now());
    await directory.refresh();
    await records.assets.delete(truck, Date.now());
    await directory.refresh();
    expect(seen).toEqual([
      ["van-2", "site-a"],
      ["truck-1", "site-b"],
      ["truck-1", undefined],
    ]);
    expect(directory.find(truck)).toBeUndefined();
  });

  it("finds an asset by what its hardware calls itself, also after the name went to another", async () => {
    const imei = "356307042441013";
    const idOf = (hardwareId: string) => directory.findByHardwareId(hardwareId)?.asset.id;
    const named = (id: string, hardware_id: string) => ({ ...asset(id, "site-a"), hardware_id });
    await records.assets.insert(named("van-2", imei), hash);
    await directory.refresh();
    expect([idOf(imei), idOf("35630704244101"), idOf("van-2")]).toEqual([
      "van-2",
      undefined,
      undefined,
    ]);
    await records.assets.update("van-2" as AssetId, () => named("van-2", "group/edge"), Date.now());
    await records.assets.update(truck, () => named("truck-1", imei), Date.now());
    await directory.refresh();
    expect([idOf(imei), idOf("group/edge")]).toEqual(["truck-1", "van-2"]);
    await records.assets.update("van-2" as AssetId, () => asset("van-2", "site-a"), Date.now());
    await records.assets.delete(truck, Date.now());
    await directory.refresh();
    expect([idOf(imei), idOf("group/edge")]).toEqual([undefined, undefined]);
  });

  it("the asset directory lets a name change hands in both directions within one poll", async () => {
    const named = (id: string, hardware_id?: string) => ({
      ...asset(id, "site-a"),
      ...(hardware_id === undefined ? {} : { hardware_id }),
    });
    await records.assets.insert(named("van-2", "one"), hash);
    await records.assets.update(truck, () => named("truck-1", "two"), Date.now());
    await directory.refresh();
    await records.assets.update(truck, () => named("truck-1"), Date.now());
    await records.assets.update("van-2" as AssetId, () => named("van-2", "two"), Date.now());
    await records.assets.update(truck, () => named("truck-1", "one"), Date.now());
    await directory.refresh();
    expect(directory.findByHardwareId("one")?.asset.id).toBe("truck-1");
    expect(directory.findByHardwareId("two")?.asset.id).toBe("van-2");
  });

  it("shows an asset its project's change, and keeps entries that did not change", async () => {
    const before = directory.find(truck);
    await directory.refresh();
    expect(directory.find(truck)).toBe(before);
    const id = "site-a" as ProjectId;
    await records.projects.update(id, () => project("site-a", "Renamed"));
    await directory.refresh();
    // A second change within the same ms.
    await records.projects.update(id, () => project("site-a", "Renamed again"));
    await directory.refresh();
    expect(directory.find(truck)?.project.name).toBe("Renamed again");
  });

  it("the asset directory shows assets the mapping of their type, within a second of its change by another process", async () => {
    const mapping = (pointer: string) => JSON.stringify({ fields: { speed_kmh: { pointer } } });
    await records.assets.insert({ ...asset("crane-3", "site-a"), type: "crane" }, hash);
    vi.useFakeTimers();
    const following = await openAssetDirectory(records);
    try {
      const speedOf = (id: string) =>
        following.find(id as AssetId)?.mapping?.read({ a: 1, b: 2 }).readings[0]?.fields;
      const crane = following.find("crane-3" as AssetId);
      const seen: unknown[] = [speedOf("truck-1")];
      for (const change of [
        () => records.payloadMappings.put("van", mapping("/a"), 1),
        () => records.payloadMappings.put("van", mapping("/b"), 2),
        () => records.payloadMappings.remove("van", 3),
      ]) {
        await change();
        await vi.advanceTimersByTimeAsync(1_000);
        seen.push(speedOf("truck-1"));
      }
      expect(seen).toEqual([undefined, { speed_kmh: 1 }, { speed_kmh: 2 }, undefined]);
      expect(following.find("crane-3" as AssetId)).toBe(crane);
    } finally {
      following.close();
      vi.useRealTimers();
    }
  });

  it("the asset directory finds the project of an asset that another process made between two polls", async () => {
    const { list } = records.projects;
    records.projects.list = async () => {
      const listed = await list();
      if (!listed.some((one) => one.id === "site-c")) {
        await records.projects.insert(project("site-c"));
        await records.assets.insert(asset("crane-3", "site-c"), hash);
      }
      return listed;
    };
    await directory.refresh();
    expect(directory.find("crane-3" as AssetId)?.project.id).toBe("site-c");
  });

  it("the asset directory forgets a deleted project", async () => {
    await records.projects.delete("site-b" as ProjectId);
    await directory.refresh();
    expect(directory.project("site-b" as ProjectId)).toBeUndefined();
  });

  it("the asset directory lets a refresh that begins during another see the write before it", async () => {
    const first = directory.refresh();
    await records.assets.insert(asset("late-3", "site-a"), hash);
    await Promise.all([first, directory.refresh()]);
    expect(directory.find("late-3" as AssetId)).toBeDefined();
  });
});
