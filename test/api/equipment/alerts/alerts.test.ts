import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AlertList, Alert as AlertSchema } from "../../../../api/equipment/alerts/alert-schemas.ts";
import type { AlertId, AssetId, GeofenceId, ProjectId, VisitId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { putAlert as put } from "../../../support/put-alert.ts";

const ALERTS = "/api/v1/equipment/alerts";
const MINUTE_MS = 60_000;

const alertList = Compile(AlertList);
const alertBody = Compile(AlertSchema);

/** x1 at 12:00 open; x2 at 11:50 critical, acknowledged; x3 at 11:40 info, resolved, of project p2. */
async function withAlerts(t: TestApp): Promise<void> {
  await t.project({ id: "p1" as ProjectId });
  await t.project({ id: "p2" as ProjectId });
  put(t, "x1", { geofenceId: "f1" as GeofenceId, visitId: "v1" as VisitId });
  put(t, "x2", {
    type: "equipment.fault.raised",
    severity: "critical",
    assetId: "a2" as AssetId,
    openedAtMs: NOON_MS - 10 * MINUTE_MS,
    state: "acknowledged",
    acknowledgedAtMs: NOON_MS - 5 * MINUTE_MS,
    occurrences: 3,
    data: { spn: 110, fmi: 3 },
  });
  put(t, "x3", {
    type: "equipment.project.outage",
    severity: "info",
    projectId: "p2" as ProjectId,
    assetId: undefined,
    openedAtMs: NOON_MS - 20 * MINUTE_MS,
    state: "resolved",
    resolvedAtMs: NOON_MS - MINUTE_MS,
    resolution: "recovered",
  });
}

/** For tests that change nothing. */
let unchanged: TestApp;
beforeAll(async () => {
  unchanged = await openTestApp();
  await withAlerts(unchanged);
});
afterAll(() => unchanged[Symbol.asyncDispose]());

const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

describe("GET /alerts", () => {
  it("GET /alerts lists alerts, newest first, each with what is known of it and nothing else", async () => {
    await using t = await openTestApp();
    await withAlerts(t);
    const body = (await t.get(ALERTS, ADMIN_KEY)).json();
    const { message } = body.data[0];
    expect(body).toEqual({
      data: [
        {
          id: "x1",
          type: "equipment.geofence.entered",
          severity: "warning",
          status: "open",
          project_id: "p1",
          asset_id: "a1",
          geofence_id: "f1",
          visit_id: "v1",
          message: "Excavator 7 entered Crane zone",
          opened_at: "2026-03-05T12:00:00.000Z",
          occurrences: 1,
          data: {},
        },
        {
          id: "x2",
          type: "equipment.fault.raised",
          severity: "critical",
          status: "acknowledged",
          project_id: "p1",
          asset_id: "a2",
          message,
          opened_at: "2026-03-05T11:50:00.000Z",
          acknowledged_at: "2026-03-05T11:55:00.000Z",
          occurrences: 3,
          data: { spn: 110, fmi: 3 },
        },
        {
          id: "x3",
          type: "equipment.project.outage",
          severity: "info",
          status: "resolved",
          project_id: "p2",
          message,
          opened_at: "2026-03-05T11:40:00.000Z",
          resolved_at: "2026-03-05T11:59:00.000Z",
          resolution: "recovered",
          occurrences: 1,
          data: {},
        },
      ],
      pagination: { page: 1, limit: 100, total: 3, has_more: false },
    });
    expect(alertList.Check(body)).toBe(true);
  });

  it.each([
    ["status=open", ["x1"]],
    ["status=open,acknowledged", ["x1", "x2"]],
    ["severity=critical", ["x2"]],
    ["severity=info,warning", ["x1", "x3"]],
    ["type=equipment.geofence.entered,equipment.project.outage", ["x1", "x3"]],
    ["type=equipment.project.*", ["x3"]],
    ["project_id=p2", ["x3"]],
    ["asset_id=a2", ["x2"]],
    ["geofence_id=f1", ["x1"]],
    ["from=2026-03-05T11:50:00Z", ["x1", "x2"]],
    ["to=2026-03-05T11:50:00Z", ["x3"]],
    ["status=open&severity=critical", []],
    ["asset_id=removed", []],
    ["limit=1&offset=1", ["x2"]],
    ["sort=opened_at", ["x3", "x2", "x1"]],
    ["sort=-opened_at&limit=2", ["x1", "x2"]],
    ["sort=opened_at&limit=1&offset=2", ["x1"]],
  ])("GET /alerts takes ?%s", async (query, expected) => {
    expect(idsOf((await unchanged.get(`${ALERTS}?${query}`, ADMIN_KEY)).json())).toEqual(expected);
  });

  it.each([
    ["status=new", "status"],
    ["status=", "status"],
    ["status=open,", "status"],
    ["status=open&status=resolved", "status"],
    ["severity=fatal", "severity"],
    ["type=equipment.geofence", "type"],
    ["type=equipment.project.*,nothing.*", "type"],
    ["asset_id=a%2Fb", "asset_id"],
    ["from=2026-03-05", "from"],
    ["from=2026-03-05T12:00:00Z&to=2026-03-05T11:00:00Z", "from"],
    ["limit=1001", "limit"],
    ["sort=severity", "sort"],
  ])("GET /alerts refuses ?%s with 400", async (query, parameter) => {
    const response = await unchanged.get(`${ALERTS}?${query}`, ADMIN_KEY);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details[0].parameter).toMatch(new RegExp(`^${parameter}\\b`));
  });

  it("GET /alerts is CSV on request", async () => {
    await using t = await openTestApp();
    await withAlerts(t);
    const { body } = await t.get(`${ALERTS}?status=resolved`, ADMIN_KEY, { accept: "text/csv" });
    expect(body).toBe(
      "id,type,severity,status,project_id,asset_id,geofence_id,visit_id,message,opened_at,device_time,acknowledged_at,acknowledged_by,acknowledged_by_name,note,mute_id,resolved_at,resolution,occurrences\r\n" +
        "x3,equipment.project.outage,info,resolved,p2,,,,Excavator 7 entered Crane zone,2026-03-05T11:40:00.000Z,,,,,,,2026-03-05T11:59:00.000Z,recovered,1\r\n",
    );
  });

  it("GET /alerts shows a key the alerts of its projects only, and 404 for the others with one body", async () => {
    await using t = await openTestApp();
    await withAlerts(t);
    const key = await t.key({ project_ids: ["p2" as ProjectId] });
    const list = (await t.get(ALERTS, key)).json();
    expect(idsOf(list)).toEqual(["x3"]);
    expect(list.pagination.total).toBe(1);
    expect((await t.get(`${ALERTS}?project_id=p1`, key)).statusCode).toBe(404);

    const answers = [
      await t.get(`${ALERTS}/x1`, key),
      await t.get(`${ALERTS}/absent`, key),
      await t.get(`${ALERTS}/not%20an%20id`, key),
      await t.send("POST", `${ALERTS}/x1/acknowledge`, key),
      await t.send("POST", `${ALERTS}/absent/acknowledge`, key),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(404);
      const { request_id: _, ...error } = answer.json().error;
      expect(error).toEqual({ code: "not_found", message: "Not found" });
    }
    expect(t.records.rows.alerts.get("x1" as AlertId)?.state).toBe("open");
  });
});

describe("POST /alerts/{id}/acknowledge", () => {
  it("POST /alerts/{id}/acknowledge answers with the alert, by whom and with what note", async () => {
    await using t = await openTestApp();
    await withAlerts(t);
    const key = await t.key({ id: "key_1" as never });
    t.clock.ms += MINUTE_MS;
    const note = "Banksman is on the way";
    const response = await t.send("POST", `${ALERTS}/x1/acknowledge`, key, { note });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      id: "x1",
      status: "acknowledged",
      acknowledged_at: "2026-03-05T12:01:00.000Z",
      acknowledged_by: "key_1",
      acknowledged_by_name: "test",
      note,
    });
    expect(alertBody.Check(response.json())).toBe(true);
    expect((await t.get(`${ALERTS}/x1`, key)).json()).toEqual(response.json());
  });

  it("POST /alerts/{id}/acknowledge keeps the first acknowledgement when it is said again", async () => {
    await using t = await openTestApp();
    await withAlerts(t);
    const first = await t.send("POST", `${ALERTS}/x1/acknowledge`, ADMIN_KEY, { note: "mine" });
    t.clock.ms += MINUTE_MS;
    const again = await t.send("POST", `${ALERTS}/x1/acknowledge`, ADMIN_KEY, { note: "no, mine" });
    expect(again.statusCode).toBe(200);
    expect(again.json()).toEqual(first.json());
  });

  it.each([
    ["no body", undefined],
    ["an empty body", {}],
    ["unknown fields", { by: "me" }],
  ])("POST /alerts/{id}/acknowledge takes %s; the bootstrap key is shown as admin", async (_name, body) => {
    await using t = await openTestApp();
    await withAlerts(t);
    const response = await t.send("POST", `${ALERTS}/x1/acknowledge`, ADMIN_KEY, body);
    expect(response.statusCode).toBe(200);
    expect(response.json().status).toBe("acknowledged");
    expect(response.json()).toMatchObject({
      acknowledged_by: "admin",
      acknowledged_by_name: "admin",
    });
    expect(response.json()).not.toHaveProperty("note");
  });

  it("POST /alerts/{id}/acknowledge leaves a resolved alert resolved", async () => {
    await using t = await openTestApp();
    await withAlerts(t);
    const response = await t.send("POST", `${ALERTS}/x3/acknowledge`, ADMIN_KEY, {});
    expect(response.json()).toMatchObject({
      status: "resolved",
      acknowledged_at: "2026-03-05T12:00:00.000Z",
    });
  });

  it.each([
    ["a note that is a number", { note: 5 }, "note"],
    ["a note of 1,001 characters", { note: "x".repeat(1_001) }, "note"],
    ["a list", [], "body"],
  ])("POST /alerts/{id}/acknowledge refuses %s with 400, also of an alert that is not there", async (_name, body, parameter) => {
    const response = await unchanged.send("POST", `${ALERTS}/absent/acknowledge`, ADMIN_KEY, body);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details[0].parameter).toBe(parameter);
  });

  it("POST /alerts/{id}/acknowledge needs a key that may write", async () => {
    await using t = await openTestApp();
    await withAlerts(t);
    const reader = await t.key({ scopes: ["equipment:read"] });
    expect((await t.send("POST", `${ALERTS}/x1/acknowledge`, reader)).statusCode).toBe(403);
    expect((await t.get(`${ALERTS}/x1`, reader)).statusCode).toBe(200);
  });
});
