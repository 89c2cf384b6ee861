import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ApiKeyId, FleetSourceId } from "../../../../domain/ids.ts";
import { createSecretSeal } from "../../../../ingest/credentials/secret-seal.ts";
import type { FleetPoll } from "../../../../storage/ports/equipment/fleet-sources.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, PEPPER, type TestApp } from "../../../support/api-app.ts";

const SOURCES = "/api/v1/equipment/fleet-sources";
const URL_OF_MAKER = "https://93.184.215.14/iso15143-3";
const NOON = new Date(NOON_MS).toISOString();
const BASIC = { kind: "basic", username: "owner", password: "pass:w0rd" };
const OAUTH = {
  kind: "oauth2_client_credentials",
  token_url: "https://93.184.215.14/token",
  client_id: "plumbline",
  client_secret: "s3cret-client",
};

const OWNER = {
  kind: "oauth2_password",
  token_url: "https://93.184.215.14/token",
  username: "owner",
  password: "s3cret-password",
};

const create = (t: TestApp, body: object = {}, key = ADMIN_KEY) =>
  t.send("POST", SOURCES, key, { url: URL_OF_MAKER, ...body });

const POLL: FleetPoll = {
  startedAtMs: NOON_MS,
  finishedAtMs: NOON_MS + 2_000,
  nextPollAtMs: NOON_MS + 60_000,
  consecutiveFailures: 2,
  failure: "answered 503",
  httpStatus: 503,
  pages: 3,
  unchangedPages: 1,
  machines: 201,
  matchedMachines: 199,
  readings: 812,
  problems: [{ where: "BELL B50E 9823", problem: "location: no time" }],
  problemCount: 1,
  unmatched: [
    { oemName: "BELL", model: "B50E", equipmentId: "n", serialNumber: "s", pin: "p" },
    {},
  ],
  unmatchedCount: 2,
};

/** Credentials as they are given, and as they are shown. */
const AUTHS = [
  [{ kind: "none" }, { kind: "none" }],
  [{ kind: "bearer", token: "s3cret-token" }, { kind: "bearer" }],
  [
    {
      kind: "oauth2_client_credentials",
      token_url: "https://93.184.215.14/token",
      client_id: "plumbline",
      client_secret: "s3cret-client",
      scope: "fleet",
    },
    {
      kind: "oauth2_client_credentials",
      token_url: "https://93.184.215.14/token",
      client_id: "plumbline",
      scope: "fleet",
    },
  ],
  [
    {
      kind: "oauth2_password",
      token_url: "https://93.184.215.14/token",
      username: "owner",
      password: "s3cret-password",
      client_id: "plumbline",
      client_secret: "s3cret-client",
      scope: "fleet",
    },
    {
      kind: "oauth2_password",
      token_url: "https://93.184.215.14/token",
      username: "owner",
      client_id: "plumbline",
      scope: "fleet",
    },
  ],
  [
    { kind: "api_key_header", name: "X-Api-Key", value: "s3cret-key" },
    { kind: "api_key_header", name: "X-Api-Key" },
  ],
] as const;

/** What is wrong, and the parameter that says so. */
const BAD = [
  ["no url", { url: undefined }, "url"],
  ["another scheme", { url: "ftp://maker.example/" }, "url"],
  ["an address of a private network", { url: "http://10.0.0.1/Fleet/1" }, "url"],
  ["a password in the url", { url: "https://a:b@maker.example/" }, "url"],
  ["a poll each second", { interval_s: 1 }, "interval_s"],
  ["unknown credentials", { auth: { kind: "digest" } }, "auth"],
  ["basic without a password", { auth: { kind: "basic", username: "x" } }, "auth"],
  ["a user name with a colon", { auth: { ...BASIC, username: "a:b" } }, "auth.username"],
  ["a user name with a line break", { auth: { ...BASIC, username: "a\r\nb" } }, "auth.username"],
  ["a password of half a character", { auth: { ...BASIC, password: "\ud800" } }, "auth.password"],
  ["a client of half a character", { auth: { ...OAUTH, client_id: "\ud800" } }, "auth.client_id"],
  ["half a secret", { auth: { ...OAUTH, client_secret: "a\udc00" } }, "auth.client_secret"],
  ["a scope with a NUL", { auth: { ...OAUTH, scope: "a\0" } }, "auth.scope"],
  ["a user without a password", { auth: { ...OAUTH, kind: "oauth2_password" } }, "auth"],
  ["a client's secret of no client", { auth: { ...OWNER, client_secret: "x" } }, "auth.client_id"],
  ["half a password", { auth: { ...OWNER, password: "a\udc00" } }, "auth.password"],
  [
    "a user's log-in within the network",
    { auth: { ...OWNER, token_url: "http://169.254.169.254/token" } },
    "auth.token_url",
  ],
  ["a token with a line break", { auth: { kind: "bearer", token: "a\r\nb" } }, "auth"],
  [
    "a header that requests have of themselves",
    { auth: { kind: "api_key_header", name: "Host", value: "x" } },
    "auth.name",
  ],
  [
    "a log-in within the network",
    {
      auth: {
        kind: "oauth2_client_credentials",
        token_url: "http://169.254.169.254/token",
        client_id: "a",
        client_secret: "b",
      },
    },
    "auth.token_url",
  ],
] as const;

describe("a fleet source", () => {
  it("a fleet source is made with defaults and announced to the poller, its secret sealed and never shown", async () => {
    let changes = 0;
    await using t = await openTestApp({
      fleetSources: {
        outbound: { check: async () => undefined },
        changed: () => {
          changes += 1;
        },
      },
    });
    const made = await create(t, { auth: BASIC });
    expect(made.statusCode).toBe(201);
    const { id } = made.json();
    const view = {
      id: expect.stringMatching(/^src_\w{16}$/),
      name: "93.184.215.14",
      url: URL_OF_MAKER,
      first_page: `${URL_OF_MAKER}/Fleet/1`,
      auth: { kind: "basic", username: "owner" },
      interval_s: 900,
      series: [],
      status: "active",
      created_at: NOON,
      updated_at: NOON,
    };
    expect(made.json()).toEqual(view);
    expect(made.headers["location"]).toBe(`${SOURCES}/${id}`);
    expect((await t.get(`${SOURCES}/${id}`, ADMIN_KEY)).json()).toEqual(view);
    expect((await t.get(SOURCES, ADMIN_KEY)).json()).toMatchObject({
      data: [view],
      pagination: { total: 1 },
    });
    expect(changes).toBe(1);
    const stored = (await t.records.fleetSources.find(id))?.source.auth;
    if (stored?.kind !== "basic") throw new Error("stored otherwise");
    expect(stored.sealedPassword).not.toContain("w0rd");
    const seal = createSecretSeal(PEPPER, "fleetSources");
    expect(seal.open(id, Buffer.from(stored.sealedPassword, "base64"))).toBe("pass:w0rd");
  });

  it("a fleet source takes credentials of every kind and shows no secret", async () => {
    await using t = await openTestApp();
    for (const [auth, shown] of AUTHS) {
      const made = await create(t, { auth });
      expect(made.json().auth).toEqual(shown);
      expect(made.body).not.toContain("s3cret");
    }
    expect(JSON.stringify(await t.records.fleetSources.list())).not.toContain("s3cret");
  });

  it("a fleet source polls the series that it is given, and none that nobody has", async () => {
    await using t = await openTestApp();
    const made = await t.send("POST", SOURCES, ADMIN_KEY, {
      url: "https://93.184.215.14/iso15143-3",
      series: ["Faults", "Locations"],
    });
    expect(made.json()).toMatchObject({ series: ["Faults", "Locations"] });
    const { id } = made.json();
    const patch = (change: object) => t.send("PATCH", `${SOURCES}/${id}`, ADMIN_KEY, change);
    expect((await patch({ name: "Other" })).json().series).toEqual(["Faults", "Locations"]);
    expect((await patch({ series: [] })).json().series).toEqual([]);
    for (const series of [["FaultCodes"], ["Faults", "Faults"], "Faults"]) {
      expect((await patch({ series })).statusCode).toBe(400);
    }
  });

  it("a fleet source shows the outcome of its last poll and the time of the next one", async () => {
    await using t = await openTestApp();
    const id = (await create(t)).json().id as FleetSourceId;
    await t.records.fleetSources.recordPoll(id, POLL, []);
    const found = (await t.get(`${SOURCES}/${id}`, ADMIN_KEY)).json();
    expect(found).toMatchObject({ next_poll_at: new Date(NOON_MS + 60_000).toISOString() });
    expect(found.last_poll).toEqual({
      started_at: NOON,
      finished_at: new Date(NOON_MS + 2_000).toISOString(),
      outcome: "failed",
      failure: "answered 503",
      http_status: 503,
      consecutive_failures: 2,
      pages: 3,
      pages_unchanged: 1,
      machines: 201,
      machines_matched: 199,
      readings: 812,
      series_pages: 0,
      problems: [{ where: "BELL B50E 9823", problem: "location: no time" }],
      problem_count: 1,
      unmatched: [
        { OEMName: "BELL", Model: "B50E", EquipmentID: "n", SerialNumber: "s", PIN: "p" },
        {},
      ],
      unmatched_count: 2,
    });
    const { problems: _problems, unmatched: _unmatched, ...counts } = found.last_poll;
    const [row] = (await t.get(SOURCES, ADMIN_KEY)).json().data;
    expect(row).toEqual({ ...found, last_poll: counts });
    const csv = await t.get(SOURCES, ADMIN_KEY, { accept: "text/csv" });
    expect(csv.body).toContain(",none,900,active,failed,answered 503,201,199,");
  });

  it("a fleet source is changed in part, its credentials whole, and removed", async () => {
    await using t = await openTestApp();
    const url = `${SOURCES}/${(await create(t, { auth: BASIC })).json().id}`;
    const patch = (body: object) => t.send("PATCH", url, ADMIN_KEY, body);
    const renamed = (await patch({ name: "Bell", interval_s: 60 })).json();
    expect(renamed).toMatchObject({ name: "Bell", interval_s: 60, auth: { kind: "basic" } });
    const moved = await patch({ url: `${URL_OF_MAKER}/Fleet/7`, auth: { kind: "none" } });
    expect(moved.json()).toMatchObject({
      name: "Bell",
      first_page: `${URL_OF_MAKER}/Fleet/7`,
      auth: { kind: "none" },
      status: "active",
    });
    expect((await patch({ status: "disabled" })).json()).toMatchObject({ status: "disabled" });
    expect((await t.send("POST", `${url}/poll`, ADMIN_KEY)).statusCode).toBe(409);
    expect((await t.send("DELETE", url, ADMIN_KEY)).statusCode).toBe(204);
    for (const method of ["PATCH", "DELETE"] as const) {
      expect((await t.send(method, url, ADMIN_KEY, {})).statusCode).toBe(404);
    }
    expect((await t.get(url, ADMIN_KEY)).statusCode).toBe(404);
  });

  it("a fleet source wants the credentials anew when the URL leads to another server", async () => {
    await using t = await openTestApp();
    const url = `${SOURCES}/${(await create(t, { auth: BASIC })).json().id}`;
    const patch = (body: object) => t.send("PATCH", url, ADMIN_KEY, body);
    for (const elsewhere of ["https://93.184.215.15/iso15143-3", "http://93.184.215.14/"]) {
      const refused = await patch({ url: elsewhere });
      expect(refused.statusCode).toBe(400);
      expect(refused.json().error.details[0].parameter).toBe("auth");
    }
    expect((await t.get(url, ADMIN_KEY)).json().url).toBe(URL_OF_MAKER);
    expect((await patch({ url: "https://93.184.215.14/other" })).statusCode).toBe(200);
    const moved = await patch({ url: "https://93.184.215.15/", auth: { kind: "none" } });
    expect(moved.statusCode).toBe(200);
    expect((await patch({ url: URL_OF_MAKER })).statusCode).toBe(200);
  });

  it("a fleet source leaves nothing of its password where repeated requests are known by", async () => {
    await using t = await openTestApp();
    const body = { url: URL_OF_MAKER, auth: BASIC };
    const key = await t.key({ id: "key_1" as ApiKeyId, scopes: ["admin"] });
    const headers = { "idempotency-key": "once" };
    const made = await t.send("POST", SOURCES, key, body, headers);
    const again = await t.send("POST", SOURCES, key, body, headers);
    expect([again.headers["idempotent-replayed"], again.body]).toEqual(["true", made.body]);
    const kept = t.records.rows.answers.get(`key_1 POST ${SOURCES} once`);
    const plain = createHash("sha256")
      .update(`${SOURCES}\n${JSON.stringify(body)}`)
      .digest("hex");
    expect(kept?.requestHash).toMatch(/^[0-9a-f]{64}$/);
    expect(kept?.requestHash).not.toBe(plain);
  });

  it("a fleet source is polled when somebody asks, each time anew", async () => {
    await using t = await openTestApp();
    const id = (await create(t)).json().id as FleetSourceId;
    await t.records.fleetSources.recordPoll(id, { ...POLL, startedAtMs: NOON_MS }, []);
    const requests: unknown[] = [];
    for (let i = 0; i < 2; i += 1) {
      const answer = await t.send("POST", `${SOURCES}/${id}/poll`, ADMIN_KEY);
      expect(answer.statusCode).toBe(202);
      requests.push((await t.records.fleetSources.find(id))?.pollRequestedAtMs);
    }
    expect(requests).toEqual([NOON_MS, NOON_MS + 1]);
    expect((await t.get(`${SOURCES}/${id}`, ADMIN_KEY)).json()).not.toHaveProperty("next_poll_at");
  });

  it("a fleet source is not made of what cannot be, and the parameter is named", async () => {
    await using t = await openTestApp();
    for (const [what, body, parameter] of BAD) {
      const answer = await create(t, body);
      expect([what, answer.statusCode]).toEqual([what, 400]);
      expect(answer.json().error.code).toBe("invalid_parameter");
      expect(answer.json().error.details[0].parameter).toMatch(new RegExp(`^${parameter}`));
    }
    expect(await t.records.fleetSources.list()).toEqual([]);
  });

  it("a fleet source is one of a hundred at most", async () => {
    await using t = await openTestApp();
    await create(t);
    const [first] = await t.records.fleetSources.list();
    if (first === undefined) throw new Error("not made");
    for (let i = 1; i < 100; i += 1) {
      await t.records.fleetSources.insert({ ...first.source, id: `src_${i}` as FleetSourceId });
    }
    expect((await create(t)).statusCode).toBe(409);
  });
});

it("fleet sources are not visible to a key that is limited to some projects", async () => {
  await using t = await openTestApp();
  const url = `${SOURCES}/${(await create(t)).json().id}`;
  const key = await t.key({ scopes: ["admin"], project_ids: [await t.project()] });
  // Before anything is said of the body.
  const refused = await create(t, { url: "nowhere" }, key);
  expect(refused.statusCode).toBe(403);
  expect(refused.json().error.message).toBe("This needs an API key that sees every project");
  expect((await t.get(SOURCES, key)).json()).toMatchObject({ data: [], pagination: { total: 0 } });
  const answers = [
    await t.get(url, key),
    await t.send("PATCH", url, key, { name: "mine" }),
    await t.send("DELETE", url, key),
    await t.send("POST", `${url}/poll`, key),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
  expect(await t.records.fleetSources.list()).toMatchObject([
    { source: { name: "93.184.215.14" }, pollRequestedAtMs: undefined },
  ]);
});

it("a fleet source is changed only by keys that may write", async () => {
  await using t = await openTestApp();
  const url = `${SOURCES}/${(await create(t)).json().id}`;
  const reader = await t.key({ scopes: ["equipment:read"] });
  expect((await t.get(url, reader)).statusCode).toBe(200);
  expect((await create(t, {}, reader)).statusCode).toBe(403);
  expect((await t.send("POST", `${url}/poll`, reader)).statusCode).toBe(403);
});
