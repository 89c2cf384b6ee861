import { describe, expect, it, vi } from "vitest";
import type { ApiDependencies } from "../../../../api/dependencies/dependencies.ts";
import type { ProjectId } from "../../../../domain/ids.ts";
import { createSecretSeal } from "../../../../ingest/credentials/secret-seal.ts";
import { signingKey } from "../../../../ingest/delivery/webhooks/signature.ts";
import { createAddressRules } from "../../../../outbound/address-rules.ts";
import { openOutboundClient } from "../../../../outbound/client.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, PEPPER, type TestApp } from "../../../support/api-app.ts";
import { answering, openHttpReceiver } from "../../../support/http-receiver.ts";
import { newEvent } from "../../../support/new-event.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { until } from "../../../support/until.ts";
import { verified } from "../../../support/webhook-site.ts";

const WEBHOOKS = "/api/v1/webhooks";
const HOOK = "http://127.0.0.1:9999/hook";
const DAY_MS = 86_400_000;

async function create(t: TestApp, body: object = {}, key = ADMIN_KEY) {
  const response = await t.send("POST", WEBHOOKS, key, { url: HOOK, ...body });
  return { status: response.statusCode, body: response.json() };
}

/** Secrets of a webhook as they are stored, opened. */
function secretsOf(t: TestApp, id: string) {
  const seal = createSecretSeal(PEPPER, "webhooks");
  const webhook = [...t.records.rows.webhooks.values()].find((one) => one.id === id);
  return (webhook?.secrets ?? []).map(({ sealed, expiresAtMs }) => ({
    secret: seal.open(id, sealed),
    expiresAtMs,
  }));
}

/** An app that counts how often it says that webhooks changed, with names of its own. */
async function openCounted(names: Readonly<Record<string, readonly string[]>> = {}) {
  const counted = { changes: 0 };
  const webhooks: ApiDependencies["webhooks"] = {
    outbound: openOutboundClient({
      rules: createAddressRules([]),
      resolve: async (host) => names[host] ?? [],
    }),
    changed: () => {
      counted.changes += 1;
    },
  };
  return { t: await openTestApp({ webhooks }), counted };
}

describe("POST /webhooks", () => {
  it("POST /webhooks answers 201 with the webhook and its secret, which is stored sealed only", async () => {
    await using t = await openTestApp();
    const project = await t.project();
    const types = ["equipment.geofence.*", "equipment.maintenance.due"];
    const response = await t.send("POST", WEBHOOKS, ADMIN_KEY, {
      url: HOOK,
      name: "Office",
      types,
      project_ids: [project],
    });
    const { secret, ...shown } = response.json();
    expect(response.statusCode).toBe(201);
    expect(response.headers).toMatchObject({
      location: `${WEBHOOKS}/${shown.id}`,
      "cache-control": "no-store",
    });
    expect(shown).toEqual({
      id: expect.stringMatching(/^whk_[0-9A-Za-z]{16}$/),
      name: "Office",
      url: HOOK,
      types,
      project_ids: [project],
      status: "active",
      created_at: "2026-03-05T12:00:00.000Z",
      updated_at: "2026-03-05T12:00:00.000Z",
    });
    expect(signingKey(secret)).toHaveLength(32);
    expect(secretsOf(t, shown.id)).toEqual([{ secret, expiresAtMs: undefined }]);
    const one = await t.get(`${WEBHOOKS}/${shown.id}`, ADMIN_KEY);
    const list = await t.get(WEBHOOKS, ADMIN_KEY);
    expect([one.json(), list.json()]).toMatchObject([
      shown,
      { data: [shown], pagination: { total: 1 } },
    ]);
  });

  it("POST /webhooks takes the client's own secret, and has defaults for all but the URL", async () => {
    await using t = await openTestApp();
    const own = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;
    const { status, body } = await create(t, { secret: own });
    expect([status, body.secret]).toEqual([201, own]);
    expect(body).toMatchObject({ name: "127.0.0.1", types: [], status: "active" });
    expect(body).not.toHaveProperty("project_ids");
  });

  it("a new webhook begins with the next event", async () => {
    await using t = await openTestApp();
    await t.records.events.append([newEvent("evt_1"), newEvent("evt_2")]);
    const { body } = await create(t);
    expect((await t.records.webhooks.cursors()).get(body.id)).toBe(2);
  });

  it("POST /webhooks refuses what is wrong with 400 that names the field", async () => {
    await using t = await openTestApp();
    const wrong = [
      ["no URL", { url: undefined }, "url"],
      ["a private address", { url: "https://10.0.0.1/" }, "url"],
      ["the metadata service", { url: "http://169.254.169.254/latest" }, "url"],
      ["another scheme", { url: "ftp://127.0.0.1/" }, "url"],
      ["a password in the URL", { url: "http://a:b@127.0.0.1:9999/" }, "url"],
      ["a long URL", { url: `${HOOK}?${"x".repeat(2_048)}` }, "url"],
      ["a type that there is not", { types: ["equipment.*", "equipment.geofense.*"] }, "types.1"],
      ["types that are not an array", { types: "equipment.*" }, "types"],
      ["no project in the list", { project_ids: [] }, "project_ids"],
      ["a short secret", { secret: "whsec_AAAA" }, "secret"],
      ["a name of 201 characters", { name: "x".repeat(201) }, "name"],
    ] as const;
    const answers = [];
    for (const [what, change] of wrong) {
      const { status, body } = await create(t, change);
      answers.push([what, status, body.error.code, body.error.details[0].parameter]);
    }
    expect(answers).toEqual(
      wrong.map(([what, , parameter]) => [what, 400, "invalid_parameter", parameter]),
    );
    expect(t.records.rows.webhooks.size).toBe(0);
  });

  it("POST /webhooks refuses a name that leads inside, without revealing where", async () => {
    const { t } = await openCounted({ "intranet.test": ["93.184.215.14", "10.1.2.3"] });
    const { status, body } = await create(t, { url: "https://intranet.test/" });
    await t[Symbol.asyncDispose]();
    expect(status).toBe(400);
    expect(body.error.details).toEqual([
      { parameter: "url", message: "leads to an address or a port that is not allowed" },
    ]);
    expect(JSON.stringify(body)).not.toContain("10.1.2.3");
  });

  it("POST /webhooks repeated with its Idempotency-Key gives the first answer without the secret", async () => {
    await using t = await openTestApp();
    const again = { "idempotency-key": "k1" };
    const first = await t.send("POST", WEBHOOKS, ADMIN_KEY, { url: HOOK }, again);
    const second = await t.send("POST", WEBHOOKS, ADMIN_KEY, { url: HOOK }, again);
    const { secret, ...rest } = first.json();
    expect(secret).toMatch(/^whsec_/);
    expect(second.json()).toEqual({ ...rest, hint: expect.stringContaining("rotate-secret") });
    expect(t.records.rows.webhooks.size).toBe(1);
  });
});

describe("a key", () => {
  it("a key needs events:read to read webhooks, and equipment:write beside it to change them", async () => {
    await using t = await openTestApp();
    const { body } = await create(t);
    const reader = await t.key({ scopes: ["events:read", "equipment:read"] });
    const writer = await t.key({ scopes: ["equipment:write"] });
    const both = await t.key({ scopes: ["events:read", "equipment:write"] });
    const url = `${WEBHOOKS}/${body.id}`;
    const statuses = async (key: string) => [
      (await t.get(url, key)).statusCode,
      (await t.get(`${url}/deliveries`, key)).statusCode,
      (await t.send("POST", WEBHOOKS, key, { url: HOOK })).statusCode,
      (await t.send("PATCH", url, key, {})).statusCode,
      (await t.send("POST", `${url}/rotate-secret`, key)).statusCode,
      (await t.send("POST", `${url}/replay`, key, { cursor: "0" })).statusCode,
      (await t.send("POST", `${url}/deliveries/1/replay`, key)).statusCode,
      (await t.send("DELETE", url, key)).statusCode,
    ];
    expect(await statuses(reader)).toEqual([200, 200, 403, 403, 403, 403, 403, 403]);
    expect(await statuses(writer)).toEqual([403, 403, 403, 403, 403, 403, 403, 403]);
    expect(await statuses(both)).toEqual([200, 200, 201, 200, 201, 200, 404, 204]);
  });

  it("a key without the scope is refused before the body is checked", async () => {
    await using t = await openTestApp();
    const reader = await t.key({ scopes: ["events:read"] });
    expect((await t.send("POST", WEBHOOKS, reader, { url: 1 })).statusCode).toBe(403);
  });

  it("a key limited to projects sees and makes webhooks within them only", async () => {
    await using t = await openTestApp();
    const [ours, theirs] = [await t.project(), await t.project()];
    const scopes = ["events:read", "equipment:write"] as const;
    const key = await t.key({ scopes: [...scopes], project_ids: [ours] });
    const all = (await create(t)).body.id;
    const foreign = (await create(t, { project_ids: [theirs] })).body.id;
    const shared = (await create(t, { project_ids: [ours, theirs] })).body.id;
    const own = await create(t, { project_ids: [ours] }, key);
    expect(own.status).toBe(201);

    const list = (await t.get(WEBHOOKS, key)).json();
    expect(list.data.map(({ id }: { id: string }) => id)).toEqual([own.body.id]);
    for (const id of [all, foreign, shared, "absent", "no%20id"]) {
      const answers = [
        await t.get(`${WEBHOOKS}/${id}`, key),
        await t.get(`${WEBHOOKS}/${id}/deliveries`, key),
        await t.send("PATCH", `${WEBHOOKS}/${id}`, key, { name: "mine" }),
        await t.send("DELETE", `${WEBHOOKS}/${id}`, key),
        await t.send("POST", `${WEBHOOKS}/${id}/rotate-secret`, key),
        await t.send("POST", `${WEBHOOKS}/${id}/replay`, key, { cursor: "0" }),
        await t.send("POST", `${WEBHOOKS}/${id}/deliveries/1/replay`, key),
        await t.send("POST", `${WEBHOOKS}/${id}/test`, key),
      ];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(404));
    }

    const widened = await t.send("PATCH", `${WEBHOOKS}/${own.body.id}`, key, {
      project_ids: [ours, theirs],
    });
    const unlimited = await t.send("PATCH", `${WEBHOOKS}/${own.body.id}`, key, {
      project_ids: null,
    });
    const everything = await create(t, {}, key);
    expect([widened.statusCode, unlimited.statusCode, everything.status]).toEqual([404, 400, 400]);
    expect(everything.body.error.details[0].parameter).toBe("project_ids");
  });
});

describe("PATCH and DELETE /webhooks/{id}", () => {
  it("PATCH and DELETE /webhooks change what they name and notify the dispatcher", async () => {
    const { t, counted } = await openCounted({ "hook.test": ["93.184.215.14"] });
    const { id } = (await create(t, { url: "https://hook.test/" })).body;
    const project = await t.project({ id: "p1" as ProjectId });
    t.clock.ms += 60_000;
    const change = { name: "new", types: ["equipment.*"], project_ids: [project] };
    const changed = await t.send("PATCH", `${WEBHOOKS}/${id}`, ADMIN_KEY, change);
    expect(changed.json()).toMatchObject({
      ...change,
      url: "https://hook.test/",
      updated_at: "2026-03-05T12:01:00.000Z",
    });
    const blocked = await t.send("PATCH", `${WEBHOOKS}/${id}`, ADMIN_KEY, { url: HOOK });
    const all = await t.send("PATCH", `${WEBHOOKS}/${id}`, ADMIN_KEY, { project_ids: null });
    expect([blocked.statusCode, all.json().project_ids]).toEqual([400, undefined]);
    const deleted = await t.send("DELETE", `${WEBHOOKS}/${id}`, ADMIN_KEY);
    const gone = await t.get(`${WEBHOOKS}/${id}`, ADMIN_KEY);
    await t[Symbol.asyncDispose]();
    expect([deleted.statusCode, gone.statusCode]).toEqual([204, 404]);
    // One for each of: created, changed twice, deleted.
    expect(counted.changes).toBe(4);
  });

  it("PATCH and DELETE /webhooks/{id} disable and enable; what was missed is posted then, unless it is to be skipped", async () => {
    await using t = await openTestApp();
    const { id } = (await create(t)).body;
    const url = `${WEBHOOKS}/${id}`;
    const cursor = async () => (await t.records.webhooks.cursors()).get(id);
    const disabled = await t.send("PATCH", url, ADMIN_KEY, { status: "disabled" });
    expect(disabled.json()).toMatchObject({ status: "disabled", disabled_reason: "by a person" });
    await t.records.events.append([newEvent("evt_1"), newEvent("evt_2")]);

    const enabled = await t.send("PATCH", url, ADMIN_KEY, { status: "active" });
    expect([enabled.json().status, enabled.json().disabled_reason, await cursor()]).toEqual([
      "active",
      undefined,
      0,
    ]);
    await t.send("PATCH", url, ADMIN_KEY, { status: "disabled" });
    await t.send("PATCH", url, ADMIN_KEY, { status: "active", skip_missed: true });
    expect(await cursor()).toBe(2);
  });

  it("PATCH and DELETE /webhooks/{id} keep the reason of the receiver when it is disabled again by hand", async () => {
    await using t = await openTestApp();
    const { id } = (await create(t)).body;
    const disabledReason = "the receiver answered 410 (gone)";
    await t.records.webhooks.update(id, (w) => ({ ...w, status: "disabled", disabledReason }));
    const again = await t.send("PATCH", `${WEBHOOKS}/${id}`, ADMIN_KEY, { status: "disabled" });
    expect(again.json().disabled_reason).toBe(disabledReason);
  });
});

describe("POST /webhooks/{id}/rotate-secret", () => {
  it("POST /webhooks/{id}/rotate-secret makes a new secret; the old one signs beside it for 24 h", async () => {
    await using t = await openTestApp();
    const { id, secret: old } = (await create(t)).body;
    const rotated = await t.send("POST", `${WEBHOOKS}/${id}/rotate-secret`, ADMIN_KEY);
    const { secret } = rotated.json();
    expect([rotated.statusCode, rotated.json()]).toEqual([
      201,
      { id, secret: expect.any(String), previous_expires_at: "2026-03-06T12:00:00.000Z" },
    ]);
    expect(secretsOf(t, id)).toEqual([
      { secret, expiresAtMs: undefined },
      { secret: old, expiresAtMs: NOON_MS + DAY_MS },
    ]);
    // A second rotation does not lengthen the life of the first secret.
    t.clock.ms += DAY_MS / 2;
    const own = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
    await t.send("POST", `${WEBHOOKS}/${id}/rotate-secret`, ADMIN_KEY, { secret: own });
    expect(secretsOf(t, id).map(({ expiresAtMs }) => expiresAtMs)).toEqual([
      undefined,
      NOON_MS + 1.5 * DAY_MS,
      NOON_MS + DAY_MS,
    ]);
  });

  it("POST /webhooks/{id}/rotate-secret ends the old one at once when it is asked to", async () => {
    await using t = await openTestApp();
    const { id } = (await create(t)).body;
    const url = `${WEBHOOKS}/${id}/rotate-secret`;
    const { secret } = (await t.send("POST", url, ADMIN_KEY, { expires_in_s: 0 })).json();
    expect(secretsOf(t, id)).toEqual([{ secret, expiresAtMs: undefined }]);
    const tooLong = await t.send("POST", url, ADMIN_KEY, { expires_in_s: 604_801 });
    expect([tooLong.statusCode, tooLong.json().error.details[0].parameter]).toEqual([
      400,
      "expires_in_s",
    ]);
  });
});

describe("the delivery log", () => {
  /** A webhook with three deliveries: 1 delivered, 2 pending after a failure, 3 failed. */
  async function logged(t: TestApp) {
    const { id } = (await create(t, { types: ["equipment.*"] })).body;
    const more = { type: "security.foreign_topic" } as const;
    await t.records.events.append(
      ["evt_1", "evt_2", "evt_3", "evt_4"].map((e, i) => newEvent(e, i === 3 ? more : {})),
    );
    const row = (eventSequence: number) => ({
      webhookId: id,
      eventSequence,
      messageId: `evt_${eventSequence}.1`,
      eventType: "equipment.geofence.entered",
      attempts: 1,
      firstAttemptAtMs: NOON_MS,
      lastAttemptAtMs: NOON_MS,
      nextAttemptAtMs: undefined,
      lastStatus: 500,
      lastError: "the receiver answered 500",
      lastDurationMs: 12,
    });
    await t.records.webhooks.record({
      deliveries: [
        { ...row(1), state: "delivered", lastStatus: 200, lastError: undefined },
        { ...row(2), state: "pending", nextAttemptAtMs: NOON_MS + 5_000 },
        { ...row(3), state: "failed", attempts: 10 },
      ],
      cursors: new Map([[id, { subscription: 1, sequence: 4 }]]),
    });
    return { id, url: `${WEBHOOKS}/${id}` };
  }

  it("the delivery log is listed newest first, by status, in pages and as CSV", async () => {
    await using t = await openTestApp();
    const { url } = await logged(t);
    const all = (await t.get(`${url}/deliveries`, ADMIN_KEY)).json();
    expect(all.pagination).toEqual({ page: 1, limit: 100, total: 3, has_more: false });
    expect(all.data.map(({ sequence }: { sequence: number }) => sequence)).toEqual([3, 2, 1]);
    expect(all.data[1]).toEqual({
      sequence: 2,
      message_id: "evt_2.1",
      type: "equipment.geofence.entered",
      status: "pending",
      attempts: 1,
      first_attempt_at: "2026-03-05T12:00:00.000Z",
      last_attempt_at: "2026-03-05T12:00:00.000Z",
      next_attempt_at: "2026-03-05T12:00:05.000Z",
      last_http_status: 500,
      last_error: "the receiver answered 500",
      last_duration_ms: 12,
    });
    const failed = (await t.get(`${url}/deliveries?status=failed`, ADMIN_KEY)).json();
    expect(failed.data).toMatchObject([{ sequence: 3, attempts: 10 }]);
    const two = (await t.get(`${url}/deliveries?status=failed,pending`, ADMIN_KEY)).json();
    expect(two.data).toMatchObject([{ sequence: 3 }, { sequence: 2 }]);
    const page = (await t.get(`${url}/deliveries?limit=1&offset=1`, ADMIN_KEY)).json();
    expect([page.data[0].sequence, page.pagination.has_more]).toEqual([2, true]);
    const csv = await t.get(`${url}/deliveries`, ADMIN_KEY, { accept: "text/csv" });
    expect(csv.body.split("\r\n")[1]).toBe(
      "3,evt_3.1,equipment.geofence.entered,failed,10,2026-03-05T12:00:00.000Z,2026-03-05T12:00:00.000Z,,500,the receiver answered 500,12",
    );
    const wrong = await t.get(`${url}/deliveries?status=lost`, ADMIN_KEY);
    expect(wrong.statusCode).toBe(400);
  });

  it("the delivery log lets one message be sent again, under the same id and with all its attempts", async () => {
    await using t = await openTestApp();
    const { id, url } = await logged(t);
    t.clock.ms += 60_000;
    const again = await t.send("POST", `${url}/deliveries/3/replay`, ADMIN_KEY);
    expect(again.json()).toMatchObject({ message_id: "evt_3.1", status: "pending", attempts: 0 });
    const due = await t.records.webhooks.due(t.clock.ms, 10);
    expect(due.map(({ webhookId, messageId }) => [webhookId, messageId])).toContainEqual([
      id,
      "evt_3.1",
    ]);
    const statuses = [];
    for (const sequence of ["4", "99", "x", "1e3", "-1", "9".repeat(30)]) {
      const answer = await t.send("POST", `${url}/deliveries/${sequence}/replay`, ADMIN_KEY);
      statuses.push(answer.statusCode);
    }
    expect(statuses).toEqual(Array(6).fill(404));
  });

  it("the delivery log lets everything since an event be sent again, but what the webhook does not want", async () => {
    await using t = await openTestApp();
    const { id, url } = await logged(t);
    // Behind the cursor: its first delivery is under way.
    await t.records.events.append([newEvent("evt_5")]);
    const answer = await t.send("POST", `${url}/replay`, ADMIN_KEY, { cursor: "1" });
    expect(answer.json()).toEqual({ queued: 2, has_more: false, next_cursor: "4" });
    const due = await t.records.webhooks.due(NOON_MS, 10);
    expect(due.map(({ messageId, attempts }) => [messageId, attempts])).toEqual([
      ["evt_2.1", 0],
      ["evt_3.1", 0],
    ]);
    expect((await t.records.webhooks.findDelivery(id, 1))?.state).toBe("delivered");
    const nothing = await t.send("POST", `${url}/replay`, ADMIN_KEY, { cursor: "4" });
    expect(nothing.json()).toEqual({ queued: 0, has_more: false, next_cursor: "4" });
    const unasked = await t.send("POST", `${url}/replay`, ADMIN_KEY, {});
    expect([unasked.statusCode, unasked.json().error.details]).toEqual([
      400,
      [{ parameter: "cursor", message: "is required" }],
    ]);
  });

  it("the delivery log takes 500 events a call, one call of a key at a time, and says where to go on", async () => {
    await using t = await openTestApp();
    const { id } = (await create(t)).body;
    const [first] = await (async () => {
      await t.records.events.append([newEvent("evt_1")]);
      return t.records.events.after(0, { limit: 1 });
    })();
    if (first === undefined) throw new Error("no event");
    for (let sequence = 2; sequence <= 600; sequence += 1) {
      t.records.rows.events.push({ ...first, id: `evt_${sequence}`, sequence });
    }
    const place = { subscription: 1, sequence: 600 };
    await t.records.webhooks.record({ deliveries: [], cursors: new Map([[id, place]]) });
    const url = `${WEBHOOKS}/${id}/replay`;
    const one = (await t.send("POST", url, ADMIN_KEY, { cursor: "0" })).json();
    const two = (await t.send("POST", url, ADMIN_KEY, { cursor: one.next_cursor })).json();
    expect(one).toEqual({ queued: 500, has_more: true, next_cursor: "500" });
    expect(two).toEqual({ queued: 100, has_more: false, next_cursor: "600" });
    const webhook = await t.records.webhooks.find(id);
    let release: (() => void) | undefined;
    vi.spyOn(t.records.webhooks, "find").mockImplementationOnce(async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return webhook;
    });
    const running = t.send("POST", url, ADMIN_KEY, { cursor: "0" });
    await until("the first call has its place", () => release, PATIENT_MS);
    const refused = await t.send("POST", url, ADMIN_KEY, { cursor: "0" });
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "1"]);
    release?.();
    expect((await running).statusCode).toBe(200);
  });
});

describe("POST /webhooks/{id}/test", () => {
  it("POST /webhooks/test posts a signed webhook.test message and returns the response", async () => {
    await using receiver = await openHttpReceiver();
    await using t = await openTestApp();
    const { id, secret } = (await create(t, { url: receiver.url })).body;
    const good = (await t.send("POST", `${WEBHOOKS}/${id}/test`, ADMIN_KEY)).json();
    const [received] = receiver.received;
    if (received === undefined) throw new Error("not received");
    expect(good).toEqual({
      delivered: true,
      message_id: received.headers["webhook-id"],
      http_status: 204,
      duration_ms: expect.any(Number),
    });
    expect(verified(secret, received, NOON_MS)).toEqual({
      type: "webhook.test",
      timestamp: "2026-03-05T12:00:00.000Z",
      data: { webhook_id: id },
    });
    receiver.answer = answering(404);
    const bad = (await t.send("POST", `${WEBHOOKS}/${id}/test`, ADMIN_KEY)).json();
    expect(bad).toMatchObject({
      delivered: false,
      http_status: 404,
      error: "the receiver answered 404",
    });
    await receiver.pause();
    const down = (await t.send("POST", `${WEBHOOKS}/${id}/test`, ADMIN_KEY)).json();
    expect(down).toMatchObject({ delivered: false, error: "connection refused" });
    expect(down).not.toHaveProperty("http_status");
    expect(JSON.stringify(down)).not.toContain("127.0.0.1");
  });
});
