import { createHash } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openImageUploads } from "../../../api/surveys/image-uploads.ts";
import type { ProjectId } from "../../../domain/ids.ts";
import { StorageShortage } from "../../../domain/platform/storage-shortage.ts";
import { UNFINISHED_UPLOAD_MS } from "../../../domain/platform/upload.ts";
import { deleteExpiredFiles } from "../../../processing/expired-files.ts";
import { openLocalFiles } from "../../../storage/files/local.ts";
import { createOwnAddresses } from "../../../storage/files/own-addresses.ts";
import { createFileUrlSigner } from "../../../storage/files/signed-url.ts";
import type { Files } from "../../../storage/open.ts";
import { NO_QUOTA } from "../../../storage/quota/quota.ts";
import { openTestApp, PEPPER, type TestApp } from "../../support/api-app.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { sampleStockpile } from "../../support/sample-stockpile.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { createTusClient, type TusClient } from "../../support/tus-client.ts";
import { until } from "../../support/until.ts";

const MIB = 1024 ** 2;
const P1 = "p1" as ProjectId;
const P2 = "p2" as ProjectId;

/** A file that is a JPEG by its first bytes, else noise of the seed. */
function photograph(bytes: number, seed: number): Buffer {
  const random = seededRandom(seed);
  const content = Buffer.alloc(bytes);
  for (let i = 0; i < bytes; i += 4)
    content.writeInt32LE(Math.floor(random() * 2 ** 31), Math.min(i, bytes - 4));
  Buffer.from("ffd8ffe000104a464946", "hex").copy(content);
  return content;
}
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** The store, with another `list`. */
const slowStore = (store: Files["store"], list: Files["store"]["list"]): Files["store"] =>
  new Proxy(store, {
    get(target, name) {
      if (name === "list") return list;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });

let dir: string;
let files: Files;
let t: TestApp;
let url: string;
let mine: TusClient;
let theirs: TusClient;
let mineKey: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-tus-"));
  const signer = createFileUrlSigner(PEPPER);
  const baseUrl = () => "https://site.test/files";
  const store = await openLocalFiles({ dir: join(dir, "files"), baseUrl, signer });
  files = { quota: NO_QUOTA, store, ...createOwnAddresses(signer, baseUrl, Date.now) };
  const uploads = await openImageUploads(join(dir, "incoming"), files);
  t = await openTestApp({
    files,
    uploads,
    clock: { ms: Date.now() },
    corsOrigins: ["https://app.test"],
  });
  url = await t.app.listen({ host: "127.0.0.1", port: 0 });
  for (const id of [P1, P2]) await t.project({ id });
  const scopes = ["progress:write", "materials:write", "materials:read"] as const;
  mineKey = await t.key({ scopes: [...scopes], project_ids: [P1], plan: "enterprise" });
  mine = createTusClient(url, mineKey);
  theirs = createTusClient(url, await t.key({ scopes: [...scopes], project_ids: [P2] }));
});
afterAll(async () => {
  await t[Symbol.asyncDispose]();
  await rm(dir, { recursive: true });
});

async function keysOf(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of files.store.list(prefix)) keys.push(key);
  return keys;
}
/** Where an upload is. The request that asks may come first: the one that brings bytes has its upload to look up. */
async function offsetOnceThere(path: string): Promise<number> {
  const { offset } = await until(
    "bytes are there",
    async () => {
      const offset = await mine.offset(path);
      return offset > 0 && { offset };
    },
    PATIENT_MS,
  );
  return offset;
}
const shownOf = async (path: string) => (await t.get(path, mineKey)).json();

describe("uploads by tus 1.0.0", { timeout: 2 * PATIENT_MS }, () => {
  it("an upload whose connection is destroyed 20 times at random places arrives whole, byte for byte, and once", async () => {
    const content = photograph(9 * MIB + 12_345, 20);
    const random = seededRandom(4_711);
    const path = await mine.begin(content.length, "DJI 0042.JPG");
    const offsets: number[] = [];
    for (let cuts = 0; cuts < 20; cuts += 1) {
      const offset = await mine.offset(path);
      offsets.push(offset);
      const rest = content.subarray(offset);
      await mine.cut(path, offset, rest, Math.floor(random() * Math.min(rest.length, MIB)));
    }
    const last = await mine.offset(path);
    // Nothing that was there was lost again, and what was sent before a cut was not all for nothing.
    expect([...offsets, last]).toEqual([...offsets, last].toSorted((a, b) => a - b));
    expect(last).toBeGreaterThan(2 * MIB);
    expect((await mine.patch(path, last, content.subarray(last))).status).toBe(204);
    const shown = await shownOf(path);
    expect(shown).toMatchObject({
      ...{ name: "DJI 0042.JPG", status: "stored", project_id: P1 },
      ...{ received_bytes: content.length, sha256: sha256(content) },
    });
    const key = String(files.keyOf(shown.url));
    const opened = await files.store.get(key);
    expect(opened && (await buffer(opened.body)).equals(content)).toBe(true);
    expect(await keysOf("images/")).toEqual([`images/${sha256(content)}.jpg`]);
    expect(await keysOf("uploads/")).toEqual([]);
    // The same file in another upload is the same image.
    const again = await mine.begin(content.length);
    expect((await mine.patch(again, 0, content)).status).toBe(204);
    expect(await keysOf("images/")).toHaveLength(1);
  });

  it("a process that takes over goes on where the last one was killed", async () => {
    const content = photograph(5 * MIB, 7);
    const path = await mine.begin(content.length);
    await mine.cut(path, 0, content, 3 * MIB);
    const before = await offsetOnceThere(path);
    const uploads = await openImageUploads(join(dir, "incoming-2"), files);
    await using next = await openTestApp({
      files,
      uploads,
      records: t.records,
      clock: { ms: Date.now() },
    });
    const client = createTusClient(await next.app.listen({ host: "127.0.0.1", port: 0 }), mineKey);
    expect(await client.offset(path)).toBe(before);
    const { status, body } = await client.patch(path, before, content.subarray(before));
    // Of a refusal its words, and where the upload is.
    const after = [status, body, await client.offset(path)];
    expect(after, `went on at ${before}`).toEqual([204, "", content.length]);
    expect(await shownOf(path)).toMatchObject({ status: "stored", sha256: sha256(content) });
  });

  it("what a cut request brought stays, though the file store answered it late", async () => {
    const gate = new EventEmitter();
    const asked = once(gate, "asked");
    let isSlow = false;
    async function* list(prefix: string) {
      if (isSlow) {
        isSlow = false;
        gate.emit("asked");
        await once(gate, "free");
      }
      yield* files.store.list(prefix);
    }
    const slowFiles = { ...files, store: slowStore(files.store, list) };
    const uploads = await openImageUploads(join(dir, "incoming-3"), slowFiles);
    await using slow = await openTestApp({
      files: slowFiles,
      uploads,
      records: t.records,
      clock: { ms: Date.now() },
    });
    const client = createTusClient(await slow.app.listen({ host: "127.0.0.1", port: 0 }), mineKey);
    const path = await client.begin(5 * MIB);
    isSlow = true;
    await client.cut(path, 0, photograph(5 * MIB, 8), 3 * MIB);
    await asked;
    const offset = client.offset(path);
    // Longer than a silent request keeps an upload from the next one.
    await delay(1_500);
    gate.emit("free");
    expect(await offset).toBeGreaterThanOrEqual(2 * MIB);
  });

  it("a request that stays open and silent gives way to the next one, and keeps what it brought", async () => {
    const content = photograph(5 * MIB, 9);
    const path = await mine.begin(content.length);
    const held = await mine.hold(path, 0, content, 3 * MIB);
    const offset = await offsetOnceThere(path);
    const { status, body } = await mine.patch(path, offset, content.subarray(offset));
    // Of a refusal its words, and where the upload is.
    const after = [status, body, await mine.offset(path)];
    expect(after, `went on at ${offset}`).toEqual([204, "", content.length]);
    expect(await shownOf(path)).toMatchObject({ status: "stored", sha256: sha256(content) });
    held.destroy();
  });

  it("wrong offsets, lengths and headers are refused, and change nothing", async () => {
    const content = photograph(4_000, 1);
    const path = await mine.begin(content.length);
    expect((await mine.patch(path, 0, content.subarray(0, 1_000))).status).toBe(204);
    for (const offset of [0, 999, 1_001, 4_000]) {
      expect([offset, (await mine.patch(path, offset, content.subarray(0, 10))).status]).toEqual([
        offset,
        409,
      ]);
    }
    expect((await mine.patch(path, 1_000, photograph(3_001, 2))).status).toBe(413);
    const type = { "content-type": "application/offset+octet-stream" };
    expect((await mine.send("PATCH", path, type, content)).status).toBe(400);
    expect(
      (await mine.send("PATCH", path, { ...type, "upload-offset": "-1" }, content)).status,
    ).toBe(400);
    expect(
      (
        await mine.send(
          "PATCH",
          path,
          { ...type, "upload-offset": "1000", "tus-resumable": "0.2" },
          content,
        )
      ).status,
    ).toBe(400);
    expect(
      (
        await mine.send(
          "PATCH",
          path,
          { "content-type": "application/octet-stream", "upload-offset": "1000" },
          content,
        )
      ).status,
    ).toBe(400);
    expect(await mine.offset(path)).toBe(1_000);
    for (const [headers, status] of [
      [{}, 400],
      [{ "upload-length": "-5" }, 400],
      [{ "upload-length": "1e6" }, 400],
      [{ "upload-length": "0" }, 400],
      [{ "upload-length": "99999999999999999999" }, 400],
      [{ "upload-length": String(50 * MIB + 1) }, 413],
      [{ "upload-defer-length": "1" }, 400],
      [{ "upload-length": "10", "upload-metadata": "filename notbase64!" }, 400],
      [{ "upload-length": "10", "upload-metadata": "__proto__ YQ==" }, 400],
      [{ "upload-length": "10", "tus-resumable": "2.0.0" }, 400],
    ] as const) {
      const answer = await mine.send("POST", "/api/v1/uploads", headers);
      expect([headers, answer.status]).toEqual([headers, status]);
      expect(JSON.parse(answer.body).error.request_id).toMatch(/^req_/);
    }
    expect((await mine.send("DELETE", path)).status).toBe(204);
    expect((await mine.send("HEAD", path)).status).toBe(404);
  });

  it("paths and markup in metadata are a name and nothing else", async () => {
    for (const [given, name] of [
      ["../../../../etc/passwd", "passwd"],
      ["C:\\flights\\a.jpg", "a.jpg"],
      ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
      ["a\u0000\r\nSet-Cookie: b", "aSet-Cookie: b"],
      ["x".repeat(5_000), "x".repeat(100)],
    ] as const) {
      const path = await mine.begin(10, given);
      expect(path).toMatch(/^\/api\/v1\/uploads\/upl_[A-Za-z0-9_-]{22}$/);
      expect((await shownOf(path)).name).toBe(name);
      await mine.send("DELETE", path);
    }
  });

  it("what is no image is refused at its end, and nothing of it stays", async () => {
    const page = Buffer.from("<html><script>alert(1)</script></html>");
    const path = await mine.begin(page.length, "a.jpg");
    const { status, body } = await mine.patch(path, 0, page);
    expect([status, JSON.parse(body).error.code]).toEqual([400, "unusable_images"]);
    expect((await mine.send("HEAD", path)).status).toBe(404);
    expect(await keysOf(`uploads/${path.split("/").at(-1)}/`)).toEqual([]);
  });

  it("another tenant's uploads are not there: neither to read, go on with, delete nor measure", async () => {
    const content = photograph(4_000, 3);
    const path = await mine.begin(content.length);
    const id = path.split("/").at(-1);
    expect((await theirs.send("HEAD", path)).status).toBe(404);
    expect((await theirs.send("GET", path)).status).toBe(404);
    expect((await theirs.patch(path, 0, content)).status).toBe(404);
    expect((await theirs.send("DELETE", path)).status).toBe(404);
    expect((await mine.patch(path, 0, content)).status).toBe(204);
    await t.records.stockpiles.insert(sampleStockpile({ id: "theirs" as never, project_id: P2 }));
    const images = Array.from({ length: 5 }, () => ({ upload_id: id }));
    const measured = await theirs.send(
      "POST",
      "/api/v1/materials/stockpiles/theirs/measure",
      { "content-type": "application/json", prefer: "respond-async" },
      Buffer.from(JSON.stringify({ images })),
    );
    expect(measured.status).toBe(400);
    expect(measured.body).toContain("images[0].upload_id names no upload");
    expect(measured.body).not.toContain(sha256(content));
  });

  it("whole uploads are named by id in `images`, where unfinished ones are refused", async () => {
    await t.records.stockpiles.insert(sampleStockpile({ id: "pile" as never, project_id: P1 }));
    const images: { upload_id: string }[] = [];
    for (let i = 0; i < 5; i += 1) {
      const content = photograph(3_000, 100 + i);
      const path = await mine.begin(content.length, `pile-${i}.jpg`);
      if (i < 4) await mine.patch(path, 0, content);
      images.push({ upload_id: String(path.split("/").at(-1)) });
    }
    const measure = async () =>
      await mine.send(
        "POST",
        "/api/v1/materials/stockpiles/pile/measure",
        { "content-type": "application/json", prefer: "respond-async" },
        Buffer.from(JSON.stringify({ images })),
      );
    const early = await measure();
    expect([early.status, early.body]).toEqual([
      400,
      expect.stringContaining("images[4].upload_id names an upload that is not whole yet"),
    ]);
    const last = `/api/v1/uploads/${images[4]?.upload_id}`;
    await mine.patch(last, 0, photograph(3_000, 104));
    const answer = await measure();
    expect([answer.status, answer.body]).toEqual([202, expect.any(String)]);
    const job = await t.records.jobs.find(JSON.parse(answer.body).id);
    if (job === undefined) throw new Error("there is no job");
    const { images: asked } = job.input as { images: string[] };
    expect(asked.map((one) => files.keyOf(one))).toEqual(
      Array.from({ length: 5 }, (_, i) => `images/${sha256(photograph(3_000, 100 + i))}.jpg`),
    );
    expect(asked[0]).toMatch(/#pile-0\.jpg$/);
    // The same request again joins the job.
    expect(JSON.parse((await measure()).body).id).toBe(job.id);
  });

  it("a full disk or quota is a 507 with numbers before a byte is sent", async () => {
    const figures = { neededBytes: 9_000, leftBytes: 12, usedBytes: 88, limitBytes: 100 };
    await using full = await openTestApp({
      files: {
        ...files,
        quota: {
          ...NO_QUOTA,
          require: async () => {
            throw new StorageShortage("QUOTA_EXCEEDED", "the project is full", figures);
          },
        },
      },
      records: t.records,
    });
    const client = createTusClient(await full.app.listen({ host: "127.0.0.1", port: 0 }), mineKey);
    const { status, body } = await client.send("POST", "/api/v1/uploads", {
      "upload-length": "9000",
    });
    expect(status).toBe(507);
    expect(JSON.parse(body).error.details[0]).toMatchObject({
      bytes_needed: 9_000,
      bytes_left: 12,
    });
  });

  it("an upload that is not finished in two days is deleted with its parts", async () => {
    await mine.patch(await mine.begin(4_000), 0, photograph(1_000, 9));
    await deleteExpiredFiles(files.store, { retentionMs: 1 }, Date.now());
    expect((await keysOf("uploads/")).length).toBeGreaterThanOrEqual(2);
    await deleteExpiredFiles(
      files.store,
      { retentionMs: 1 },
      Date.now() + UNFINISHED_UPLOAD_MS + 1_000,
    );
    expect(await keysOf("uploads/")).toEqual([]);
  });

  it("a page of an allowed origin may upload, and reads the offset; a session needs the console's header", async () => {
    const preflight = await mine.send("OPTIONS", "/api/v1/uploads", {
      origin: "https://app.test",
      "access-control-request-method": "PATCH",
    });
    expect(preflight.headers["access-control-allow-headers"]).toContain("Upload-Offset");
    const path = await mine.begin(10);
    const head = await mine.send("HEAD", path, { origin: "https://app.test" });
    expect(head.headers["access-control-allow-origin"]).toBe("https://app.test");
    expect(head.headers["access-control-expose-headers"]).toContain("Upload-Offset");
    const other = await mine.send("HEAD", path, { origin: "https://evil.test" });
    expect(other.headers["access-control-allow-origin"]).toBeUndefined();

    const opened = await mine.send(
      "POST",
      "/api/v1/session",
      { "content-type": "application/json" },
      Buffer.from(JSON.stringify({ key: mineKey })),
    );
    const cookie = String(opened.headers["set-cookie"]).split(";")[0] ?? "";
    const bytes = { "content-type": "application/offset+octet-stream", "upload-offset": "0" };
    const own = { cookie, "sec-fetch-site": "same-origin", authorization: "" };
    const send = (headers: Record<string, string>) =>
      fetch(`${url}${path}`, {
        method: "PATCH",
        headers: { "tus-resumable": "1.0.0", ...bytes, ...headers },
        body: "0123456789",
      });
    expect((await send({ cookie, "sec-fetch-site": "same-origin" })).status).toBe(403);
    expect(
      (await send({ cookie, "sec-fetch-site": "cross-site", "x-plumbline-console": "1" })).status,
    ).toBe(403);
    const taken = await send({
      cookie,
      "sec-fetch-site": "same-origin",
      "x-plumbline-console": "1",
    });
    expect([taken.status, own.cookie]).toEqual([400, cookie]);
  });
});
