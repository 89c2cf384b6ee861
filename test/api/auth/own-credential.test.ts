import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../support/api-app.ts";

const SELF = "/api/v1/keys/self";
const ASSETS = "/api/v1/equipment/assets";
const OURS = "ours" as ProjectId;
const THEIRS = "theirs" as ProjectId;

let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
  await t.project({ id: OURS });
  await t.project({ id: THEIRS });
});
afterAll(() => t[Symbol.asyncDispose]());

/** Registers an asset, and yields its secret. */
async function register(id: string, fields: object = {}, project = OURS): Promise<string> {
  const body = { id, project_id: project, name: id, type: "excavator", ...fields };
  const made = await t.send("POST", ASSETS, ADMIN_KEY, body);
  expect([made.statusCode, made.json().mqtt.username]).toEqual([201, id]);
  return made.json().mqtt.password;
}

const basic = (id: string, secret: string) =>
  t.get(SELF, undefined, {
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
  });

describe("GET /api/v1/keys/self", () => {
  it("answers the secret of an asset with what it is and may do, by either scheme", async () => {
    const secret = await register("digger", { name: "Digger 7" });
    const own = {
      kind: "device",
      id: "digger",
      name: "Digger 7",
      project_id: OURS,
      decoder: "plumbline",
      scopes: [],
      sends_for: ["digger"],
      requests_per_minute: 1_000,
    };
    for (const answer of [await basic("digger", secret), await t.get(SELF, `digger.${secret}`)]) {
      expect([answer.statusCode, answer.json()]).toEqual([200, own]);
      expect(answer.headers["cache-control"]).toBe("private");
      expect(answer.headers["x-ratelimit-limit"]).toBe("1000");
    }
  });

  it("names the devices behind a gateway and a network server, and none of another tenant", async () => {
    const plant = await register("plant", { hardware_id: "plant" });
    await register("behind", { hardware_id: "plant/1" });
    await register("stranger", { hardware_id: "plant/2" }, THEIRS);
    const lorawan = { decoder: "chirpstack" };
    const server = await register("server", lorawan);
    await register("tracker", { ...lorawan, hardware_id: "0004A30B001C0530" });
    await register("other-server", lorawan);
    await register("their-tracker", { ...lorawan, hardware_id: "a".repeat(16) }, THEIRS);
    expect((await basic("plant", plant)).json().sends_for).toEqual(["plant", "behind"]);
    expect((await basic("server", server)).json().sends_for).toEqual(["server", "tracker"]);
  });

  it("refuses a wrong secret, one that was rotated, and that of an asset that was deleted", async () => {
    const first = await register("crane");
    const other = await register("their-crane", {}, THEIRS);
    for (const answer of [
      await basic("crane", "wrong"),
      await basic("crane", other),
      await basic("nobody", first),
      await t.get(SELF, `crane.${other}`),
      await t.get(SELF, "crane."),
      await t.get(SELF, first),
    ]) {
      expect([answer.statusCode, answer.json().error.code]).toEqual([401, "unauthorized"]);
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
    }
    const rotated = await t.send("POST", `${ASSETS}/crane/credentials`, ADMIN_KEY);
    const second = rotated.json().mqtt.password;
    expect((await basic("crane", first)).statusCode).toBe(401);
    expect((await basic("crane", second)).statusCode).toBe(200);
    expect((await t.send("DELETE", `${ASSETS}/crane`, ADMIN_KEY)).statusCode).toBe(204);
    expect((await basic("crane", second)).statusCode).toBe(401);
  });

  it("bars wrong secrets of an asset after ten in a minute, and lets the right one in all the same", async () => {
    const secret = await register("barred");
    for (let i = 0; i < 10; i += 1) expect((await basic("barred", "wrong")).statusCode).toBe(401);
    const refused = await basic("barred", "wrong");
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "60"]);
    expect((await basic("barred", secret)).statusCode).toBe(200);
  });

  it("counts the questions of an asset by themselves, and refuses the 1,001st of a minute", async () => {
    const secret = await register("asks-often");
    const quiet = await register("asks-once");
    for (let i = 0; i < 1_000; i += 1) await t.get(SELF, `asks-often.${secret}`);
    const refused = await t.get(SELF, `asks-often.${secret}`);
    expect([refused.statusCode, refused.json().error.code]).toEqual([429, "rate_limit_exceeded"]);
    expect((await t.get(SELF, `asks-once.${quiet}`)).statusCode).toBe(200);
  });

  it("is the only route of the API that answers the secret of an asset", async () => {
    const secret = await register("curious");
    for (const url of ["/api/v1/projects", ASSETS, `${ASSETS}/curious`, "/iso15143-3/Fleet/1"]) {
      expect([url, (await t.get(url, `curious.${secret}`)).statusCode]).toEqual([url, 401]);
      const authorization = `Basic ${Buffer.from(`curious:${secret}`).toString("base64")}`;
      expect([url, (await t.get(url, undefined, { authorization })).statusCode]).toEqual([
        url,
        401,
      ]);
    }
  });

  it("demands a client certificate of devices on other machines where they must have one", async () => {
    await using strict = await openTestApp({ demandsDeviceCertificate: true });
    const authorization = "Bearer digger.secret";
    const ask = (remoteAddress: string) =>
      strict.app.inject({ url: SELF, headers: { authorization }, remoteAddress });
    const refused = await ask("203.0.113.7");
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      403,
      "Devices need a client certificate here",
    ]);
    expect((await ask("127.0.0.1")).statusCode).toBe(401);
  });

  it("answers an API key with its scopes, until it expires or is revoked", async () => {
    const expires_at = new Date(NOON_MS + 60_000).toISOString();
    const body = { name: "reader", scopes: ["equipment:read"], project_ids: [OURS], expires_at };
    const made = (await t.send("POST", "/api/v1/keys", ADMIN_KEY, body)).json();
    const lasting = (
      await t.send("POST", "/api/v1/keys", ADMIN_KEY, { name: "lasting", scopes: ["admin"] })
    ).json();
    expect((await t.get(SELF, made.key)).json()).toEqual({
      kind: "key",
      id: made.id,
      ...body,
      plan: "standard",
      requests_per_minute: 1_000,
    });
    expect((await t.get(SELF, lasting.key)).json()).toMatchObject({ name: "lasting" });
    await t.send("DELETE", `/api/v1/keys/${lasting.id}`, ADMIN_KEY);
    t.clock.ms += 60_000;
    for (const key of [made.key, lasting.key]) {
      expect((await t.get(SELF, key)).statusCode).toBe(401);
    }
  });
});
