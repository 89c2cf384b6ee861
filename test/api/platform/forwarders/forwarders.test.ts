import { describe, expect, it } from "vitest";
import type { ForwarderId, ProjectId } from "../../../../domain/ids.ts";
import { createSecretSeal } from "../../../../ingest/credentials/secret-seal.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, PEPPER, type TestApp } from "../../../support/api-app.ts";

const FORWARDERS = "/api/v1/forwarders";
const HTTP = { kind: "traccar_http", url: "http://127.0.0.1:9999/positions" };
const MQTT = {
  kind: "mqtt",
  url: "mqtt://127.0.0.1:1883",
  topic: "sites/{project}/assets/{asset}/telemetry",
};
const LOGIN = { username: "yard", password: "open sesame" };
const NOON = "2026-03-05T12:00:00.000Z";

async function create(t: TestApp, body: object, key = ADMIN_KEY) {
  const response = await t.send("POST", FORWARDERS, key, body);
  return { status: response.statusCode, body: response.json() };
}

const stored = (t: TestApp, id: string) => t.records.forwarders.find(id as ForwarderId);

describe("POST /forwarders", () => {
  it("POST /forwarders answers 201 with the forwarder; its credentials are stored sealed and never shown", async () => {
    await using t = await openTestApp();
    const project = await t.project();
    const response = await t.send("POST", FORWARDERS, ADMIN_KEY, {
      ...MQTT,
      name: "Yard",
      project_ids: [project],
      credentials: LOGIN,
      from: "now",
    });
    expect(response.statusCode).toBe(201);
    const shown = response.json();
    expect(shown).toEqual({
      id: expect.stringMatching(/^fwd_/),
      name: "Yard",
      kind: "mqtt",
      url: "mqtt://127.0.0.1:1883",
      format: "plumbline",
      topic: "sites/{project}/assets/{asset}/telemetry",
      project_ids: [project],
      has_credentials: true,
      status: "active",
      progress: [],
      created_at: NOON,
      updated_at: NOON,
    });
    expect(response.headers["location"]).toBe(`${FORWARDERS}/${shown.id}`);
    const row = await stored(t, shown.id);
    expect(row?.startAtMs).toBe(NOON_MS);
    const { credentials = new Uint8Array() } = row ?? {};
    const opened = createSecretSeal(PEPPER, "forwarders").open(shown.id, credentials);
    expect(JSON.parse(opened)).toEqual(LOGIN);
    const [one, list] = await Promise.all(
      [`${FORWARDERS}/${shown.id}`, FORWARDERS].map((url) => t.get(url, ADMIN_KEY)),
    );
    expect(`${one?.body}${list?.body}`).not.toContain("sesame");
  });

  it("a forwarder sends Traccar's JSON over HTTP by default and is named by its host", async () => {
    await using t = await openTestApp();
    const { body } = await create(t, {
      ...HTTP,
      credentials: { header: "X-Api-Key", value: "k 1" },
    });
    expect(body).toMatchObject({ name: "127.0.0.1", format: "traccar", has_credentials: true });
    expect(body).not.toHaveProperty("topic");
    expect(body).not.toHaveProperty("project_ids");
  });

  it("POST /forwarders answers 400 naming what is wrong, and makes nothing", async () => {
    await using t = await openTestApp();
    const wrong: readonly (readonly [parameter: string, body: object])[] = [
      ["url", { ...HTTP, url: "http://10.0.0.8/" }],
      ["url", { ...HTTP, url: "mqtt://127.0.0.1:1883" }],
      ["url", { ...HTTP, url: "http://name:pass@127.0.0.1/" }],
      ["url", { ...MQTT, url: "http://127.0.0.1/" }],
      ["url", { ...MQTT, url: "mqtt://10.0.0.8:1883" }],
      ["url", { ...MQTT, url: "mqtt://127.0.0.1:1883/path" }],
      ["topic", { ...MQTT, topic: "sites/#" }],
      ["topic", { kind: "mqtt", url: MQTT.url }],
      ["topic", { ...HTTP, topic: "a" }],
      ["format", { ...HTTP, format: "plumbline" }],
      ["kind", { ...HTTP, kind: "kafka" }],
      ["credentials", { ...HTTP, credentials: { password: "p" } }],
      ["credentials", { ...HTTP, credentials: { ...LOGIN, header: "a", value: "b" } }],
      ["credentials", { ...HTTP, credentials: { header: "X-Api-Key" } }],
      ["credentials.username", { ...HTTP, credentials: { username: "a:b" } }],
      ["credentials.username", { ...MQTT, credentials: { username: "a\u0000" } }],
      ["credentials.password", { ...MQTT, credentials: { username: "a", password: "\n" } }],
      ["credentials.username", { ...HTTP, credentials: { username: "\udc00" } }],
      ["credentials.header", { ...HTTP, credentials: { header: "Host", value: "x" } }],
      ["credentials.header", { ...HTTP, credentials: { header: "a b", value: "x" } }],
      ["credentials.header", { ...MQTT, credentials: { header: "a", value: "x" } }],
      ["credentials.value", { ...HTTP, credentials: { header: "a", value: "x\r\nb: c" } }],
    ];
    for (const [parameter, body] of wrong) {
      const answer = await create(t, body);
      const details: readonly { readonly parameter: string }[] = answer.body.error?.details ?? [];
      expect([answer.status, ...details.map((one) => one.parameter)], JSON.stringify(body)).toEqual(
        [400, parameter],
      );
    }
    expect(await t.records.forwarders.list()).toEqual([]);
  });

  it("POST /forwarders answers 409 for the 21st", async () => {
    await using t = await openTestApp();
    for (let i = 0; i < 20; i += 1) expect((await create(t, HTTP)).status).toBe(201);
    expect((await create(t, HTTP)).status).toBe(409);
  });

  it("POST /forwarders needs the scopes to read and to write equipment", async () => {
    await using t = await openTestApp();
    const reader = await t.key({ scopes: ["equipment:read"] });
    const writer = await t.key({ scopes: ["equipment:write"] });
    expect((await create(t, HTTP, reader)).status).toBe(403);
    expect((await create(t, HTTP, writer)).status).toBe(403);
    expect((await t.get(FORWARDERS, reader)).statusCode).toBe(200);
  });
});

it("a key sees only the forwarders all of whose projects it sees", async () => {
  await using t = await openTestApp();
  const [ours, theirs] = [await t.project(), await t.project()];
  const key = await t.key({ project_ids: [ours] });
  const everything = (await create(t, HTTP)).body.id;
  const both = (await create(t, { ...HTTP, project_ids: [ours, theirs] })).body.id;
  expect((await create(t, HTTP, key)).status).toBe(400);
  expect((await create(t, { ...HTTP, project_ids: [theirs] }, key)).status).toBe(404);
  const { status, body } = await create(t, { ...HTTP, project_ids: [ours] }, key);
  expect(status).toBe(201);
  const listed = (await t.get(FORWARDERS, key)).json().data;
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([body.id]);
  for (const id of [everything, both, "fwd_absent"]) {
    const url = `${FORWARDERS}/${id}`;
    expect((await t.get(url, key)).statusCode).toBe(404);
    expect((await t.send("PATCH", url, key, { status: "disabled" })).statusCode).toBe(404);
    expect((await t.send("DELETE", url, key)).statusCode).toBe(404);
  }
  const wider = { project_ids: [theirs] };
  expect((await t.send("PATCH", `${FORWARDERS}/${body.id}`, key, wider)).statusCode).toBe(404);
  expect((await stored(t, body.id))?.projectIds).toEqual([ours]);
});

it("a forwarder shows its progress in each journal, and for how long what is left has waited", async () => {
  await using t = await openTestApp();
  const { id } = (await create(t, HTTP)).body;
  await t.records.forwarders.record([
    {
      forwarderId: id,
      journalId: "j1",
      sequence: 41,
      sent: 30,
      skipped: { without_position: 2 },
      lastSentAtMs: NOON_MS - 9_000,
      lastError: { atMs: NOON_MS - 1_000, reason: "connection refused" },
      heldSinceMs: NOON_MS - 8_000,
      behind: { records: 7, sinceMs: NOON_MS - 7_500 },
    },
  ]);
  const shown = (await t.get(`${FORWARDERS}/${id}`, ADMIN_KEY)).json();
  expect(shown.progress).toEqual([
    {
      journal_id: "j1",
      sequence: 41,
      sent: 30,
      skipped: { without_position: 2 },
      last_sent_at: "2026-03-05T11:59:51.000Z",
      last_error: "connection refused",
      last_error_at: "2026-03-05T11:59:59.000Z",
      held_since: "2026-03-05T11:59:52.000Z",
      lag_records: 7,
      lag_s: 7.5,
    },
  ]);
  const csv = await t.get(FORWARDERS, ADMIN_KEY, { accept: "text/csv" });
  const [, line = ""] = csv.body.split("\r\n");
  expect(line).toContain(",active,30,7,7.5,connection refused,");
});

describe("PATCH /forwarders/{id}", () => {
  const change = (t: TestApp, id: string, body: object) =>
    t.send("PATCH", `${FORWARDERS}/${id}`, ADMIN_KEY, body);

  it("PATCH /forwarders changes what is given, leaves the rest, and notifies the forwarding", async () => {
    const notified = { changes: 0 };
    const check = async () => undefined;
    await using t = await openTestApp({
      forwarders: {
        outbound: { check },
        sockets: { check },
        changed: () => {
          notified.changes += 1;
        },
      },
    });
    const project: ProjectId = await t.project();
    const { id } = (await create(t, { ...MQTT, credentials: LOGIN })).body;
    t.clock.ms += 1_000;
    const response = await change(t, id, { project_ids: [project], format: "traccar", topic: "a" });
    expect(response.json()).toMatchObject({
      project_ids: [project],
      format: "traccar",
      topic: "a",
      url: MQTT.url,
      has_credentials: true,
      updated_at: "2026-03-05T12:00:01.000Z",
    });
    expect((await change(t, id, { project_ids: null, credentials: null })).json()).toMatchObject({
      has_credentials: false,
    });
    expect((await stored(t, id))?.projectIds).toBeUndefined();
    expect(notified.changes).toBe(3);
  });

  it("PATCH /forwarders/{id} wants the credentials anew when the URL leads to another server", async () => {
    await using t = await openTestApp();
    const { id } = (await create(t, { ...HTTP, credentials: LOGIN })).body;
    const elsewhere = "http://127.0.0.1:9998/positions";
    const refused = await change(t, id, { url: elsewhere });
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error.details[0].parameter).toBe("credentials");
    expect((await stored(t, id))?.url).toBe(HTTP.url);
    expect((await change(t, id, { url: "http://127.0.0.1:9999/other" })).statusCode).toBe(200);
    expect((await change(t, id, { url: elsewhere, credentials: LOGIN })).statusCode).toBe(200);
    expect((await change(t, id, { url: HTTP.url, credentials: null })).statusCode).toBe(200);
  });

  it("PATCH /forwarders/{id} goes on behind what it missed while disabled only when asked to", async () => {
    await using t = await openTestApp();
    const { id } = (await create(t, HTTP)).body;
    t.clock.ms += 1_000;
    await change(t, id, { status: "disabled" });
    await change(t, id, { status: "active" });
    expect((await stored(t, id))?.startAtMs).toBe(NOON_MS);
    await change(t, id, { status: "disabled", skip_missed: true });
    expect((await stored(t, id))?.startAtMs).toBe(NOON_MS);
    await change(t, id, { status: "active", skip_missed: true });
    expect((await stored(t, id))?.startAtMs).toBe(NOON_MS + 1_000);
    // It is active: nothing was missed.
    t.clock.ms += 1_000;
    await change(t, id, { status: "active", skip_missed: true });
    expect((await stored(t, id))?.startAtMs).toBe(NOON_MS + 1_000);
  });

  it("PATCH /forwarders/{id} answers 400 naming what is wrong, and changes nothing", async () => {
    await using t = await openTestApp();
    const { id } = (await create(t, HTTP)).body;
    const before = await stored(t, id);
    const wrong = { url: "http://10.0.0.8/", format: "plumbline", topic: "a" };
    for (const [parameter, value] of Object.entries(wrong)) {
      const response = await change(t, id, { [parameter]: value });
      expect(response.statusCode).toBe(400);
      expect(response.json().error.details[0].parameter).toBe(parameter);
    }
    expect(await stored(t, id)).toEqual(before);
  });
});

it("DELETE /forwarders/{id} removes a forwarder", async () => {
  await using t = await openTestApp();
  const { id } = (await create(t, HTTP)).body;
  expect((await t.send("DELETE", `${FORWARDERS}/${id}`, ADMIN_KEY)).statusCode).toBe(204);
  expect((await t.send("DELETE", `${FORWARDERS}/${id}`, ADMIN_KEY)).statusCode).toBe(404);
});
