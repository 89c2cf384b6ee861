import { describe, expect, it } from "vitest";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";

const ASSETS = "/api/v1/equipment/assets";
const OURS = "https://app.example.com";
const PREFLIGHT = {
  "access-control-request-method": "PATCH",
  "access-control-request-headers": "authorization, if-match, x-anything",
};

const preflight = (t: TestApp, origin: string | undefined, headers = {}) =>
  t.app.inject({
    method: "OPTIONS",
    url: `${ASSETS}/ast_1`,
    headers: { ...(origin === undefined ? {} : { origin }), ...PREFLIGHT, ...headers },
  });

const names = (headers: object) =>
  Object.keys(headers).filter((name) => name.startsWith("access-control-"));

describe("without CORS_ORIGINS", () => {
  it("no answer lets a page of others read it, and a preflight needs a key like any method", async () => {
    await using t = await openTestApp();
    const answers = [
      await preflight(t, OURS),
      await preflight(t, OURS, { authorization: `Bearer ${ADMIN_KEY}` }),
      await t.get(ASSETS, ADMIN_KEY, { origin: OURS }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 405, 200]);
    for (const { headers } of answers) expect(names(headers)).toEqual([]);
  });
});

describe("with origins", () => {
  const corsOrigins = [OURS, "http://localhost:5173"];

  it("a preflight of one of them needs no key, and says what pages may send and read", async () => {
    await using t = await openTestApp({ corsOrigins });
    for (const origin of corsOrigins) {
      const { statusCode, body, headers } = await preflight(t, origin);
      expect([statusCode, body]).toEqual([204, ""]);
      expect(headers).toMatchObject({
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
        "access-control-max-age": "7200",
        vary: "Origin",
        "x-content-type-options": "nosniff",
      });
      const allowed = String(headers["access-control-allow-headers"]).split(", ");
      expect(allowed).toEqual(expect.arrayContaining(["Authorization", "If-Match"]));
      expect(allowed).not.toContain("x-anything");
      expect(headers).not.toHaveProperty("access-control-allow-credentials");
    }
  });

  it("their pages may read answers and refusals, with the headers that they need", async () => {
    await using t = await openTestApp({ corsOrigins });
    const answers = [
      await t.get(ASSETS, ADMIN_KEY, { origin: OURS }),
      await t.get(ASSETS, undefined, { origin: OURS }),
      await t.get(`${ASSETS}?limit=x`, ADMIN_KEY, { origin: OURS }),
      await t.get("/nothing", ADMIN_KEY, { origin: OURS }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 401, 400, 404]);
    for (const { headers } of answers) {
      expect(headers["access-control-allow-origin"]).toBe(OURS);
      expect(headers).not.toHaveProperty("access-control-allow-credentials");
      const exposed = String(headers["access-control-expose-headers"]).split(", ");
      expect(exposed).toEqual(
        expect.arrayContaining(["ETag", "Location", "Retry-After", "X-RateLimit-Remaining"]),
      );
    }
    expect(answers[0]?.headers["vary"]).toBe(
      "Origin, Accept, Authorization, Cookie, accept-encoding",
    );
  });

  it.each([
    "https://app.example.com.evil.org",
    "https://evil.org",
    "http://app.example.com",
    "https://app.example.com:8443",
    "null",
    "*",
    `${OURS}, https://evil.org`,
    OURS.toUpperCase(),
  ])("a page of %s may read nothing, and its preflight is answered like any other method", async (origin) => {
    await using t = await openTestApp({ corsOrigins });
    const refused = await preflight(t, origin);
    expect([refused.statusCode, names(refused.headers)]).toEqual([401, []]);
    expect(refused.json().error.code).toBe("unauthorized");
    const answer = await t.get(ASSETS, ADMIN_KEY, { origin });
    expect([answer.statusCode, names(answer.headers)]).toEqual([200, []]);
    // A cache must not give this answer to a page that may read it.
    expect(answer.headers["vary"]).toContain("Origin");
  });

  it("OPTIONS that is no preflight has the methods of a path for who has a key", async () => {
    await using t = await openTestApp({ corsOrigins });
    const authorization = `Bearer ${await t.key({ scopes: [] })}`;
    const answer = await preflight(t, undefined, { authorization });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, "DELETE, GET, HEAD, PATCH"]);
  });
});

it("with * every page may call the API, without credentials of the browser", async () => {
  await using t = await openTestApp({ corsOrigins: ["*"] });
  for (const origin of ["https://anybody.example.org", "null"]) {
    const asked = await preflight(t, origin);
    const answer = await t.get(ASSETS, ADMIN_KEY, { origin });
    expect([asked.statusCode, answer.statusCode]).toEqual([204, 200]);
    for (const { headers } of [asked, answer]) {
      expect(headers["access-control-allow-origin"]).toBe("*");
      expect(headers).not.toHaveProperty("access-control-allow-credentials");
    }
  }
});
