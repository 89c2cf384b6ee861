import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobId, MeasurementId, StockpileId } from "../../../../domain/ids.ts";
import type { Stockpile } from "../../../../domain/sites/stockpile.ts";
import { measurement } from "../../../contracts/records/stockpile-rows.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import {
  createStockpile,
  FOOTPRINT,
  newStockpile,
  openTestFiles,
  STOCKPILES,
  withProjects,
} from "../../../support/stockpile-site.ts";
import { until } from "../../../support/until.ts";

const S1 = "s1" as StockpileId;
const DATUM = { version: 1 };
/** The same outline one corner later. */
const OTHER = [...FOOTPRINT.slice(1), [53.5, 9.9001]];

/** A stockpile `s1` on which a measurement found 523.6 m3 and proposed the footprint. */
async function openMeasured(change: Partial<Stockpile> = {}): Promise<TestApp> {
  const t = await openTestApp();
  await withProjects(t);
  await createStockpile(t, { id: "s1", footprint: FOOTPRINT });
  await t.records.stockpiles.addMeasurement(S1, "j1" as JobId, (before) => ({
    stockpile: {
      ...before,
      footprint_state: "proposed",
      current_volume_m3: 523.6,
      current_sigma_m3: 3.74,
      volume_basis: "measured",
      measurement_id: "m1" as MeasurementId,
      last_measured: "2026-03-04T10:00:00.000Z",
      datum: DATUM,
      ...change,
    },
    measurement: measurement("m1", { job_id: "j1" as JobId }),
    events: [],
  }));
  return t;
}

const patch = (t: TestApp, body: object) => t.send("PATCH", `${STOCKPILES}/s1`, ADMIN_KEY, body);

const datum = async (t: TestApp) => (await t.records.stockpiles.find(S1))?.datum;

/** For tests that change nothing. */
let unchanged: TestApp;
beforeAll(async () => {
  unchanged = await openMeasured();
});
afterAll(() => unchanged[Symbol.asyncDispose]());

describe("PATCH /stockpiles/{stockpile_id}", () => {
  it("PATCH /stockpiles/{stockpile_id} changes what is named and leaves the rest, measured volume and datum included", async () => {
    await using t = await openMeasured();
    t.clock.ms += 60_000;
    const response = await patch(t, {
      material: "Sand",
      max_capacity_m3: 1_000.000_4,
      density_t_per_m3: 2,
      thresholds: { full_percent: 50 },
      unknown: "ignored",
    });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      id: "s1",
      material: "Sand",
      location: "Bay 3",
      current_volume_m3: 523.6,
      max_capacity_m3: 1_000,
      last_measured: "2026-03-04T10:00:00.000Z",
      status: "full",
      project_id: "p1",
      volume_basis: "measured",
      is_outdated: false,
      measurement_id: "m1",
      // 1.96 x 3.74 m3.
      uncertainty_95_m3: 7.33,
      tonnes: 1_047.2,
      density_t_per_m3: 2,
      thresholds: { empty_percent: 2, low_percent: 20, full_percent: 50 },
      footprint: FOOTPRINT,
      footprint_status: "proposed",
      base: { method: "plane" },
      created_at: "2026-03-05T12:00:00.000Z",
      updated_at: "2026-03-05T12:01:00.000Z",
    });
    expect(await datum(t)).toEqual(DATUM);
    expect((await t.get(`${STOCKPILES}/s1`, ADMIN_KEY)).json()).toEqual(response.json());
  });

  it("PATCH /stockpiles/{stockpile_id} removes with null what may be absent", async () => {
    await using t = await openMeasured({ density_t_per_m3: 2 });
    const change = { density_t_per_m3: null, footprint: null, geofence_id: null };
    const changed = (await patch(t, change)).json();
    expect(changed).not.toHaveProperty("density_t_per_m3");
    expect(changed).not.toHaveProperty("tonnes");
    expect(changed).not.toHaveProperty("footprint");
    expect(changed.footprint_status).toBe("none");
    expect(await datum(t)).toBeUndefined();
  });

  it.each([
    ["another footprint", { footprint: OTHER }, undefined],
    ["another base", { base: { method: "tin" } }, undefined],
    ["the same footprint and base", { footprint: FOOTPRINT, base: { method: "plane" } }, DATUM],
    ["a confirmation", { footprint_status: "confirmed" }, DATUM],
  ])("PATCH /stockpiles/{stockpile_id} keeps the datum that epochs share, unless with: %s", async (_name, change, expected) => {
    await using t = await openMeasured();
    expect((await patch(t, change)).statusCode).toBe(200);
    expect(await datum(t)).toEqual(expected);
    // Until it is measured again, the volume is of the footprint or base before.
    const isOutdated = expected === undefined;
    expect((await t.get(`${STOCKPILES}/s1`, ADMIN_KEY)).json().is_outdated).toBe(isOutdated);
    const listed = (await t.get(`${STOCKPILES}?project_id=p1`, ADMIN_KEY)).json().data;
    expect(listed).toMatchObject([{ id: "s1", is_outdated: isOutdated }]);
    const declared = await patch(t, { current_volume_m3: 10 });
    expect(declared.json()).toMatchObject({ volume_basis: "declared", is_outdated: false });
  });

  it("PATCH /stockpiles/{stockpile_id} confirms a proposed footprint, by a word or by drawing it", async () => {
    await using t = await openMeasured();
    expect((await patch(t, { base: { method: "plane" } })).json().footprint_status).toBe(
      "proposed",
    );
    expect((await patch(t, { footprint_status: "confirmed" })).json()).toMatchObject({
      footprint: FOOTPRINT,
      footprint_status: "confirmed",
    });
    await using drawn = await openMeasured();
    expect((await patch(drawn, { footprint: OTHER })).json()).toMatchObject({
      footprint: OTHER,
      footprint_status: "confirmed",
    });
  });

  it("PATCH /stockpiles/{stockpile_id} declares a volume by hand, which has no uncertainty, now or at a time since the measurement", async () => {
    await using t = await openMeasured();
    const measured_at = "2026-03-04T11:00:00+01:00";
    const changed = (await patch(t, { current_volume_m3: 10.000_6, measured_at })).json();
    expect(changed).toMatchObject({
      current_volume_m3: 10.001,
      last_measured: "2026-03-04T10:00:00.000Z",
      status: "empty",
      volume_basis: "declared",
    });
    expect(changed).not.toHaveProperty("uncertainty_95_m3");
    expect(changed).not.toHaveProperty("measurement_id");
    expect(await datum(t)).toEqual(DATUM);
    const now = (await patch(t, { current_volume_m3: 0 })).json();
    expect(now.last_measured).toBe("2026-03-05T12:00:00.000Z");
    // What a person said may be corrected to any time.
    const corrected = await patch(t, { current_volume_m3: 9, measured_at: "2026-01-01T00:00:00Z" });
    expect(corrected.statusCode).toBe(200);
  });

  it.each([
    [
      { current_volume_m3: 5, measured_at: "2026-03-04T09:59:59.999Z" },
      "measured_at must not lie before the last measurement, 2026-03-04T10:00:00.000Z",
    ],
    [
      { measured_at: "2026-03-04T11:00:00Z" },
      "measured_at goes with current_volume_m3, which is absent",
    ],
    [
      { current_volume_m3: 5, measured_at: "2026-03-05T12:00:00.001Z" },
      "measured_at must not lie in the future",
    ],
    [
      { thresholds: { low_percent: 96 } },
      "thresholds.full_percent must be above low_percent: 95 is not above 96",
    ],
    [{ footprint: 0 }, "footprint must be an array of [latitude, longitude] pairs, not a number"],
    [{ footprint: "" }, "footprint must be an array of [latitude, longitude] pairs, not a string"],
    [{ footprint: null, footprint_status: "confirmed" }, "there is no footprint"],
    [{ footprint_status: "proposed" }, "footprint_status must be confirmed"],
    [{ base: { method: "lowest" } }, "base.method must be one of plane, tin, survey, level"],
    [{ base: null }, "base must be an object with a method, not null"],
    [{ density_t_per_m3: 26 }, "density_t_per_m3 must be <= 25"],
    [{ current_volume_m3: -1 }, "current_volume_m3 must be >= 0"],
    [{ geofence_id: "absent" }, "geofence_id names no geofence of the stockpile's project"],
    [{ material: null }, "material must be string"],
  ])("PATCH /stockpiles/{stockpile_id} refuses %j and changes nothing", async (change, message) => {
    const t = unchanged;
    const before = await t.records.stockpiles.find(S1);
    const response = await patch(t, { location: "elsewhere", ...change });
    expect(response.statusCode).toBe(400);
    expect(response.json().error.message).toContain(message);
    expect(await t.records.stockpiles.find(S1)).toEqual(before);
  });

  it("PATCH /stockpiles/{stockpile_id} cannot be moved to another project or get another id", async () => {
    await using t = await openMeasured();
    const changed = await patch(t, { project_id: "p2", id: "s2", status: "full" });
    expect(changed.json()).toMatchObject({ id: "s1", project_id: "p1", status: "adequate" });
  });

  it("PATCH /stockpiles answers 400 to a wrong body before it reads the stockpile, and then 404", async () => {
    await using t = await openTestApp();
    const url = `${STOCKPILES}/absent`;
    const wrong = await t.send("PATCH", url, ADMIN_KEY, { base: { method: "level" } });
    const absent = await t.send("PATCH", url, ADMIN_KEY, { base: { method: "plane" } });
    expect([wrong.statusCode, absent.statusCode]).toEqual([400, 404]);
  });
});

describe("DELETE /stockpiles/{stockpile_id}", () => {
  it("DELETE /stockpiles/{stockpile_id} removes the stockpile, its measurements and their files, and nobody else's", async () => {
    await using files = await openTestFiles();
    await using t = await openTestApp({ files });
    await withProjects(t);
    await createStockpile(t, { id: "s1" });
    await files.store.put("stockpiles/s1/j1/surface.tif", Buffer.from("II*"));
    await files.store.put("stockpiles/s1/base/a.tif", Buffer.from("II*"));
    await files.store.put("stockpiles/s10/j1/surface.tif", Buffer.from("II*"));
    const removed = await t.send("DELETE", `${STOCKPILES}/s1`, ADMIN_KEY);
    const again = await t.send("DELETE", `${STOCKPILES}/s1`, ADMIN_KEY);
    expect([removed.statusCode, removed.body, again.statusCode]).toEqual([204, "", 404]);
    expect((await t.get(`${STOCKPILES}?project_id=p1`, ADMIN_KEY)).json()).toEqual({ data: [] });
    const isDone = async () => (await keysOf(files.store.list("stockpiles/"))).length === 1;
    await until("the files are gone", isDone, PATIENT_MS);
    expect(await keysOf(files.store.list(""))).toEqual(["stockpiles/s10/j1/surface.tif"]);
  });

  it("DELETE /stockpiles/{stockpile_id} frees the project, which cannot be deleted before", async () => {
    await using t = await openTestApp();
    await withProjects(t);
    await createStockpile(t, { id: "s1" });
    const held = await t.send("DELETE", "/api/v1/projects/p1", ADMIN_KEY);
    await t.send("DELETE", `${STOCKPILES}/s1`, ADMIN_KEY);
    const freed = await t.send("DELETE", "/api/v1/projects/p1", ADMIN_KEY);
    expect([held.statusCode, freed.statusCode]).toEqual([409, 204]);
  });
});

describe("a base from a survey", () => {
  const UPLOAD = `images/${"a".repeat(64)}.tif`;
  const KEPT = `stockpiles/s1/base/${"a".repeat(64)}.tif`;
  const survey = (surface_url: string) => ({ base: { method: "survey", surface_url } });

  async function openSite() {
    const files = await openTestFiles();
    await files.store.put(UPLOAD, Buffer.from("II*-heights"));
    const t = await openTestApp({ files });
    await withProjects(t);
    const sign = (key: string, ms = 60_000) => files.sign(key, t.clock.ms + ms);
    return {
      t,
      files,
      sign,
      async [Symbol.asyncDispose]() {
        await t[Symbol.asyncDispose]();
        await files[Symbol.asyncDispose]();
      },
    };
  }

  it("a base from a survey is copied, because uploads go, and its new address may be given back", async () => {
    await using site = await openSite();
    const { t, files, sign } = site;
    const created = await createStockpile(t, { id: "s1", ...survey(sign(UPLOAD)) });
    await files.store.delete(UPLOAD);

    expect(created.base.method).toBe("survey");
    expect(files.keyOf(created.base.surface_url)).toBe(KEPT);
    const path = new URL(created.base.surface_url);
    const file = await t.app.inject({ url: `${path.pathname}${path.search}` });
    expect(file.body).toBe("II*-heights");
    await t.records.stockpiles.update(S1, (before) => ({ ...before, datum: DATUM }));
    const same = await patch(t, survey(created.base.surface_url));
    expect([same.statusCode, await datum(t)]).toEqual([200, DATUM]);
  });

  it("a base from a survey keeps the unit of its heights, shows it, and refuses one that is none or without a survey", async () => {
    await using site = await openSite();
    const { t, sign } = site;
    const base = { method: "survey", surface_url: sign(UPLOAD), surface_height_unit: "us-ft" };
    const created = await createStockpile(t, { id: "s1", base });
    expect(created.base).toMatchObject({ method: "survey", surface_height_unit: "us-ft" });
    expect((await t.records.stockpiles.find(S1))?.base).toEqual({
      ...{ method: "survey", surface_key: KEPT, height_unit: "us-ft" },
    });
    const wrong = await patch(t, { base: { ...base, surface_height_unit: "yard" } });
    const alone = await patch(t, { base: { method: "plane", surface_height_unit: "ft" } });
    expect([wrong, alone].map((answer) => answer.json().error.details[0].parameter)).toEqual([
      "base.surface_height_unit",
      "base.surface_height_unit",
    ]);
  });

  it("a base from a survey keeps the unit where its own address is given back without one, and only there", async () => {
    await using site = await openSite();
    const { t, files, sign } = site;
    const base = { method: "survey", surface_url: sign(UPLOAD), surface_height_unit: "us-ft" };
    const created = await createStockpile(t, { id: "s1", base });
    await t.records.stockpiles.update(S1, (before) => ({ ...before, datum: DATUM }));
    const same = (await patch(t, survey(created.base.surface_url))).json();
    expect([same.base.surface_height_unit, await datum(t)]).toEqual(["us-ft", DATUM]);
    const resent = { ...survey(created.base.surface_url).base, surface_height_unit: "m" };
    expect((await patch(t, { base: resent })).json().base.surface_height_unit).toBe("m");

    const measured = "stockpiles/s1/j1/surface.tif";
    await files.store.put(measured, Buffer.from("II*"));
    const other = (await patch(t, survey(sign(measured)))).json();
    expect(other.base).not.toHaveProperty("surface_height_unit");
  });

  it("a base from a survey may be a surface that was measured of the same stockpile", async () => {
    await using site = await openSite();
    const { t, files, sign } = site;
    await createStockpile(t, { id: "s1" });
    const key = "stockpiles/s1/j1/surface.tif";
    await files.store.put(key, Buffer.from("II*"));
    const changed = (await patch(t, survey(sign(key)))).json();
    expect(files.keyOf(changed.base.surface_url)).toBe(key);
    expect(await keysOf(files.store.list("stockpiles/"))).toEqual([key]);
  });

  it("a base from a survey is refused where the address is not ours, has expired, or leads to no surface", async () => {
    await using site = await openSite();
    const { t, files, sign } = site;
    await createStockpile(t, { id: "s1" });
    await files.store.put("stockpiles/s10/j1/surface.tif", Buffer.from("II*"));
    const [none, noSurface, gone] = [
      "base.surface_url must be an address that POST /progress/images gave, and that has not expired",
      "base.surface_url must be the address of a TIFF file that was uploaded, or of a surface of this stockpile",
      "base.surface_url leads to a file that is not there any more",
    ];
    const cases: readonly (readonly [url: string, message: string])[] = [
      ["", none],
      ["dsm.tif", none],
      ["http://169.254.169.254/files/dsm.tif", none],
      [sign(UPLOAD).replace("signature=", "signature=A"), none],
      [sign(UPLOAD).replace("a".repeat(64), "b".repeat(64)), none],
      [sign(UPLOAD, -1), none],
      [sign(UPLOAD).replace("/images/", "/images/../images/"), ""],
      [sign(`images/${"c".repeat(64)}.jpg`), noSurface],
      [sign("stockpiles/s10/j1/surface.tif"), noSurface],
      [sign("stockpiles/s1/j1/hillshade.png"), noSurface],
      [sign("public/surface.tif"), noSurface],
      [sign(`images/${"d".repeat(64)}.tif`), gone],
      [sign("stockpiles/s1/j1/surface.tif"), gone],
    ];
    const answers: (readonly [number, string])[] = [];
    for (const [url] of cases) {
      const answer = await patch(t, survey(url));
      answers.push([answer.statusCode, answer.json().error?.message ?? ""]);
    }
    // A path that is written with detours is the same address.
    const expected = cases.map(([, message]) => [message === "" ? 200 : 400, message]);
    expect(answers).toEqual(expected);
  });

  it("a base from a survey needs a service that keeps files", async () => {
    await using site = await openSite();
    await using t = await openTestApp();
    await withProjects(t);
    const body = newStockpile(survey(site.sign(UPLOAD)));
    expect((await t.send("POST", STOCKPILES, ADMIN_KEY, body)).statusCode).toBe(400);
  });
});

async function keysOf(listed: AsyncIterable<{ readonly key: string }>): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of listed) keys.push(key);
  return keys;
}
