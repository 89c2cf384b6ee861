import { describe, expect, it } from "vitest";
import { newSigningSecret } from "../../../../ingest/delivery/webhooks/signature.ts";
import { answering, openHttpReceiver } from "../../../support/http-receiver.ts";
import { newEvent } from "../../../support/new-event.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { until } from "../../../support/until.ts";
import { idsOf, openWebhookSite, P2, START_MS, verified } from "../../../support/webhook-site.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

describe("a webhook", () => {
  it("a webhook is sent every event once, signed so that standardwebhooks accepts it", async () => {
    await using receiver = await openHttpReceiver();
    await using t = await openWebhookSite();
    const id = await t.subscribe("whk_1", receiver.url);
    await t.raise(newEvent("evt_a"), newEvent("evt_b", { data: { speed_kmh: 12 } }));
    await until("both arrive", () => receiver.received.length === 2, PATIENT_MS);
    const [first, second] = receiver.received;
    if (first === undefined || second === undefined) throw new Error("not received");
    expect(idsOf(receiver.received)).toEqual(["evt_a.1", "evt_b.1"]);
    expect(first.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-timestamp": String(START_MS / 1000),
    });
    expect(verified(t.secret, second, START_MS)).toMatchObject({
      type: "equipment.geofence.entered",
      timestamp: "2026-03-05T12:00:00.000Z",
      data: { id: "evt_b", sequence: 2, data: { speed_kmh: 12 } },
    });
    await until(
      "recorded",
      async () => (await t.delivery(id, 2))?.state === "delivered",
      PATIENT_MS,
    );
    expect(await t.delivery(id, 1)).toEqual({
      webhookId: id,
      eventSequence: 1,
      messageId: "evt_a.1",
      eventType: "equipment.geofence.entered",
      state: "delivered",
      attempts: 1,
      firstAttemptAtMs: START_MS,
      lastAttemptAtMs: START_MS,
      nextAttemptAtMs: undefined,
      lastStatus: 204,
      lastError: undefined,
      lastDurationMs: expect.any(Number),
    });
    expect((await t.records.webhooks.cursors()).get(id)).toBe(2);
  });

  it("a webhook gets the revisions and the withdrawal of an event under ids of their own", async () => {
    await using receiver = await openHttpReceiver();
    await using t = await openWebhookSite();
    await t.subscribe("whk_1", receiver.url, { types: ["equipment.geofence.entered"] });
    await t.raise(
      newEvent("evt_a"),
      newEvent("evt_x", { type: "equipment.asset.silent" }),
      newEvent("evt_a", { revision: 2, type: "equipment.geofence.entered.revised" }),
      newEvent("evt_a", {
        revision: 3,
        type: "equipment.geofence.entered.withdrawn",
        withdrawn: true,
      }),
    );
    await until("three arrive", () => receiver.received.length === 3, PATIENT_MS);
    const delivered = receiver.received.map(({ headers, body }) => {
      const { type, data } = JSON.parse(body);
      return [headers["webhook-id"], type, data.id, data.revision, data.withdrawn];
    });
    expect(delivered.toSorted()).toEqual([
      ["evt_a.1", "equipment.geofence.entered", "evt_a", 1, false],
      ["evt_a.2", "equipment.geofence.entered.revised", "evt_a", 2, false],
      ["evt_a.3", "equipment.geofence.entered.withdrawn", "evt_a", 3, true],
    ]);
  });

  it("a webhook gets only the types and the projects that it asked for", async () => {
    await using receiver = await openHttpReceiver();
    await using t = await openWebhookSite();
    const id = await t.subscribe("whk_1", receiver.url, {
      types: ["equipment.geofence.*"],
      projectIds: [P2],
    });
    await t.raise(
      newEvent("evt_1"),
      newEvent("evt_2", { projectId: P2 }),
      newEvent("evt_3", { projectId: P2, type: "equipment.asset.silent" }),
      newEvent("evt_4", { projectId: undefined }),
      newEvent("evt_5", { projectId: P2, type: "equipment.geofence.exited" }),
    );
    await until("two arrive", () => receiver.received.length === 2, PATIENT_MS);
    await until(
      "cursor",
      async () => (await t.records.webhooks.cursors()).get(id) === 5,
      PATIENT_MS,
    );
    expect(idsOf(receiver.received).toSorted()).toEqual(["evt_2.1", "evt_5.1"]);
  });

  it("a webhook signs with the old and the new secret until the old one ends", async () => {
    await using receiver = await openHttpReceiver();
    await using t = await openWebhookSite();
    const fresh = newSigningSecret();
    await t.subscribe("whk_1", receiver.url, {
      secrets: [fresh, t.secret].map((secret, i) => ({
        sealed: t.seal.seal("whk_1", secret),
        createdAtMs: START_MS,
        expiresAtMs: i === 0 ? undefined : START_MS + HOUR_MS,
      })),
    });
    await t.raiseMany(1);
    await until("the first arrives", () => receiver.received.length === 1, PATIENT_MS);
    t.clock.ms += HOUR_MS;
    await t.raiseMany(1, 2);
    await until("the second arrives", () => receiver.received.length === 2, PATIENT_MS);
    const [during, after] = receiver.received;
    if (during === undefined || after === undefined) throw new Error("not received");
    for (const secret of [fresh, t.secret]) {
      expect(verified(secret, during, START_MS)).toMatchObject({ data: { id: "evt_1" } });
    }
    expect(verified(fresh, after, t.clock.ms)).toMatchObject({ data: { id: "evt_2" } });
    expect(() => verified(t.secret, after, t.clock.ms)).toThrow("No matching signature");
  });

  it("a webhook whose secret cannot be opened is sent nothing, and the log says why", async () => {
    await using receiver = await openHttpReceiver();
    await using t = await openWebhookSite();
    const sealed = t.seal.seal("another webhook", t.secret);
    const id = await t.subscribe("whk_1", receiver.url, {
      secrets: [{ sealed, createdAtMs: START_MS, expiresAtMs: undefined }],
    });
    await t.raiseMany(1);
    const row = await until("recorded", () => t.delivery(id, 1), PATIENT_MS);
    expect(row).toMatchObject({
      state: "pending",
      lastError: "the signing secret cannot be read; rotate it",
    });
    expect(receiver.connections).toBe(0);
  });
});

describe("a receiver that was down for an hour", () => {
  it("a receiver that was down for an hour gets everything that happened, at least once, under the same ids", async () => {
    await using receiver = await openHttpReceiver();
    await using t = await openWebhookSite();
    const id = await t.subscribe("whk_1", receiver.url);
    await receiver.pause();
    // An event every 12 min; retries come due as the clock advances.
    for (let minute = 0; minute < 60; minute += 1) {
      if (minute % 12 === 0) await t.raiseMany(1, minute / 12 + 1);
      t.clock.ms += MINUTE_MS;
      const isTried = async () =>
        (await t.deliveries(id)).length === Math.floor(minute / 12) + 1 &&
        (await t.records.webhooks.due(t.clock.ms, 100)).length === 0;
      await until("all that is due is tried", isTried, PATIENT_MS);
    }
    const before = await t.deliveries(id);
    expect(before.map(({ state, lastError }) => [state, lastError])).toEqual(
      before.map(() => ["pending", "connection refused"]),
    );
    // The first: at 0, 5 s, 5 min and 35 min, to the resolution of a clock of minutes.
    expect(before.at(-1)).toMatchObject({ eventSequence: 1, attempts: 4 });

    await receiver.resume();
    t.clock.ms += 3 * HOUR_MS;
    await until("all arrive", () => receiver.received.length >= 5, PATIENT_MS);
    await until(
      "all are recorded",
      async () => (await t.deliveries(id)).every(({ state }) => state === "delivered"),
      PATIENT_MS,
    );
    expect(new Set(idsOf(receiver.received))).toEqual(
      new Set(["evt_1.1", "evt_2.1", "evt_3.1", "evt_4.1", "evt_5.1"]),
    );
    const last = receiver.received.at(-1);
    if (last === undefined) throw new Error("not received");
    expect(verified(t.secret, last, t.clock.ms)).toBeDefined();
  });
});

describe("a receiver that answers 500", () => {
  it("a receiver that answers 500 is asked ten times over 75 h with the same id, then the delivery has failed", async () => {
    await using receiver = await openHttpReceiver();
    receiver.answer = answering(500);
    await using t = await openWebhookSite();
    const id = await t.subscribe("whk_1", receiver.url);
    await t.raiseMany(1);
    const startsMs: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const row = await until(
        `attempt ${attempt}`,
        async () => {
          const found = await t.delivery(id, 1);
          return found?.attempts === attempt && found;
        },
        PATIENT_MS,
      );
      startsMs.push((row.lastAttemptAtMs ?? 0) - START_MS);
      t.clock.ms = row.nextAttemptAtMs ?? t.clock.ms;
    }
    expect(startsMs.slice(0, 4)).toEqual([0, 5_000, 305_000, 2_105_000]);
    const hours = startsMs.slice(4).map((ms) => (ms - 2_105_000) / HOUR_MS);
    expect(hours).toEqual([2, 7, 17, 31, 51, 75]);
    expect(await t.delivery(id, 1)).toMatchObject({
      state: "failed",
      attempts: 10,
      nextAttemptAtMs: undefined,
      lastStatus: 500,
      lastError: "the receiver answered 500",
    });
    expect(idsOf(receiver.received)).toEqual(Array(10).fill("evt_1.1"));
    // Each attempt is signed anew: receivers refuse old timestamps.
    const last = receiver.received.at(-1);
    if (last === undefined) throw new Error("not received");
    expect(verified(t.secret, last, t.clock.ms)).toBeDefined();
  });

  it("a receiver that answers 500 and asks for time gets it", async () => {
    await using receiver = await openHttpReceiver();
    receiver.answer = answering(503, { "retry-after": "1800" });
    await using t = await openWebhookSite();
    const id = await t.subscribe("whk_1", receiver.url);
    await t.raiseMany(1);
    const row = await until("recorded", () => t.delivery(id, 1), PATIENT_MS);
    expect(row.nextAttemptAtMs).toBe(START_MS + 1_800_000);
    // A new event waits, too.
    await t.raiseMany(1, 2);
    receiver.answer = answering(200);
    await t.dispatcher.refresh();
    expect(receiver.received).toHaveLength(1);
    t.clock.ms += 1_800_000;
    await until("both arrive", () => receiver.received.length === 3, PATIENT_MS);
    expect(idsOf(receiver.received).toSorted()).toEqual(["evt_1.1", "evt_1.1", "evt_2.1"]);
  });
});

describe("a slow receiver", () => {
  it("a slow receiver has eight requests in flight and delays no other", async () => {
    await using slow = await openHttpReceiver();
    await using quick = await openHttpReceiver();
    slow.answer = () => undefined;
    await using t = await openWebhookSite();
    const slowId = await t.subscribe("whk_slow", slow.url);
    const quickId = await t.subscribe("whk_quick", quick.url);
    // More than a queue holds; the rest stays in the outbox.
    await t.raiseMany(1_100);
    await until("the quick one has all", () => quick.received.length === 1_100, PATIENT_MS);
    const cursors = await until(
      "the quick one's cursor",
      async () => {
        const found = await t.records.webhooks.cursors();
        return found.get(quickId) === 1_100 && found;
      },
      PATIENT_MS,
    );
    expect([slow.open.now, slow.open.most]).toEqual([8, 8]);
    expect(t.dispatcher.stats.queued).toBeLessThanOrEqual(1_000);
    expect(cursors.get(slowId)).toBe(0);

    slow.answer = answering(200);
    await slow.pause();
    await slow.resume();
    const all = new Set(Array.from({ length: 1_100 }, (_, i) => `evt_${i + 1}.1`));
    t.clock.ms += HOUR_MS;
    await until(
      "the slow one has all",
      () => new Set(idsOf(slow.received)).size === all.size,
      PATIENT_MS,
    );
    expect(new Set(idsOf(slow.received))).toEqual(all);
  });

  it("a slow receiver that never answers is given up after the limit, and tried again", async () => {
    await using receiver = await openHttpReceiver();
    receiver.answer = () => undefined;
    // Enough for the second attempt on a machine that is busy with other work.
    await using t = await openWebhookSite({ limits: { totalMs: 1_000 } });
    const id = await t.subscribe("whk_1", receiver.url);
    await t.raiseMany(1);
    const row = await until("recorded", () => t.delivery(id, 1), PATIENT_MS);
    expect(row).toMatchObject({ state: "pending", attempts: 1, lastError: "timeout" });
    receiver.answer = answering(200);
    t.clock.ms += 5_000;
    await until(
      "delivered",
      async () => (await t.delivery(id, 1))?.state === "delivered",
      PATIENT_MS,
    );
    expect(idsOf(receiver.received)).toEqual(["evt_1.1", "evt_1.1"]);
  });
});

describe("a forbidden address", () => {
  it("a forbidden address gets no request through a redirect", async () => {
    await using receiver = await openHttpReceiver();
    await using canary = await openHttpReceiver();
    receiver.answer = answering(302, { location: canary.url });
    await using t = await openWebhookSite();
    const id = await t.subscribe("whk_1", receiver.url);
    await t.raiseMany(1);
    const row = await until("recorded", () => t.delivery(id, 1), PATIENT_MS);
    expect(row).toMatchObject({
      state: "pending",
      lastStatus: 302,
      lastError: "the receiver answered 302; redirects are not followed",
    });
    expect([receiver.received.length, canary.connections]).toEqual([1, 0]);
  });

  it("a forbidden address gets no request though it was subscribed when it was allowed, or its name moved there", async () => {
    await using canary = await openHttpReceiver();
    await using t = await openWebhookSite({
      allowCidrs: [],
      names: { "internal.test": ["127.0.0.1"] },
    });
    const ids = [
      await t.subscribe("whk_address", canary.url),
      await t.subscribe("whk_name", `http://internal.test:${canary.port}/`),
    ];
    await t.raiseMany(1);
    for (const id of ids) {
      const row = await until("recorded", () => t.delivery(id, 1), PATIENT_MS);
      expect(row).toMatchObject({ state: "pending", lastStatus: undefined, lastError: "blocked" });
    }
    expect(canary.connections).toBe(0);
  });
});

describe("a receiver that answers 410", () => {
  it("a receiver that answers 410 is not asked again: its webhook is disabled, with the reason, and nothing is lost", async () => {
    await using receiver = await openHttpReceiver();
    receiver.answer = answering(410);
    await using t = await openWebhookSite();
    const id = await t.subscribe("whk_1", receiver.url);
    await t.raiseMany(1);
    const disabled = await until(
      "disabled",
      async () => {
        const found = await t.records.webhooks.find(id);
        return found?.status === "disabled" && found;
      },
      PATIENT_MS,
    );
    expect(disabled.disabledReason).toBe("the receiver answered 410 (gone)");
    await t.raiseMany(1, 2);
    t.clock.ms += HOUR_MS;
    await until("its lane ends", () => t.dispatcher.stats.active === 0, PATIENT_MS);
    await t.dispatcher.refresh();
    expect(receiver.received).toHaveLength(1);
    expect(await t.delivery(id, 1)).toMatchObject({ state: "pending", lastStatus: 410 });

    receiver.answer = answering(200);
    await t.records.webhooks.update(id, (before) => ({
      ...before,
      status: "active",
      disabledReason: undefined,
    }));
    await until("both arrive", () => receiver.received.length === 3, PATIENT_MS);
    expect(idsOf(receiver.received).toSorted()).toEqual(["evt_1.1", "evt_1.1", "evt_2.1"]);
  });

  it("a receiver that answers 410 and is deleted at the same time stops no other webhook", async () => {
    await using gone = await openHttpReceiver();
    await using other = await openHttpReceiver();
    await using t = await openWebhookSite();
    const id = await t.subscribe("whk_gone", gone.url);
    await t.subscribe("whk_other", other.url);
    gone.answer = async (_request, response) => {
      await t.records.webhooks.delete(id);
      response.writeHead(410).end();
    };
    await t.raiseMany(1);
    await until("its lane ends", () => t.dispatcher.stats.active === 1, PATIENT_MS);
    other.answer = answering(500);
    await t.raiseMany(1, 2);
    await until("the other fails", () => other.received.length === 2, PATIENT_MS);
    other.answer = answering(200);
    t.clock.ms += MINUTE_MS;
    await until("and is tried again", () => other.received.length === 3, PATIENT_MS);
    expect(idsOf(other.received)).toEqual(["evt_1.1", "evt_2.1", "evt_2.1"]);
  });

  it("a receiver that answers 410 is asked at its new address when that was changed meanwhile", async () => {
    await using old = await openHttpReceiver();
    await using moved = await openHttpReceiver();
    await using t = await openWebhookSite();
    const id = await t.subscribe("whk_1", old.url);
    old.answer = async (_request, response) => {
      await t.records.webhooks.update(id, (before) => ({ ...before, url: moved.url }));
      response.writeHead(410).end();
    };
    await t.raiseMany(1);
    await until("recorded", () => t.delivery(id, 1), PATIENT_MS);
    t.clock.ms += MINUTE_MS;
    await until("it arrives", () => moved.received.length === 1, PATIENT_MS);
    expect((await t.records.webhooks.find(id))?.status).toBe("active");
  });
});
