import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, describe, expect, it, vi } from "vitest";
import { ThreadPool } from "../../../../processing/pool/pool.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { PATIENT_MS } from "../../../support/patience.ts";

const pool = new ThreadPool({ threads: 1, memoryBytes: 512 * 1024 ** 2 });
afterAll(() => pool.close());

const open = () =>
  openTestApp({ runThumbnailTask: (task, input, signal) => pool.run(task, input, signal) });

const path = (id: string) => `/api/v1/projects/${id}/logo`;

const put = (t: TestApp, id: string, payload: Buffer, type = "image/png", key = ADMIN_KEY) =>
  t.app.inject({
    method: "PUT",
    url: path(id),
    headers: { authorization: `Bearer ${key}`, "content-type": type },
    payload,
  });

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: "#c0392b80" } });

/** A PNG of which the head alone is true: what its pixels are said to be, with none of them. */
function claimedPng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const whole = Buffer.alloc(named.length + 8);
    whole.writeUInt32BE(data.length, 0);
    whole.set(named, 4);
    whole.writeUInt32BE(crc32(named), named.length + 4);
    return whole;
  };
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.alloc(100))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xff_ff_ff_ff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let i = 0; i < 8; i++) crc = crc & 1 ? (crc >>> 1) ^ 0xed_b8_83_20 : crc >>> 1;
  }
  return ~crc >>> 0;
}

describe("the logo of a project", { timeout: PATIENT_MS }, () => {
  it("a logo is written anew as a small PNG without the file's tags, and read with an entity tag until it is removed", async () => {
    await using t = await open();
    const id = await t.project();
    expect((await t.get(path(id), ADMIN_KEY)).statusCode).toBe(404);
    const file = await picture(1_500, 500)
      .flatten()
      .withExif({ IFD0: { Copyright: "secret words" } })
      .jpeg()
      .toBuffer();
    const stored = await put(t, id, file, "image/jpeg");
    expect([stored.statusCode, stored.json()]).toEqual([
      200,
      { width_px: 720, height_px: 240, size_bytes: expect.any(Number) },
    ]);
    const read = await t.get(path(id), ADMIN_KEY);
    expect([read.statusCode, read.headers["content-type"]]).toEqual([200, "image/png"]);
    expect(read.rawPayload.includes("secret words")).toBe(false);
    expect(await sharp(read.rawPayload).metadata()).toMatchObject({ format: "png", width: 720 });
    const again = await t.app.inject({
      url: path(id),
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "if-none-match": read.headers.etag },
    });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
    expect((await put(t, id, await picture(40, 20).png().toBuffer())).json()).toMatchObject({
      width_px: 40,
      height_px: 20,
    });
    expect((await t.get(path(id), ADMIN_KEY)).headers.etag).not.toBe(read.headers.etag);
    expect((await t.send("DELETE", path(id), ADMIN_KEY)).statusCode).toBe(204);
    expect((await t.get(path(id), ADMIN_KEY)).statusCode).toBe(404);
  });

  it("a logo counts for the quota of its project, and is deleted with it", async () => {
    await using t = await open();
    const id = await t.project();
    const stores = vi.spyOn(t.files.store, "put");
    await put(t, id, await picture(90, 30).png().toBuffer());
    const key = `projects/${id}/logo.png`;
    expect(stores).toHaveBeenCalledWith(key, expect.anything(), { projectId: id });
    expect(await t.files.store.stat(key)).toBeDefined();
    expect((await t.send("DELETE", `/api/v1/projects/${id}`, ADMIN_KEY)).statusCode).toBe(204);
    await expect.poll(() => t.files.store.stat(key)).toBeUndefined();
  });

  it("a key sees the logo of its own project alone, and only admin sets it", async () => {
    await using t = await open();
    const [own, foreign] = [await t.project(), await t.project()];
    const key = await t.key({ project_ids: [own] });
    const file = await picture(90, 30).png().toBuffer();
    for (const id of [own, foreign]) expect((await put(t, id, file)).statusCode).toBe(200);
    expect((await t.get(path(own), key)).statusCode).toBe(200);
    expect((await t.get(path(foreign), key)).statusCode).toBe(404);
    expect((await put(t, own, file, "image/png", key)).statusCode).toBe(403);
    const admin = await t.key({ project_ids: [own], scopes: ["admin"] });
    for (const id of [own, foreign]) {
      // Projects themselves are changed by keys that see every project.
      expect((await put(t, id, file, "image/png", admin)).statusCode).toBe(403);
      expect((await t.send("DELETE", path(id), admin)).statusCode).toBe(403);
    }
  });

  it("what is not a small raster image is refused in words and changes nothing", async () => {
    await using t = await open();
    const id = await t.project();
    const good = await picture(90, 30).png().toBuffer();
    await put(t, id, good);
    const { etag } = (await t.get(path(id), ADMIN_KEY)).headers;
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
    const tiff = await picture(90, 30).tiff().toBuffer();
    const hostile: readonly (readonly [name: string, file: Buffer, words: RegExp])[] = [
      ["SVG that is called PNG", svg, /not a PNG, JPEG or WebP/],
      ["TIFF", tiff, /not a PNG, JPEG or WebP/],
      ["HTML", Buffer.from("<!doctype html><script>1</script>"), /not a PNG, JPEG or WebP/],
      ["a PNG cut off", good.subarray(0, good.length / 2), /damaged/],
      ["a wide PNG", claimedPng(4_097, 10), /4097 x 10 pixels/],
      ["a bomb", claimedPng(60_000, 60_000), /pixels|damaged/],
      ["an empty body", Buffer.alloc(0), /file/],
    ];
    for (const [name, file, words] of hostile) {
      const answer = await put(t, id, file);
      expect([name, answer.statusCode]).toEqual([name, 400]);
      expect(answer.json().error.message).toMatch(words);
    }
    expect((await put(t, id, svg, "image/svg+xml")).statusCode).toBe(400);
    expect((await put(t, id, Buffer.alloc(1024 ** 2 + 1))).statusCode).toBe(400);
    expect((await t.send("PUT", path(id), ADMIN_KEY, { image: "x" })).statusCode).toBe(400);
    expect((await t.get(path(id), ADMIN_KEY)).headers.etag).toBe(etag);
  });
});
