import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { ADMIN_KEY, openTestApp } from "../../support/api-app.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { exchangeRaw } from "../../support/raw-http.ts";

/** Every answer has these, whatever it is. */
const EVERYWHERE = {
  "content-security-policy": expect.stringMatching(/^default-src 'none'/),
  "cross-origin-resource-policy": expect.stringMatching(/^(same|cross)-origin$/),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

it("every answer forbids browsers to run or frame it, also errors and files", async () => {
  await using t = await openTestApp();
  await t.files.store.put("public/picture.png", Buffer.from("x"));
  const key = await t.key();
  const asked: readonly (readonly [string, string | undefined, number])[] = [
    ["/api/v1/equipment/assets", key, 200],
    ["/api/v1/equipment/assets", undefined, 401],
    ["/api/v1/keys", key, 403],
    ["/api/v1/equipment/assets/nothing", key, 404],
    ["/api/v1/equipment/assets?limit=x", key, 400],
    ["/nothing", key, 404],
    ["/%zz", key, 400],
    [`/${"x".repeat(20_000)}`, key, 404],
    ["/files/public/picture.png", undefined, 200],
    ["/files/private.png", undefined, 403],
    ["/health/live", undefined, 200],
    ["/health/ready", undefined, 200],
    ["/metrics", undefined, 200],
    ["/openapi.json", undefined, 200],
    ["/docs/", undefined, 200],
    ["/docs/static/swagger-ui.css", undefined, 200],
  ];
  for (const [url, bearer, status] of asked) {
    const answer = await t.get(url, bearer);
    expect([url.slice(0, 50), answer.statusCode]).toEqual([url.slice(0, 50), status]);
    expect(answer.headers).toMatchObject(EVERYWHERE);
    expect(answer.headers).not.toHaveProperty("strict-transport-security");
    if (status >= 400) expect(answer.headers["cache-control"]).toMatch(/^(private|no-store)$/);
  }
});

it("the documentation may load its own scripts, and nothing of others", async () => {
  await using t = await openTestApp();
  const { headers } = await t.app.inject("/docs/");
  expect(headers["content-security-policy"]).toContain("script-src 'self';");
  expect(headers["content-security-policy"]).not.toMatch(/https?:|\*|unsafe-eval/);
});

it("bytes that are not HTTP, and event streams, are answered with the same headers", async () => {
  await using t = await openTestApp();
  await t.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = t.app.server.address() as AddressInfo;
  const stream = `GET /api/v1/events/stream HTTP/1.1\r\nHost: t\r\nAuthorization: Bearer ${ADMIN_KEY}\r\n\r\n`;
  for (const [sent, status] of [
    ["not HTTP\r\n\r\n", 400],
    [stream, 200],
  ] as const) {
    const { statuses, received } = await exchangeRaw(
      port,
      [sent],
      (all) => all.length > 0,
      PATIENT_MS,
    );
    expect(statuses).toEqual([status]);
    for (const name of Object.keys(EVERYWHERE)) expect(received).toContain(`\r\n${name}: `);
  }
});
