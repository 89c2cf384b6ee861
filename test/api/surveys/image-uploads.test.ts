import { createHash } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type ImageUploads, openImageUploads } from "../../../api/surveys/image-uploads.ts";
import { DomainError } from "../../../domain/errors.ts";
import { openLocalFiles } from "../../../storage/files/local.ts";
import { createOwnAddresses } from "../../../storage/files/own-addresses.ts";
import { createFileUrlSigner } from "../../../storage/files/signed-url.ts";
import type { Files } from "../../../storage/open.ts";
import { NO_QUOTA } from "../../../storage/quota/quota.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, PEPPER, type TestApp } from "../../support/api-app.ts";
import { PATIENT_MS } from "../../support/patience.ts";

const MIB = 1024 ** 2;
/** First bytes of the formats; the rest is checked when the image is used. */
const JPEG = Buffer.from("ffd8ffe000104a464946", "hex");
const PNG = Buffer.from("89504e470d0a1a0a0000000d", "hex");

/** The store's calls as properties of their own, so that a test can replace one. */
const callsOf = (store: Files["store"]): Files["store"] => ({
  put: (key, content, options) => store.put(key, content, options),
  stat: (key) => store.stat(key),
  get: (key, range) => store.get(key, range),
  delete: (key) => store.delete(key),
  list: (prefix) => store.list(prefix),
  url: (key, expiresAtMs) => store.url(key, expiresAtMs),
  close: () => store.close(),
});

let dir: string;
let files: Files;
let uploads: ImageUploads;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-uploads-"));
  const signer = createFileUrlSigner(PEPPER);
  const baseUrl = () => "https://site.test/files";
  const store = await openLocalFiles({ dir: join(dir, "files"), baseUrl, signer });
  files = { quota: NO_QUOTA, store, ...createOwnAddresses(signer, baseUrl, () => NOON_MS) };
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

/** Sends a form that no client would write. */
async function uploadRaw(
  t: TestApp,
  body: string,
  { boundary = "; boundary=B", headers = {} }: { boundary?: string; headers?: object } = {},
) {
  return await t.app.inject({
    method: "POST",
    url: "/api/v1/progress/images",
    headers: {
      authorization: `Bearer ${ADMIN_KEY}`,
      "content-type": `multipart/form-data${boundary}`,
      ...headers,
    },
    payload: Buffer.from(body, "latin1"),
  });
}

/** One part with a JPEG's first bytes and some text. */
const rawPart = (disposition: string, text = "") =>
  `--B\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n${JPEG.toString("latin1")}${text}\r\n`;
const END = "--B--\r\n";

/** What a client sends before a form of so many bytes. */
const uploadHead = (bytes: number): string =>
  [
    "POST /api/v1/progress/images HTTP/1.1",
    "Host: site.test",
    `Authorization: Bearer ${ADMIN_KEY}`,
    "Content-Type: multipart/form-data; boundary=B",
    `Content-Length: ${bytes}`,
    "\r\n",
  ].join("\r\n");

const bytesOf = (magic: Buffer, text: string) => Uint8Array.from([...magic, ...Buffer.from(text)]);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("uploaded images", () => {
  it("uploaded images are stored under their content's hash, with a signed address for each", async () => {
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
    // Nothing is left in the incoming folder.
    expect(await readdir(join(dir, "incoming"))).toEqual([]);
  });

  it("each uploaded file has its own result: one that is not an image does not stop the others", async () => {
    await using t = await openTestApp({ uploads });
    const response = await upload(t, [
      ["site.svg", bytesOf(Buffer.alloc(0), "<svg xmlns='http://www.w3.org/2000/svg'/>")],
      ["good.jpg", bytesOf(JPEG, "good")],
      ["empty.jpg", new Uint8Array()],
    ]);
    expect(response.statusCode).toBe(201);
    expect(response.json().images).toMatchObject([
      { name: "site.svg", status: "refused", reason: "is not a JPEG, PNG, TIFF or WebP image" },
      { name: "good.jpg", status: "stored" },
      { name: "empty.jpg", status: "refused", reason: "is not a JPEG, PNG, TIFF or WebP image" },
    ]);
  });

  it("uploaded images of more than 50 MiB are refused, and the next one is taken", async () => {
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

  it("an upload is answered with 400 unusable_images when no image was stored", async () => {
    await using t = await openTestApp({ uploads });
    const response = await upload(t, [["a.gif", bytesOf(Buffer.from("GIF89a"), "")]]);
    expect([response.statusCode, response.json().error]).toMatchObject([
      400,
      {
        code: "unusable_images",
        message: "No image was stored: a.gif is not a JPEG, PNG, TIFF or WebP image",
      },
    ]);
  });

  it("uploads answer 400 to a form without a file, and to a body that is not a form", async () => {
    await using t = await openTestApp({ uploads });
    const empty = await upload(t, []);
    const json = await t.send("POST", "/api/v1/progress/images", ADMIN_KEY, { images: [] });
    expect([empty, json].map(({ statusCode }) => statusCode)).toEqual([400, 400]);
    expect([empty, json].map((answer) => answer.json().error.code)).toEqual([
      "invalid_request",
      "invalid_request",
    ]);
  });

  it.each([
    ["an end", rawPart('name="a"; filename="a.jpg"'), undefined],
    ["the rest of a part's header", "--B\r\nContent-Disposition: form-da", undefined],
    ["any part", "hello", undefined],
    ["a boundary", rawPart('name="a"; filename="a.jpg"') + END, ""],
    ["room for its boundary", "x", `; boundary=${"b".repeat(300)}`],
  ])("an upload is answered with 400 for a form without %s", async (_name, body, boundary) => {
    await using t = await openTestApp({ uploads });
    const response = await uploadRaw(t, body, boundary === undefined ? {} : { boundary });
    expect([response.statusCode, response.json().error]).toMatchObject([
      400,
      { code: "invalid_request", message: "The form is cut off or damaged" },
    ]);
    expect(await readdir(join(dir, "incoming"))).toEqual([]);
  });

  it("uploaded images have names without folders and control characters, and a name where none was given", async () => {
    await using t = await openTestApp({ uploads });
    const names = ["../../etc/passwd", "..", "a\0b.jpg", `${"z".repeat(5_000)}.jpg`, "", "d", "d"];
    const parts = names.map((name) => rawPart(`name="x"; filename="${name}"`));
    const nameless = rawPart('name="x"');
    const response = await uploadRaw(t, [...parts, nameless, END].join(""));
    expect(response.statusCode).toBe(201);
    const stored = response.json().images.map(({ name }: { name: string }) => name);
    expect(stored).toEqual([
      "passwd",
      "image",
      "ab.jpg",
      "z".repeat(100),
      "image",
      "d",
      "d",
      "image",
    ]);
  });

  it("an upload is refused for a field that would reach a prototype, and for more than 300 files", async () => {
    await using t = await openTestApp({ uploads });
    const file = (name: string) => rawPart(`name="${name}"; filename="a.jpg"`);
    const many = Array.from({ length: 301 }, () => file("images")).join("");
    for (const body of [file("__proto__") + file("images"), file("toString"), many]) {
      const response = await uploadRaw(t, body + END);
      expect([response.statusCode, response.json().error.code]).toEqual([400, "invalid_request"]);
    }
    expect(await readdir(join(dir, "incoming"))).toEqual([]);
  });

  it("uploaded images are never answered with another upload's images, whatever the Idempotency-Key", async () => {
    await using t = await openTestApp({ uploads });
    const send = async (text: string) => {
      const body = rawPart('name="x"; filename="a.jpg"', text) + END;
      const response = await uploadRaw(t, body, { headers: { "idempotency-key": "once" } });
      return response.json().images[0].sha256;
    };
    const both = [await send("north"), await send("south")];
    expect(both).toEqual(["north", "south"].map((text) => sha256(bytesOf(JPEG, text))));
  });

  it("uploaded images leave nothing behind when they cannot be stored", async () => {
    const failing: Files["store"] = {
      ...callsOf(files.store),
      async put(_key, content) {
        if (content instanceof Readable) await once(content.destroy(), "close");
        throw new DomainError("STORE_UNAVAILABLE", "no space left");
      },
    };
    const broken = await openImageUploads(join(dir, "broken"), { ...files, store: failing });
    await using t = await openTestApp({ uploads: broken });
    const response = await upload(t, [
      ["a.jpg", bytesOf(JPEG, "a".repeat(300_000))],
      ["b.jpg", bytesOf(JPEG, "b".repeat(300_000))],
    ]);
    expect([response.statusCode, response.json().error.code]).toEqual([500, "internal_error"]);
    expect(await readdir(join(dir, "broken"))).toEqual([]);
  });

  it("an upload may take a slow store all its time, while a silent client is cut off", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const steps = new EventEmitter();
    const [begun, released] = [once(steps, "begun"), once(steps, "released")];
    const slow: ImageUploads = {
      ...uploads,
      async store(content, about) {
        const stored = await uploads.store(content, about);
        steps.emit("begun");
        await released;
        return stored;
      },
    };
    await using t = await openTestApp({ uploads: slow });
    await t.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = t.app.server.address() as AddressInfo;
    // The second image is still to come while the first one is being stored.
    const parts = ["a", "b"].map((name) => rawPart(`name="x"; filename="${name}.jpg"`));
    const form = [...parts, END].join("");
    const client = connect(port, "127.0.0.1");
    const answer = once(client, "data");
    client.write(uploadHead(form.length));
    const cut = (parts[0]?.length ?? 0) + 50;
    client.write(form.slice(0, cut), "latin1");
    await begun;
    await vi.advanceTimersByTimeAsync(600_000);
    steps.emit("released");
    client.write(form.slice(cut), "latin1");
    expect(String(await answer)).toMatch(/^HTTP\/1\.1 201 /);
    client.destroy();

    const silent = connect(port, "127.0.0.1");
    const closed = once(silent, "close");
    silent.write(`${uploadHead(9_000_000)}${rawPart('name="x"; filename="a.jpg"')}`, "latin1");
    const incoming = () => readdir(join(dir, "incoming"));
    await expect.poll(async () => (await incoming()).length, { timeout: PATIENT_MS }).toBe(1);
    await vi.advanceTimersByTimeAsync(60_000);
    await closed;
    await expect.poll(incoming, { timeout: PATIENT_MS }).toEqual([]);
  });

  it("a key has 16 uploads at a time: its next one is asked to come back, and another key's is taken", async () => {
    const steps = new EventEmitter();
    const released = once(steps, "released");
    let storing = 0;
    const held: ImageUploads = {
      ...uploads,
      async store(content, about) {
        storing += 1;
        await released;
        return await uploads.store(content, about);
      },
    };
    await using t = await openTestApp({ uploads: held });
    const begun = Array.from({ length: 16 }, (_, i) =>
      upload(t, [[`${i}.jpg`, bytesOf(JPEG, "x")]]),
    );
    await expect.poll(() => storing, { timeout: PATIENT_MS }).toBe(16);
    const late = await upload(t, [["late.jpg", bytesOf(JPEG, "x")]]);
    expect([late.statusCode, late.headers["retry-after"]]).toEqual([429, "10"]);
    const otherKey = await t.key({ scopes: ["progress:write"] });
    const other = upload(t, [["other.jpg", bytesOf(JPEG, "y")]], otherKey);
    await expect.poll(() => storing, { timeout: PATIENT_MS }).toBe(17);
    steps.emit("released");
    expect((await other).statusCode).toBe(201);
    const statuses = (await Promise.all(begun)).map(({ statusCode }) => statusCode);
    expect(statuses).toEqual(Array.from({ length: 16 }, () => 201));
    expect((await upload(t, [["late.jpg", bytesOf(JPEG, "x")]])).statusCode).toBe(201);
  });

  it("store a known image anew when its file is a day old, so that it is not deleted too soon", async () => {
    const old = { stat: 0, put: 0 };
    const aging: Files["store"] = {
      ...callsOf(files.store),
      async stat(key) {
        old.stat += 1;
        const found = await files.store.stat(key);
        return found && { ...found, modifiedAtMs: found.modifiedAtMs - 86_400_001 };
      },
      async put(key, content) {
        old.put += 1;
        return await files.store.put(key, content);
      },
    };
    const again = await openImageUploads(join(dir, "again"), { ...files, store: aging });
    const image = () => Readable.from([bytesOf(JPEG, "twice")]);
    await uploads.store(image(), { expiresAtMs: NOON_MS, projectId: undefined });
    await again.store(image(), { expiresAtMs: NOON_MS, projectId: undefined });
    expect(old).toEqual({ stat: 1, put: 1 });
  });

  it("uploaded images leave nothing behind when the client hangs up in the middle", async () => {
    await using t = await openTestApp({ uploads });
    await t.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = t.app.server.address() as AddressInfo;
    const client = connect(port, "127.0.0.1");
    client.write(uploadHead(9_000_000));
    client.write(rawPart('name="x"; filename="a.jpg"', "x".repeat(500_000)).slice(0, -2), "latin1");
    const incoming = () => readdir(join(dir, "incoming"));
    await expect.poll(async () => (await incoming()).length, { timeout: PATIENT_MS }).toBe(1);
    client.destroy();
    await expect.poll(incoming, { timeout: PATIENT_MS }).toEqual([]);
  });

  it("uploaded images are taken with a key that writes progress or materials, and with no other", async () => {
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
