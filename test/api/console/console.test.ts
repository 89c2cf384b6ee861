import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBuiltConsole } from "../../../api/console/built-console.ts";
import type { ConsoleDependencies } from "../../../api/console/console-dependencies.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";

const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const SCRIPT = "assets/index-Bq3xY7Qk.js";
const PAGE = "<!doctype html><title>Console</title>";
const TILES = {
  url: "https://tiles.example.com:8443/{z}/{x}/{y}.png",
  attribution: "Somebody",
  maxZoom: 18,
};
const SECRET = "what lies beside the folder";

let dir: string;
let t: TestApp;

async function deps(more: Partial<ConsoleDependencies> = {}): Promise<ConsoleDependencies> {
  const built = (await readBuiltConsole(join(dir, "console"))) ?? "not built";
  return { version: "1.2.3", mapsDir: join(dir, "maps"), fileOrigins: [], built, ...more };
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-console-"));
  await mkdir(join(dir, "console", "assets"), { recursive: true });
  await mkdir(join(dir, "maps"));
  const files: Record<string, string | Buffer> = {
    "secret.pmtiles": SECRET,
    "console/index.html": PAGE,
    "console/favicon.svg": "<svg/>",
    "console/assets/logo.png": "png",
    [`console/${SCRIPT}`]: "let plain;",
    [`console/${SCRIPT}.gz`]: gzipSync("let plain;"),
    [`console/${SCRIPT}.br`]: "brotli",
    "console/.env": SECRET,
    "console/a b.js": SECRET,
    "maps/site.pmtiles": "0123456789",
    "maps/notes.txt": SECRET,
    "maps/.hidden.pmtiles": SECRET,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), content);
  await mkdir(join(dir, "maps", "folder.pmtiles"));
  await symlink(join(dir, "secret.pmtiles"), join(dir, "console", "assets", "link-abcdefgh.js"));
  const fileOrigins = ["https://bucket.example.com"];
  t = await openTestApp({ console: await deps({ tiles: TILES, fileOrigins }) });
  await t.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await t[Symbol.asyncDispose]();
  await rm(dir, { recursive: true });
});

describe("the served console", () => {
  it("the page is at / without a key, asked for again at each visit, and not sent twice", async () => {
    const page = await t.get("/", undefined, HTML);
    expect([page.statusCode, page.body]).toEqual([200, PAGE]);
    expect(page.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "x-ratelimit-limit": "1000",
      "x-request-id": expect.stringMatching(/^req_/),
    });
    const again = await t.get("/", undefined, { "if-none-match": String(page.headers["etag"]) });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });

  it("page and scripts let the browser reach this service, the tiles and the bucket, and nothing else", async () => {
    for (const url of ["/", "/map", `/${SCRIPT}`]) {
      const { headers } = await t.get(url, undefined, HTML);
      expect(headers).toMatchObject({
        "content-security-policy":
          "default-src 'self'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob: https://tiles.example.com:8443 https://bucket.example.com; connect-src 'self' https://tiles.example.com:8443 https://bucket.example.com; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "permissions-policy": "geolocation=(self), camera=(self)",
      });
    }
  });

  it("addresses that the console makes up are answered with its page, for browsers alone", async () => {
    for (const url of ["/map", "/machines/ast_1/track?from=1", "/apiary", "/docsearch", "/map/"]) {
      const page = await t.get(url, undefined, HTML);
      expect([url, page.statusCode, page.body]).toEqual([url, 200, PAGE]);
      const other = await t.get(url, undefined, { accept: "*/*" });
      expect([url, other.statusCode, other.json().error.code]).toEqual([url, 401, "unauthorized"]);
      expect((await t.get(url, ADMIN_KEY, { accept: "application/json" })).statusCode).toBe(404);
    }
    const head = await t.app.inject({ method: "HEAD", url: "/map", headers: HTML });
    expect([head.statusCode, head.body]).toEqual([200, ""]);
    expect(head.headers["content-length"]).toBe(String(PAGE.length));
    const post = await t.send("POST", "/map", undefined, {}, HTML);
    expect(post.statusCode).toBe(401);
  });

  it("what is not the console's keeps its 401 and 404 in JSON, also for browsers", async () => {
    const urls = [
      ...[
        "/api",
        "/api/v1/nothing",
        "/api/v1/keys",
        "/iso15143-3/nothing",
        "/metrics/x",
        "/health/x",
      ],
      ...["/maps/site.pmtiles", "/assets/gone-abcdefgh.js", "/openapi.json/x", "/%61pi/v1/keys"],
      ...["//api/v1/keys", "/map%2f..%2fapi"],
    ];
    for (const url of urls) {
      const answer = await t.get(url, undefined, HTML);
      expect([url, answer.statusCode]).toEqual([url, 401]);
      expect(answer.headers["content-type"]).toMatch(/^application\/(?:json|xml); charset=utf-8$/);
    }
    expect((await t.get("/docs", undefined, HTML)).body).toContain("Plumbline API");
    expect((await t.get("/files/nothing", undefined, HTML)).statusCode).toBe(403);
  });

  it("files with a hash in their name are kept for ever, others asked for again", async () => {
    const ages = async (url: string) => {
      const { statusCode, headers } = await t.get(url, undefined);
      return [statusCode, headers["cache-control"], headers["content-type"]];
    };
    expect(await ages(`/${SCRIPT}`)).toEqual([
      200,
      "public, max-age=31536000, immutable",
      expect.stringMatching(/^(?:text|application)\/javascript/),
    ]);
    expect(await ages("/favicon.svg")).toEqual([200, "no-cache", "image/svg+xml"]);
    expect(await ages("/assets/logo.png")).toEqual([200, "no-cache", "image/png"]);
  });

  it("compressed copies are sent to who takes them, under the type of the file", async () => {
    const get = (encoding?: string) =>
      t.get(`/${SCRIPT}`, undefined, encoding === undefined ? {} : { "accept-encoding": encoding });
    const [plain, brotli, gzip] = [await get(), await get("gzip, br"), await get("gzip")];
    expect([plain.body, brotli.body]).toEqual(["let plain;", "brotli"]);
    expect(gzip.rawPayload).toEqual(gzipSync("let plain;"));
    for (const answer of [plain, brotli, gzip])
      expect(answer.headers["vary"]).toBe("Accept-Encoding");
    expect([brotli, gzip].map(({ headers }) => headers["content-encoding"])).toEqual([
      "br",
      "gzip",
    ]);
    expect(brotli.headers["content-type"]).toBe(plain.headers["content-type"]);
    expect((await t.get(`/${SCRIPT}.br`, undefined)).statusCode).toBe(401);
  });

  it.each([
    "/assets/../../secret.pmtiles",
    "/assets/..%2f..%2fsecret.pmtiles",
    "/assets/%2e%2e/%2e%2e/secret.pmtiles",
    "/..%5c..%5csecret.pmtiles",
    "/assets/link-abcdefgh.js",
    "/.env",
    "/a%20b.js",
    "/maps/../secret.pmtiles",
    "/maps/..%2fsecret.pmtiles",
    "/maps/%2e%2e%2fsecret.pmtiles",
    "/maps/..%5csecret.pmtiles",
    "/maps/.hidden.pmtiles",
    "/maps/notes.txt",
    "/maps/folder.pmtiles",
    "/maps/site.pmtiles%00.txt",
    "/maps//secret.pmtiles",
  ])("no path leads out of the folders: %s is not found", async (path) => {
    const { port } = t.app.server.address() as AddressInfo;
    const answers = [await t.get(path, ADMIN_KEY), await rawGet(port, path)];
    for (const { statusCode, body } of answers) {
      expect([400, 404]).toContain(statusCode);
      expect(body).not.toContain(SECRET);
    }
  });
});

/** Asks for a path as it is written: clients take dots out of it. */
async function rawGet(port: number, path: string): Promise<{ statusCode: number; body: string }> {
  const { request } = await import("node:http");
  return await new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const asked = request({ host: "127.0.0.1", port, path, headers, agent: false }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (part) => {
        body += part;
      });
      answer.on("end", () => resolve({ statusCode: answer.statusCode ?? 0, body }));
    });
    asked.on("error", reject).end();
  });
}

describe("base maps", () => {
  const range = (value: string) =>
    t.get("/maps/site.pmtiles", ADMIN_KEY, { range: value, "accept-encoding": "identity" });

  it("a base map is sent whole or by ranges, to keys and sessions alone", async () => {
    const whole = await t.get("/maps/site.pmtiles", ADMIN_KEY);
    expect([whole.statusCode, whole.body]).toEqual([200, "0123456789"]);
    expect(whole.headers).toMatchObject({
      "accept-ranges": "bytes",
      "content-type": "application/vnd.pmtiles",
      "cache-control": "private, max-age=3600",
      "x-ratelimit-limit": "12000",
      etag: expect.any(String),
    });
    const part = await range("bytes=2-4");
    expect([part.statusCode, part.body, part.headers["content-range"]]).toEqual([
      206,
      "234",
      "bytes 2-4/10",
    ]);
    expect((await range("bytes=-3")).body).toBe("789");
    expect((await range("bytes=20-30")).statusCode).toBe(400);
    expect((await t.get("/maps/site.pmtiles", undefined)).statusCode).toBe(401);
    expect((await t.get("/maps/gone.pmtiles", ADMIN_KEY)).statusCode).toBe(404);
  });
});

describe("what the console starts with", () => {
  const configOf = async (more: Partial<ConsoleDependencies>) => {
    await using other = await openTestApp({ console: await deps(more) });
    return (await other.get("/api/v1/console/config", ADMIN_KEY)).json();
  };

  it("tiles of another server go before base maps of the folder, and these before none", async () => {
    expect(await configOf({ tiles: TILES })).toEqual({
      version: "1.2.3",
      units: "metric",
      map: { kind: "tiles", url_template: TILES.url, attribution: "Somebody", max_zoom: 18 },
    });
    expect((await configOf({})).map).toEqual({
      kind: "pmtiles",
      files: [{ name: "site.pmtiles", path: "/maps/site.pmtiles", bytes: 10 }],
    });
    expect((await configOf({ mapsDir: join(dir, "no-such-folder") })).map).toEqual({
      kind: "none",
    });
  });

  it("says where devices connect, and nothing where another process has the listeners", async () => {
    expect((await configOf({})).devices).toBeUndefined();
    const own = { mqtt: 1883, mqtts: undefined, asksForCertificate: true };
    expect((await configOf({ devices: own })).devices).toEqual({
      mqtt_port: 1883,
      mqtts_asks_for_certificate: true,
    });
    const external = { asksForCertificate: false, brokerUrl: "mqtts://broker:8883" };
    expect((await configOf({ devices: external })).devices).toEqual({
      mqtts_asks_for_certificate: false,
      broker_url: "mqtts://broker:8883",
    });
  });

  it("the configuration is not for who has no key: tile addresses may contain one", async () => {
    expect((await t.get("/api/v1/console/config", undefined)).statusCode).toBe(401);
  });
});

describe("a service without a console", () => {
  it("says at / that the console is not built, and answers nothing else differently", async () => {
    await using other = await openTestApp({ console: await deps({ built: "not built" }) });
    const page = await other.get("/", undefined, HTML);
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining("npm run build")]);
    expect(page.body).toContain('href="/docs"');
    expect((await other.get("/map", undefined, HTML)).statusCode).toBe(401);
  });

  it("says nothing of it where it is off", async () => {
    await using other = await openTestApp({ console: await deps({ built: "off" }) });
    const page = await other.get("/", undefined, HTML);
    expect([page.statusCode, page.body]).toEqual([200, expect.not.stringContaining("console")]);
  });

  it("a folder without a page has no console", async () => {
    expect(await readBuiltConsole(join(dir, "maps"))).toBeUndefined();
    expect(await readBuiltConsole(join(dir, "no-such-folder"))).toBeUndefined();
    expect(await readBuiltConsole(join(dir, "secret.pmtiles"))).toBeUndefined();
  });
});
