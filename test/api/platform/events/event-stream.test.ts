import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { NewEvent } from "../../../../domain/events/events.ts";
import type { ProjectId } from "../../../../domain/ids.ts";
import { eventView } from "../../../../ingest/delivery/event-view.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { newEvent } from "../../../support/new-event.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import { openSse, type SseClient, SseRefused } from "../../../support/sse-client.ts";
import { until } from "../../../support/until.ts";

interface World extends AsyncDisposable {
  readonly t: TestApp;
  readonly open: (
    query?: string,
    options?: { readonly key?: string; readonly cookie?: string; readonly lastEventId?: string },
  ) => Promise<SseClient>;
  /** Puts events into the outbox and notifies the feed. */
  readonly append: (...events: readonly NewEvent[]) => Promise<void>;
}

async function world(): Promise<World> {
  const t = await openTestApp();
  for (const id of ["p1", "p2"]) await t.project({ id: id as ProjectId });
  await t.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = t.app.server.address() as AddressInfo;
  const clients: SseClient[] = [];
  return {
    t,
    async open(query = "", options = {}) {
      const key = options.key ?? (options.cookie === undefined ? ADMIN_KEY : undefined);
      const url = `http://127.0.0.1:${port}/api/v1/events/stream${query}`;
      const client = await openSse(url, { ...options, key });
      clients.push(client);
      return client;
    },
    async append(...events) {
      await t.records.events.append(events);
      t.feed.poke();
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.cut();
      await t[Symbol.asyncDispose]();
    },
  };
}

const numbered = (from: number, count: number, more: Partial<NewEvent> = {}) =>
  Array.from({ length: count }, (_, i) => newEvent(`e${from + i}`, more));
const ids = (client: SseClient) => client.messages.map(({ id }) => Number(id));
const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);
const heard = (client: SseClient, count: number) =>
  until(`${count} events`, () => client.messages.length >= count, PATIENT_MS);
const over = (client: SseClient) => until("the end of the stream", () => client.isOver, PATIENT_MS);
const keyFor = (t: TestApp, project?: string) =>
  t.key({
    scopes: ["events:read"],
    ...(project === undefined ? {} : { project_ids: [project as ProjectId] }),
  });
const openNow = async (t: TestApp) =>
  (await t.metrics.getSingleMetric("plumbline_event_streams")?.get())?.values[0]?.value;

/** How many streams ended for that reason. */
async function ended(t: TestApp, reason: string): Promise<number> {
  const metric = await t.metrics.getSingleMetric("plumbline_event_streams_ended_total")?.get();
  return metric?.values.find(({ labels }) => labels["reason"] === reason)?.value ?? 0;
}

/** The refusal of a stream that must not open. */
async function refusal(opening: Promise<SseClient>): Promise<SseRefused> {
  return opening.then(
    () => Promise.reject(new Error("it opened")),
    (error: unknown) => {
      if (error instanceof SseRefused) return error;
      throw error;
    },
  );
}

afterEach(() => {
  vi.useRealTimers();
});

describe("the event stream", () => {
  it("the event stream sends what comes from now on, with sequence, type and the object of GET /events", async () => {
    await using w = await world();
    await w.append(...numbered(1, 2));
    const client = await w.open();
    await w.append(newEvent("e3", { data: { text: "line\nline" } }));
    await heard(client, 1);
    const [stored] = await w.t.records.events.after(2, { limit: 1 });
    if (stored === undefined) throw new Error("not stored");
    expect(client.messages).toEqual([
      { id: "3", event: "equipment.geofence.entered", data: JSON.stringify(eventView(stored)) },
    ]);
  });

  it("the event stream carries the rate headers and request id of every answer, and keeps proxies from holding it", async () => {
    await using w = await world();
    const { headers } = await w.open("?nonsense=1");
    expect(headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
      "x-ratelimit-limit": "10000",
      "x-ratelimit-remaining": "9999",
      "x-ratelimit-reset": expect.stringMatching(/^[0-9]+$/),
      "x-request-id": expect.stringMatching(/^req_/),
      "x-ignored-parameters": "nonsense",
    });
  });

  it("the event stream gives a client that is cut before its first event an id to come back with", async () => {
    await using w = await world();
    await w.append(...numbered(1, 2));
    const client = await w.open();
    await until("an id", () => client.lastEventId === "2", PATIENT_MS);
    client.cut();
    await w.append(...numbered(3, 1));
    const again = await w.open("", { lastEventId: client.lastEventId });
    await heard(again, 1);
    expect(ids(again)).toEqual([3]);
  });

  it("the event stream replays from after, or rather from Last-Event-ID, what is in the store only and what is in memory", async () => {
    await using w = await world();
    // The feed keeps the newest 1,000 to 2,000 in memory.
    await w.append(...numbered(1, 2_500));
    await until("the feed", () => w.t.feed.lastSequence === 2_500, PATIENT_MS);
    expect(w.t.feed.recent(0)).toBeUndefined();
    expect(w.t.feed.recent(2_000)).toHaveLength(500);
    const whole = await w.open("?cursor=0");
    await heard(whole, 2_500);
    expect(ids(whole)).toEqual(upTo(2_500));
    const part = await w.open("?cursor=0", { lastEventId: "2490" });
    await heard(part, 10);
    expect(ids(part)).toEqual(upTo(2_500, 2_491));
  });

  it("the event stream shows clients that come and go every event once and in order, while events pour in", async () => {
    await using w = await world();
    const random = seededRandom(11);
    const total = 4_000;
    const limited = await keyFor(w.t, "p2");
    const seen: { readonly all: number[]; readonly own: number[] } = { all: [], own: [] };

    async function follow(key: string, into: number[], last: () => boolean): Promise<void> {
      let lastEventId = "0";
      while (!last()) {
        const client = await w.open("", { key, lastEventId });
        await delay(5 + random() * 40);
        client.cut();
        await over(client);
        into.push(...ids(client));
        lastEventId = client.lastEventId;
      }
    }

    async function pour(): Promise<void> {
      for (let at = 1; at <= total; ) {
        const count = Math.min(1 + Math.floor(random() * 60), total + 1 - at);
        const events = numbered(at, count).map((event, i) =>
          (at + i) % 3 === 0 ? { ...event, projectId: "p2" } : event,
        );
        await w.append(...events);
        at += count;
        await delay(random() * 10);
      }
    }

    await Promise.all([
      pour(),
      follow(ADMIN_KEY, seen.all, () => seen.all.length >= total),
      follow(limited, seen.own, () => seen.own.length >= Math.floor(total / 3)),
    ]);
    expect(seen.all).toEqual(upTo(total));
    expect(seen.own).toEqual(upTo(total).filter((sequence) => sequence % 3 === 0));
  });

  it("the event stream chooses by type, asset and project as GET /events does", async () => {
    await using w = await world();
    const byType = await w.open("?cursor=0&type=equipment.geofence.exited");
    const byAsset = await w.open("?cursor=0&asset_id=a2");
    const byProject = await w.open("?cursor=0&project_id=p2");
    await w.append(
      newEvent("e1"),
      newEvent("e2", { type: "equipment.geofence.exited" }),
      newEvent("e3", { assetId: "a2", projectId: "p2" }),
      newEvent("e2", { revision: 2, type: "equipment.geofence.exited.withdrawn" }),
      newEvent("e5", { projectId: "p2" }),
    );
    await Promise.all([byType, byAsset, byProject].map((c, i) => heard(c, [2, 1, 2][i] ?? 0)));
    expect([byType, byAsset, byProject].map(ids)).toEqual([[2, 4], [3], [3, 5]]);
  });

  it("the event stream keeps projects apart: two keys hear their own, events of no project go to unlimited keys", async () => {
    await using w = await world();
    const one = await w.open("?cursor=0", { key: await keyFor(w.t, "p1") });
    const two = await w.open("?cursor=0", { key: await keyFor(w.t, "p2") });
    const all = await w.open("?cursor=0", { key: await keyFor(w.t) });
    const event = (i: number, projectId: string | undefined) => newEvent(`e${i}`, { projectId });
    await w.append(event(1, "p1"), event(2, "p2"), event(3, undefined));
    // The same again, once through memory and once live.
    await heard(all, 3);
    await w.append(event(4, "p2"), event(5, undefined), event(6, "p1"));
    await heard(all, 6);
    await Promise.all([heard(one, 2), heard(two, 2)]);
    expect([one, two, all].map(ids)).toEqual([[1, 6], [2, 4], upTo(6)]);
    const foreign = await refusal(w.open("?project_id=p1", { key: await keyFor(w.t, "p2") }));
    expect(foreign.status).toBe(404);
  });

  it("the event stream drops a client that does not read, delays nobody by it, and lets it come back without a gap", async () => {
    await using w = await world();
    const slow = await w.open();
    const quick = await w.open();
    slow.pause();
    const text = "x".repeat(20_000);
    let count = 0;
    // What the sockets hold, some megabytes, comes before the mebibyte that the stream allows.
    while ((await ended(w.t, "slow")) === 0) {
      await w.append(...numbered(count + 1, 50, { data: { text } }));
      count += 50;
      await heard(quick, count);
      if (count > 5_000) throw new Error("100 MB are waiting for a client that does not read");
    }
    expect(ids(quick)).toEqual(upTo(count));
    slow.resume();
    await over(slow);
    const again = await w.open("", { lastEventId: slow.lastEventId });
    await heard(again, count - slow.messages.length);
    expect([...ids(slow), ...ids(again)]).toEqual(upTo(count));
  });

  it("the event stream gives a key five streams; the sixth is refused until one of them ends", async () => {
    await using w = await world();
    const key = await keyFor(w.t);
    const [first] = await Promise.all(Array.from({ length: 5 }, () => w.open("", { key })));
    const { status, body, headers } = await refusal(w.open("", { key }));
    expect(status).toBe(429);
    expect(JSON.parse(body).error.code).toBe("rate_limit_exceeded");
    expect(headers).toMatchObject({
      "retry-after": "15",
      "x-ratelimit-limit": "1000",
      "content-type": "application/json; charset=utf-8",
    });
    await w.open("", { key: await keyFor(w.t) });
    first?.cut();
    await until("the place", async () => (await openNow(w.t)) === 5, PATIENT_MS);
    await w.open("", { key });
    expect(await openNow(w.t)).toBe(6);
  });

  it("the event stream ends when its key is revoked, and only then", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    await using w = await world();
    const key = await keyFor(w.t);
    const client = await w.open("", { key });
    const other = await w.open("", { key: await keyFor(w.t) });
    const [row] = [...w.t.records.rows.keys.values()];
    await w.t.send("DELETE", `/api/v1/keys/${row?.key.id}`, ADMIN_KEY);
    vi.advanceTimersByTime(1_000);
    await over(client);
    expect(other.isOver).toBe(false);
    expect(await ended(w.t, "revoked")).toBe(1);
    expect((await refusal(w.open("", { key }))).status).toBe(401);
  });

  it("the event stream ends within 5 s when another process revokes its key, and when the key expires", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    await using w = await world();
    const expires_at = new Date(w.t.clock.ms + 3_600_000).toISOString();
    const revoked = await w.open("", { key: await keyFor(w.t) });
    const expiring = await w.open("", {
      key: await w.t.key({ scopes: ["events:read"], expires_at }),
    });
    const [row] = [...w.t.records.rows.keys.values()];
    if (row === undefined) throw new Error("no key");
    // The keyring knows nothing of it; five seconds pass, step by step.
    await w.t.records.apiKeys.revoke(row.key.id, new Date(w.t.clock.ms).toISOString());
    for (let s = 0; s < 5; s += 1) {
      w.t.clock.ms += 1_000;
      vi.advanceTimersByTime(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await over(revoked);
    expect(expiring.isOver).toBe(false);
    w.t.clock.ms = Date.parse(expires_at);
    vi.advanceTimersByTime(1_000);
    await over(expiring);
  });

  it("the streams of a session end within 5 s of its end, or of the revocation of its key", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    await using w = await world();
    const { t } = w;
    const logIn = async (key: string) => {
      const answer = await t.send("POST", "/api/v1/session", undefined, { key });
      return String(answer.headers["set-cookie"]).split(";")[0] ?? "";
    };
    const ofKey = await w.open("", { cookie: await logIn(await keyFor(t)) });
    const one = await w.open("", { cookie: await logIn(ADMIN_KEY) });
    const other = await w.open("", { cookie: await logIn(ADMIN_KEY) });
    const [row] = [...t.records.rows.keys.values()];
    const [session] = (await t.records.sessions.list()).filter(({ keyId }) => keyId === "admin");
    if (row === undefined || session === undefined) throw new Error("no key or session");
    // As another process would: this one hears nothing of it. Five seconds pass, step by step.
    await t.records.apiKeys.revoke(row.key.id, new Date(t.clock.ms).toISOString());
    await t.records.sessions.remove(session.id);
    for (let s = 0; s < 5; s += 1) {
      t.clock.ms += 1_000;
      vi.advanceTimersByTime(1_000);
      for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    await over(ofKey);
    await until("the end of one", () => one.isOver || other.isOver, PATIENT_MS);
    expect([one.isOver, other.isOver].filter(Boolean)).toHaveLength(1);
  });

  it("each session of a key may have 5 event streams", async () => {
    await using w = await world();
    const logIn = async () => {
      const answer = await w.t.send("POST", "/api/v1/session", undefined, { key: ADMIN_KEY });
      return String(answer.headers["set-cookie"]).split(";")[0] ?? "";
    };
    const [first, second] = [await logIn(), await logIn()];
    for (let i = 0; i < 5; i += 1) await w.open("", { cookie: first });
    expect((await refusal(w.open("", { cookie: first }))).status).toBe(429);
    await w.open("", { cookie: second });
    await w.open();
  });

  it("the event stream stays while the store is away, and goes on when it is back", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    await using w = await world();
    const client = await w.open("", { key: await keyFor(w.t) });
    w.t.records.away = true;
    w.t.clock.ms += 60_000;
    vi.advanceTimersByTime(5_000);
    w.t.records.away = false;
    await w.append(...numbered(1, 1));
    await heard(client, 1);
    expect(ids(client)).toEqual([1]);
  });

  it("the event stream says every 15 s that it lives, and moves the client's id past what it did not ask for", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    await using w = await world();
    const client = await w.open("?type=equipment.limit.exceeded");
    await w.append(...numbered(1, 3));
    await until("the feed", () => w.t.feed.lastSequence === 3, PATIENT_MS);
    vi.advanceTimersByTime(14_999);
    expect(client.comments).toEqual([]);
    vi.advanceTimersByTime(1);
    await until("the ping", () => client.comments.length === 1, PATIENT_MS);
    expect(client).toMatchObject({ comments: ["ping"], lastEventId: "3", messages: [] });
  });

  it("the event stream drops a client that stops reading while it catches up, when it took nothing between two pings", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    await using w = await world();
    // More than the sockets hold.
    await w.append(...numbered(1, 400, { data: { text: "x".repeat(40_000) } }));
    await until("the feed", () => w.t.feed.lastSequence === 400, PATIENT_MS);
    const slow = await w.open("?cursor=0");
    slow.pause();
    const quick = await w.open();
    await until(
      "the end of it",
      async () => {
        vi.advanceTimersByTime(15_000);
        return (await ended(w.t, "slow")) === 1;
      },
      PATIENT_MS,
    );
    slow.resume();
    await over(slow);
    expect(slow.messages.length).toBeLessThan(400);
    expect(quick.isOver).toBe(false);
  });

  it("answers 400 to a Last-Event-ID that is not the sequence of an event", async () => {
    await using w = await world();
    await w.append(...numbered(1, 6));
    const texts = ["yesterday", "-1", "1.5", "1e3", "latest", "7; drop", "9".repeat(16), "7"];
    for (const lastEventId of texts) {
      const { status, body } = await refusal(w.open("", { lastEventId }));
      expect({ lastEventId, status, error: JSON.parse(body).error }).toMatchObject({
        lastEventId,
        status: 400,
        error: { code: "invalid_parameter", details: [{ parameter: "Last-Event-ID" }] },
      });
    }
  });

  it("the event stream needs a key with events:read", async () => {
    await using w = await world();
    const key = await w.t.key({ scopes: ["equipment:read"] });
    expect((await refusal(w.open("", { key }))).status).toBe(403);
    expect((await refusal(w.open("", { key: "nobody" }))).status).toBe(401);
  });

  it("the event stream ends at once when the server stops, also for a client that does not read", async () => {
    const w = await world();
    const quick = await w.open();
    const slow = await w.open();
    slow.pause();
    await w.append(...numbered(1, 1));
    await heard(quick, 1);
    // More than the sockets hold is before both when the server stops.
    await w.append(...numbered(2, 400, { data: { text: "x".repeat(40_000) } }));
    await until("the feed", () => w.t.feed.lastSequence === 401, PATIENT_MS);
    await w.t.app.close();
    await over(quick);
    slow.resume();
    await over(slow);
    // What was not sent is for the next time; what came, came whole.
    for (const client of [quick, slow]) expect(ids(client)).toEqual(upTo(ids(client).length));
    expect(ids(slow).length).toBeLessThan(401);
    await w[Symbol.asyncDispose]();
  });
});
