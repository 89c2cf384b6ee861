import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { deleteExpiredFiles } from "../../processing/expired-files.ts";
import { openLocalFiles } from "../../storage/files/local.ts";
import { createFileUrlSigner } from "../../storage/files/signed-url.ts";

const DAY_MS = 86_400_000;

it("the expiry deletes uploaded images after 8 days, products of surveys after the retention, and nothing else", async () => {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-expired-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  const signer = createFileUrlSigner(new Uint8Array(32));
  const store = await openLocalFiles({ dir, baseUrl: () => "https://site.test", signer });
  const nowMs = Date.now();
  const put = async (key: string, ageDays: number) => {
    await store.put(key, Buffer.from("x"));
    const at = new Date(nowMs - ageDays * DAY_MS);
    await utimes(join(dir, key), at, at);
  };
  await put("images/a.jpg", 7.9);
  await put("images/b.jpg", 8.1);
  await put("surveys/job_1/1/dsm.tif", 89);
  await put("surveys/job_2/1/dsm.tif", 91);
  await put("stockpiles/north/job_3/surface.tif", 4_000);

  expect(await deleteExpiredFiles(store, { retentionMs: 90 * DAY_MS }, nowMs)).toBe(2);

  const left: string[] = [];
  for await (const { key } of store.list("")) left.push(key);
  expect(left).toEqual([
    "images/a.jpg",
    "stockpiles/north/job_3/surface.tif",
    "surveys/job_1/1/dsm.tif",
  ]);
});
