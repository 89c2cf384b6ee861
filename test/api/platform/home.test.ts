import { afterAll, beforeAll, expect, it } from "vitest";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
});
afterAll(() => t[Symbol.asyncDispose]());

it("GET / is a page for a browser without a key, whose links are answered without one", async () => {
  const page = await t.get("/", undefined, { accept: "text/html,*/*;q=0.8" });
  expect([page.statusCode, page.headers["content-type"]]).toEqual([
    200,
    "text/html; charset=utf-8",
  ]);
  expect(page.body).toContain("<title>Plumbline</title>");
  expect(page.headers["x-ratelimit-limit"]).toBe("1000");
  const links = [...page.body.matchAll(/<a href="([^"]+)"/g)].map((found) => String(found[1]));
  expect(links).toEqual(["/docs", "/openapi.json", "/health/ready"]);
  for (const link of links) expect((await t.get(link, undefined)).statusCode).toBe(200);
});

it("the page at / runs nothing, and loads nothing but its own style and mark", async () => {
  const { body, headers } = await t.get("/", undefined);
  const policy = String(headers["content-security-policy"]);
  expect(policy).toMatch(/^default-src 'none';/);
  expect(policy).toContain("img-src data:; style-src 'unsafe-inline'");
  expect(policy).not.toMatch(/script-src|https?:/);
  expect(body).not.toMatch(/<script|src="|url\(|@import/);
});

it("HEAD / has the headers of the page, and POST / the methods that there are", async () => {
  const head = await t.app.inject({ method: "HEAD", url: "/" });
  expect([head.statusCode, head.body]).toEqual([200, ""]);
  const post = await t.send("POST", "/", ADMIN_KEY, {});
  expect([post.statusCode, post.headers.allow]).toEqual([405, "GET, HEAD"]);
});

it("the documentation has our name, and the contract's operations first", async () => {
  const page = await t.get("/docs", undefined);
  expect(page.body).toContain("<title>Plumbline API</title>");
  // What is left of the name are files that the page loads.
  const shown = page.body.replace(/(?:src|href)="[^"]*"|id="[^"]*"/g, "");
  expect(shown).not.toMatch(/swagger/i);
  const icon = /href="([^"]*plumb\.svg)"/.exec(page.body)?.[1] ?? "";
  expect((await t.get(icon, undefined)).headers["content-type"]).toBe("image/svg+xml");
  const start = await t.get("/docs/static/swagger-initializer.js", undefined);
  expect(start.body).toContain('"layout":"BaseLayout"');
  const { tags } = (await t.get("/openapi.json", undefined)).json();
  expect(tags[0].name).toBe("contract");
});

it("openapi.json is compressed for who accepts it", async () => {
  const plain = await t.get("/openapi.json", undefined);
  const packed = await t.get("/openapi.json", undefined, { "accept-encoding": "gzip, br" });
  expect(packed.headers["content-encoding"]).toBe("br");
  expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
});
