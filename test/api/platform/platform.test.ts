import { describe, expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { SCOPES } from "../../../domain/platform/api-key.ts";
import { ADMIN_KEY, openTestApp } from "../../support/api-app.ts";
import { sharedTestApp } from "../../support/shared-app.ts";

const PROJECTS = "/api/v1/projects";
const KEYS = "/api/v1/keys";
const location = { latitude: 52.5, longitude: 13.4 };

describe("projects", () => {
  const shared = sharedTestApp();

  it("projects are created with the defaults of the design", async () => {
    await using t = await openTestApp();
    const response = await t.send("POST", PROJECTS, ADMIN_KEY, { name: "Tower", location });
    const project = response.json();
    expect(response.statusCode).toBe(201);
    expect(response.headers["location"]).toBe(`${PROJECTS}/${project.id}`);
    expect(project).toEqual({
      id: expect.stringMatching(/^prj_[0-9A-Za-z]{16}$/),
      name: "Tower",
      location,
      time_zone: "UTC",
      shift: { start: "00:00", end: "24:00" },
      created_at: "2026-03-05T12:00:00.000Z",
      updated_at: "2026-03-05T12:00:00.000Z",
    });
    expect((await t.get(`${PROJECTS}/${project.id}`, ADMIN_KEY)).json()).toEqual(project);
  });

  it.each([
    ["no location", { location: undefined }, "location"],
    ["an unknown time zone", { time_zone: "Mars/Olympus" }, "time_zone"],
    ["a shift at 25:00", { shift: { start: "25:00", end: "17:00" } }, "shift.start"],
    ["a date that is none", { planned_start: "2026-02-30" }, "planned_start"],
    [
      "a finish before the start",
      { planned_start: "2026-05-01", planned_finish: "2026-04-30" },
      "planned_finish",
    ],
  ])("projects refuse %s with 400", async (_name, change, parameter) => {
    const { t } = shared;
    const response = await t.send("POST", PROJECTS, ADMIN_KEY, { name: "x", location, ...change });
    expect(response.statusCode).toBe(400);
    expect(JSON.stringify(response.json().error.details)).toContain(parameter);
  });

  it("projects refuse an id that is taken with 409, and a delete while they have assets", async () => {
    await using t = await openTestApp();
    const id = await t.project({ id: "p1" as ProjectId });
    await t.asset({ project_id: id });
    const again = await t.send("POST", PROJECTS, ADMIN_KEY, { id, name: "x", location });
    const inUse = await t.send("DELETE", `${PROJECTS}/p1`, ADMIN_KEY);
    const empty = await t.project();
    const deleted = await t.send("DELETE", `${PROJECTS}/${empty}`, ADMIN_KEY);
    expect([again.statusCode, inUse.statusCode, deleted.statusCode]).toEqual([409, 409, 204]);
    expect((await t.get(`${PROJECTS}/${empty}`, ADMIN_KEY)).statusCode).toBe(404);
  });

  it("projects change in the fields that PATCH names; null takes a date away", async () => {
    await using t = await openTestApp();
    const id = await t.project({ planned_start: "2026-01-01", planned_finish: "2026-12-31" });
    t.clock.ms += 60_000;
    const change = { time_zone: "Europe/Berlin", planned_finish: null };
    const changed = (await t.send("PATCH", `${PROJECTS}/${id}`, ADMIN_KEY, change)).json();
    expect(changed).toMatchObject({
      name: "Harbour",
      time_zone: "Europe/Berlin",
      planned_start: "2026-01-01",
      updated_at: "2026-03-05T12:01:00.000Z",
    });
    expect(changed).not.toHaveProperty("planned_finish");
  });

  it("projects come in pages and as CSV", async () => {
    await using t = await openTestApp();
    for (const id of ["p1", "p2", "p3"]) {
      await t.project({ id: id as ProjectId, name: `=cmd|${id}` });
    }
    const page = (await t.get(`${PROJECTS}?limit=2`, ADMIN_KEY)).json();
    const csv = await t.get(`${PROJECTS}?limit=1`, ADMIN_KEY, { accept: "text/csv" });
    expect(page.data).toMatchObject([{ id: "p1" }, { id: "p2" }]);
    const back = (await t.get(`${PROJECTS}?limit=2&sort=-created_at`, ADMIN_KEY)).json();
    expect(back.data).toMatchObject([{ id: "p3" }, { id: "p2" }]);
    expect(page.pagination).toEqual({ page: 1, limit: 2, total: 3, has_more: true });
    expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(csv.body).toBe(
      "id,name,latitude,longitude,time_zone,shift_start,shift_end,planned_start,planned_finish\r\n" +
        "p1,'=cmd|p1,53.5,9.9,UTC,00:00,24:00,,\r\n",
    );
  });

  it("projects never send text that is not an id to the database", async () => {
    await using t = await openTestApp();
    t.records.projects.find = () => Promise.reject(new Error("invalid byte sequence 0x00"));
    const response = await t.get(`${PROJECTS}/a%00b`, ADMIN_KEY);
    expect(response.statusCode).toBe(404);
  });
});

describe("keys", () => {
  const shared = sharedTestApp();

  it("keys are shown once, work at once, and are listed without the secret", async () => {
    await using t = await openTestApp();
    const project = await t.project();
    const body = { name: "reader", scopes: ["equipment:read"], project_ids: [project] };
    const response = await t.send("POST", KEYS, ADMIN_KEY, body);
    const { key, ...shown } = response.json();
    expect([response.statusCode, response.headers["cache-control"]]).toEqual([201, "no-store"]);
    expect(key).toMatch(/^plb_live_[0-9A-Za-z]{36}$/);
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_/),
      name: "reader",
      prefix: key.slice(0, 13),
      scopes: ["equipment:read"],
      plan: "standard",
      project_ids: [project],
      created_at: "2026-03-05T12:00:00.000Z",
    });
    const used = await t.get(PROJECTS, key);
    expect(used.json().data).toMatchObject([{ id: project }]);
    const list = await t.get(KEYS, ADMIN_KEY);
    expect(list.json().data).toMatchObject([{ id: shown.id, prefix: shown.prefix }]);
    expect(list.body).not.toContain(key);
  });

  it("keys are asked what they may do: by a key of some projects, and by the one of the environment", async () => {
    await using t = await openTestApp();
    const project = await t.project();
    const body = {
      ...{ name: "reader", scopes: ["equipment:read"], project_ids: [project] },
      expires_at: "2026-04-01T00:00:00Z",
    };
    const { id, key } = (await t.send("POST", KEYS, ADMIN_KEY, body)).json();
    const own = await t.get(`${KEYS}/self`, key);
    expect([own.statusCode, own.json()]).toEqual([
      200,
      {
        ...{ kind: "key", id, name: "reader", scopes: ["equipment:read"], plan: "standard" },
        ...{ project_ids: [project], expires_at: "2026-04-01T00:00:00.000Z" },
        requests_per_minute: 1_000,
      },
    ]);
    expect((await t.get(`${KEYS}/self`, ADMIN_KEY)).json()).toEqual({
      ...{ kind: "key", id: "admin", name: "admin", scopes: [...SCOPES], plan: "enterprise" },
      requests_per_minute: 10_000,
    });
    expect((await t.get(`${KEYS}/self`, undefined)).statusCode).toBe(401);
  });

  it("keys of an administrator of some projects have every scope there but admin", async () => {
    await using t = await openTestApp();
    const project = await t.project();
    const key = await t.key({ scopes: ["admin"], project_ids: [project] });
    const own = (await t.get(`${KEYS}/self`, key)).json();
    expect(own.scopes).toEqual(SCOPES.filter((scope) => scope !== "admin"));
    expect((await t.get(KEYS, key)).statusCode).toBe(403);
  });

  it.each([
    ["2026-03-05T12:00:00Z", "is over"],
    ["2027-06-30T23:59:60Z", "is a leap second"],
    ["9999-12-31T23:59:59-23:59", "lies behind the year 9999"],
  ])("keys refuse an expiry of %s, which %s, before they read a project", async (expires_at) => {
    await using t = await openTestApp();
    const body = { name: "k", scopes: ["equipment:read"], expires_at, project_ids: ["absent"] };
    const answer = await t.send("POST", "/api/v1/keys", ADMIN_KEY, body);
    expect([answer.statusCode, answer.json().error.details[0].parameter]).toEqual([
      400,
      "expires_at",
    ]);
  });

  it("keys stop working at once when they are revoked here", async () => {
    await using t = await openTestApp();
    const body = { name: "reader", scopes: ["equipment:read"] };
    const { id, key } = (await t.send("POST", KEYS, ADMIN_KEY, body)).json();
    const before = await t.get(PROJECTS, key);
    const revoked = await t.send("DELETE", `${KEYS}/${id}`, ADMIN_KEY);
    const after = await t.get(PROJECTS, key);
    expect([before.statusCode, revoked.statusCode, after.statusCode]).toEqual([200, 200, 401]);
    expect(revoked.json()).toMatchObject({ id, revoked_at: "2026-03-05T12:00:00.000Z" });
    expect((await t.send("DELETE", `${KEYS}/absent`, ADMIN_KEY)).statusCode).toBe(404);
  });

  it.each([
    ["no scope", { scopes: [] }, 400],
    ["an unknown scope", { scopes: ["everything"] }, 400],
    ["an unknown plan", { plan: "gold" }, 400],
    ["an empty list of projects", { project_ids: [] }, 400],
    ["a project that does not exist", { project_ids: ["absent"] }, 404],
    ["an expiry in the past", { expires_at: "2026-03-05T11:59:59Z" }, 400],
    ["an expiry that is not a time", { expires_at: "tomorrow" }, 400],
  ])("keys refuse %s", async (_name, change, status) => {
    const { t } = shared;
    const body = { name: "x", scopes: ["equipment:read"], ...change };
    const response = await t.send("POST", KEYS, ADMIN_KEY, body);
    expect(response.statusCode).toBe(status);
    expect(t.records.rows.keys.size).toBe(0);
  });
});

describe("health and metrics", () => {
  it("health and metrics answer without a key and without a count", async () => {
    await using t = await openTestApp();
    const live = await t.get("/health/live", undefined);
    const ready = await t.get("/health/ready", undefined);
    t.reasons.push("journal is full");
    const notReady = await t.get("/health/ready", undefined);
    expect([live.statusCode, live.json()]).toEqual([200, { status: "ok" }]);
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: "ready", reasons: [] }]);
    expect([notReady.statusCode, notReady.json()]).toEqual([
      503,
      { status: "not_ready", reasons: ["journal is full"] },
    ]);
    expect(notReady.headers["retry-after"]).toBe("5");
    expect(notReady.headers["x-ratelimit-remaining"]).toBe("1000");
  });

  it("health and metrics warn of what needs attention although the service is ready", async () => {
    const warnings = ["TLS_CERT_FILE expires at 2026-03-02T00:00:00.000Z"];
    await using t = await openTestApp({ warnings: () => warnings });
    const ready = await t.get("/health/ready", undefined);

    expect([ready.statusCode, ready.json()]).toEqual([
      200,
      { status: "ready", reasons: [], warnings },
    ]);
  });

  it("health and metrics name a damaged file, since when it is damaged, and what to run", async () => {
    await using t = await openTestApp();
    const sinceMs = Date.UTC(2026, 10, 23);
    const file = "journal/journal-0000000001.log.damaged-9";
    t.damage.push({ store: "journal", file, problem: "damaged", sinceMs, refusesAnswers: false });
    const worked = await t.get("/health/ready", undefined);
    t.damage.push({
      store: "telemetry",
      file: "telemetry/embedded/period-0.mdb",
      problem: "page 3 is damaged",
      sinceMs,
      refusesAnswers: true,
    });
    const refused = await t.get("/health/ready", undefined);
    const command = "plumbline check --data-dir DATA_DIR --repair";
    const since = "2026-11-23T00:00:00.000Z";
    expect([worked.statusCode, worked.json()]).toEqual([
      200,
      {
        status: "ready",
        reasons: [],
        damage: [
          { store: "journal", file, problem: "damaged", since, refuses_answers: false, command },
        ],
      },
    ]);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      503,
      {
        status: "not_ready",
        reasons: [
          `telemetry: telemetry/embedded/period-0.mdb is damaged since ${since} (page 3 is damaged); run ${command}`,
        ],
        damage: [{ store: "journal" }, { store: "telemetry", refuses_answers: true }],
      },
    ]);
  });

  it("health and metrics count requests by route pattern and status, unknown paths as one", async () => {
    await using t = await openTestApp();
    await t.get("/api/v1/equipment/assets/abc", ADMIN_KEY);
    for (let i = 0; i < 3; i += 1) await t.get(`/random/${i}`, ADMIN_KEY);
    const { body } = await t.get("/metrics", undefined);
    const counts = body.split("\n").filter((line) => line.includes("duration_seconds_count"));
    expect(counts.toSorted()).toEqual([
      'plumbline_http_request_duration_seconds_count{method="GET",route="/api/v1/equipment/assets/:asset_id",status="404"} 1',
      'plumbline_http_request_duration_seconds_count{method="GET",route="unknown",status="404"} 3',
    ]);
  });
});

describe("a record store that is away", () => {
  it("a record store that is away is a 500 where it is needed, and the reads of known keys go on for 30 s", async () => {
    await using t = await openTestApp();
    const key = await t.key();
    const asset = await t.asset({ project_id: await t.project() });
    t.live(asset);
    await t.get("/api/v1/equipment/assets", key);
    t.records.away = true;
    t.clock.ms += 10_000;
    const unknown = await t.key().catch(() => "plb_live_".padEnd(45, "a"));
    const answers = [
      await t.get("/api/v1/equipment/assets", key),
      await t.get(`/api/v1/equipment/assets/${asset}/location`, key),
      await t.get(PROJECTS, key),
      await t.get(PROJECTS, unknown),
    ];
    t.clock.ms += 25_000;
    const later = await t.get("/api/v1/equipment/assets", key);
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 500, 401]);
    expect(later.statusCode).toBe(500);
    expect(later.headers["x-ratelimit-limit"]).toBe("1000");
    expect(later.json().error.code).toBe("internal_error");
  });
});
