import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImageUploads, openImageUploads } from "../../api/progress/image-uploads.ts";
import { openLocalFiles } from "../../storage/files/local.ts";
import { createOwnAddresses } from "../../storage/files/own-addresses.ts";
import { createFileUrlSigner } from "../../storage/files/signed-url.ts";
import type { Files } from "../../storage/open.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, PEPPER, type TestApp } from "../support/api-app.ts";

const MIB = 1024 ** 2;
/** First bytes of the formats; what follows is looked at when the image is used. */
const JPEG = Buffer.from("ffd8ffe000104a464946", "hex");
const PNG = Buffer.from("89504e470d0a1a0a0000000d", "hex");

let dir: string;
let files: Files;
let uploads: ImageUploads;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-uploads-"));
  const signer = createFileUrlSigner(PEPPER);
  const baseUrl = () => "https://site.test/files";
  const store = await openLocalFiles({ dir: join(dir, "files"), baseUrl, signer });
  files = { store, ...createOwnAddresses(signer, baseUrl, () => NOON_MS) };
  uploads = await openImageUploads(join(dir, "incoming"), files);
});
afterAll(() => rm(dir, { recursive: true }));

/** A file of a form, with the type that its sender claims. */
type Part = readonly [name: string, bytes: Uint8Array<ArrayBuffer>, type?: string];

async function upload(t: TestApp, parts: readonly Part[], key = ADMIN_KEY) {
  const form = new FormData();
  form.append("note", "north side");
  for (const [name, bytes, type = "image/jpeg"] of parts) {
    form.append("images", new Blob([bytes], { type }), name);
  }
  const encoded = new Response(form);
  return await t.app.inject({
    method: "POST",
    url: "/api/v1/progress/images",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": encoded.headers.get("content-type") ?? "",
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
}

const bytesOf = (magic: Buffer, text: string) => Uint8Array.from([...magic, ...Buffer.from(text)]);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("uploaded images", () => {
  it("are stored under their content's hash, with a signed address for each", async () => {
    await using t = await openTestApp({ uploads, files });
    const one = bytesOf(JPEG, "one");
    const two = bytesOf(PNG, "two");
    const response = await upload(t, [
      ["DJI_0001.JPG", one],
      ["C:\\fakepath\\pile.png", two, "text/html"],
    ]);
    expect([response.statusCode, response.json()]).toEqual([
      201,
      {
        images: [
          {
            name: "DJI_0001.JPG",
            status: "stored",
            url: expect.stringMatching(`^https://site\\.test/files/images/${sha256(one)}\\.jpg\\?`),
            sha256: sha256(one),
            size_bytes: one.length,
          },
          {
            name: "pile.png",
            status: "stored",
            url: expect.stringMatching(`^https://site\\.test/files/images/${sha256(two)}\\.png\\?`),
            sha256: sha256(two),
            size_bytes: two.length,
          },
        ],
        expires_at: "2026-03-12T12:00:00.000Z",
      },
    ]);
    const [first] = response.json().images;
    const { pathname, search } = new URL(first.url);
    const read = await t.app.inject(pathname + search);
    expect([read.statusCode, read.rawPayload.equals(one)]).toEqual([200, true]);
    expect(files.keyOf(first.url)).toBe(`images/${sha256(one)}.jpg`);
    // Nothing stays behind on the way.
    expect(await readdir(join(dir, "incoming"))).toEqual([]);
  });

  it("have a result of their own: what is no image does not keep the others", async () => {
    await using t = await openTestApp({ uploads });
    const response = await upload(t, [
      ["site.svg", bytesOf(Buffer.alloc(0), "<svg xmlns='http://www.w3.org/2000/svg'/>")],
      ["good.jpg", bytesOf(JPEG, "good")],
      ["empty.jpg", new Uint8Array()],
    ]);
    expect(response.statusCode).toBe(201);
    expect(response.json().images).toMatchObject([
      { name: "site.svg", status: "refused", reason: "is no JPEG, PNG, TIFF or WebP" },
      { name: "good.jpg", status: "stored" },
      { name: "empty.jpg", status: "refused", reason: "is no JPEG, PNG, TIFF or WebP" },
    ]);
  });

  it("of more than 50 MiB are refused, and the next one is taken", async () => {
    await using t = await openTestApp({ uploads });
    const large = new Uint8Array(50 * MIB + 1);
    large.set(JPEG);
    const response = await upload(t, [
      ["large.jpg", large],
      ["small.jpg", bytesOf(JPEG, "small")],
    ]);
    expect(response.json().images).toMatchObject([
      { name: "large.jpg", status: "refused", reason: "is larger than 50 MiB" },
      { name: "small.jpg", status: "stored" },
    ]);
  });

  it("answer 400 unusable_images when none was stored", async () => {
    await using t = await openTestApp({ uploads });
    const response = await upload(t, [["a.gif", bytesOf(Buffer.from("GIF89a"), "")]]);
    expect([response.statusCode, response.json().error]).toMatchObject([
      400,
      {
        code: "unusable_images",
        message: "No image was stored: a.gif is no JPEG, PNG, TIFF or WebP",
      },
    ]);
  });

  it("answer 400 to a form without a file, and to what is no form", async () => {
    await using t = await openTestApp({ uploads });
    const empty = await upload(t, []);
    const json = await t.send("POST", "/api/v1/progress/images", ADMIN_KEY, { images: [] });
    expect([empty, json].map(({ statusCode }) => statusCode)).toEqual([400, 400]);
    expect([empty, json].map((answer) => answer.json().error.code)).toEqual([
      "invalid_request",
      "invalid_request",
    ]);
  });

  it("are taken with a key that writes progress or materials, and with no other", async () => {
    await using t = await openTestApp({ uploads });
    const statuses = await Promise.all(
      (["progress:write", "materials:write", "progress:read", "equipment:write"] as const).map(
        async (scope) => {
          const key = await t.key({ scopes: [scope] });
          return (await upload(t, [["a.jpg", bytesOf(JPEG, scope)]], key)).statusCode;
        },
      ),
    );
    expect(statuses).toEqual([201, 201, 403, 403]);
  });
});
