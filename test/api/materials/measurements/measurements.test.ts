import { describe, expect, it } from "vitest";
import type { JobId } from "../../../../domain/ids.ts";
import type { StockpileMeasurement } from "../../../../domain/sites/measurement.ts";
import type { Stockpile } from "../../../../domain/sites/stockpile.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { storeStockpile } from "../../../support/measuring.ts";
import { sampleMeasurement } from "../../../support/sample-stockpile.ts";

const urlOf = ({ id }: Pick<Stockpile, "id">) => `/api/v1/materials/stockpiles/${id}/measurements`;

/** Stores a measurement that says this, on a day of March 2026. */
async function store(
  t: TestApp,
  { id }: Stockpile,
  day: number,
  change: Partial<StockpileMeasurement> = {},
): Promise<StockpileMeasurement> {
  const jobId = `job_${day}` as JobId;
  return await t.records.stockpiles.addMeasurement(id, jobId, (before) => ({
    stockpile: before,
    measurement: sampleMeasurement(before, jobId, {
      measured_at: `2026-03-0${day}T09:30:00.000Z`,
      ...change,
    }),
    events: [],
  }));
}

describe("GET /stockpiles/{id}/measurements", () => {
  it("GET /stockpiles/{id}/measurements lists them newest first, in pages, without addresses that have to be signed elsewhere", async () => {
    await using t = await openTestApp();
    const stockpile = await storeStockpile(t);
    for (const day of [2, 4, 3]) await store(t, stockpile, day);
    const all = (await t.get(urlOf(stockpile), ADMIN_KEY)).json();
    expect(all.pagination).toEqual({ page: 1, limit: 100, total: 3, has_more: false });
    expect(all.data.map((one: { job_id: string }) => one.job_id)).toEqual([
      "job_4",
      "job_3",
      "job_2",
    ]);
    expect(all.data[0]).toMatchObject({ current_volume_m3: 1_234.567, uncertainty_95_m3: 17.284 });
    expect(all.data[0]).not.toHaveProperty("surface_url");
    const page = (await t.get(`${urlOf(stockpile)}?limit=1&offset=1`, ADMIN_KEY)).json();
    expect(page).toMatchObject({
      data: [{ job_id: "job_3" }],
      pagination: { page: 2, limit: 1, total: 3, has_more: true },
    });
    const beyond = await t.get(`${urlOf(stockpile)}?limit=1001`, ADMIN_KEY);
    expect(beyond.statusCode).toBe(400);
  });

  it("GET /stockpiles/{id}/measurements gives CSV to those who ask for it, the contract's fields first", async () => {
    await using t = await openTestApp();
    const stockpile = await storeStockpile(t);
    await store(t, stockpile, 2, { tonnes: undefined });
    const { headers, body } = await t.get(urlOf(stockpile), ADMIN_KEY, { accept: "text/csv" });
    const [head = "", row = ""] = body.split("\r\n");
    expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(head).toMatch(
      /^stockpile_id,previous_volume_m3,current_volume_m3,change_m3,measured_at,accuracy,/,
    );
    expect(row).toMatch(/^sp_north,1000.5,1234.567,234.067,2026-03-02T09:30:00.000Z,98.6%,msr_/);
    expect(row.split(",")).toHaveLength(head.split(",").length);
  });
});

describe("GET /stockpiles/{id}/measurements/{measurement_id}", () => {
  it("GET /stockpiles/{id}/measurements/{measurement_id} gives one with addresses that open without a header", async () => {
    await using t = await openTestApp();
    const stockpile = await storeStockpile(t);
    const measurement = await store(t, stockpile, 2, {
      change_95_m3: 20.5,
      significant: true,
      previous_measurement_id: "msr_before" as StockpileMeasurement["id"],
    });
    await t.files.store.put(measurement.files.surface, Buffer.from("a surface"));
    const found = (await t.get(`${urlOf(stockpile)}/${measurement.id}`, ADMIN_KEY)).json();
    expect(found).toMatchObject({
      measurement_id: measurement.id,
      previous_measurement_id: "msr_before",
      change_uncertainty_95_m3: 20.5,
      significant: true,
    });
    const { pathname, search } = new URL(found.surface_url);
    const surface = await t.app.inject(pathname + search);
    expect([surface.statusCode, surface.headers["content-type"], surface.body]).toEqual([
      200,
      "image/tiff",
      "a surface",
    ]);
  });

  it("GET /stockpiles/{id}/measurements/{measurement_id} does not find what is not there, nor another stockpile's", async () => {
    await using t = await openTestApp();
    const stockpile = await storeStockpile(t);
    const other = await storeStockpile(t, { id: "sp_other" as Stockpile["id"] });
    const { id } = await store(t, other, 2);
    const answers = [
      await t.get(`${urlOf(stockpile)}/${id}`, ADMIN_KEY),
      await t.get(`${urlOf(stockpile)}/msr_absent`, ADMIN_KEY),
      await t.get(`${urlOf(stockpile)}/a%20b`, ADMIN_KEY),
      await t.get(urlOf({ id: "sp_absent" as Stockpile["id"] }), ADMIN_KEY),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
  });
});
