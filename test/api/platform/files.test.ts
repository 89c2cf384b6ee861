import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLocalFiles } from "../../../storage/files/local.ts";
import { createOwnAddresses } from "../../../storage/files/own-addresses.ts";
import { createFileUrlSigner } from "../../../storage/files/signed-url.ts";
import type { Files } from "../../../storage/open.ts";
import { NO_QUOTA } from "../../../storage/quota/quota.ts";
import { NOON_MS, openTestApp, PEPPER, type TestApp } from "../../support/api-app.ts";

const KEY = "images/a.jpg";
let dir: string;
let files: Files;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-files-"));
  const signer = createFileUrlSigner(PEPPER);
  const store = await openLocalFiles({ dir, baseUrl: () => "/files", signer });
  files = {
    quota: NO_QUOTA,
    store,
    ...createOwnAddresses(
      signer,
      () => "/files",
      () => NOON_MS,
    ),
  };
  await store.put(KEY, Buffer.from("0123456789"));
  await store.put("public/logo.svg", Buffer.from("<svg/>"));
  await store.put("empty.txt", new Uint8Array());
});
afterAll(() => rm(dir, { recursive: true }));

describe("files", () => {
  async function get(
    t: TestApp,
    headers: Record<string, string> = {},
    { key = KEY, expiresAtMs = NOON_MS + 60_000, method = "GET" as "GET" | "HEAD" } = {},
  ) {
    const url = await files.store.url(key, expiresAtMs);
    return t.app.inject({ method, url, headers });
  }

  it("files are served by a signed address, without a key, as what their name says", async () => {
    await using t = await openTestApp({ files });
    const response = await get(t);
    expect([response.statusCode, response.body]).toEqual([200, "0123456789"]);
    expect(response.headers).toMatchObject({
      "content-type": "image/jpeg",
      "content-length": "10",
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "private, no-cache",
      etag: expect.stringMatching(/^"[\w-]+"$/),
    });
  });

  it("files answer HEAD without a body", async () => {
    await using t = await openTestApp({ files });
    const response = await get(t, {}, { method: "HEAD" });
    expect([response.statusCode, response.headers["content-length"], response.body]).toEqual([
      200,
      "10",
      "",
    ]);
  });

  it("files below public/ need no signature, and run nothing", async () => {
    await using t = await openTestApp({ files });
    const response = await t.app.inject("/files/public/logo.svg");
    expect([response.statusCode, response.headers["content-type"]]).toEqual([
      200,
      "application/octet-stream",
    ]);
    expect(response.headers["cache-control"]).toBe("public, max-age=3600");
  });

  it("files are refused with 403 without a true signature, whether they are there or not", async () => {
    await using t = await openTestApp({ files });
    const signed = await files.store.url(KEY, NOON_MS + 60_000);
    const answers = await Promise.all([
      t.app.inject(`/files/${KEY}`),
      t.app.inject("/files/images/absent.jpg"),
      t.app.inject(signed.replace("a.jpg", "b.jpg")),
      t.app.inject(signed.replace(/signature=./, "signature=_")),
      get(t, {}, { expiresAtMs: NOON_MS }),
    ]);
    expect(answers.map((answer) => answer.statusCode)).toEqual([403, 403, 403, 403, 403]);
    expect(new Set(answers.map((answer) => answer.json().error.message)).size).toBe(1);
  });

  it.each([
    "public/../images/a.jpg",
    "public/%2e%2e/images/a.jpg",
    "public/..%2fimages%2fa.jpg",
  ])("files cannot be reached past the signature by %s", async (path) => {
    await using t = await openTestApp({ files });
    const response = await t.app.inject(`/files/${path}`);
    expect([403, 404]).toContain(response.statusCode);
    expect(response.body).not.toContain("0123456789");
  });

  it("files answer 404 for a signed address of nothing", async () => {
    await using t = await openTestApp({ files });
    const response = await get(t, {}, { key: "images/absent.jpg" });
    expect(response.statusCode).toBe(404);
  });

  it.each([
    ["bytes=2-4", "234", "bytes 2-4/10"],
    ["bytes=7-", "789", "bytes 7-9/10"],
    ["bytes=-3", "789", "bytes 7-9/10"],
    ["bytes=5-99", "56789", "bytes 5-9/10"],
    ["bytes=-99", "0123456789", "bytes 0-9/10"],
  ])("files answer the range %s with 206", async (range, body, contentRange) => {
    await using t = await openTestApp({ files });
    const response = await get(t, { range });
    expect([response.statusCode, response.body, response.headers["content-range"]]).toEqual([
      206,
      body,
      contentRange,
    ]);
    expect(response.headers["content-length"]).toBe(String(body.length));
  });

  it.each(["bytes=10-", "bytes=-0"])("files answer the range %s with 416", async (range) => {
    await using t = await openTestApp({ files });
    const response = await get(t, { range });
    expect([response.statusCode, response.headers["content-range"]]).toEqual([416, "bytes */10"]);
  });

  it.each([
    "bytes=4-2",
    "bytes=0-1,4-5",
    "lines=1-2",
    "bytes=-",
    "bytes=a-b",
  ])("files are served whole for the range %s", async (range) => {
    await using t = await openTestApp({ files });
    const response = await get(t, { range });
    expect([response.statusCode, response.body]).toEqual([200, "0123456789"]);
  });

  it("files are served whole when the content is not what If-Range names", async () => {
    await using t = await openTestApp({ files });
    const etag = String((await get(t)).headers.etag);
    const same = await get(t, { range: "bytes=0-1", "if-range": etag });
    const other = await get(t, { range: "bytes=0-1", "if-range": '"other"' });
    expect([same.body, other.body]).toEqual(["01", "0123456789"]);
  });

  it("files answer 304 to whoever has them", async () => {
    await using t = await openTestApp({ files });
    const etag = String((await get(t)).headers.etag);
    const answers = await Promise.all(
      [etag, `W/${etag}`, `"x", ${etag}`, "*", '"x"'].map((tag) =>
        get(t, { "if-none-match": tag }),
      ),
    );
    expect(answers.map((answer) => answer.statusCode)).toEqual([304, 304, 304, 304, 200]);
  });

  it("files may be empty", async () => {
    await using t = await openTestApp({ files });
    const whole = await get(t, {}, { key: "empty.txt" });
    const part = await get(t, { range: "bytes=0-0" }, { key: "empty.txt" });
    expect([whole.statusCode, whole.body, part.statusCode]).toEqual([200, "", 416]);
  });
});
