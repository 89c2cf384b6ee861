import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Overview } from "../../../api/overview/overview-schemas.ts";
import type { AssetId, ProjectId, StockpileId } from "../../../domain/ids.ts";
import type { Scope } from "../../../domain/platform/api-key.ts";
import { capture, completed, report } from "../../contracts/records/progress-rows.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../support/api-app.ts";
import { putAlert } from "../../support/put-alert.ts";
import { sampleStockpile } from "../../support/sample-stockpile.ts";

const PATH = "/api/v1/overview";
const P1 = "p1" as ProjectId;
const P2 = "p2" as ProjectId;

async function stockpile(t: TestApp, id: string, change: Parameters<typeof sampleStockpile>[0]) {
  const full = sampleStockpile({ id: id as StockpileId, project_id: P1, ...change });
  await t.records.stockpiles.insert(full);
}

async function reported(t: TestApp, id: string, project_id: ProjectId): Promise<void> {
  await t.records.captures.insert(capture(id, { project_id }));
  const made = report(`r_${id}`, { capture_id: id as never, project_id });
  await t.records.captures.complete(completed(id, 15, { project_id }, { report: made }));
}

/** p1 with three assets, five alerts, three stockpiles, a report and a capture under way; p2 with one of each. */
let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
  for (const id of [P1, P2]) await t.project({ id });
  for (const id of ["a1", "a2", "a3"]) await t.asset({ id: id as AssetId, project_id: P1 });
  await t.asset({ id: "b1" as AssetId, project_id: P2 });
  t.live("a1" as AssetId);
  t.live("a2" as AssetId, { hasCriticalAlert: true });
  putAlert(t, "x1", { severity: "critical", openedAtMs: NOON_MS - 4 });
  for (const i of [1, 2, 3]) putAlert(t, `w${i}`, { openedAtMs: NOON_MS - 4 + i });
  putAlert(t, "x5", { state: "acknowledged", acknowledgedAtMs: 1 });
  putAlert(t, "y1", { projectId: P2, severity: "info" });
  await stockpile(t, "s1", { current_volume_m3: 4_900 });
  await stockpile(t, "s2", { current_volume_m3: 0, volume_basis: "none" });
  await stockpile(t, "s3", { project_id: P2 });
  await reported(t, "c1", P1);
  await reported(t, "c2", P2);
  await t.records.captures.insert(capture("c3", { project_id: P1 }));
});
afterAll(() => t[Symbol.asyncDispose]());

const READS: readonly Scope[] = ["equipment:read", "materials:read", "progress:read"];
const keyOf = (project: string, scopes: readonly Scope[] = READS) =>
  t.key({ scopes: [...scopes], project_ids: [project as ProjectId] });

async function read(query = "", key = ADMIN_KEY): Promise<Overview> {
  const answer = await t.get(`${PATH}${query}`, key);
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  const body = answer.json();
  expect(Compile(Overview).Check(body)).toBe(true);
  return body;
}

describe("GET /overview", () => {
  it("GET /overview counts a project's machines, alerts, stockpiles, captures and reports", async () => {
    const { equipment, materials, progress, ...rest } = await read("?project_id=p1");
    expect(rest).toEqual({ as_of: new Date(NOON_MS).toISOString(), projects: 1 });
    expect(equipment).toMatchObject({
      assets: 3,
      status: { active: 0, idle: 2, maintenance: 1 },
      connection: { ok: 2, silent: 0, offline: 0, gps_stuck: 0, unknown: 1 },
      open_alerts: { critical: 1, warning: 3, info: 0 },
    });
    expect(equipment?.newest_alerts.map(({ id }) => id)).toEqual(["w3", "w2", "w1"]);
    expect(materials).toEqual({
      stockpiles: 2,
      status: { empty: 0, low: 0, adequate: 0, full: 1 },
      unknown: 1,
    });
    expect(progress?.captures_processing).toBe(1);
    expect(progress?.reports.map(({ id, project_id }) => [id, project_id])).toEqual([
      ["r_c1", "p1"],
    ]);
  });

  it("GET /overview counts all that a key may see, and nothing of another tenant", async () => {
    const all = await read();
    expect([all.projects, all.equipment?.assets, all.materials?.stockpiles]).toEqual([2, 4, 3]);
    expect(all.progress?.reports.map(({ project_id }) => project_id)).toEqual(["p1", "p2"]);
    const own = await read("", await keyOf("p2"));
    expect([own.projects, own.equipment?.assets, own.materials?.stockpiles]).toEqual([1, 1, 1]);
    expect(own.equipment?.open_alerts).toEqual({ critical: 0, warning: 0, info: 1 });
    expect(own.equipment?.newest_alerts.map(({ id }) => id)).toEqual(["y1"]);
    expect(own.progress?.captures_processing).toBe(0);
    expect(own.progress?.reports.map(({ id }) => id)).toEqual(["r_c2"]);
  });

  it("GET /overview of another tenant's project, or of none, is 404", async () => {
    const key = await keyOf("p2");
    for (const id of ["p1", "absent"]) {
      expect((await t.get(`${PATH}?project_id=${id}`, key)).statusCode).toBe(404);
    }
    expect((await t.get(`${PATH}?project_id=p1'`, key)).statusCode).toBe(400);
  });

  it("GET /overview is null where the key lacks a scope, and 403 to a key without any of them", async () => {
    const own = await read("", await keyOf("p1", ["materials:read"]));
    expect([own.equipment, own.progress, own.materials?.stockpiles]).toEqual([null, null, 2]);
    expect((await t.get(PATH, await keyOf("p1", ["events:read"]))).statusCode).toBe(403);
    expect((await read("", await keyOf("p9"))).equipment?.assets).toBe(0);
  });
});
