import { describe, expect, it } from "vitest";
import { DomainError } from "../../../../domain/errors.ts";
import { answering, openHttpReceiver } from "../../../support/http-receiver.ts";
import { newEvent } from "../../../support/new-event.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { until } from "../../../support/until.ts";
import { idsOf, openWebhookSite } from "../../../support/webhook-site.ts";

const HOUR_MS = 3_600_000;
const ids = (count: number) => Array.from({ length: count }, (_, i) => `evt_${i + 1}.1`);

describe("a restart", () => {
  it("a restart goes on where it was, without a loss and without a repetition of what is recorded", async () => {
    await using receiver = await openHttpReceiver();
    await using t = await openWebhookSite();
    const id = await t.subscribe("whk_1", receiver.url);
    await t.raiseMany(20);
    await until(
      "the first 20",
      async () => (await t.records.webhooks.cursors()).get(id) === 20,
      PATIENT_MS,
    );
    await t.dispatcher.stop();
    await t.raiseMany(20, 21);
    await t.restart();
    await until("all 40", () => receiver.received.length === 40, PATIENT_MS);
    expect(idsOf(receiver.received).toSorted()).toEqual(ids(40).toSorted());
  });

  it("a restart delivers the events that are recorded while the dispatcher starts", async () => {
    await using receiver = await openHttpReceiver();
    await using t = await openWebhookSite();
    await t.subscribe("whk_1", receiver.url);
    await t.dispatcher.stop();
    const { due } = t.records.webhooks;
    // The last thing that a start waits for: lanes are open, and the feed goes on.
    t.records.webhooks.due = async (...asked) => {
      t.records.webhooks.due = due;
      await t.raiseMany(5);
      await until("the feed", () => t.feed.lastSequence === 5, PATIENT_MS);
      return await due(...asked);
    };
    await t.restart();
    await t.raiseMany(1, 6);
    await until("the last one", () => idsOf(receiver.received).includes("evt_6.1"), PATIENT_MS);
    await until("all six", () => receiver.received.length === 6, PATIENT_MS);
    expect(idsOf(receiver.received).toSorted()).toEqual(ids(6));
  });

  it("a restart after retention deleted events that were still to be posted says so and goes on", async () => {
    await using receiver = await openHttpReceiver();
    await using t = await openWebhookSite();
    await t.subscribe("whk_1", receiver.url);
    await t.dispatcher.stop();
    await t.raiseMany(5);
    t.records.rows.events.splice(0, 3);
    await until("the feed", () => t.feed.lastSequence === 5, PATIENT_MS);
    await t.restart();
    await until("the rest", () => receiver.received.length === 2, PATIENT_MS);
    expect(idsOf(receiver.received)).toEqual(["evt_4.1", "evt_5.1"]);
    expect(t.dispatcher.stats.expired).toBe(3);
  });

  it("a restart between the answer and its record sends the message again, under the same id", async () => {
    await using receiver = await openHttpReceiver();
    await using t = await openWebhookSite();
    const id = await t.subscribe("whk_1", receiver.url);
    const { record } = t.records.webhooks;
    t.records.webhooks.record = () =>
      Promise.reject(new DomainError("STORE_UNAVAILABLE", "the database is away"));
    await t.raiseMany(3);
    await until("three arrive", () => receiver.received.length === 3, PATIENT_MS);
    await t.dispatcher.stop();
    t.records.webhooks.record = record;
    expect(await t.deliveries(id)).toEqual([]);
    await t.restart();
    await until("three more arrive", () => receiver.received.length === 6, PATIENT_MS);
    expect(idsOf(receiver.received).toSorted()).toEqual([...ids(3), ...ids(3)].toSorted());
  });

  it("a restart while an older message has no answer repeats that one only", async () => {
    await using receiver = await openHttpReceiver();
    await using t = await openWebhookSite();
    const id = await t.subscribe("whk_1", receiver.url);
    receiver.answer = ({ headers }, response) => {
      if (headers["webhook-id"] !== "evt_2.1") response.writeHead(200).end();
    };
    await t.raiseMany(10);
    await until("nine are recorded", async () => (await t.deliveries(id)).length === 9, PATIENT_MS);
    expect((await t.records.webhooks.cursors()).get(id)).toBe(1);
    // A stop that waits for the answer in vain and cuts the connection.
    await t.dispatcher.stop();
    receiver.answer = answering(200);
    await t.restart();
    await until(
      "the cursor",
      async () => (await t.records.webhooks.cursors()).get(id) === 10,
      PATIENT_MS,
    );
    expect(idsOf(receiver.received).filter((one) => one === "evt_2.1")).toHaveLength(2);
    expect(receiver.received).toHaveLength(11);
  });

  it("a restart keeps the number of attempts and the time of the next one", async () => {
    await using receiver = await openHttpReceiver();
    receiver.answer = answering(500);
    await using t = await openWebhookSite();
    const id = await t.subscribe("whk_1", receiver.url);
    await t.raiseMany(1);
    const before = await until("recorded", () => t.delivery(id, 1), PATIENT_MS);
    await t.restart();
    await t.dispatcher.refresh();
    expect([receiver.received.length, await t.delivery(id, 1)]).toEqual([1, before]);
    t.clock.ms += 5_000;
    await until("the second", async () => (await t.delivery(id, 1))?.attempts === 2, PATIENT_MS);
  });
});

describe("a changed subscription", () => {
  it("a changed subscription gets every event since its change, although the dispatcher learns of it later", async () => {
    await using receiver = await openHttpReceiver();
    await using t = await openWebhookSite();
    const id = await t.subscribe("whk_1", receiver.url, { types: ["equipment.asset.silent"] });
    const before = await t.records.webhooks.list();
    const { list } = t.records.webhooks;
    t.records.webhooks.list = async () => before;
    await t.records.webhooks.update(id, (webhook) => ({ ...webhook, types: [] }));
    await t.raise(newEvent("evt_1"), newEvent("evt_2", { type: "equipment.asset.silent" }));
    await until("the old subscription", () => t.delivery(id, 2), PATIENT_MS);
    expect((await t.records.webhooks.cursors()).get(id)).toBe(0);
    t.records.webhooks.list = list;
    await until("the new subscription", () => receiver.received.length === 2, PATIENT_MS);
    expect(idsOf(receiver.received)).toEqual(["evt_2.1", "evt_1.1"]);
    await until(
      "the cursor",
      async () => (await t.records.webhooks.cursors()).get(id) === 2,
      PATIENT_MS,
    );
  });
});

describe("what is replayed by hand", () => {
  it("what is replayed by hand is sent at once, under the same id", async () => {
    await using receiver = await openHttpReceiver();
    await using t = await openWebhookSite();
    const id = await t.subscribe("whk_1", receiver.url);
    await t.raiseMany(1);
    const row = await until("recorded", () => t.delivery(id, 1), PATIENT_MS);
    const again = { ...row, state: "pending", attempts: 0, nextAttemptAtMs: t.clock.ms } as const;
    await t.records.webhooks.record({ deliveries: [again], cursors: new Map() });
    await until("it arrives again", () => receiver.received.length === 2, PATIENT_MS);
    expect(idsOf(receiver.received)).toEqual(["evt_1.1", "evt_1.1"]);
  });

  it("a delivery replayed by hand fails if its event is no longer kept", async () => {
    await using receiver = await openHttpReceiver();
    await using t = await openWebhookSite();
    const id = await t.subscribe("whk_1", receiver.url);
    await t.raiseMany(1);
    const row = await until("recorded", () => t.delivery(id, 1), PATIENT_MS);
    t.records.rows.events.splice(0);
    const again = { ...row, state: "pending", attempts: 0, nextAttemptAtMs: t.clock.ms } as const;
    await t.records.webhooks.record({ deliveries: [again], cursors: new Map() });
    await until("failed", async () => (await t.delivery(id, 1))?.state === "failed", PATIENT_MS);
    expect(await t.delivery(id, 1)).toMatchObject({ lastError: "the event is no longer kept" });
    expect(receiver.received).toHaveLength(1);
  });
});

describe("a receiver that is dead for days", () => {
  it("a receiver that is dead for days is asked ten times a second at most, and in the end old events are given up, new ones not", async () => {
    await using receiver = await openHttpReceiver();
    await receiver.pause();
    await using t = await openWebhookSite();
    const id = await t.subscribe("whk_1", receiver.url);
    const startedMs = performance.now();
    await t.raiseMany(40);
    const failures = () => t.dispatcher.stats.attempts.get("connection refused") ?? 0;
    await until("it counts as down", () => failures() >= 10, PATIENT_MS);
    const elapsedS = (performance.now() - startedMs) / 1000;
    // Eight at once and what was in flight with them, then one every 100 ms.
    expect(failures()).toBeLessThanOrEqual(16 + 10 * elapsedS);

    t.clock.ms += 84 * HOUR_MS;
    await t.raiseMany(1, 41);
    await until(
      "the old ones are given up",
      async () => {
        const rows = await t.deliveries(id);
        return rows.filter(({ state }) => state === "failed").length === 40;
      },
      PATIENT_MS,
    );
    const given = (await t.deliveries(id)).find(({ state }) => state === "failed");
    expect(given?.lastError).toBe("the receiver has been down for days");
    await receiver.resume();
    t.clock.ms += 5_000;
    await until("the new one arrives", () => receiver.received.length === 1, PATIENT_MS);
    expect(idsOf(receiver.received)).toEqual(["evt_41.1"]);
  });
});
