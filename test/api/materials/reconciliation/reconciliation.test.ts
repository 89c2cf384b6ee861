import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Reconciliation } from "../../../../api/materials/reconciliation/reconciliation-schemas.ts";
import type { AssetId, GeofenceId, JobId, ProjectId } from "../../../../domain/ids.ts";
import type { StockpileMeasurement } from "../../../../domain/sites/measurement.ts";
import type { Stockpile } from "../../../../domain/sites/stockpile.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { visitOf, writePayload } from "../../../support/hauling.ts";
import { storeStockpile } from "../../../support/measuring.ts";
import { sampleMeasurement } from "../../../support/sample-stockpile.ts";

const reconciliation = Compile(Reconciliation);
const MINUTE_MS = 60_000;
/** The first measurement, and the second three hours later at 11:00. */
const START_MS = NOON_MS - 4 * 60 * MINUTE_MS;
const END_MS = START_MS + 180 * MINUTE_MS;

const urlOf = ({ id }: Pick<Stockpile, "id">) =>
  `/api/v1/materials/stockpiles/${id}/reconciliation`;

async function measure(
  t: TestApp,
  { id }: Stockpile,
  name: string,
  atMs: number,
  change: Partial<StockpileMeasurement>,
): Promise<StockpileMeasurement> {
  const jobId = name as JobId;
  return await t.records.stockpiles.addMeasurement(id, jobId, (before) => ({
    stockpile: before,
    measurement: sampleMeasurement(before, jobId, {
      measured_at: new Date(atMs).toISOString(),
      alignment: "stable_ground",
      ...change,
    }),
    events: [],
  }));
}

/** Fence `f1` of project `p1` since the day before, changed never. */
async function drawFence(t: TestApp): Promise<void> {
  const at = new Date(START_MS - 86_400_000).toISOString();
  await t.records.geofences.insert(
    {
      id: "f1" as GeofenceId,
      project_id: "p1" as ProjectId,
      name: "Pile",
      kind: "zone",
      ring: [
        [9.9, 53.5],
        [9.901, 53.5],
        [9.901, 53.501],
        [9.9, 53.5],
      ],
      area_sqm: 3_700,
      alert_on: [],
      rules: { exit_buffer_m: 30, confirm_fixes: 2, min_dwell_s: 0 },
      created_at: at,
      updated_at: at,
    },
    START_MS - 86_400_000,
  );
}

function put(t: TestApp, id: string, minutes: readonly [number, number | undefined], asset = "t1") {
  const visit = visitOf(id, minutes, { assetId: asset as AssetId }, START_MS);
  t.records.rows.visits.set(visit.id, visit);
}

/**
 * A pile of 2 t/m3 that grew by 20 m3 +- 3 (95 %) while truck t1 brought two loads of 30 t and took one of
 * 20 t: `change` of what its second measurement says.
 */
async function withLoads(
  t: TestApp,
  change: Partial<StockpileMeasurement> = {},
  pile: Partial<Stockpile> = {},
) {
  await t.project({ id: "p1" as ProjectId });
  await drawFence(t);
  const stockpile = await storeStockpile(t, {
    project_id: "p1" as ProjectId,
    geofence_id: "f1" as GeofenceId,
    density_t_per_m3: 2,
    ...pile,
  });
  const first = await measure(t, stockpile, "job_1", START_MS, {
    current_volume_m3: 1_000,
    sigma_m3: 5,
  });
  const second = await measure(t, stockpile, "job_2", END_MS, {
    previous_measurement_id: first.id,
    previous_volume_m3: 1_000,
    current_volume_m3: 1_020,
    change_m3: 20,
    change_95_m3: 3,
    sigma_m3: 6,
    ...change,
  });
  const minuteOf = (timeMs: number) => (timeMs - START_MS) / MINUTE_MS;
  await writePayload(
    t.telemetry,
    "t1",
    { fromMs: START_MS - 30 * MINUTE_MS, toMs: END_MS + 30 * MINUTE_MS, periodS: 10 },
    (timeMs) => {
      const minute = minuteOf(timeMs);
      if (minute < 32) return 30_000;
      if (minute < 50) return 0;
      if (minute < 72) return 30_000;
      return minute < 102 ? 0 : 20_000;
    },
  );
  put(t, "v1", [30, 35]);
  put(t, "v2", [70, 75]);
  put(t, "v3", [100, 105]);
  return { stockpile, first, second };
}

/** For tests that change nothing. */
let unchanged: TestApp;
let pile: Awaited<ReturnType<typeof withLoads>>;
beforeAll(async () => {
  unchanged = await openTestApp();
  pile = await withLoads(unchanged);
});
afterAll(() => unchanged[Symbol.asyncDispose]());

describe("GET /stockpiles/{id}/reconciliation", () => {
  it("GET /stockpiles/{id}/reconciliation puts the loads between the last two measurements beside the measured change", async () => {
    const { stockpile, first, second } = pile;
    const answer = await unchanged.get(urlOf(stockpile), ADMIN_KEY);
    const body = answer.json();
    expect(reconciliation.Check(body)).toBe(true);
    expect(body).toMatchObject({
      stockpile_id: "sp_north",
      geofence_id: "f1",
      from_measurement: { measurement_id: first.id, volume_m3: 1_000 },
      to_measurement: { measurement_id: second.id, volume_m3: 1_020 },
      verdict: "agree",
      measured: {
        m3: { value: 20, uncertainty_95: 3 },
        // 1.96 x hypot(2 x 3 / 1.96, 5 % of 40 t).
        tonnes: { value: 40, uncertainty_95: 7.167 },
        basis: "later_measurement",
      },
      counted: {
        // 1.96 x hypot(0.9, 0.9, 1 % of 60 t).
        brought_tonnes: { value: 60, uncertainty_95: 2.758 },
        // 1.96 x hypot(0.6, 1 % of 20 t).
        taken_tonnes: { value: 20, uncertainty_95: 1.24 },
        // 1.96 x hypot(0.9, 0.9, 0.6, 1 % of 40 t).
        net_tonnes: { value: 40, uncertainty_95: 2.867 },
        // 1.96 x hypot(1.4629, 5 % of 40 t) / 2.
        net_m3: { value: 20, uncertainty_95: 2.428 },
        is_lower_bound: false,
        brought_loads: 2,
        taken_loads: 1,
        passes: 0,
        unweighed: 0,
        low_confidence: 0,
      },
      difference: {
        // 1.96 x hypot(3.0612, 1.4629, 2).
        tonnes: { value: 0, uncertainty_95: 7.719 },
        m3: { value: 0, uncertainty_95: 3.86 },
        significant: false,
      },
      density: { t_per_m3: 2, implied_t_per_m3: { value: 2 } },
      machines: [
        {
          asset_id: "t1",
          stays: 3,
          brought_tonnes: 60,
          taken_tonnes: 20,
          unweighed: 0,
          weighs: true,
        },
      ],
      inside_at_end: [],
      assumed: {
        load_sigma_percent: 3,
        calibration_sigma_percent: 1,
        density_sigma_percent: 5,
        least_load_kg: 500,
      },
      warnings: [],
    });
    expect(body.data).toHaveLength(3);
    expect(body.data[2]).toEqual({
      asset_id: "t1",
      entered_at: "2026-03-05T09:40:00.000Z",
      exited_at: "2026-03-05T09:45:00.000Z",
      kind: "taken",
      tonnes: -20,
      uncertainty_95_tonnes: 1.176,
      payload_before_kg: 0,
      payload_after_kg: 20_000,
      readings_before: 6,
      readings_after: 7,
      confidence: "good",
      remarks: [],
      spans_from_measurement: false,
      visit_ids: ["v3"],
    });
    expect(body.pagination).toEqual({ page: 1, limit: 100, total: 3, has_more: false });
  });

  it("GET /stockpiles/{id}/reconciliation says that they differ, and what density would make them equal", async () => {
    await using t = await openTestApp();
    const { stockpile } = await withLoads(t, { current_volume_m3: 1_040, change_m3: 40 });
    const body = (await t.get(urlOf(stockpile), ADMIN_KEY)).json();
    expect(body).toMatchObject({
      verdict: "differ",
      difference: { tonnes: { value: 40 }, m3: { value: 20 }, significant: true },
      density: { implied_t_per_m3: { value: 1 } },
    });
    const { interval_95 } = body.density.implied_t_per_m3;
    // 2.9 t of 40 t and 3 m3 of 40 m3, by squares about 10 %.
    expect(interval_95).toEqual([expect.closeTo(0.9, 1), expect.closeTo(1.1, 1)]);
  });

  it("reconciliation gives no result while a truck was not weighed, until that is ignored", async () => {
    await using t = await openTestApp();
    const { stockpile } = await withLoads(t, { current_volume_m3: 1_040, change_m3: 40 });
    put(t, "v4", [120, 125], "hired-1");
    const body = (await t.get(urlOf(stockpile), ADMIN_KEY)).json();
    expect(body).toMatchObject({
      verdict: "incomplete",
      counted: { unweighed: 1, is_lower_bound: true },
      warnings: [
        "1 of 4 stays were not weighed: what was brought and taken is at least what was counted",
        "no payload_kg near the fence from hired-1",
      ],
    });
    const ignoring = await t.get(`${urlOf(stockpile)}?ignore_assets=hired-1,x`, ADMIN_KEY);
    expect(ignoring.json()).toMatchObject({ verdict: "differ", warnings: [] });
  });

  it("reconciliation compares nothing without a density, and still gives what the loads imply", async () => {
    await using t = await openTestApp();
    const { stockpile } = await withLoads(t, {}, { density_t_per_m3: undefined });
    const body = (await t.get(urlOf(stockpile), ADMIN_KEY)).json();
    expect(reconciliation.Check(body)).toBe(true);
    expect(body).toMatchObject({
      verdict: "no_density",
      counted: { net_tonnes: { value: 40 } },
      density: { implied_t_per_m3: { value: 2 } },
    });
    expect(body).not.toHaveProperty("difference");
    expect(body.density).not.toHaveProperty("t_per_m3");
  });

  it("GET /stockpiles/{id}/reconciliation takes the errors that are given, and pages", async () => {
    const { stockpile } = pile;
    const errors =
      "load_sigma_percent=1.5&calibration_sigma_percent=0&density_sigma_percent=0&least_load_kg=25000";
    const body = (
      await unchanged.get(`${urlOf(stockpile)}?${errors}&limit=1&offset=2`, ADMIN_KEY)
    ).json();
    expect(body).toMatchObject({
      // 1.96 x 1.5 % of 30 t, twice by squares; 20 t are not a load.
      counted: { net_tonnes: { value: 60, uncertainty_95: 1.247 }, taken_loads: 0, passes: 1 },
      assumed: { load_sigma_percent: 1.5, density_sigma_percent: 0, least_load_kg: 25_000 },
      pagination: { page: 3, limit: 1, total: 3, has_more: false },
    });
    expect(body.data).toMatchObject([{ kind: "none", visit_ids: ["v3"] }]);
    const back = await unchanged.get(
      `${urlOf(stockpile)}?${errors}&limit=1&sort=-exited_at`,
      ADMIN_KEY,
    );
    expect(back.json().data).toEqual(body.data);
    expect(back.json().counted).toEqual(body.counted);
  });

  it("GET /stockpiles/{id}/reconciliation takes the measurements that are named; of volumes with another between both uncertainties count", async () => {
    await using t = await openTestApp();
    const { stockpile, first, second } = await withLoads(t);
    const third = await measure(t, stockpile, "job_3", END_MS + 20 * MINUTE_MS, {
      previous_measurement_id: second.id,
      current_volume_m3: 1_030,
      change_m3: 10,
      change_95_m3: 3,
      sigma_m3: 12,
    });
    const ask = async (query: string) => (await t.get(urlOf(stockpile) + query, ADMIN_KEY)).json();
    const pairOf = ({ from_measurement: from, to_measurement: to }: Reconciliation) => [
      from.measurement_id,
      to.measurement_id,
    ];
    expect(pairOf(await ask(""))).toEqual([second.id, third.id]);
    expect(pairOf(await ask(`?to_measurement=${second.id}`))).toEqual([first.id, second.id]);
    const whole = await ask(`?from_measurement=${first.id}`);
    expect(pairOf(whole)).toEqual([first.id, third.id]);
    expect(whole.measured).toMatchObject({
      // 1.96 x hypot(5, 12).
      m3: { value: 30, uncertainty_95: 25.48 },
      basis: "two_volumes",
    });
    const later = await ask("");
    expect(later).toMatchObject({ counted: { brought_loads: 0 }, data: [] });
    expect(later.warnings).toEqual(["no machine left the fence in this time"]);
  });

  it("GET /stockpiles/{id}/reconciliation names stays that the measurements cut, and a fence and records that do not reach back", async () => {
    await using t = await openTestApp({ retentionDays: 1 });
    const { stockpile } = await withLoads(t);
    put(t, "v0", [-5, 2], "t2");
    put(t, "v9", [175, undefined], "t3");
    const early = (await t.get(urlOf(stockpile), ADMIN_KEY)).json();
    expect(early.warnings).toEqual(
      expect.arrayContaining([
        "in the fence while the first measurement was made, and counted when they left: t2",
        "in the fence while the second measurement was made, and so not counted: t3",
      ]),
    );
    expect(early.data[0]).toMatchObject({ asset_id: "t2", spans_from_measurement: true });
    expect(early.inside_at_end).toEqual([
      { asset_id: "t3", entered_at: "2026-03-05T10:55:00.000Z" },
    ]);
    t.clock.ms = NOON_MS + 86_400_000;
    await t.records.geofences.delete("f1" as GeofenceId, NOON_MS);
    const late = (await t.get(urlOf(stockpile), ADMIN_KEY)).json();
    expect(late.counted.is_lower_bound).toBe(true);
    expect(late.warnings).toEqual(
      expect.arrayContaining([
        "visits and telemetry are kept for 1 days: those of the first part of this time are gone",
        "the fence was deleted: loads since then are not known",
      ]),
    );
  });

  it("GET /stockpiles/{id}/reconciliation gives the loads as CSV to those who ask for it", async () => {
    await using t = await openTestApp();
    const { stockpile } = await withLoads(t);
    put(t, "v4", [120, 125], "van");
    const { headers, body } = await t.get(urlOf(stockpile), ADMIN_KEY, { accept: "text/csv" });
    expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(body.split("\r\n")).toEqual([
      "asset_id,entered_at,exited_at,kind,tonnes,uncertainty_95_tonnes,payload_before_kg,payload_after_kg,readings_before,readings_after,confidence,remarks,spans_from_measurement,visit_ids",
      "t1,2026-03-05T08:30:00.000Z,2026-03-05T08:35:00.000Z,brought,30,1.764,30000,0,6,7,good,,false,v1",
      "t1,2026-03-05T09:10:00.000Z,2026-03-05T09:15:00.000Z,brought,30,1.764,30000,0,6,7,good,,false,v2",
      "t1,2026-03-05T09:40:00.000Z,2026-03-05T09:45:00.000Z,taken,-20,1.176,0,20000,6,7,good,,false,v3",
      "van,2026-03-05T10:00:00.000Z,2026-03-05T10:05:00.000Z,unknown,,,,,0,0,none,no payload_kg within 10 min before entry; no payload_kg within 10 min after exit,false,v4",
      "",
    ]);
  });

  it("GET /stockpiles/{id}/reconciliation answers 400 that names what is missing or wrong", async () => {
    await using t = await openTestApp();
    const { stockpile, first, second } = await withLoads(t);
    const unfenced = await storeStockpile(t, {
      id: "sp_2" as Stockpile["id"],
      project_id: "p1" as ProjectId,
    });
    const once = await storeStockpile(t, {
      id: "sp_3" as Stockpile["id"],
      project_id: "p1" as ProjectId,
      geofence_id: "f1" as GeofenceId,
    });
    await measure(t, once, "job_9", START_MS, {});
    const cases = [
      [urlOf(unfenced), "geofence_id"],
      [urlOf(once), "to_measurement"],
      [`${urlOf(stockpile)}?to_measurement=${first.id}`, "to_measurement"],
      [`${urlOf(stockpile)}?from_measurement=msr_x`, "from_measurement"],
      [`${urlOf(stockpile)}?from_measurement=${second.id}`, "from_measurement"],
      [`${urlOf(stockpile)}?load_sigma_percent=three`, "load_sigma_percent"],
      [`${urlOf(stockpile)}?density_sigma_percent=50.5`, "density_sigma_percent"],
      [`${urlOf(stockpile)}?least_load_kg=-1`, "least_load_kg"],
      [`${urlOf(stockpile)}?ignore_assets=`, "ignore_assets"],
    ] as const;
    for (const [url, parameter] of cases) {
      const answer = await t.get(url, ADMIN_KEY);
      expect([url, answer.statusCode]).toEqual([url, 400]);
      expect(answer.json().error.details[0].parameter).toMatch(new RegExp(`^${parameter}`));
    }
  });

  it("GET /stockpiles/{id}/reconciliation compares no volumes of two footprints", async () => {
    await using t = await openTestApp();
    const { stockpile, first, second } = await withLoads(t);
    const atMs = END_MS + 10 * MINUTE_MS;
    const third = await measure(t, stockpile, "job_3", atMs, { alignment: "first" });
    await measure(t, stockpile, "job_4", atMs + MINUTE_MS, {});
    const status = async (query: string) => {
      const answer = await t.get(`${urlOf(stockpile)}${query}`, ADMIN_KEY);
      return answer.statusCode === 400 ? answer.json().error.message : answer.statusCode;
    };
    const refusal =
      "from_measurement is of another footprint or base than to_measurement: their volumes are not compared";
    expect(await status(`?from_measurement=${first.id}`)).toBe(refusal);
    expect(await status(`?to_measurement=${third.id}`)).toBe(refusal);
    expect(await status("")).toBe(200);
    expect(await status(`?to_measurement=${second.id}`)).toBe(200);
  });

  it("GET /stockpiles/{id}/reconciliation needs both scopes, and sees one's own stockpiles only", async () => {
    const { stockpile } = pile;
    const status = async (scopes: ("materials:read" | "equipment:read")[], project = "p1") => {
      const key = await unchanged.key({ scopes, project_ids: [project as ProjectId] });
      return (await unchanged.get(urlOf(stockpile), key)).statusCode;
    };
    expect(await status(["materials:read"])).toBe(403);
    expect(await status(["equipment:read"])).toBe(403);
    expect(await status(["materials:read", "equipment:read"])).toBe(200);
    expect(await status(["materials:read", "equipment:read"], "p2")).toBe(404);
  });
});
