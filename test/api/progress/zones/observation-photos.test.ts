import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ProjectId, WorkZoneId } from "../../../../domain/ids.ts";
import { StorageShortage } from "../../../../domain/platform/storage-shortage.ts";
import { contentOfImageKey } from "../../../../processing/images/files/image-key.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { createZone, forgetZones, withZoneProjects, ZONES } from "../../../support/zone-site.ts";

const HOUR_MS = 3_600_000;
const PHOTO = Buffer.from("a photograph");
const SHA256 = createHash("sha256").update(PHOTO).digest("hex");
const KEPT = `zones/z1/observations/${SHA256}.jpg`;

let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
  await withZoneProjects(t);
});
afterAll(() => t[Symbol.asyncDispose]());
beforeEach(async () => {
  forgetZones(t);
  for await (const { key } of t.files.store.list("")) await t.files.store.delete(key);
  await createZone(t, { id: "z1" });
});

/** Address of an upload, as POST /progress/images gives it. */
async function uploaded(kind = "jpg", forMs = HOUR_MS): Promise<string> {
  const key = `images/${SHA256}.${kind}`;
  await t.files.store.put(key, PHOTO);
  return t.files.sign(key, NOON_MS + forMs);
}

const observe = (body: object, key = ADMIN_KEY, headers: Record<string, string> = {}) =>
  t.send("POST", `${ZONES}/z1/observations`, key, { progress: 40, ...body }, headers);

const kept = () => t.files.store.stat(KEPT);

describe("a photograph of an observation", () => {
  it("is copied among the files of the zone, and its signed address is in the answer and the list", async () => {
    const address = await uploaded();
    const answer = await observe({ image_url: address });
    expect(answer.statusCode).toBe(201);
    const { image_url } = answer.json();
    expect(image_url).toMatch(new RegExp(`/files/${KEPT}\\?expires=\\d+&signature=`));
    // The upload goes after a week; the copy stays.
    await t.files.store.delete(`images/${SHA256}.jpg`);
    expect(await kept()).toMatchObject({ bytes: PHOTO.length });
    const [listed] = (await t.get(`${ZONES}/z1/observations`, ADMIN_KEY)).json().data;
    expect(listed).toMatchObject({ progress: 40, image_url });
    const file = await t.get(new URL(image_url).pathname + new URL(image_url).search, undefined);
    expect([file.statusCode, file.rawPayload, file.headers["content-type"]]).toEqual([
      ...[200, PHOTO, "image/jpeg"],
    ]);
    expect(contentOfImageKey(KEPT)).toBe(SHA256);
  });

  it("is absent where none was given", async () => {
    expect((await observe({})).json()).not.toHaveProperty("image_url");
  });

  it.each([
    ["an address of somebody else", async () => "https://site.example/a.jpg"],
    ["a data: URL", async () => "data:image/jpeg;base64,/9j/"],
    ["an address that has expired", () => uploaded("jpg", -1)],
    ["an address with another signature", async () => `${await uploaded()}x`],
    ["a file that is no upload", async () => t.files.sign(KEPT, NOON_MS + HOUR_MS)],
    ["a TIFF, which no browser shows", () => uploaded("tif")],
    [
      "an upload that is not there any more",
      async () => {
        const address = await uploaded();
        await t.files.store.delete(`images/${SHA256}.jpg`);
        return address;
      },
    ],
    ["a number", async () => 7],
    ["nothing", async () => ""],
  ])("is refused where image_url is %s: 400 names the field, and nothing is stored", async (_name, address) => {
    const refused = await observe({ image_url: await address() });
    expect([refused.statusCode, refused.json().error.details[0].parameter]).toEqual([
      400,
      "image_url",
    ]);
    expect([t.records.rows.observations, await kept()]).toEqual([[], undefined]);
  });

  it("is neither stored nor seen by keys of another project, nor stored by keys that only read", async () => {
    const address = await uploaded();
    const scopes = ["progress:read", "progress:write"] as const;
    const other = await t.key({ scopes: [...scopes], project_ids: ["p2" as ProjectId] });
    const reader = await t.key({ scopes: ["progress:read"] });
    const statuses = [
      await observe({ image_url: address }, other),
      await observe({ image_url: address }, reader),
      await t.get(`${ZONES}/z1/observations`, other),
    ].map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([404, 403, 404]);
    expect([t.records.rows.observations, await kept()]).toEqual([[], undefined]);
  });

  it("that the quota has no room for is 507, and the observation is not stored without it", async () => {
    const address = await uploaded();
    const { put } = t.files.store;
    const figures = { neededBytes: 40, leftBytes: 24, usedBytes: 1_000, limitBytes: 1_024 };
    t.files.store.put = () =>
      Promise.reject(new StorageShortage("QUOTA_EXCEEDED", "the project is full", figures));
    try {
      const refused = await observe({ image_url: address });
      expect([refused.statusCode, refused.json().error.code]).toEqual([507, "quota_exceeded"]);
    } finally {
      t.files.store.put = put;
    }
    expect(t.records.rows.observations).toEqual([]);
  });

  it("is once under one Idempotency-Key, and goes with its zone", async () => {
    const body = { image_url: await uploaded(), note: `<b>x</b> \u202Eرافعة` };
    const headers = { "idempotency-key": "photo" };
    const first = await observe(body, ADMIN_KEY, headers);
    const again = await observe(body, ADMIN_KEY, headers);
    expect([again.statusCode, again.json()]).toEqual([201, first.json()]);
    expect(first.json().note).toBe(body.note);
    expect(t.records.rows.observations).toHaveLength(1);
    expect((await t.send("DELETE", `${ZONES}/z1`, ADMIN_KEY)).statusCode).toBe(204);
    await expect.poll(kept).toBeUndefined();
  });

  it("of a zone that is deleted meanwhile leaves no file behind", async () => {
    const address = await uploaded();
    const { put } = t.files.store;
    t.files.store.put = async (...file) => {
      t.records.rows.workZones.delete("z1" as WorkZoneId);
      return await put(...file);
    };
    try {
      expect((await observe({ image_url: address })).statusCode).toBe(404);
    } finally {
      t.files.store.put = put;
    }
    await expect.poll(kept).toBeUndefined();
  });
});
