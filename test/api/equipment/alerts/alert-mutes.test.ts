import { describe, expect, it } from "vitest";
import type { AlertId, AssetId, GeofenceId, ProjectId } from "../../../../domain/ids.ts";
import { alert, commit, fence } from "../../../contracts/records/rows.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";

const MUTES = "/api/v1/equipment/alert-mutes";
const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(NOON_MS + hours * HOUR_MS).toISOString();
const MUTE = { asset_id: "a1", type: "equipment.geofence.entered", until: inHours(2) };

/** a1 in p1, a2 in p2. */
async function site(): Promise<TestApp> {
  const t = await openTestApp();
  for (const n of ["1", "2"]) {
    await t.project({ id: `p${n}` as ProjectId });
    await t.asset({ id: `a${n}` as AssetId, project_id: `p${n}` as ProjectId });
    await t.records.geofences.insert(fence(`g${n}`, { project_id: `p${n}` as ProjectId }), NOON_MS);
  }
  return t;
}

const keyOf = (t: TestApp, project: string) =>
  t.key({ id: `key_${project}` as never, name: "Anna", project_ids: [project as ProjectId] });

async function muted(t: TestApp, change: object = {}, key = ADMIN_KEY) {
  const answer = await t.send("POST", MUTES, key, { ...MUTE, ...change });
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
  return answer.json();
}

/** Opens an alert of a1 as the pipeline does, and yields it as the API shows it. */
async function opened(t: TestApp, id: string, change: Parameters<typeof alert>[1] = {}) {
  const upsert = alert(id, {
    openedAtMs: NOON_MS + HOUR_MS,
    severity: "warning",
    type: "equipment.geofence.entered",
    ...change,
  });
  await t.records.pipeline.commit(commit(1, { alerts: [upsert] }));
  return (await t.get(`/api/v1/equipment/alerts/${id as AlertId}`, ADMIN_KEY)).json();
}

describe("POST /alert-mutes", () => {
  it("an alert that opens while its rule is muted is acknowledged by who made the mute", async () => {
    await using t = await site();
    const mute = await muted(t, { note: "loading all day" }, await keyOf(t, "p1"));
    expect(mute).toEqual({
      id: expect.stringMatching(/^mut_/),
      project_id: "p1",
      ...MUTE,
      max_severity: "warning",
      from: inHours(0),
      note: "loading all day",
      created_by: "key_p1",
      created_by_name: "Anna",
    });
    expect(await opened(t, "x1")).toMatchObject({
      status: "acknowledged",
      acknowledged_at: inHours(1),
      acknowledged_by: "key_p1",
      acknowledged_by_name: "Anna",
      note: "loading all day",
      mute_id: mute.id,
    });
  });

  it.each([
    ["of another rule", { type: "equipment.geofence.exited" }],
    ["of another asset", { assetId: "a9" as AssetId }],
    ["of the same asset in another project", { projectId: "p2" as ProjectId }],
    ["that opened before the mute", { openedAtMs: NOON_MS - 1 }],
    ["that opens when the mute has ended", { openedAtMs: NOON_MS + 2 * HOUR_MS }],
    ["that is worse than the mute covers", { severity: "critical" as const }],
  ])("a mute leaves an alert open %s", async (_name, change) => {
    await using t = await site();
    await muted(t);
    const found = await opened(t, "x1", change);
    expect(found).toMatchObject({ status: "open" });
    expect(found).not.toHaveProperty("mute_id");
  });

  it("a muted alert that becomes critical, or another rule's, opens after all", async () => {
    await using t = await site();
    await muted(t);
    expect((await opened(t, "x1")).status).toBe("acknowledged");
    expect(await opened(t, "x1", { severity: "critical" })).not.toHaveProperty("acknowledged_by");
    await muted(t, { type: "equipment.maintenance.warning" });
    const type = "equipment.maintenance.warning";
    expect((await opened(t, "x2", { type })).status).toBe("acknowledged");
    expect((await opened(t, "x2", { type: "equipment.maintenance.due" })).status).toBe("open");
  });

  it("a mute of one fence leaves alerts of the others open", async () => {
    await using t = await site();
    await muted(t, { geofence_id: "g1" });
    expect((await opened(t, "x1", { geofenceId: "g1" as GeofenceId })).status).toBe("acknowledged");
    expect((await opened(t, "x2", { geofenceId: "g3" as GeofenceId })).status).toBe("open");
  });

  it.each([
    ["a type that is no rule of an asset", { type: "equipment.project.outage" }, "type"],
    ["a type with *", { type: "equipment.*" }, "type"],
    ["an end that has passed", { until: inHours(0) }, "until"],
    ["an end after 30 days", { until: inHours(30 * 24 + 1) }, "until"],
    ["an end that is no time", { until: "tomorrow" }, "until"],
    ["a fence of another project", { geofence_id: "g2" }, "geofence_id"],
    ["a note of 1,001 characters", { note: "x".repeat(1_001) }, "note"],
    ["an asset id with a quote", { asset_id: "a1'" }, "asset_id"],
  ])("POST /alert-mutes refuses %s with 400", async (_name, change, parameter) => {
    await using t = await site();
    const answer = await t.send("POST", MUTES, ADMIN_KEY, { ...MUTE, ...change });
    expect([answer.statusCode, answer.json().error.details[0].parameter]).toEqual([400, parameter]);
    expect(t.records.rows.alertMutes.size).toBe(0);
  });

  it("a key can mute, list and end mutes of its own projects only", async () => {
    await using t = await site();
    const [p1, p2] = [await keyOf(t, "p1"), await keyOf(t, "p2")];
    const mute = await muted(t, {}, p1);
    expect((await t.send("POST", MUTES, p2, MUTE)).statusCode).toBe(404);
    expect((await t.send("POST", MUTES, p1, { ...MUTE, geofence_id: "g2" })).statusCode).toBe(404);
    expect((await t.get(MUTES, p2)).json().data).toEqual([]);
    expect((await t.get(`${MUTES}?project_id=p1`, p2)).statusCode).toBe(404);
    expect((await t.send("DELETE", `${MUTES}/${mute.id}`, p2)).statusCode).toBe(404);
    expect((await t.get(MUTES, p1)).json().data).toEqual([mute]);
    const reader = await t.key({ scopes: ["equipment:read"] });
    expect((await t.send("DELETE", `${MUTES}/${mute.id}`, reader)).statusCode).toBe(403);
  });

  it("a mute that is ended mutes nothing more, and is 404 the next time", async () => {
    await using t = await site();
    const { id } = await muted(t);
    expect((await opened(t, "x1")).status).toBe("acknowledged");
    expect((await t.send("DELETE", `${MUTES}/${id}`, ADMIN_KEY)).statusCode).toBe(204);
    expect((await t.send("DELETE", `${MUTES}/${id}`, ADMIN_KEY)).statusCode).toBe(404);
    expect((await opened(t, "x1")).status).toBe("acknowledged");
    expect((await opened(t, "x2")).status).toBe("open");
  });

  it("GET /alert-mutes leaves out mutes that have ended unless they are asked for", async () => {
    await using t = await site();
    await muted(t);
    t.clock.ms += 2 * HOUR_MS;
    expect((await t.get(MUTES, ADMIN_KEY)).json().pagination.total).toBe(0);
    expect((await t.get(`${MUTES}?ended=true`, ADMIN_KEY)).json().pagination.total).toBe(1);
  });

  it("an asset has 50 mutes in force at most; one that has ended makes room", async () => {
    await using t = await site();
    for (let i = 0; i < 50; i += 1) await muted(t);
    expect((await t.send("POST", MUTES, ADMIN_KEY, MUTE)).statusCode).toBe(409);
    t.clock.ms += 2 * HOUR_MS;
    await muted(t, { until: inHours(3) });
  });
});
