import { describe, expect, it } from "vitest";
import type { StoredEventType } from "../../../domain/events/events.ts";
import type { Webhook } from "../../../storage/ports/events/webhooks.ts";
import { assetId, commit, event, type OpenStore, projectId } from "./rows.ts";
import { delivery, webhook, webhookId } from "./webhook-rows.ts";

/** Later than every event of a test is recorded. */
const FUTURE_MS = Date.UTC(2100, 0, 1);

export function describeEventRecords(current: () => OpenStore): void {
  const events = () => current().store.events;

  async function idsAfter(
    after: number,
    filter: Partial<Parameters<ReturnType<typeof events>["after"]>[1]> = {},
  ): Promise<readonly string[]> {
    const rows = await events().after(after, { limit: 100, ...filter });
    return rows.map((row) => row.id);
  }

  describe("events", () => {
    it("the store of events gives back every field of an event, and nothing where nothing was set", async () => {
      const beforeMs = Date.now();
      const full = event("e1", {
        type: "equipment.geofence.entered.revised",
        revision: 2,
        geofenceId: "g1",
        visitId: "v1",
        location: { latitude: 1.5, longitude: -2.5 },
        accuracyMeters: 3.5,
        inferred: true,
        cause: "crossing",
        withdrawn: true,
        data: { nested: [1, null, { x: 'q"' }] },
      });
      await events().append([full, event("e2", { projectId: undefined, assetId: undefined })]);
      const [first, second] = await events().after(0, { limit: 10 });
      const { recordedAtMs = 0, ...rest } = first ?? {};
      expect(rest).toStrictEqual({ ...full, sequence: 1 });
      expect(recordedAtMs).toBeGreaterThanOrEqual(beforeMs);
      expect(recordedAtMs).toBeLessThanOrEqual(Date.now());
      expect(second).toMatchObject({
        id: "e2",
        projectId: undefined,
        assetId: undefined,
        geofenceId: undefined,
        visitId: undefined,
        location: undefined,
        accuracyMeters: undefined,
        inferred: false,
        cause: undefined,
        withdrawn: false,
      });
    });

    it("yields events after a sequence, ascending, as many as are asked for", async () => {
      await events().append(["e1", "e2", "e3", "e4"].map((id) => event(id)));
      expect(await idsAfter(0, { limit: 2 })).toEqual(["e1", "e2"]);
      const [, second] = await events().after(0, { limit: 2 });
      expect(await idsAfter(second?.sequence ?? 0)).toEqual(["e3", "e4"]);
    });

    it("the store of events knows the newest sequence given out, which is never given again", async () => {
      expect(await events().lastSequence()).toBe(0);
      await events().append([event("e1"), event("e2")]);
      const last = await events().lastSequence();
      expect((await events().after(0, { limit: 10 })).at(-1)?.sequence).toBe(last);
      await events().expire(FUTURE_MS);
      expect(await idsAfter(0)).toEqual([]);
      await events().append([event("e3")]);
      expect(await idsAfter(last)).toEqual(["e3"]);
    });

    it("yields events before a sequence, descending, by the same filters", async () => {
      await events().append([
        event("e1"),
        event("e2", { projectId: "p2", type: "equipment.geofence.exited" }),
        event("e3", { projectId: undefined, assetId: undefined }),
        event("e4", { projectId: "p2", assetId: "a2" }),
        event("e5"),
      ]);
      const last = await events().lastSequence();
      const idsBefore = async (before: number, filter: object = {}) =>
        (await events().before(before, { limit: 100, ...filter })).map(({ id }) => id);
      const [p1, p2] = [projectId("p1"), projectId("p2")];
      expect(await idsBefore(last + 1)).toEqual(["e5", "e4", "e3", "e2", "e1"]);
      expect(await idsBefore(last, { limit: 2 })).toEqual(["e4", "e3"]);
      expect(await idsBefore(last + 1, { projectIds: [p1] })).toEqual(["e5", "e1"]);
      expect(await idsBefore(last + 1, { projectIds: [p1, p2], limit: 2 })).toEqual(["e5", "e4"]);
      expect(await idsBefore(last + 1, { projectIds: [] })).toEqual([]);
      expect(await idsBefore(last + 1, { assetId: assetId("a2") })).toEqual(["e4"]);
      expect(await idsBefore(last + 1, { assetId: assetId("a2"), projectIds: [p1] })).toEqual([]);
      expect(await idsBefore(last + 1, { types: ["equipment.geofence.ex*"] })).toEqual(["e2"]);
      expect(await idsBefore(last - 4)).toEqual([]);
    });

    it("a quiet project's old events are found from the newest end, beyond 5,000 others", async () => {
      await events().append([event("old", { projectId: "p2" })]);
      const others = Array.from({ length: 5_100 }, (_, i) => event(`n${i}`));
      await events().append(others);
      const newest = await events().lastSequence();
      const found = await events().before(newest + 1, { projectIds: [projectId("p2")], limit: 2 });
      expect(found.map(({ id }) => id)).toEqual(["old"]);
    });

    it("records an event once, whether the pipeline or somebody else raises it", async () => {
      await events().append([event("e1"), event("e1")]);
      await current().store.pipeline.commit(
        commit(1, { events: [event("e1"), event("e2"), event("e1", { revision: 2 })] }),
      );
      await events().append([event("e2"), event("e3")]);
      await events().append([]);
      expect(await idsAfter(0)).toEqual(["e1", "e2", "e1", "e3"]);
    });

    it("filters by project and asset; events of no project are for those who see all", async () => {
      await events().append([
        event("e1"),
        event("e2", { projectId: "p2" }),
        event("e3", { projectId: undefined, assetId: undefined }),
        event("e4", { projectId: "p3", assetId: "a2" }),
        event("e5", { assetId: "a2" }),
      ]);
      const p1 = projectId("p1");
      expect(await idsAfter(0)).toEqual(["e1", "e2", "e3", "e4", "e5"]);
      expect(await idsAfter(0, { projectIds: [projectId("p3"), p1] })).toEqual(["e1", "e4", "e5"]);
      expect(await idsAfter(1, { projectIds: [p1] })).toEqual(["e5"]);
      expect(await idsAfter(0, { projectIds: [p1, p1], limit: 2 })).toEqual(["e1", "e5"]);
      expect(await idsAfter(0, { projectIds: [] })).toEqual([]);
      expect(await idsAfter(0, { assetId: assetId("a2") })).toEqual(["e4", "e5"]);
      expect(await idsAfter(0, { assetId: assetId("a2"), projectIds: [p1] })).toEqual(["e5"]);
    });

    it("the store of events filters by type: itself, and with a trailing * everything that begins so", async () => {
      const types: readonly StoredEventType[] = [
        "equipment.geofence.entered",
        "equipment.geofence.exited.revised",
        "equipment.asset.gps_stuck",
        "equipment.geofence.entered.withdrawn",
        "security.foreign_topic",
        "equipment.geofence.entered",
      ];
      await events().append(types.map((type, i) => event(`e${i}`, { type })));
      const ofTypes = (...patterns: readonly string[]) => idsAfter(0, { types: patterns });
      expect(await ofTypes("equipment.geofence.entered")).toEqual(["e0", "e5"]);
      expect(await ofTypes("equipment.geofence.*")).toEqual(["e0", "e1", "e3", "e5"]);
      expect(await ofTypes("equipment.geofence.entered*", "security.*")).toEqual([
        "e0",
        "e3",
        "e4",
        "e5",
      ]);
      expect(await ofTypes("*")).toHaveLength(6);
      expect(await ofTypes("equipment.asset.gps_stuck", "equipment.asset.*")).toEqual(["e2"]);
      // Neither is a pattern of its own: nothing but the * at the end is special.
      expect(await ofTypes("equipment_geofence%", "equipment.asset.gps-stuck", "e*ed")).toEqual([]);
      expect(await ofTypes("equipment.asset.gps\\_stuck", "%", "_*")).toEqual([]);
      expect(await ofTypes()).toEqual([]);
    });

    it("the store of events combines filters, and merges many kinds in the order of their sequences", async () => {
      const kinds = ["equipment.geofence.entered", "equipment.geofence.exited"] as const;
      await events().append(
        Array.from({ length: 60 }, (_, i) =>
          event(`e${i}`, {
            type: kinds[i % 2] ?? "equipment.geofence.entered",
            projectId: `p${i % 3}`,
            assetId: `a${i % 5}`,
          }),
        ),
      );
      const filter = {
        projectIds: [projectId("p0"), projectId("p1")],
        types: ["equipment.geofence.*"],
        limit: 7,
      };
      const expected = [7, 9, 10, 12, 13, 15, 16].map((i) => `e${i}`);
      expect(await idsAfter(7, filter)).toEqual(expected);
      const exits = { ...filter, types: ["equipment.geofence.exited"], assetId: assetId("a1") };
      expect(await idsAfter(0, exits)).toEqual(["e1", "e21", "e31", "e51"]);
    });

    it("finds the few events of a quiet project and of a rare type behind thousands of others", async () => {
      await events().append(Array.from({ length: 5_500 }, (_, i) => event(`e${i}`)));
      await events().append([
        event("quiet", { projectId: "p9" }),
        event("rare", { type: "equipment.project.outage" }),
        event("both", { projectId: "p9", type: "equipment.project.outage" }),
      ]);
      const p9 = projectId("p9");
      expect(await idsAfter(0, { projectIds: [p9, p9] })).toEqual(["quiet", "both"]);
      expect(await idsAfter(0, { types: ["equipment.*"] })).toEqual(["rare", "both"]);
      expect(await idsAfter(0, { types: ["equipment.*"], projectIds: [p9] })).toEqual(["both"]);
      expect(await idsAfter(0, { projectIds: [p9], limit: 1 })).toEqual(["quiet"]);
    });

    it("the store of events lets a follower that asks for what is newer miss none of 200 events raised at once", async () => {
      const seen: string[] = [];
      let last = 0;
      let raising = true;
      const raise = Promise.all(
        Array.from({ length: 40 }, async (_, writer) => {
          const own = Array.from({ length: 5 }, (_, i) => event(`e${writer}-${i}`));
          if (writer % 2 === 0) await events().append(own);
          else await current().store.pipeline.commit(commit(writer, { events: own }));
        }),
      ).finally(() => {
        raising = false;
      });
      const follow = async () => {
        const rows = await events().after(last, { limit: 17 });
        last = rows.at(-1)?.sequence ?? last;
        seen.push(...rows.map((row) => row.id));
        await new Promise((resolve) => setImmediate(resolve));
        return rows.length;
      };
      while (raising) await follow();
      await raise;
      while ((await follow()) > 0);
      expect(new Set(seen).size).toBe(200);
      expect(seen).toHaveLength(200);
    });

    it("knows the oldest event that is kept, and the next one when none is", async () => {
      const oldest = () => events().oldestSequence();
      const next = (await events().lastSequence()) + 1;
      expect(await oldest()).toBe(next);
      await events().append([event("e1"), event("e2")]);
      expect(await oldest()).toBe(next);
      await events().expire(FUTURE_MS);
      expect(await oldest()).toBe(next + 2);
    });

    it("forgets events recorded before a time", async () => {
      await events().append([event("e1"), event("e2")]);
      const [first] = await events().after(0, { limit: 1 });
      expect(await events().expire(first?.recordedAtMs ?? 0)).toBe(false);
      expect(await idsAfter(0)).toEqual(["e1", "e2"]);
      expect(await events().expire(FUTURE_MS)).toBe(false);
      expect(await idsAfter(0)).toEqual([]);
    });

    it("keeps events that an active webhook has not dealt with or has yet to deliver", async () => {
      const { webhooks } = current().store;
      await webhooks.insert(webhook("disabled", { status: "disabled" }));
      await events().append(["e1", "e2", "e3", "e4"].map((id) => event(id)));
      await webhooks.insert(webhook("w1"));
      await events().append([event("e5")]);
      await webhooks.record({
        deliveries: [
          delivery("w1", 2, { state: "delivered", nextAttemptAtMs: undefined }),
          delivery("w1", 3, { state: "pending" }),
          delivery("disabled", 1, { state: "pending" }),
        ],
        cursors: new Map(),
      });
      await events().expire(FUTURE_MS);
      expect(await idsAfter(0)).toEqual(["e3", "e4", "e5"]);
      await webhooks.record({
        deliveries: [delivery("w1", 3, { state: "failed", nextAttemptAtMs: undefined })],
        cursors: new Map(),
      });
      await events().expire(FUTURE_MS);
      expect(await idsAfter(0)).toEqual(["e5"]);
      const disable = (before: Webhook) => ({ ...before, status: "disabled" as const });
      await webhooks.update(webhookId("w1"), disable);
      await events().expire(FUTURE_MS);
      expect(await idsAfter(0)).toEqual([]);
    });
  });
}
