import { describe, expect, it } from "vitest";
import type { AssetId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, NOON_MS, openTestApp } from "../../../support/api-app.ts";

const ASSETS = "/api/v1/equipment/assets";

describe("the connection of an asset", () => {
  it("the connection of an asset keeps link, messages and positions apart, in the list and in the detail", async () => {
    await using t = await openTestApp();
    const id = await t.asset({ project_id: await t.project() });
    t.live(id, {
      lastReceivedAtMs: NOON_MS - 60_000,
      connection: { link: "disconnected", linkSinceMs: NOON_MS - 90_000, status: "offline" },
    });
    const expected = {
      link: "disconnected",
      link_since: "2026-03-05T11:58:30.000Z",
      last_message_at: "2026-03-05T11:59:00.000Z",
      last_fix_at: "2026-03-05T11:59:50.000Z",
      status: "offline",
    };

    const list = await t.get(ASSETS, ADMIN_KEY);
    const detail = await t.get(`${ASSETS}/${id}`, ADMIN_KEY);

    expect(list.json().data[0].connection).toEqual(expected);
    expect(detail.json().connection).toEqual(expected);
  });

  it("shows an asset that connected and sent nothing as updated when it was registered", async () => {
    await using t = await openTestApp();
    const id = await t.asset({ project_id: await t.project() });
    t.live(id, {
      fix: undefined,
      lastReceivedAtMs: 0,
      lastUpdateMs: 0,
      connection: { link: "connected", linkSinceMs: NOON_MS, status: "ok" },
    });

    const { last_update, connection } = (await t.get(`${ASSETS}/${id}`, ADMIN_KEY)).json();

    expect(last_update).toBe("2026-03-01T08:00:00.000Z");
    expect(connection).toEqual({
      link: "connected",
      link_since: "2026-03-05T12:00:00.000Z",
      status: "ok",
    });
  });
});

describe("the time-out of an asset", () => {
  it("the time-out of an asset is chosen with the asset, changed, kept by other changes, and given up with null", async () => {
    await using t = await openTestApp();
    const project_id = await t.project();
    const body = { id: "van-1", name: "Van", type: "van", project_id, liveness_timeout_s: 120 };
    const created = await t.send("POST", ASSETS, ADMIN_KEY, body);
    const patch = (change: object) => t.send("PATCH", `${ASSETS}/van-1`, ADMIN_KEY, change);

    expect(created.json().liveness_timeout_s).toBe(120);
    expect((await patch({ liveness_timeout_s: 3_600 })).json().liveness_timeout_s).toBe(3_600);
    expect((await patch({ name: "Van 1" })).json().liveness_timeout_s).toBe(3_600);
    expect((await patch({ liveness_timeout_s: null })).json().liveness_timeout_s).toBe(900);
    const stored = t.records.rows.assets.get("van-1" as AssetId)?.asset;
    expect(stored).not.toHaveProperty("liveness_timeout_s");
    expect((await patch({ liveness_timeout_s: 59 })).statusCode).toBe(400);
  });
});
