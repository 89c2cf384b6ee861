import { describe, expect, it } from "vitest";
import type { AlertRecords, AlertUpsert } from "../../../storage/ports/equipment/alerts.ts";
import {
  alert,
  alertId,
  assetId,
  commit,
  geofenceId,
  NOON_MS,
  type OpenStore,
  projectId,
  visitId,
} from "./rows.ts";

const ACKNOWLEDGED = { keyId: "k1", keyName: "Office", atMs: NOON_MS + 5, note: "seen" };

export function describeAlertRecords(current: () => OpenStore): void {
  const alerts = () => current().store.alerts;
  const keep = (...rows: readonly AlertUpsert[]) =>
    current().store.pipeline.commit(commit(1, { alerts: rows }));

  async function listed(filter: Partial<Parameters<AlertRecords["list"]>[0]>) {
    const page = await alerts().list({ limit: 10, offset: 0, ...filter });
    return [page.total, ...page.alerts.map((row) => row.id)];
  }

  describe("alerts", () => {
    it("the store of alerts gives back every field of an alert, and leaves out what it does not have", async () => {
      const full = alert("l1", {
        severity: "critical",
        geofenceId: geofenceId("g1"),
        visitId: visitId("v1"),
        resolvedAtMs: NOON_MS + 9,
        resolution: "exited",
        occurrences: 3,
        data: { nested: [1, null, { x: 'q"' }] },
      });
      const bare = alert("l2", { assetId: undefined });
      await keep(full, bare);
      const nobody = { acknowledgedAtMs: undefined, acknowledgedBy: undefined, note: undefined };
      expect(await alerts().find(alertId("l1"))).toStrictEqual({
        ...full,
        ...nobody,
        state: "resolved",
      });
      expect(await alerts().find(alertId("l2"))).toStrictEqual({
        ...bare,
        ...nobody,
        state: "open",
      });
      expect(await alerts().find(alertId("l3"))).toBeUndefined();
    });

    it("an alert goes from open to acknowledged to resolved, and back when it is not resolved after all", async () => {
      const stateNow = async () => (await alerts().find(alertId("l1")))?.state;
      await keep(alert("l1"));
      expect(await stateNow()).toBe("open");
      expect((await alerts().acknowledge(alertId("l1"), ACKNOWLEDGED)).state).toBe("acknowledged");
      await keep(alert("l1", { resolvedAtMs: NOON_MS + 9, resolution: "exited" }));
      expect(await stateNow()).toBe("resolved");
      await keep(alert("l1", { occurrences: 2 }));
      const again = await alerts().find(alertId("l1"));
      expect(again).toMatchObject({ state: "acknowledged", occurrences: 2, note: "seen" });
      expect(again).not.toHaveProperty("resolution");
    });

    it("the store of alerts keeps the first acknowledgement whatever comes after it", async () => {
      await keep(alert("l1"));
      const first = await alerts().acknowledge(alertId("l1"), ACKNOWLEDGED);
      expect(first).toMatchObject({
        acknowledgedAtMs: NOON_MS + 5,
        acknowledgedBy: "k1",
        acknowledgedName: "Office",
        note: "seen",
      });
      const later = { keyId: "k2", keyName: "Yard", atMs: NOON_MS + 99, note: "me too" };
      expect(await alerts().acknowledge(alertId("l1"), later)).toStrictEqual(first);
      await keep(alert("l1", { message: "rewritten" }));
      expect(await alerts().find(alertId("l1"))).toStrictEqual({ ...first, message: "rewritten" });
    });

    it("the store of alerts takes an acknowledgement without a note, and none for an unknown alert", async () => {
      await keep(alert("l1"));
      const by = { keyId: "admin", keyName: "admin", atMs: NOON_MS };
      expect(await alerts().acknowledge(alertId("l1"), by)).toMatchObject({
        state: "acknowledged",
        acknowledgedBy: "admin",
        note: undefined,
      });
      await expect(alerts().acknowledge(alertId("l9"), by)).rejects.toMatchObject({
        code: "ALERT_NOT_FOUND",
      });
    });

    it("the store of alerts keeps the time of receipt of an alert from the future as long as the device's time is the same", async () => {
      const aheadMs = NOON_MS + 60_000;
      const timesNow = async () => {
        const { openedAtMs, deviceTimeMs } = (await alerts().find(alertId("l1"))) ?? {};
        return { openedAtMs, deviceTimeMs };
      };
      await keep(alert("l1", { openedAtMs: NOON_MS, deviceTimeMs: aheadMs }));
      expect(await timesNow()).toEqual({ openedAtMs: NOON_MS, deviceTimeMs: aheadMs });
      await keep(alert("l1", { openedAtMs: aheadMs, resolvedAtMs: aheadMs + 1 }));
      expect(await timesNow()).toEqual({ openedAtMs: NOON_MS, deviceTimeMs: aheadMs });
      await keep(alert("l1", { openedAtMs: NOON_MS - 9 }));
      expect(await timesNow()).toEqual({ openedAtMs: NOON_MS - 9, deviceTimeMs: undefined });
    });

    it("lists alerts, newest first, by page and by every filter", async () => {
      await keep(
        alert("l1", { openedAtMs: NOON_MS + 1, severity: "critical" }),
        alert("l2", {
          openedAtMs: NOON_MS + 2,
          assetId: undefined,
          type: "equipment.project.outage",
        }),
        alert("l3", { openedAtMs: NOON_MS + 3, geofenceId: geofenceId("g1"), severity: "warning" }),
        alert("l4", { openedAtMs: NOON_MS + 4, projectId: projectId("p2") }),
        alert("l5", { openedAtMs: NOON_MS + 5, resolvedAtMs: NOON_MS + 6, assetId: assetId("a2") }),
      );
      await alerts().acknowledge(alertId("l3"), ACKNOWLEDGED);
      expect(await listed({})).toEqual([5, "l5", "l4", "l3", "l2", "l1"]);
      expect(await listed({ limit: 2, offset: 1 })).toEqual([5, "l4", "l3"]);
      expect(await listed({ isReversed: true, limit: 3 })).toEqual([5, "l1", "l2", "l3"]);
      expect(await listed({ projectIds: [projectId("p2")] })).toEqual([1, "l4"]);
      expect(await listed({ projectIds: [] })).toEqual([0]);
      expect(await listed({ assetId: assetId("a2") })).toEqual([1, "l5"]);
      expect(await listed({ geofenceId: geofenceId("g1") })).toEqual([1, "l3"]);
      expect(await listed({ states: ["open"] })).toEqual([3, "l4", "l2", "l1"]);
      expect(await listed({ states: ["acknowledged", "resolved"] })).toEqual([2, "l5", "l3"]);
      expect(await listed({ severities: ["warning", "critical"] })).toEqual([2, "l3", "l1"]);
      expect(await listed({ types: ["equipment.project.outage"] })).toEqual([1, "l2"]);
      const fromTo = { fromMs: NOON_MS + 2, toMs: NOON_MS + 4 };
      expect(await listed(fromTo)).toEqual([2, "l3", "l2"]);
      expect(await listed({ ...fromTo, states: ["open"], severities: ["info"] })).toEqual([
        1,
        "l2",
      ]);
    });

    it("the store of alerts lists what changed after a place, each alert once and at its newest change", async () => {
      const changed = async (after: number, filter: { limit?: number; projects?: string[] } = {}) =>
        (
          await alerts().after(after, {
            limit: filter.limit ?? 10,
            ...(filter.projects === undefined
              ? {}
              : { projectIds: filter.projects.map((id) => projectId(id)) }),
          })
        ).map(({ alert: { id, state } }) => [id, state]);
      const start = await alerts().lastSequence();
      await keep(alert("l1"), alert("l2", { projectId: projectId("p2") }));
      await keep(alert("l3"));
      const between = await alerts().lastSequence();
      expect(await changed(start)).toEqual([
        ["l1", "open"],
        ["l2", "open"],
        ["l3", "open"],
      ]);
      expect(await changed(start, { limit: 2 })).toEqual([
        ["l1", "open"],
        ["l2", "open"],
      ]);
      expect(await changed(start, { projects: ["p2"] })).toEqual([["l2", "open"]]);
      await alerts().acknowledge(alertId("l2"), ACKNOWLEDGED);
      await keep(alert("l1", { resolvedAtMs: NOON_MS + 9, resolution: "exited" }));
      expect(await changed(between)).toEqual([
        ["l2", "acknowledged"],
        ["l1", "resolved"],
      ]);
      const [, newest] = await alerts().after(between, { limit: 10 });
      expect(newest?.sequence).toBe(await alerts().lastSequence());
      // It stays the first one's.
      await alerts().acknowledge(alertId("l2"), ACKNOWLEDGED);
      expect(await changed(newest?.sequence ?? 0)).toEqual([]);
    });

    it("forgets alerts resolved before a time and keeps all others", async () => {
      await keep(
        alert("old", { resolvedAtMs: NOON_MS - 1 }),
        alert("on time", { resolvedAtMs: NOON_MS }),
        alert("open, old", { openedAtMs: NOON_MS - 999 }),
      );
      expect(await alerts().expire(NOON_MS)).toBe(false);
      expect(await listed({})).toEqual([2, "on time", "open, old"]);
    });
  });
}
