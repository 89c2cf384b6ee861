import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { createCountedFiles } from "../../../storage/quota/counted-files.ts";
import { createProjectQuota } from "../../../storage/quota/quota.ts";
import { reconcileFiles } from "../../../storage/quota/reconcile-files.ts";
import { openMemoryFiles } from "../../support/memory-files.ts";
import { openMemoryRecords } from "../../support/memory-records.ts";

const P1 = "p1" as ProjectId;
const P2 = "p2" as ProjectId;

function open(defaultBytes: number | undefined) {
  const { storedFiles: stored } = openMemoryRecords();
  const { store } = openMemoryFiles(() => 0, new Uint8Array(32));
  const quota = createProjectQuota(stored, defaultBytes);
  return { stored, store, quota, files: createCountedFiles(store, stored, quota) };
}

const bytes = (length: number) => new Uint8Array(length);
const stream = (length: number) => Readable.from([bytes(length - 10), bytes(10)]);
const keysOf = async (list: AsyncIterable<{ readonly key: string }>) => {
  const keys: string[] = [];
  for await (const { key } of list) keys.push(key);
  return keys;
};

describe("a project's quota", () => {
  it("a project's quota takes files up to its last byte, and not one more: with what is used and left", async () => {
    const { files, quota } = open(100);
    await files.put("images/a.jpg", stream(60), { projectId: P1 });
    await files.put("images/b.jpg", bytes(40), { projectId: P1 });
    const refused = files.put("images/c.jpg", stream(20), { projectId: P1 });
    await expect(refused).rejects.toMatchObject({
      code: "QUOTA_EXCEEDED",
      figures: { usedBytes: 100, leftBytes: 0, limitBytes: 100 },
    });
    expect(await keysOf(files.list(""))).toEqual(["images/a.jpg", "images/b.jpg"]);
    expect(await quota.usage(P1)).toMatchObject({ bytes: 100, files: 2, limitBytes: 100 });
  });

  it("is each project's own, and no bound for files of no project", async () => {
    const { files } = open(100);
    await files.put("images/a.jpg", bytes(100), { projectId: P1 });
    await files.put("images/b.jpg", bytes(100), { projectId: P2 });
    await files.put("images/c.jpg", bytes(1_000));
    expect(await keysOf(files.list(""))).toHaveLength(3);
  });

  it("a quota counts uploads in progress, so that many at once do not exceed it together", async () => {
    const { files, quota } = open(100);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) =>
        files.put(`images/${i}.jpg`, stream(30), { projectId: P1 }),
      ),
    );
    const stored = outcomes.filter(({ status }) => status === "fulfilled").length;
    const { bytes: used } = await quota.usage(P1);
    expect([used <= 100, used]).toEqual([true, stored * 30]);
    // Nothing stays reserved for what was refused.
    await quota.require(P1, 100 - used);
  });

  it("a project's quota gives back the bytes of a deleted file, and of one that another takes the place of", async () => {
    const { files } = open(100);
    await files.put("images/a.jpg", bytes(100), { projectId: P1 });
    await files.put("images/a.jpg", bytes(90), { projectId: P1 });
    await files.delete("images/a.jpg");
    await files.put("images/b.jpg", bytes(100), { projectId: P1 });
    expect(await keysOf(files.list(""))).toEqual(["images/b.jpg"]);
  });

  it("of a project goes before that of the installation, and may be none for all others", async () => {
    const { files, stored, quota } = open(undefined);
    await stored.updateLimit(P1, () => ({ limitBytes: 50 }));
    await expect(quota.require(P1, 51)).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
    await quota.require(P2, 10 ** 12);
    await quota.require(undefined, 10 ** 12);
    const refused = files.put("images/a.jpg", bytes(51), { projectId: P1 });
    await expect(refused).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
  });
});

describe("the count of stored files", () => {
  it("the count of stored files is put right after kills: between storing and counting, and between deleting and giving back", async () => {
    const { files, store, stored } = open(undefined);
    for (const key of ["images/a.jpg", "images/c.jpg", "images/e.jpg"]) {
      await files.put(key, bytes(10), { projectId: P1 });
    }
    // Stored and not counted; deleted and not given back.
    await store.put("images/b.jpg", bytes(7));
    await store.put("images/f.jpg", bytes(8));
    await store.delete("images/c.jpg");
    await store.delete("images/e.jpg");
    expect(await reconcileFiles(store, stored, new AbortController().signal)).toBe(4);
    expect(await stored.page("", 10)).toEqual([
      { key: "images/a.jpg", bytes: 10 },
      { key: "images/b.jpg", bytes: 7 },
      { key: "images/f.jpg", bytes: 8 },
    ]);
    expect(await stored.usage(P1)).toMatchObject({ bytes: 10, files: 1 });
    expect(await reconcileFiles(store, stored, new AbortController().signal)).toBe(0);
  });
});
