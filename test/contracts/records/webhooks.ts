import { describe, expect, it } from "vitest";
import type { Webhook, WebhookDelivery } from "../../../storage/ports/events/webhooks.ts";
import { newEvent } from "../../support/new-event.ts";
import { NOON_MS, type OpenStore, projectId } from "./rows.ts";
import { delivery, webhook, webhookId } from "./webhook-rows.ts";

const PAGE = { limit: 10, offset: 0 };

export function describeWebhookRecords(current: () => OpenStore): void {
  const webhooks = () => current().store.webhooks;
  const record = (deliveries: readonly WebhookDelivery[], cursors: Record<string, number> = {}) =>
    webhooks().record({
      deliveries,
      cursors: new Map(
        Object.entries(cursors).map(([id, at]) => [
          webhookId(id),
          { subscription: 1, sequence: at },
        ]),
      ),
    });
  const insert = async (row: Webhook, cursor: number) => {
    await webhooks().insert(row);
    await record([], { [row.id]: cursor });
  };
  const places = (rows: readonly WebhookDelivery[]) =>
    rows.map((row) => `${row.webhookId}:${row.eventSequence}`);

  describe("webhooks", () => {
    it("finds a webhook with every field it was given, and lists the oldest first", async () => {
      const full = webhook("w1", {
        types: ["equipment.geofence.*", "security.foreign_topic"],
        projectIds: [projectId("p1"), projectId("p2")],
        status: "disabled",
        disabledReason: "answered 410",
        secrets: [
          { sealed: new Uint8Array(60).fill(7), createdAtMs: NOON_MS + 1, expiresAtMs: undefined },
          { sealed: new Uint8Array([0, 255]), createdAtMs: NOON_MS, expiresAtMs: NOON_MS + 9 },
        ],
        createdAtMs: NOON_MS + 1,
      });
      await insert(full, 7);
      await insert(webhook("w2", { projectIds: [] }), 0);
      expect(await webhooks().find(webhookId("w1"))).toStrictEqual(full);
      expect(await webhooks().find(webhookId("w3"))).toBeUndefined();
      expect(await webhooks().list()).toStrictEqual([webhook("w2", { projectIds: [] }), full]);
      expect(await webhooks().cursors()).toEqual(
        new Map([
          ["w1", 7],
          ["w2", 0],
        ]),
      );
    });

    it("the store of webhooks refuses a taken id with ID_CONFLICT and keeps the first with its cursor", async () => {
      await insert(webhook("w1"), 3);
      const again = webhooks().insert(webhook("w1", { name: "other" }));
      await expect(again).rejects.toMatchObject({ code: "ID_CONFLICT" });
      expect(await webhooks().list()).toStrictEqual([webhook("w1")]);
      expect(await webhooks().cursors()).toEqual(new Map([["w1", 3]]));
    });

    it("replaces a webhook by what a change makes of it, one change after the other", async () => {
      await insert(webhook("w1", { name: "" }), 3);
      const letters = [..."abcdefgh"];
      const changed = await Promise.all(
        letters.map((letter) =>
          webhooks().update(webhookId("w1"), (before) => ({
            ...before,
            name: before.name + letter,
          })),
        ),
      );
      const last = await webhooks().find(webhookId("w1"));
      expect([...(last?.name ?? "")].sort()).toEqual(letters);
      expect(changed).toContainEqual(last);
      expect(await webhooks().cursors()).toEqual(new Map([["w1", 3]]));
    });

    it("begins a webhook behind the newest event at the moment of its insertion", async () => {
      const { events } = current().store;
      await events.append([newEvent("e1"), newEvent("e2")]);
      await webhooks().insert(webhook("w1"));
      const newest = await events.lastSequence();
      expect(await webhooks().cursors()).toEqual(new Map([["w1", newest]]));
    });

    it("the store of webhooks numbers subscriptions, and moves no cursor of one that is not in force", async () => {
      await insert(webhook("w1"), 3);
      const change = async (by: Partial<Webhook>) =>
        (await webhooks().update(webhookId("w1"), (before) => ({ ...before, ...by }))).subscription;
      expect(await change({ name: "other", url: "https://example.com/b" })).toBe(1);
      expect(await change({ types: ["equipment.asset.silent"] })).toBe(2);
      expect(await change({ projectIds: [projectId("p1")] })).toBe(3);
      await record([], { w1: 9 });
      expect(await webhooks().cursors()).toEqual(new Map([["w1", 3]]));
      const place = { subscription: 3, sequence: 9 };
      await webhooks().record({ deliveries: [], cursors: new Map([[webhookId("w1"), place]]) });
      expect(await webhooks().cursors()).toEqual(new Map([["w1", 9]]));
    });

    it("the store of webhooks skips what was missed with the change that asks for it", async () => {
      const { events } = current().store;
      await webhooks().insert(webhook("w1"));
      await events.append([newEvent("e1"), newEvent("e2")]);
      await webhooks().update(webhookId("w1"), (before) => before, { skipMissed: true });
      const newest = await events.lastSequence();
      expect(await webhooks().cursors()).toEqual(new Map([["w1", newest]]));
    });

    it("leaves a webhook alone when its change throws, and knows none that is not there", async () => {
      await insert(webhook("w1"), 0);
      const refused = webhooks().update(webhookId("w1"), () => {
        throw new RangeError("no");
      });
      await expect(refused).rejects.toThrow(RangeError);
      expect(await webhooks().find(webhookId("w1"))).toStrictEqual(webhook("w1"));
      const missing = { code: "WEBHOOK_NOT_FOUND" };
      const unknown = webhookId("w9");
      await expect(webhooks().update(unknown, (before) => before)).rejects.toMatchObject(missing);
      await expect(webhooks().delete(unknown)).rejects.toMatchObject(missing);
    });

    it("deletes a webhook with its cursor and deliveries", async () => {
      for (const id of ["w1", "w2"]) await insert(webhook(id), 0);
      await record([delivery("w1", 1), delivery("w2", 1)]);
      await webhooks().delete(webhookId("w1"));
      expect(await webhooks().find(webhookId("w1"))).toBeUndefined();
      expect(await webhooks().cursors()).toEqual(new Map([["w2", 0]]));
      expect((await webhooks().deliveries(webhookId("w1"), PAGE)).total).toBe(0);
      expect(places(await webhooks().due(NOON_MS + 5_000, 10))).toEqual(["w2:1"]);
    });

    it("the store of webhooks moves cursors forward only", async () => {
      for (const id of ["w1", "w2"]) await insert(webhook(id), 5);
      await record([], { w1: 9, w2: 4 });
      await record([], { w1: 8 });
      expect(await webhooks().cursors()).toEqual(
        new Map([
          ["w1", 9],
          ["w2", 5],
        ]),
      );
    });

    it("the store of webhooks replaces a delivery attempt by attempt and gives back every field", async () => {
      await insert(webhook("w1"), 0);
      const untried = delivery("w1", 2 ** 40, {
        attempts: 0,
        firstAttemptAtMs: undefined,
        lastAttemptAtMs: undefined,
        nextAttemptAtMs: NOON_MS,
        lastStatus: undefined,
        lastError: undefined,
        lastDurationMs: undefined,
      });
      const delivered = delivery("w1", 2 ** 40, {
        state: "delivered",
        attempts: 2,
        nextAttemptAtMs: undefined,
        lastStatus: 204,
        lastError: undefined,
      });
      for (const now of [untried, delivery("w1", 2 ** 40), delivered]) {
        await record([now]);
        expect(await webhooks().findDelivery(webhookId("w1"), 2 ** 40)).toStrictEqual(now);
      }
      await record([delivery("w1", 1), delivered, untried]);
      expect(await webhooks().findDelivery(webhookId("w1"), 2 ** 40)).toStrictEqual(untried);
      expect(await webhooks().findDelivery(webhookId("w1"), 3)).toBeUndefined();
    });

    it("records what belongs to webhooks that exist and leaves out the rest", async () => {
      await insert(webhook("w1"), 0);
      await record([delivery("gone", 1), delivery("w1", 1)], { gone: 5, w1: 1 });
      expect(await webhooks().cursors()).toEqual(new Map([["w1", 1]]));
      expect(places(await webhooks().due(NOON_MS + 5_000, 10))).toEqual(["w1:1"]);
      expect(await webhooks().findDelivery(webhookId("gone"), 1)).toBeUndefined();
    });

    it("the store of webhooks yields what is due of active webhooks, oldest event first, a share for each", async () => {
      for (const id of ["w1", "w2"]) await insert(webhook(id), 0);
      await insert(webhook("off", { status: "disabled" }), 0);
      await record([
        ...[5, 4, 3, 2].map((at) => delivery("w1", at)),
        delivery("w1", 1, { nextAttemptAtMs: NOON_MS + 5_001 }),
        delivery("w1", 6, { state: "failed", nextAttemptAtMs: undefined }),
        delivery("w2", 9),
        delivery("off", 1),
      ]);
      const due = await webhooks().due(NOON_MS + 5_000, 2);
      expect(places(due.filter((row) => row.webhookId === "w1"))).toEqual(["w1:2", "w1:3"]);
      expect(places(due.filter((row) => row.webhookId === "w2"))).toEqual(["w2:9"]);
      expect(due).toHaveLength(3);
      expect(await webhooks().due(NOON_MS + 4_999, 2)).toEqual([]);
    });

    it("lists the deliveries of a webhook, newest event first, by state and page", async () => {
      for (const id of ["w1", "w2"]) await insert(webhook(id), 0);
      const settled = { state: "delivered", nextAttemptAtMs: undefined } as const;
      await record([
        delivery("w1", 1, settled),
        delivery("w1", 3),
        delivery("w1", 2, settled),
        delivery("w2", 4),
      ]);
      const list = async (
        filter: Partial<Parameters<ReturnType<typeof webhooks>["deliveries"]>[1]>,
      ) => {
        const page = await webhooks().deliveries(webhookId("w1"), { ...PAGE, ...filter });
        return [page.total, ...places(page.deliveries)];
      };
      expect(await list({})).toEqual([3, "w1:3", "w1:2", "w1:1"]);
      expect(await list({ limit: 1, offset: 1 })).toEqual([3, "w1:2"]);
      expect(await list({ isReversed: true })).toEqual([3, "w1:1", "w1:2", "w1:3"]);
      expect(await list({ states: ["delivered"] })).toEqual([2, "w1:2", "w1:1"]);
      expect(await list({ states: ["delivered", "pending"] })).toEqual([3, "w1:3", "w1:2", "w1:1"]);
    });

    it("the store of webhooks forgets settled deliveries last tried before a time, none that is pending", async () => {
      await insert(webhook("w1"), 0);
      const settled = { state: "failed", nextAttemptAtMs: undefined } as const;
      await record([
        delivery("w1", 1, { ...settled, lastAttemptAtMs: NOON_MS - 1 }),
        delivery("w1", 2, { ...settled, lastAttemptAtMs: NOON_MS }),
        delivery("w1", 3, { lastAttemptAtMs: NOON_MS - 1 }),
      ]);
      expect(await webhooks().expire(NOON_MS)).toBe(false);
      const left = await webhooks().deliveries(webhookId("w1"), PAGE);
      expect(places(left.deliveries)).toEqual(["w1:3", "w1:2"]);
    });
  });
}
