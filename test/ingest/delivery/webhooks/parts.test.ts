import { describe, expect, it } from "vitest";
import type { StoredEvent } from "../../../../domain/events/events.ts";
import type { ProjectId, WebhookId } from "../../../../domain/ids.ts";
import { createSecretSeal } from "../../../../ingest/credentials/secret-seal.ts";
import { createEventFilter } from "../../../../ingest/delivery/event-filter.ts";
import { createJobQueue, type Job } from "../../../../ingest/delivery/webhooks/job-queue.ts";
import { webhookMessage } from "../../../../ingest/delivery/webhooks/message.ts";
import { readEvents } from "../../../../ingest/delivery/webhooks/read-events.ts";
import { createReceiverHealth } from "../../../../ingest/delivery/webhooks/receiver-health.ts";
import { RETRY_SPAN_MS, retryWaitMs } from "../../../../ingest/delivery/webhooks/retry.ts";
import { settledAfter } from "../../../../ingest/delivery/webhooks/settled-after.ts";
import {
  newSigningSecret,
  signedHeaders,
  signingKey,
} from "../../../../ingest/delivery/webhooks/signature.ts";
import { openMemoryRecords } from "../../../support/memory-records.ts";
import { newEvent } from "../../../support/new-event.ts";
import { START_MS, verified } from "../../../support/webhook-site.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

async function stored(more: Parameters<typeof newEvent>[1] = {}): Promise<StoredEvent> {
  const records = openMemoryRecords(() => START_MS);
  await records.events.append([newEvent("evt_1", more)]);
  const [event] = await records.events.after(0, { limit: 1 });
  if (event === undefined) throw new Error("no event");
  return event;
}

describe("retries", () => {
  it("retries wait 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and end after ten attempts", () => {
    const waits = Array.from({ length: 10 }, (_, i) => retryWaitMs(i + 1, undefined, 0.5));
    expect(waits).toEqual([
      5_000,
      5 * MINUTE_MS,
      30 * MINUTE_MS,
      2 * HOUR_MS,
      5 * HOUR_MS,
      10 * HOUR_MS,
      14 * HOUR_MS,
      20 * HOUR_MS,
      24 * HOUR_MS,
      undefined,
    ]);
  });

  it("retries are spread by a tenth to either side", () => {
    const at = (random: number) => retryWaitMs(2, undefined, random);
    expect([at(0), at(0.5), at(0.999_999)]).toEqual([270_000, 300_000, 330_000]);
  });

  it("retries end within 83.2 h", () => {
    // 1.1 x (5 s + 5 min + 30 min + 75 h).
    expect(RETRY_SPAN_MS).toBeCloseTo(1.1 * (5_000 + 35 * MINUTE_MS + 75 * HOUR_MS));
  });

  it("retries come no sooner than the receiver asks, up to an hour, and never sooner than the table", () => {
    expect(retryWaitMs(1, 90_000, 0.5)).toBe(90_000);
    expect(retryWaitMs(3, 90_000, 0.5)).toBe(30 * MINUTE_MS);
    expect(retryWaitMs(1, 5 * HOUR_MS, 0.5)).toBe(HOUR_MS);
  });
});

describe("a signature", () => {
  const message = { id: "evt_1.1", body: '{"a":"ü"}' };
  const received = (headers: Record<string, string>, body = message.body) => ({
    path: "/",
    headers,
    body,
  });

  it("a signature is that of the example in the specification of Standard Webhooks", () => {
    const key = signingKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    const headers = signedHeaders(
      { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: '{"test": 2432232314}' },
      1_614_265_330_000,
      key === undefined ? [] : [key],
    );
    expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });

  it("a signature is accepted by standardwebhooks for the same body, id and time only", () => {
    const secret = newSigningSecret();
    const key = signingKey(secret) ?? new Uint8Array();
    const headers = signedHeaders(message, START_MS, [key]);
    expect(verified(secret, received(headers), START_MS)).toEqual({ a: "ü" });
    expect(() => verified(secret, received(headers, "{}"), START_MS)).toThrow("signature");
    const otherId = { ...headers, "webhook-id": "evt_1.2" };
    expect(() => verified(secret, received(otherId), START_MS)).toThrow("signature");
    expect(() => verified(newSigningSecret(), received(headers), START_MS)).toThrow("signature");
  });

  it("a signature is there once per secret during a rotation", () => {
    const secrets = [newSigningSecret(), newSigningSecret()];
    const keys = secrets.map((secret) => signingKey(secret) ?? new Uint8Array());
    const headers = signedHeaders(message, START_MS, keys);
    expect(headers["webhook-signature"]).toMatch(/^v1,\S{44} v1,\S{44}$/);
    for (const secret of secrets) {
      expect(verified(secret, received(headers), START_MS)).toEqual({ a: "ü" });
    }
  });

  it.each([
    ["32 bytes", newSigningSecret(), 32],
    ["24 bytes", `whsec_${Buffer.alloc(24).toString("base64")}`, 24],
    ["64 bytes", `whsec_${Buffer.alloc(64).toString("base64")}`, 64],
    ["23 bytes", `whsec_${Buffer.alloc(23).toString("base64")}`, undefined],
    ["65 bytes", `whsec_${Buffer.alloc(65).toString("base64")}`, undefined],
    ["no prefix", Buffer.alloc(32).toString("base64"), undefined],
    ["what is not base64", `whsec_${"!".repeat(43)}=`, undefined],
    ["cut base64", newSigningSecret().slice(0, -3), undefined],
  ])("a signature takes a secret of %s: %s", (_what, secret, length) => {
    expect(signingKey(secret)?.length).toBe(length);
  });
});

describe("a sealed secret", () => {
  const seal = createSecretSeal(new Uint8Array(32).fill(1), "webhooks");
  const sealed = seal.seal("whk_1", "whsec_abc");

  it("a sealed secret opens for its webhook, and does not show in the sealed bytes", () => {
    expect(seal.open("whk_1", sealed)).toBe("whsec_abc");
    expect(Buffer.from(sealed).includes("abc")).toBe(false);
    expect(Buffer.compare(seal.seal("whk_1", "whsec_abc"), sealed)).not.toBe(0);
  });

  it("a sealed secret does not open for another webhook, under another pepper, or with one bit changed", () => {
    const flipped = Uint8Array.from(sealed, (byte, i) =>
      i === sealed.length - 1 ? byte ^ 1 : byte,
    );
    const other = createSecretSeal(new Uint8Array(32).fill(2), "webhooks");
    expect(() => seal.open("whk_2", sealed)).toThrow();
    expect(() => other.open("whk_1", sealed)).toThrow();
    expect(() => seal.open("whk_1", flipped)).toThrow();
    expect(() => seal.open("whk_1", sealed.subarray(0, 20))).toThrow("not a sealed secret");
  });
});

describe("a message", () => {
  it("a message is the event as /events shows it, under the id of this revision", async () => {
    const event = await stored({ revision: 2, type: "equipment.geofence.entered.revised" });
    const { id, body } = webhookMessage(event);
    expect(id).toBe("evt_1.2");
    expect(JSON.parse(body)).toEqual({
      type: "equipment.geofence.entered.revised",
      timestamp: "2026-03-05T12:00:00.000Z",
      data: {
        id: "evt_1",
        sequence: 1,
        revision: 2,
        type: "equipment.geofence.entered.revised",
        project_id: "p1",
        asset_id: "a1",
        occurred_at: "2026-03-05T12:00:00.000Z",
        recorded_at: "2026-03-05T12:00:00.000Z",
        inferred: false,
        withdrawn: false,
        data: {},
      },
    });
  });

  it("a message stays under 20 kB: details that are larger are left out, and it says so", async () => {
    // Two bytes a character.
    const event = await stored({ data: { text: "ü".repeat(10_000) } });
    const { body } = webhookMessage(event);
    expect(Buffer.byteLength(body)).toBeLessThan(20_000);
    const { data } = JSON.parse(body);
    expect(data).toMatchObject({ id: "evt_1", truncated: true });
    expect(data).not.toHaveProperty("data");
    const whole = webhookMessage(await stored({ data: { text: "ü".repeat(9_000) } }));
    expect(JSON.parse(whole.body).data.data.text).toHaveLength(9_000);
  });
});

describe("a subscription", () => {
  const wants = (types: readonly string[], projectIds: readonly string[] | undefined) =>
    createEventFilter({ types, projectIds: projectIds as ProjectId[] | undefined }).wants;

  it("a subscription to a type includes its revisions and withdrawals, and no other type", async () => {
    const wanted = wants(["equipment.geofence.entered"], undefined);
    const types = [
      "equipment.geofence.entered",
      "equipment.geofence.entered.revised",
      "equipment.geofence.entered.withdrawn",
      "equipment.geofence.exited",
      "equipment.geofence.exited.revised",
    ] as const;
    const answers = await Promise.all(types.map(async (type) => wanted(await stored({ type }))));
    expect(answers).toEqual([true, true, true, false, false]);
  });

  it("a subscription ends with * to take every ending, and is empty to take every type", async () => {
    const event = await stored({ type: "equipment.geofence.exited" });
    const filters = [["equipment.geofence.*"], ["equipment.*"], ["*"], [], ["ingest.*"]];
    expect(filters.map((types) => wants(types, undefined)(event))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it("a subscription to projects leaves out the others, and events of no project", async () => {
    const wanted = wants([], ["p1", "p2"]);
    const projects = ["p1", "p2", "p3", undefined];
    const answers = await Promise.all(
      projects.map(async (projectId) => wanted(await stored({ projectId }))),
    );
    expect(answers).toEqual([true, true, false, false]);
    const all = wants([], undefined);
    expect([all(await stored({ projectId: undefined })), all(await stored())]).toEqual([
      true,
      true,
    ]);
  });
});

describe("the queue of a webhook", () => {
  const job = (sequence: number) => ({ event: { sequence } }) as unknown as Job;

  it("the queue of a webhook gives new events and retries in turn, each in order", () => {
    const queue = createJobQueue();
    for (const sequence of [11, 12, 13]) queue.addNew(job(sequence));
    for (const sequence of [1, 2]) queue.addRetry(job(sequence));
    const order = Array.from({ length: 6 }, () => queue.next()?.event.sequence);
    expect(order).toEqual([11, 1, 12, 2, 13, undefined]);
  });

  it("the queue of a webhook holds 1,000 new events and 64 retries", () => {
    const queue = createJobQueue();
    for (let i = 0; i < 999; i += 1) queue.addNew(job(i));
    for (let i = 0; i < 60; i += 1) queue.addRetry(job(i));
    expect([queue.hasRoom(1), queue.hasRoom(2), queue.retryRoom]).toEqual([true, false, 4]);
  });
});

describe("a receiver", () => {
  function health() {
    const clock = { serverMs: START_MS, elapsedMs: 0 };
    return {
      clock,
      health: createReceiverHealth(
        () => clock.serverMs,
        () => clock.elapsedMs,
      ),
    };
  }

  it("a receiver that is up gets eight requests at a time", () => {
    const t = health();
    expect([0, 7, 8].map((inFlight) => t.health.mayStart(inFlight))).toEqual([true, true, false]);
  });

  it("a receiver that failed eight times in a row gets one request every 100 ms until one succeeds", () => {
    const t = health();
    for (let i = 0; i < 7; i += 1) t.health.failed(undefined);
    expect(t.health.mayStart(7)).toBe(true);
    t.health.failed(undefined);
    t.health.started();
    expect([t.health.mayStart(0), t.health.pauseMs]).toEqual([false, 100]);
    t.clock.elapsedMs = 100;
    expect([t.health.mayStart(0), t.health.mayStart(1)]).toEqual([true, false]);
    t.clock.serverMs += 5_000;
    expect(t.health.downForMs).toBe(5_000);
    t.health.succeeded();
    expect([t.health.mayStart(7), t.health.downForMs]).toEqual([true, 0]);
  });

  it("a receiver that sent Retry-After is left alone for as long", () => {
    const t = health();
    t.health.failed(30_000);
    t.clock.serverMs += 29_999;
    expect(t.health.mayStart(0)).toBe(false);
    t.clock.serverMs += 1;
    expect(t.health.mayStart(0)).toBe(true);
  });
});

describe("reading back", () => {
  it("reading back finds events by sequence, near and far, and leaves out those that are gone", async () => {
    const records = openMemoryRecords(() => START_MS);
    await records.events.append(Array.from({ length: 3_000 }, (_, i) => newEvent(`evt_${i + 1}`)));
    records.rows.events.splice(4, 1);
    let reads = 0;
    const counting = {
      after: (...input: Parameters<typeof records.events.after>) => {
        reads += 1;
        return records.events.after(...input);
      },
    };
    const found = await readEvents(counting, [2_999, 3, 5, 4, 9_999]);
    expect([...found.keys()].filter((key) => [3, 4, 5, 2_999, 9_999].includes(key))).toEqual([
      3, 4, 2_999,
    ]);
    expect([found.get(2_999)?.id, reads]).toEqual(["evt_2999", 2]);
  });

  it("reading back finds the rows behind a cursor, over many pages of the log", async () => {
    const records = openMemoryRecords(() => START_MS);
    const webhookId = "whk_1" as WebhookId;
    for (let sequence = 1; sequence <= 1_200; sequence += 1) {
      records.rows.deliveries.set(`whk_1 ${sequence}`, {
        webhookId,
        eventSequence: sequence,
      } as never);
    }
    const settled = await settledAfter(records.webhooks, webhookId, 100);
    expect([settled.size, settled.has(100), settled.has(101)]).toEqual([1_100, false, true]);
  });
});
