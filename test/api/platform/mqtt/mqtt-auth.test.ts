import { expect, it } from "vitest";
import type { ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";

const LOGIN = "/api/v1/mqtt/auth";
const ACCESS = "/api/v1/mqtt/acl";
const SERVICE = { username: "plumbline", password: "of the service" };

interface World {
  readonly t: TestApp;
  /** The broker's key. */
  readonly key: string;
  readonly projectId: ProjectId;
  readonly device: { readonly username: string; readonly password: string };
  login(body: object): Promise<unknown>;
  may(username: string | null, action: string, topic: string, keyId?: string): Promise<unknown>;
}

/** A project with one device, and a broker with a key of its own. */
async function openWorld(): Promise<World & AsyncDisposable> {
  const t = await openTestApp({ mqttLogin: SERVICE });
  const key = await t.key({ scopes: ["mqtt:auth"], plan: "enterprise" });
  const projectId = await t.project();
  const made = await t.send("POST", "/api/v1/equipment/assets", ADMIN_KEY, {
    id: "crane-1",
    name: "Crane",
    type: "crane",
    project_id: projectId,
  });
  return {
    t,
    key,
    projectId,
    device: made.json().mqtt,
    async login(body) {
      const answer = await t.send("POST", LOGIN, key, body);
      expect(answer.statusCode).toBe(200);
      return answer.json();
    },
    async may(username, action, topic, keyId) {
      const body = { username, action, topic, ...(keyId === undefined ? {} : { key_id: keyId }) };
      const answer = await t.send("POST", ACCESS, key, body);
      expect(answer.statusCode).toBe(200);
      return answer.json().result;
    },
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  };
}

const ALLOWED = { result: "allow", is_superuser: false };
const DENIED = { result: "deny", is_superuser: false };

it("the broker's questions let a device in with its secret, and with no other", async () => {
  await using w = await openWorld();
  const { username, password } = w.device;
  expect(await w.login({ username, password, clientid: "crane-1" })).toEqual(ALLOWED);
  expect(await w.login({ username, password: `${password}x` })).toEqual(DENIED);
  expect(await w.login({ username: "crane-2", password })).toEqual(DENIED);
  expect(await w.login({ username: null, password: null })).toEqual(DENIED);
  expect(await w.login({})).toEqual(DENIED);
  await w.t.send("POST", "/api/v1/equipment/assets/crane-1/credentials", ADMIN_KEY, {});
  expect(await w.login({ username, password })).toEqual(DENIED);
});

it("the answers to an external broker keeps the client ids of the service's sessions for the service", async () => {
  await using w = await openWorld();
  const clientid = "plumbline-ingest-7";
  expect(await w.login({ ...w.device, clientid })).toEqual(DENIED);
  expect(await w.login({ ...w.device, clientid: "Plumbline-ingest-7" })).toEqual(DENIED);
  expect(await w.login({ ...SERVICE, clientid })).toEqual({ result: "allow", is_superuser: true });
  expect(await w.login({ ...SERVICE, password: "wrong", clientid })).toEqual(DENIED);
});

it("the answers to an external broker lets a device publish under its own id only, and subscribe to its own commands only", async () => {
  await using w = await openWorld();
  const own = `sites/${w.projectId}/assets/crane-1`;
  const other = `sites/${w.projectId}/assets/crane-2`;
  expect(await w.may("crane-1", "publish", `${own}/telemetry`)).toBe("allow");
  expect(await w.may("crane-1", "publish", `${own}/owntracks`)).toBe("allow");
  expect(await w.may("crane-1", "publish", `${own}/owntracks/event`)).toBe("allow");
  expect(await w.may("crane-1", "publish", `${other}/owntracks/event`)).toBe("deny");
  expect(await w.may("crane-1", "publish", `${other}/telemetry`)).toBe("deny");
  expect(await w.may("crane-1", "publish", `sites/${w.projectId}/events/x`)).toBe("deny");
  expect(await w.may("crane-1", "publish", `${own}/telemetry/more`)).toBe("deny");
  expect(await w.may("crane-1", "subscribe", `${own}/cmd/#`)).toBe("allow");
  expect(await w.may("crane-1", "subscribe", `${other}/cmd/#`)).toBe("deny");
  expect(await w.may("crane-1", "subscribe", "#")).toBe("deny");
  expect(await w.may("crane-2", "publish", `${other}/telemetry`)).toBe("deny");
  expect(await w.may(null, "subscribe", "#")).toBe("deny");
  expect(await w.may("plumbline", "subscribe", "sites/+/assets/+/+")).toBe("allow");
});

it("the answers to an external broker lets a device publish on its vendor's topics that name it, as it is registered now", async () => {
  await using w = await openWorld();
  const own = [
    "owntracks/crane-1/phone/event",
    "owntracks/fred/pixel",
    "owntracks/fred/pixel/event",
  ];
  const may = (topics: readonly string[], name = "crane-1") =>
    Promise.all(topics.map((topic) => w.may(name, "publish", topic)));
  expect(await may(own)).toEqual(["deny", "deny", "deny"]);
  const register = (body: object) =>
    w.t.send("PATCH", "/api/v1/equipment/assets/crane-1", ADMIN_KEY, body);
  await register({ decoder: "owntracks", hardware_id: "fred/pixel" });
  expect(await may(own)).toEqual(["allow", "allow", "allow"]);
  expect(await may(["owntracks/fred/other", "owntracks/#", "owntracks/fred/pixel/+"])).toEqual([
    "deny",
    "deny",
    "deny",
  ]);
  expect(await may(own, "crane-2")).toEqual(["deny", "deny", "deny"]);
  expect(await w.may("crane-1", "subscribe", "owntracks/fred/pixel")).toBe("deny");
  await register({ hardware_id: null });
  expect(await may(own)).toEqual(["allow", "deny", "deny"]);
  // The same for every device: at an external broker the topic does not show whose it is.
  await register({ decoder: "thingsboard" });
  expect(await may(["v1/devices/me/telemetry"])).toEqual(["deny"]);
});

it("the answers to an external broker lets an edge node speak for its devices, and hear its own commands only", async () => {
  await using w = await openWorld();
  const register = (hardware_id: string) =>
    w.t.send("PATCH", "/api/v1/equipment/assets/crane-1", ADMIN_KEY, {
      decoder: "sparkplug",
      hardware_id,
    });
  const may = (action: "publish" | "subscribe", ...topics: readonly string[]) =>
    Promise.all(topics.map((topic) => w.may("crane-1", action, topic)));
  const commands = ["spBv1.0/Quarry 7/NCMD/Edge/#", "spBv1.0/Quarry 7/DCMD/Edge/#"];
  expect(await may("subscribe", ...commands)).toEqual(["deny", "deny"]);
  await register("Quarry 7/Edge");
  expect(await may("subscribe", ...commands, "spBv1.0/STATE/scada")).toEqual([
    "allow",
    "allow",
    "allow",
  ]);
  expect(
    await may("subscribe", "spBv1.0/Quarry 7/NCMD/+", "spBv1.0/Quarry 7/DDATA/Edge/Pump"),
  ).toEqual(["deny", "deny"]);
  const own = "spBv1.0/Quarry 7/DDATA/Edge/Pump";
  expect(await may("publish", own, own.replace("Edge", "Other"))).toEqual(["allow", "deny"]);
  // A device behind it has no session of its own on these topics.
  await register("Quarry 7/Edge/Pump");
  expect(await may("subscribe", ...commands)).toEqual(["deny", "deny"]);
  expect(await may("publish", own)).toEqual(["deny"]);
});

it("the answers to an external broker lets no hardware id reach into the topics of another asset", async () => {
  await using w = await openWorld();
  const other = `sites/${w.projectId}/assets/crane-2`;
  await w.t.send("PATCH", "/api/v1/equipment/assets/crane-1", ADMIN_KEY, {
    decoder: "owntracks",
    hardware_id: `../${other}`,
  });
  for (const topic of [`${other}/telemetry`, `owntracks/../${other}/telemetry/..`]) {
    const isOwn = topic.startsWith("owntracks");
    expect(await w.may("crane-1", "publish", topic)).toBe(isOwn ? "allow" : "deny");
  }
});

it("the answers to an external broker lets readers of events see the projects of their key until it is revoked", async () => {
  await using w = await openWorld();
  const reader = await w.t.key({ scopes: ["events:read"], project_ids: [w.projectId] });
  const mute = await w.t.key({ scopes: ["equipment:read"] });
  expect(await w.login({ username: "apikey", password: mute })).toEqual(DENIED);
  expect(await w.login({ username: "apikey", password: "nobody's" })).toEqual(DENIED);
  const answer = (await w.login({ username: "apikey", password: reader })) as {
    client_attrs: { key_id: string };
  };
  expect(answer).toMatchObject(ALLOWED);
  const keyId = answer.client_attrs.key_id;
  const events = `sites/${w.projectId}/events/#`;
  expect(await w.may("apikey", "subscribe", events, keyId)).toBe("allow");
  expect(await w.may("apikey", "subscribe", events)).toBe("deny");
  expect(await w.may("apikey", "subscribe", "sites/elsewhere/events/#", keyId)).toBe("deny");
  expect(await w.may("apikey", "subscribe", "sites/+/events/#", keyId)).toBe("deny");
  expect(await w.may("apikey", "publish", events, keyId)).toBe("deny");
  await w.t.send("DELETE", `/api/v1/keys/${keyId}`, ADMIN_KEY);
  // Within the 5 s of a revocation.
  w.t.clock.ms = NOON_MS + 4_000;
  expect(await w.may("apikey", "subscribe", events, keyId)).toBe("deny");
});

it("the answers to an external broker go on letting devices in after more questions than a plan allows in a minute", async () => {
  await using w = await openWorld();
  const key = await w.t.key({ scopes: ["mqtt:auth"], plan: "standard" });
  const wrong = { username: "crane-1", password: "wrong" };
  for (let i = 0; i < 1_100; i += 1) await w.t.send("POST", LOGIN, key, wrong);
  const right = await w.t.send("POST", LOGIN, key, w.device);
  expect([right.statusCode, right.json()]).toEqual([200, ALLOWED]);
});

it("the answers to an external broker need a key with mqtt:auth, and its questions are counted apart", async () => {
  await using w = await openWorld();
  const stranger = await w.t.key({ scopes: ["equipment:write", "events:read"] });
  for (const url of [LOGIN, ACCESS]) {
    expect((await w.t.send("POST", url, undefined, {})).statusCode).toBe(401);
    const refused = await w.t.send("POST", url, stranger, {});
    expect([refused.statusCode, refused.headers["x-ratelimit-limit"]]).toEqual([403, "1000"]);
  }
  const answer = await w.t.send("POST", LOGIN, w.key, {});
  expect(answer.headers["x-ratelimit-limit"]).toBe("600000");
  const wrong = await w.t.send("POST", ACCESS, w.key, { action: "fly", topic: "x" });
  expect(wrong.statusCode).toBe(400);
});

it("the answers to an external broker are noted as the outcome of each log-in of a device, and failed ones of readers", async () => {
  const noted: object[] = [];
  await using t = await openTestApp({
    mqttLogin: SERVICE,
    noteConnection: ({ assetId, outcome, username }) => noted.push({ assetId, outcome, username }),
  });
  const key = await t.key({ scopes: ["mqtt:auth"], plan: "enterprise" });
  const made = await t.send("POST", "/api/v1/equipment/assets", ADMIN_KEY, {
    id: "crane-1",
    name: "Crane",
    type: "crane",
    project_id: await t.project(),
  });
  const { username, password } = made.json().mqtt;
  const reader = await t.key({ scopes: ["events:read"] });
  for (const body of [
    { username, password },
    { username, password: "wrong" },
    { username: "crane-2", password },
    { username: "apikey", password: reader },
    { username: "apikey", password: "wrong" },
    SERVICE,
  ]) {
    await t.send("POST", LOGIN, key, body);
  }
  expect(noted).toEqual([
    { assetId: "crane-1", outcome: "accepted", username: "crane-1" },
    { assetId: "crane-1", outcome: "wrong_password", username: "crane-1" },
    { assetId: undefined, outcome: "unknown_user", username: "crane-2" },
    { assetId: undefined, outcome: "wrong_password", username: "apikey" },
  ]);
});
