import { describe, expect, it } from "vitest";
import type { AlertId, AssetId, ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { putAlert } from "../../../support/put-alert.ts";

const PATH = "/api/v1/equipment/alerts/acknowledge";
const MINUTE_MS = 60_000;

/** x1 to x3 open, of p1; x4 open, of p2; x5 of p1 acknowledged; x6 of p1 resolved. */
async function withAlerts(t: TestApp): Promise<void> {
  await t.project({ id: "p1" as ProjectId });
  await t.project({ id: "p2" as ProjectId });
  putAlert(t, "x1");
  putAlert(t, "x2", { openedAtMs: NOON_MS - MINUTE_MS, severity: "info" });
  putAlert(t, "x3", {
    openedAtMs: NOON_MS - 2 * MINUTE_MS,
    type: "equipment.asset.silent",
    assetId: "a2" as AssetId,
  });
  putAlert(t, "x4", { projectId: "p2" as ProjectId, openedAtMs: NOON_MS - 3 * MINUTE_MS });
  putAlert(t, "x5", { state: "acknowledged", acknowledgedAtMs: 1, acknowledgedBy: "k0" });
  putAlert(t, "x6", { state: "resolved", resolvedAtMs: NOON_MS });
}

const post = (t: TestApp, body: object, key = ADMIN_KEY, headers = {}) =>
  t.send("POST", PATH, key, body, headers);
const open = (t: TestApp) =>
  [...t.records.rows.alerts.values()].filter(({ state }) => state === "open").map(({ id }) => id);
const keyOf = (t: TestApp, project: string) =>
  t.key({ id: "key_1" as never, name: "Anna", project_ids: [project as ProjectId] });

describe("POST /alerts/acknowledge", () => {
  it("POST /alerts/acknowledge acknowledges alerts by id, with note, key and the key's name", async () => {
    await using t = await openTestApp();
    await withAlerts(t);
    const answer = await post(
      t,
      { alert_ids: ["x2", "x1", "x5"], note: "seen" },
      await keyOf(t, "p1"),
    );
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { acknowledged: ["x1", "x2"], unchanged: 1, has_more: false },
    ]);
    expect(open(t)).toEqual(["x3", "x4"]);
    expect(t.records.rows.alerts.get("x1" as AlertId)).toMatchObject({
      acknowledgedAtMs: NOON_MS,
      acknowledgedBy: "key_1",
      acknowledgedName: "Anna",
      note: "seen",
    });
    expect(t.records.rows.alerts.get("x5" as AlertId)?.acknowledgedBy).toBe("k0");
  });

  it("POST /alerts/acknowledge acknowledges nothing when one id is of another tenant, and names that id", async () => {
    await using t = await openTestApp();
    await withAlerts(t);
    const key = await keyOf(t, "p1");
    const answers = [
      await post(t, { alert_ids: ["x1", "x4"] }, key),
      await post(t, { alert_ids: ["x1", "absent"] }, key),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(404);
      expect(answer.json().error).toMatchObject({
        code: "not_found",
        details: [{ parameter: "alert_ids[1]", message: "names no alert that this key may see" }],
      });
    }
    expect(open(t)).toEqual(["x1", "x2", "x3", "x4"]);
  });

  it("POST /alerts/acknowledge with a filter acknowledges the open alerts of the key's projects that match", async () => {
    await using t = await openTestApp();
    await withAlerts(t);
    const key = await keyOf(t, "p1");
    const answer = await post(
      t,
      { filter: { type: ["equipment.geofence.*"], severity: ["info"] } },
      key,
    );
    expect(answer.json()).toEqual({ acknowledged: ["x2"], unchanged: 0, has_more: false });
    expect((await post(t, { filter: { asset_id: "a2" } }, key)).json().acknowledged).toEqual([
      "x3",
    ]);
    expect((await post(t, { filter: {} }, key)).json().acknowledged).toEqual(["x1"]);
    expect(open(t)).toEqual(["x4"]);
    expect(t.records.rows.alerts.get("x6" as AlertId)?.acknowledgedAtMs).toBeUndefined();
  });

  it("POST /alerts/acknowledge leaves open what opened after the list was read", async () => {
    await using t = await openTestApp();
    await withAlerts(t);
    const to = new Date(NOON_MS - 30_000).toISOString();
    expect((await post(t, { filter: { to } })).json().acknowledged).toEqual(["x2", "x3", "x4"]);
    expect(open(t)).toEqual(["x1"]);
  });

  it("POST /alerts/acknowledge says that more match than one request acknowledges", async () => {
    await using t = await openTestApp();
    await t.project({ id: "p1" as ProjectId });
    for (let i = 0; i < 1_001; i += 1) putAlert(t, `n${i}`, { openedAtMs: NOON_MS - i });
    const first = (await post(t, { filter: { project_id: "p1" } })).json();
    expect([first.acknowledged.length, first.has_more]).toEqual([1_000, true]);
    expect((await post(t, { filter: { project_id: "p1" } })).json()).toEqual({
      acknowledged: ["n1000"],
      unchanged: 0,
      has_more: false,
    });
  });

  it("POST /alerts/acknowledge repeats its answer for the same Idempotency-Key", async () => {
    await using t = await openTestApp();
    await withAlerts(t);
    const headers = { "idempotency-key": "once-1" };
    const first = await post(t, { filter: { project_id: "p1" } }, ADMIN_KEY, headers);
    const again = await post(t, { filter: { project_id: "p1" } }, ADMIN_KEY, headers);
    expect([again.statusCode, again.json()]).toEqual([200, first.json()]);
    expect(first.json().acknowledged).toEqual(["x1", "x2", "x3"]);
  });

  it.each([
    ["neither ids nor a filter", { note: "all" }, "alert_ids"],
    ["both ids and a filter", { alert_ids: ["x1"], filter: {} }, "alert_ids"],
    ["no ids", { alert_ids: [] }, "alert_ids"],
    ["the same id twice", { alert_ids: ["x1", "x1"] }, "alert_ids"],
    ["1,001 ids", { alert_ids: Array.from({ length: 1_001 }, (_, i) => `n${i}`) }, "alert_ids"],
    ["an id with U+0000", { alert_ids: ["x\u0000"] }, "alert_ids.0"],
    ["ids that are SQL", { alert_ids: ["x' OR 1=1 --"] }, "alert_ids.0"],
    ["an unknown type", { filter: { type: ["equipment.geofence.entred"] } }, "filter.type"],
    ["an unknown severity", { filter: { severity: ["fatal"] } }, "filter.severity"],
    [
      "a range that ends before it begins",
      { filter: { from: "2026-03-05T12:00:00Z", to: "2026-03-05T11:00:00Z" } },
      "filter.from",
    ],
    ["a time before 1970", { filter: { to: "1869-03-05T12:00:00Z" } }, "filter.to"],
    ["a note of 1,001 characters", { filter: {}, note: "x".repeat(1_001) }, "note"],
    ["a list", [], "body"],
  ])("POST /alerts/acknowledge refuses %s with 400", async (_name, body, parameter) => {
    await using t = await openTestApp();
    await withAlerts(t);
    const answer = await post(t, body);
    expect([answer.statusCode, answer.json().error.details?.[0]?.parameter]).toEqual([
      400,
      expect.stringContaining(parameter.split(".0")[0] ?? ""),
    ]);
    expect(open(t)).toEqual(["x1", "x2", "x3", "x4"]);
  });

  it("POST /alerts/acknowledge answers 404 to a filter on another tenant's project", async () => {
    await using t = await openTestApp();
    await withAlerts(t);
    const answer = await post(t, { filter: { project_id: "p2" } }, await keyOf(t, "p1"));
    expect(answer.statusCode).toBe(404);
    expect(open(t)).toEqual(["x1", "x2", "x3", "x4"]);
  });
});

it("GET /alerts takes types by their beginning, as GET /events does", async () => {
  await using t = await openTestApp();
  await withAlerts(t);
  const read = async (type: string) =>
    (await t.get(`/api/v1/equipment/alerts?type=${type}`, ADMIN_KEY)).json();
  const ids = (await read("equipment.asset.*")).data.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(["x3"]);
  expect((await read("equipment.nothing.*")).error.details[0].parameter).toContain("type");
});
