import { describe, expect, it, vi } from "vitest";
import { newApiKey } from "../../../../api/auth/key-format.ts";
import type { ApiKeyId, ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const OWN_PAGE = { "sec-fetch-site": "same-origin" };

const logIn = (t: TestApp, key: string, headers: Record<string, string> = {}) =>
  t.send("POST", "/api/v1/session", undefined, { key }, headers);

/** The `Cookie` header that a browser sends back after this answer. */
function cookieOf(answer: { headers: Record<string, unknown> }): string {
  const [cookie = ""] = String(answer.headers["set-cookie"] ?? "").split(";");
  return cookie;
}

async function loggedIn(t: TestApp, key: string): Promise<{ readonly cookie: string }> {
  const answer = await logIn(t, key);
  expect([answer.statusCode, answer.body]).toEqual([204, ""]);
  return { cookie: cookieOf(answer) };
}

const statusOf = async (answer: PromiseLike<{ readonly statusCode: number }>) =>
  (await answer).statusCode;

describe("the log-in of a browser", () => {
  it("a right key is answered with a strict cookie of 256 random bits, of which the store has a hash alone", async () => {
    await using t = await openTestApp();
    const key = await t.key();
    const first = await logIn(t, key);
    const second = await logIn(t, key);
    const header = String(first.headers["set-cookie"]);
    expect(header).toMatch(
      /^plumbline=[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(first.headers["cache-control"]).toBe("no-store");
    expect(cookieOf(first)).not.toBe(cookieOf(second));
    const stored = JSON.stringify([...t.records.rows.sessions.values()]);
    expect(stored).not.toContain(cookieOf(first).split("=")[1]);
    expect(stored).not.toContain(key);
    expect(t.records.rows.sessions.size).toBe(2);
  });

  it("the cookie is Secure and has the prefix __Host- where PUBLIC_URL is https and is the host of the request", async () => {
    await using t = await openTestApp({ publicUrl: "https://site.example" });
    const host = { host: "site.example" };
    const answer = await logIn(t, ADMIN_KEY, host);
    expect(String(answer.headers["set-cookie"])).toMatch(
      /^__Host-plumbline=.{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const cookie = cookieOf(answer);
    expect(await statusOf(t.get("/api/v1/session", undefined, { ...host, cookie }))).toBe(200);
    // By plain http another host of the network could have set it.
    const plain = cookie.replace("__Host-", "");
    expect(await statusOf(t.get("/api/v1/session", undefined, { ...host, cookie: plain }))).toBe(
      401,
    );
    expect(await statusOf(t.get("/api/v1/session", undefined, { cookie }))).toBe(401);
  });

  it("a session says whose key it is, what it may do and when it ends", async () => {
    await using t = await openTestApp();
    const project = await t.project();
    const id = "key_crew" as ApiKeyId;
    const key = await t.key({ id, name: "Crew", project_ids: [project] });
    const { cookie } = await loggedIn(t, key);
    const own = (await t.get("/api/v1/session", undefined, { cookie })).json();
    expect(own).toEqual({
      id: expect.stringMatching(/^ses_/),
      key_id: id,
      key_name: "Crew",
      created_at: "2026-03-05T12:00:00.000Z",
      last_seen_at: "2026-03-05T12:00:00.000Z",
      expires_at: "2026-03-06T00:00:00.000Z",
      scopes: ["equipment:read", "equipment:write"],
      plan: "standard",
      project_ids: [project],
      requests_per_minute: 1_000,
    });
  });

  it("a session ends when its key expires, and says so", async () => {
    await using t = await openTestApp();
    const expires_at = new Date(NOON_MS + HOUR_MS).toISOString();
    const { cookie } = await loggedIn(t, await t.key({ expires_at }));
    const own = (await t.get("/api/v1/session", undefined, { cookie })).json();
    expect(own.expires_at).toBe(expires_at);
    t.clock.ms += HOUR_MS;
    expect(await statusOf(t.get("/api/v1/session", undefined, { cookie }))).toBe(401);
  });

  it.each([
    ["an unknown key", newApiKey()],
    ["a text that is no key", "letmein"],
  ])("%s is answered 401 without a cookie", async (_name, key) => {
    await using t = await openTestApp();
    const answer = await logIn(t, key);
    expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([401, undefined]);
    expect(answer.body).not.toContain(key);
  });

  it("a body without a key, or with one that is not text, is answered 400", async () => {
    await using t = await openTestApp();
    const bodies = [{}, { key: "" }, { key: 7 }, { key: "x".repeat(1_025) }];
    for (const body of bodies) {
      expect(await statusOf(t.send("POST", "/api/v1/session", undefined, body))).toBe(400);
    }
  });

  it("the eleventh wrong key of an address in a minute is answered 429, a right one and other addresses are not", async () => {
    await using t = await openTestApp();
    const from = (remoteAddress: string, key: string) =>
      t.app.inject({ method: "POST", url: "/api/v1/session", payload: { key }, remoteAddress });
    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1)
      statuses.push((await from("192.0.2.1", `wrong ${i}`)).statusCode);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    const barred = await from("192.0.2.1", "wrong");
    expect([barred.statusCode, barred.headers["retry-after"]]).toEqual([429, "60"]);
    expect((await from("192.0.2.2", "wrong")).statusCode).toBe(401);
    expect((await from("192.0.2.1", ADMIN_KEY)).statusCode).toBe(204);
    t.clock.ms += MINUTE_MS;
    expect((await from("192.0.2.1", "wrong")).statusCode).toBe(401);
  });

  it("a key cannot multiply its requests by many sessions: 30 log-ins a minute, 50 sessions in all", async () => {
    await using t = await openTestApp();
    const key = await t.key();
    const cookies: string[] = [];
    for (let minute = 0; minute < 2; minute += 1) {
      for (let i = 0; i < 30; i += 1) cookies.push((await loggedIn(t, key)).cookie);
      expect(await statusOf(logIn(t, key))).toBe(429);
      t.clock.ms += MINUTE_MS;
    }
    expect(t.records.rows.sessions.size).toBe(50);
    const ended: number[] = [];
    for (const [i, cookie] of cookies.entries()) {
      if ((await t.get("/api/v1/session", undefined, { cookie })).statusCode === 401) ended.push(i);
    }
    // Of the first minute, all of which were last seen at the same time.
    expect(ended).toHaveLength(10);
    expect(Math.max(...ended)).toBeLessThan(30);
  });

  it("a browser that logs in again leaves no earlier session behind", async () => {
    await using t = await openTestApp();
    const { cookie } = await loggedIn(t, ADMIN_KEY);
    await t.get("/api/v1/session", undefined, { cookie });
    const again = await logIn(t, ADMIN_KEY, { ...OWN_PAGE, cookie });
    expect(again.statusCode).toBe(204);
    expect(t.records.rows.sessions.size).toBe(1);
    expect(await statusOf(t.get("/api/v1/session", undefined, { cookie }))).toBe(401);
  });

  it("a log-in with an Idempotency-Key is a log-in, whose cookie is kept nowhere", async () => {
    await using t = await openTestApp();
    const headers = { "idempotency-key": "once" };
    const [first, second] = [
      await logIn(t, ADMIN_KEY, headers),
      await logIn(t, ADMIN_KEY, headers),
    ];
    expect([first.statusCode, second.statusCode]).toEqual([204, 204]);
    expect(cookieOf(first)).not.toBe(cookieOf(second));
    expect(t.records.rows.answers.size).toBe(0);
  });
});

describe("requests with a session's cookie", () => {
  it.each([
    ["a page of another site", { "sec-fetch-site": "cross-site" }],
    ["another port of this host", { "sec-fetch-site": "same-site" }],
    ["no page, as a browser says", { "sec-fetch-site": "none" }],
    ["two answers at once", { "sec-fetch-site": "same-origin, cross-site" }],
    ["another origin, from a browser without Fetch Metadata", { origin: "https://evil.example" }],
    ["another port, from a browser without Fetch Metadata", { origin: "http://localhost:3000" }],
    ["the usual port of another scheme", { origin: "https://localhost" }],
    ["an origin that has ours in it", { origin: "http://localhost:80.evil.example" }],
    ["a sandboxed frame", { origin: "null" }],
    ["neither header", {}],
  ])("a write with a cookie from %s is answered 403, and nothing is written", async (_name, headers) => {
    await using t = await openTestApp();
    const { cookie } = await loggedIn(t, ADMIN_KEY);
    const sent = { cookie, host: "localhost:80", ...headers };
    const body = { name: "x", scopes: ["admin"] };
    const answer = await t.send("POST", "/api/v1/keys", undefined, body, sent);
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, "forbidden"]);
    expect(t.records.rows.keys.size).toBe(0);
    expect(await statusOf(t.send("DELETE", "/api/v1/session", undefined, undefined, sent))).toBe(
      403,
    );
    expect(await statusOf(t.get("/api/v1/session", undefined, sent))).toBe(200);
  });

  it.each([
    ["Sec-Fetch-Site", OWN_PAGE],
    ["its Origin, where the browser has no Fetch Metadata", { origin: "http://localhost:80" }],
    ["the Origin of PUBLIC_URL", { origin: "https://site.example" }],
  ])("a write with a cookie from our own page, by %s, is done", async (_name, headers) => {
    await using t = await openTestApp({ publicUrl: "https://site.example/plumbline" });
    const { cookie } = await loggedIn(t, ADMIN_KEY);
    const sent = { cookie, host: "localhost:80", ...headers };
    const body = { name: "x", scopes: ["events:read"] };
    expect(await statusOf(t.send("POST", "/api/v1/keys", undefined, body, sent))).toBe(201);
  });

  it("a log-in from a page of others is refused, so that nobody works under a key of somebody else's choice", async () => {
    await using t = await openTestApp();
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { origin: "https://evil.example" },
    ]) {
      const answer = await logIn(t, ADMIN_KEY, headers);
      expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([403, undefined]);
    }
    expect(t.records.rows.sessions.size).toBe(0);
  });

  it("a body that a plain form could send needs the console's header beside a cookie", async () => {
    await using t = await openTestApp();
    const { cookie } = await loggedIn(t, ADMIN_KEY);
    const send = (headers: Record<string, string>) =>
      t.app.inject({
        method: "POST",
        url: "/api/v1/progress/images",
        headers: {
          cookie,
          ...OWN_PAGE,
          "content-type": "multipart/form-data; boundary=x",
          ...headers,
        },
        payload: "--x--\r\n",
      });
    const without = await send({});
    expect([without.statusCode, without.json().error.message]).toEqual([
      403,
      expect.stringContaining("x-plumbline-console: 1"),
    ]);
    expect((await send({ "x-plumbline-console": "1" })).statusCode).toBe(400);
  });

  it("Authorization goes before the cookie: its rights count, and a wrong key is not forgiven", async () => {
    await using t = await openTestApp();
    const { cookie } = await loggedIn(t, ADMIN_KEY);
    const reader = await t.key({ scopes: ["events:read"] });
    expect(await statusOf(t.get("/api/v1/keys", undefined, { cookie }))).toBe(200);
    expect(await statusOf(t.get("/api/v1/keys", reader, { cookie }))).toBe(403);
    expect(await statusOf(t.get("/api/v1/keys", newApiKey(), { cookie }))).toBe(401);
    for (const authorization of ["", "Bearer", "Basic eDp5"]) {
      expect(await statusOf(t.get("/api/v1/keys", undefined, { cookie, authorization }))).toBe(401);
    }
    // A key in the header is sent by programs, which have no page.
    const body = { name: "x", scopes: ["events:read"] };
    expect(await statusOf(t.send("POST", "/api/v1/keys", ADMIN_KEY, body, { cookie }))).toBe(201);
  });

  it("a session needs the scopes and projects of its key", async () => {
    await using t = await openTestApp();
    const mine = await t.project({ id: "mine" as ProjectId });
    await t.project({ id: "theirs" as ProjectId });
    const { cookie } = await loggedIn(t, await t.key({ project_ids: [mine] }));
    expect(await statusOf(t.get("/api/v1/keys", undefined, { cookie }))).toBe(403);
    expect(await statusOf(t.get("/api/v1/projects/theirs", undefined, { cookie }))).toBe(404);
    const projects = (await t.get("/api/v1/projects", undefined, { cookie })).json();
    expect(projects.data).toMatchObject([{ id: "mine" }]);
  });

  it.each([
    ["a cookie that nobody gave out", `plumbline=${"A".repeat(43)}`],
    ["a cookie of another length", "plumbline=short"],
    ["a cookie that is a key", `plumbline=${ADMIN_KEY}`],
    ["an empty cookie", "plumbline="],
    ["a cookie of another name", `plumbline2=${"A".repeat(43)}`],
    ["a cookie header that is none", ";;=;%ff"],
  ])("%s is answered 401", async (_name, cookie) => {
    await using t = await openTestApp();
    expect(await statusOf(t.get("/api/v1/session", undefined, { cookie }))).toBe(401);
  });

  it("requests are counted by session, apart from each other and from those with the key", async () => {
    await using t = await openTestApp();
    const key = await t.key();
    const [one, two] = [await loggedIn(t, key), await loggedIn(t, key)];
    const left = async (...[byKey, headers]: [string | undefined, Record<string, string>?]) =>
      (await t.get("/api/v1/keys/self", byKey, headers)).headers["x-ratelimit-remaining"];
    expect(await left(undefined, one)).toBe("999");
    expect(await left(undefined, one)).toBe("998");
    expect(await left(undefined, two)).toBe("999");
    expect(await left(key)).toBe("999");
    const answers = await Promise.all(
      Array.from({ length: 999 }, () => t.get("/api/v1/keys/self", undefined, one)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1);
    expect(await left(undefined, two)).toBe("998");
  });
});

describe("the end of a session", () => {
  it("a session lasts 12 h from its last request, and 30 days at most", async () => {
    await using t = await openTestApp();
    const { cookie } = await loggedIn(t, ADMIN_KEY);
    const status = () => statusOf(t.get("/api/v1/session", undefined, { cookie }));
    t.clock.ms += 12 * HOUR_MS - 1;
    expect(await status()).toBe(200);
    // Used all the time, but for a minute of what is noted.
    for (let h = 12; h < 30 * 24; h += 11) {
      t.clock.ms = NOON_MS + h * HOUR_MS;
      expect([h, await status()]).toEqual([h, 200]);
    }
    t.clock.ms = NOON_MS + 30 * 24 * HOUR_MS;
    expect(await status()).toBe(401);
    const { cookie: idle } = await loggedIn(t, ADMIN_KEY);
    t.clock.ms += 12 * HOUR_MS;
    expect(await statusOf(t.get("/api/v1/session", undefined, { cookie: idle }))).toBe(401);
  });

  it("a log-out ends the session at once and takes the cookie away", async () => {
    await using t = await openTestApp();
    const { cookie } = await loggedIn(t, ADMIN_KEY);
    const other = await loggedIn(t, ADMIN_KEY);
    await t.get("/api/v1/session", undefined, { cookie });
    const out = await t.send("DELETE", "/api/v1/session", undefined, undefined, {
      cookie,
      ...OWN_PAGE,
    });
    expect([out.statusCode, out.headers["set-cookie"]]).toEqual([
      204,
      "plumbline=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict",
    ]);
    expect(await statusOf(t.get("/api/v1/session", undefined, { cookie }))).toBe(401);
    expect(await statusOf(t.get("/api/v1/session", undefined, other))).toBe(200);
  });

  it("a request with a key has no session to show or to end", async () => {
    await using t = await openTestApp();
    const shown = await t.get("/api/v1/session", ADMIN_KEY);
    const ended = await t.send("DELETE", "/api/v1/session", ADMIN_KEY);
    expect([shown.statusCode, ended.statusCode]).toEqual([404, 404]);
  });

  it("a revoked key ends its sessions at once in this process, and removes them", async () => {
    await using t = await openTestApp();
    const id = "key_crew" as ApiKeyId;
    const { cookie } = await loggedIn(t, await t.key({ id }));
    const other = await loggedIn(t, ADMIN_KEY);
    expect(await statusOf(t.get("/api/v1/session", undefined, { cookie }))).toBe(200);
    await t.send("DELETE", `/api/v1/keys/${id}`, ADMIN_KEY);
    expect(await statusOf(t.get("/api/v1/session", undefined, { cookie }))).toBe(401);
    expect(await statusOf(t.get("/api/v1/session", undefined, other))).toBe(200);
    expect(t.records.rows.sessions.size).toBe(1);
  });

  it("a key that another process revokes, and a session that it ends, are gone within 5 s", async () => {
    await using t = await openTestApp();
    const id = "key_crew" as ApiKeyId;
    const ofKey = await loggedIn(t, await t.key({ id }));
    const ofAdmin = await loggedIn(t, ADMIN_KEY);
    for (const session of [ofKey, ofAdmin]) {
      expect(await statusOf(t.get("/api/v1/session", undefined, session))).toBe(200);
    }
    const [admin] = (await t.records.sessions.list()).filter(({ keyId }) => keyId === "admin");
    if (admin === undefined) throw new Error("no session");
    await t.records.apiKeys.revoke(id, new Date(t.clock.ms).toISOString());
    await t.records.sessions.remove(admin.id);
    t.clock.ms += 5_000;
    for (const session of [ofKey, ofAdmin]) {
      expect(await statusOf(t.get("/api/v1/session", undefined, session))).toBe(401);
    }
  });

  it("the session of a key whose row is gone, and of an earlier ADMIN_API_KEY, has no rights", async () => {
    await using t = await openTestApp();
    const { cookie } = await loggedIn(t, await t.key());
    const former = await loggedIn(t, ADMIN_KEY);
    t.records.rows.keys.clear();
    for (const [id, row] of t.records.rows.sessions) {
      if (row.session.keyId === "admin") {
        t.records.rows.sessions.set(id, { ...row, keyHash: new Uint8Array(32) });
      }
    }
    expect(await statusOf(t.get("/api/v1/session", undefined, { cookie }))).toBe(401);
    expect(await statusOf(t.get("/api/v1/session", undefined, former))).toBe(401);
  });

  it("a session goes on for 30 s while the record store is away, and a log-in is refused", async () => {
    await using t = await openTestApp();
    const { cookie } = await loggedIn(t, ADMIN_KEY);
    await t.get("/api/v1/console/config", undefined, { cookie });
    t.records.away = true;
    t.clock.ms += 29_000;
    const status = () => statusOf(t.get("/api/v1/console/config", undefined, { cookie }));
    expect(await status()).toBe(200);
    t.clock.ms += 1_001;
    expect(await status()).toBe(500);
    expect(await statusOf(logIn(t, ADMIN_KEY))).toBe(500);
  });

  it("a session is looked up once in 2 s, and its use is noted once a minute", async () => {
    await using t = await openTestApp();
    const { cookie } = await loggedIn(t, ADMIN_KEY);
    const touch = vi.spyOn(t.records.rows.sessions, "set");
    const ask = () => t.get("/api/v1/console/config", undefined, { cookie });
    for (let i = 0; i < 50; i += 1) await ask();
    expect(t.records.sessionLookups).toBe(1);
    for (let s = 0; s < 130; s += 5) {
      t.clock.ms = NOON_MS + s * 1_000;
      await ask();
    }
    expect(touch.mock.calls.map(([, row]) => row.session.lastSeenAtMs - NOON_MS)).toEqual([
      0,
      MINUTE_MS,
      2 * MINUTE_MS,
    ]);
  });
});

describe("the sessions of all, for an administrator", () => {
  it("the list says who is logged in from where, without what is over, and ends one", async () => {
    await using t = await openTestApp();
    const expires_at = new Date(NOON_MS + MINUTE_MS).toISOString();
    await loggedIn(t, await t.key({ name: "Short", expires_at }));
    const answer = await logIn(t, await t.key({ name: "Crew" }), {
      "user-agent": "Phone".repeat(99),
    });
    const crew = { cookie: cookieOf(answer) };
    t.clock.ms += MINUTE_MS;
    const admin = await loggedIn(t, ADMIN_KEY);
    expect(await statusOf(t.get("/api/v1/session", undefined, crew))).toBe(200);
    const list = (await t.get("/api/v1/sessions", undefined, admin)).json();
    expect(list.data).toMatchObject([
      { key_name: "Crew", address: "127.0.0.1", current: false },
      { key_name: "admin", key_id: "admin", current: true },
    ]);
    expect(list.data[0].user_agent).toHaveLength(300);
    const url = `/api/v1/sessions/${list.data[0].id}`;
    expect(await statusOf(t.send("DELETE", url, ADMIN_KEY))).toBe(204);
    expect(await statusOf(t.send("DELETE", url, ADMIN_KEY))).toBe(404);
    expect(await statusOf(t.get("/api/v1/session", undefined, crew))).toBe(401);
    const csv = await t.get("/api/v1/sessions", ADMIN_KEY, { accept: "text/csv" });
    expect(csv.body).toMatch(/^id,key_id,key_name,.*\r\nses_[^,]+,admin,admin,/);
  });

  it("the list is closed to other keys, and to administrators of some projects", async () => {
    await using t = await openTestApp();
    const mine = await t.project();
    const limited = await t.key({ scopes: ["admin"], project_ids: [mine] });
    for (const key of [await t.key(), limited]) {
      expect(await statusOf(t.get("/api/v1/sessions", key))).toBe(403);
      expect(await statusOf(t.send("DELETE", "/api/v1/sessions/ses_1", key))).toBe(403);
    }
  });
});
