import { describe, expect, it } from "vitest";
import { basicPassword } from "../../../api/auth/basic-password.ts";
import { ADMIN_KEY, NOON_MS, openTestApp } from "../../support/api-app.ts";
import { schemaProblems } from "./schema-check.ts";
import { readXml, textAt } from "./xml-tree.ts";

const FLEET = "/iso15143-3/Fleet/1";
const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});

describe("the key of ISO 15143-3", () => {
  it.each([
    "apikey",
    "",
    "anybody@example.org",
  ])("the key of ISO 15143-3 is the password of user %j", async (user) => {
    await using t = await openTestApp();
    const answer = await t.get(FLEET, undefined, basic(user, ADMIN_KEY));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["vary"]).toBe("Accept, Authorization, Cookie, accept-encoding");
  });

  it("the key of ISO 15143-3 counts in the same minute as bearer token and as password", async () => {
    await using t = await openTestApp();
    const key = await t.key({ scopes: ["equipment:read"] });
    t.clock.ms = NOON_MS + 1_000;
    await t.get("/api/v1/equipment/assets", key);
    await t.get(FLEET, key);
    for (let i = 0; i < 997; i += 1) await t.get(FLEET, undefined, basic("x", key));
    const last = await t.get(FLEET, undefined, basic("y", key));
    const refused = await t.get(FLEET, undefined, basic("y", key));
    expect([last.statusCode, last.headers["x-ratelimit-remaining"]]).toEqual([200, "0"]);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "59"]);
    expect(textAt(readXml(refused.body), "code")).toBe("rate_limit_exceeded");
  });

  it("the key of ISO 15143-3 is asked for in both schemes, in the form that the client reads", async () => {
    await using t = await openTestApp();
    for (const given of [{}, basic("apikey", "wrong"), basic("apikey", ""), basic(ADMIN_KEY, "")]) {
      const answer = await t.get(FLEET, undefined, given);
      expect(answer.statusCode).toBe(401);
      expect(answer.headers["www-authenticate"]).toEqual([
        'Basic realm="Plumbline", charset="UTF-8"',
        "Bearer",
      ]);
      expect(schemaProblems(answer.body)).toEqual([]);
      expect(textAt(readXml(answer.body), "code")).toBe("unauthorized");
      expect(textAt(readXml(answer.body), "request_id")).toBe(answer.headers["x-request-id"]);
    }
    const json = await t.get(FLEET, undefined, { accept: "application/json" });
    expect(json.json().error.code).toBe("unauthorized");
  });

  it("the key of ISO 15143-3 needs the scope, and opens no other route as a password", async () => {
    await using t = await openTestApp();
    const key = await t.key({ scopes: ["materials:read"] });
    const scope = await t.get(FLEET, undefined, basic("apikey", key));
    const other = await t.get("/api/v1/equipment/assets", undefined, basic("apikey", ADMIN_KEY));
    expect([scope.statusCode, textAt(readXml(scope.body), "code")]).toEqual([403, "forbidden"]);
    expect([other.statusCode, other.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
  });

  it("the key of ISO 15143-3 opens an unknown path to 404, and nothing else", async () => {
    await using t = await openTestApp();
    const key = await t.key({ scopes: [] });
    for (const path of ["/", "/Fleet", "/Fleet/1/2", "/fleet/1"]) {
      const url = `/iso15143-3${path}`;
      const without = await t.get(url, undefined);
      const withKey = await t.get(url, undefined, basic("apikey", key));
      expect([path, without.statusCode, withKey.statusCode]).toEqual([path, 401, 404]);
    }
    const posted = await t.send("POST", FLEET, key, {});
    expect([posted.statusCode, textAt(readXml(posted.body), "code")]).toEqual([404, "not_found"]);
  });
});

describe("basic authentication", () => {
  it.each([
    ["a colon in the password", "Basic dTphOmI=", "a:b"],
    ["the scheme in any case", "bAsIc dTpw", "p"],
    ["letters beyond ASCII", `Basic ${Buffer.from("ü:ß").toString("base64")}`, "ß"],
    ["an empty password", "Basic dTo=", ""],
    ["no colon", "Basic dQ==", undefined],
    ["another scheme", "Bearer dTpw", undefined],
    ["no credentials", "Basic ", undefined],
    ["no base64", "Basic d:p", undefined],
    ["nothing", undefined, undefined],
  ])("with %s", (_name, header, password) => {
    expect(basicPassword(header)).toBe(password);
  });
});
