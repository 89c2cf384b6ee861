import { describe, expect, it } from "vitest";
import type { AlertMuteId, ApiKeyId } from "../../../domain/ids.ts";
import type { AlertMute } from "../../../storage/ports/equipment/alert-mutes.ts";
import type { AlertUpsert } from "../../../storage/ports/equipment/alerts.ts";
import {
  alert,
  alertId,
  asset,
  assetId,
  commit,
  geofenceId,
  hash32,
  NOON_MS,
  type OpenStore,
  project,
  projectId,
} from "./rows.ts";

const muteId = (id: string) => id as AlertMuteId;
const BY: Pick<AlertMute, "createdBy" | "createdByName"> = {
  createdBy: "k1" as ApiKeyId,
  createdByName: "Anna",
};

function mute(id: string, change: Partial<AlertMute> = {}): AlertMute {
  return {
    id: muteId(id),
    projectId: projectId("p1"),
    assetId: assetId("a1"),
    type: "equipment.geofence.entered",
    geofenceId: undefined,
    maxSeverity: "warning",
    fromMs: NOON_MS - 1_000,
    untilMs: NOON_MS + 1_000,
    note: undefined,
    ...BY,
    ...change,
  };
}

export function describeAlertMutes(current: () => OpenStore): void {
  const mutes = () => current().store.alertMutes;
  const keep = (...alerts: readonly AlertUpsert[]) =>
    current().store.pipeline.commit(commit(1, { alerts }));
  const stateOf = async (id: string) => (await current().store.alerts.find(alertId(id)))?.state;
  const entered = (id: string, change: Partial<AlertUpsert> = {}) =>
    alert(id, { type: "equipment.geofence.entered", severity: "warning", ...change });

  describe("mutes of alerts", () => {
    it("the store of mutes gives back every field, newest first, and forgets what is removed or old", async () => {
      const full = mute("m1", { geofenceId: geofenceId("g1"), note: "crane work" });
      const other = mute("m2", {
        projectId: projectId("p2"),
        assetId: assetId("a2"),
        fromMs: NOON_MS,
        untilMs: NOON_MS + 9_000,
      });
      await mutes().insert(full);
      await mutes().insert(other);
      const page = { limit: 10, offset: 0 };
      expect(await mutes().list(page)).toStrictEqual({ mutes: [other, full], total: 2 });
      expect((await mutes().list({ ...page, isReversed: true })).mutes).toEqual([full, other]);
      expect((await mutes().list({ ...page, projectIds: [projectId("p1")] })).mutes).toEqual([
        full,
      ]);
      expect((await mutes().list({ ...page, assetId: assetId("a2") })).mutes).toEqual([other]);
      expect((await mutes().list({ ...page, untilAfterMs: NOON_MS + 1_000 })).mutes).toEqual([
        other,
      ]);
      expect(await mutes().find(muteId("m1"))).toStrictEqual(full);
      expect(await mutes().expire(NOON_MS + 2_000)).toBe(false);
      expect(await mutes().find(muteId("m1"))).toBeUndefined();
      await mutes().remove(muteId("m2"));
      await mutes().remove(muteId("m2"));
      expect((await mutes().list(page)).total).toBe(0);
    });

    it("a commit acknowledges the alerts that opened while their rule was muted, and no others", async () => {
      await mutes().insert(mute("m1", { note: "crane work" }));
      await keep(
        entered("muted"),
        entered("exited", { type: "equipment.geofence.exited" }),
        entered("elsewhere", { projectId: projectId("p2") }),
        entered("other", { assetId: assetId("a2") }),
        entered("early", { openedAtMs: NOON_MS - 1_001 }),
        entered("late", { openedAtMs: NOON_MS + 1_000 }),
        entered("critical", { severity: "critical" }),
        entered("unowned", { assetId: undefined }),
      );
      expect(await current().store.alerts.find(alertId("muted"))).toMatchObject({
        state: "acknowledged",
        acknowledgedAtMs: NOON_MS,
        acknowledgedBy: "k1",
        acknowledgedName: "Anna",
        note: "crane work",
        muteId: "m1",
      });
      for (const id of ["exited", "elsewhere", "other", "early", "late", "critical", "unowned"]) {
        expect([id, await stateOf(id)]).toEqual([id, "open"]);
      }
    });

    it("a muted alert stays acknowledged when it is written again, and opens when it becomes worse", async () => {
      await mutes().insert(mute("m1"));
      await keep(entered("x"));
      await mutes().remove(muteId("m1"));
      await keep(entered("x", { occurrences: 2 }));
      expect(await stateOf("x")).toBe("acknowledged");
      await keep(entered("x", { severity: "critical" }));
      expect(await stateOf("x")).toBe("open");
      expect(await current().store.alerts.find(alertId("x"))).not.toHaveProperty("muteId");
    });

    it("a person's acknowledgement is never taken back by what a mute covers", async () => {
      await keep(entered("x"));
      const by = { keyId: "k2", keyName: "Ben", atMs: NOON_MS + 5 };
      await current().store.alerts.acknowledge(alertId("x"), by);
      await mutes().insert(mute("m1"));
      await keep(entered("x", { severity: "critical" }));
      expect(await current().store.alerts.find(alertId("x"))).toMatchObject({
        state: "acknowledged",
        acknowledgedBy: "k2",
      });
    });

    it("several alerts are acknowledged at once, the newest first, and only those without an acknowledgement", async () => {
      const { alerts } = current().store;
      await keep(
        entered("x1"),
        entered("x2", { openedAtMs: NOON_MS + 1 }),
        entered("x3", { openedAtMs: NOON_MS + 2 }),
        entered("x4", { projectId: projectId("p2") }),
        entered("x5", { resolvedAtMs: NOON_MS + 9 }),
      );
      const by = { keyId: "k1", keyName: "Anna", atMs: NOON_MS + 50, note: "all of them" };
      const mine = { projectIds: [projectId("p1")] };
      const before = await alerts.lastSequence();
      expect(await alerts.acknowledgeSome({ ...mine, states: ["open"] }, by, 2)).toEqual([
        "x3",
        "x2",
      ]);
      // Who follows the changes of alerts meets each of them.
      const changes = await alerts.after(before, { limit: 9 });
      expect(changes.map(({ alert }) => alert.id).sort()).toEqual(["x2", "x3"]);
      expect(new Set(changes.map(({ sequence }) => sequence)).size).toBe(2);
      const ids = ["x1", "x2", "x4"].map(alertId);
      expect(await alerts.acknowledgeSome({ ...mine, ids }, by, 9)).toEqual(["x1"]);
      expect(await alerts.acknowledgeSome({ ids: [] }, by, 9)).toEqual([]);
      expect(await alerts.find(alertId("x1"))).toMatchObject({ note: "all of them" });
      expect(await stateOf("x4")).toBe("open");
      expect(await alerts.find(alertId("x5"))).toMatchObject({ acknowledgedAtMs: undefined });
    });

    it("the store of mutes refuses the 51st in force of an asset", async () => {
      const { store } = current();
      await store.projects.insert(project("p1"));
      await store.assets.insert(asset("a1"), hash32(1));
      for (let i = 0; i < 50; i += 1) await mutes().insert(mute(`m${i}`));
      await expect(mutes().insert(mute("m50"))).rejects.toMatchObject({ code: "LIMIT_REACHED" });
      await mutes().insert(mute("m51", { fromMs: NOON_MS + 1_000, untilMs: NOON_MS + 5_000 }));
      await mutes().insert(mute("m52", { assetId: assetId("a2") }));
    });
  });
}
