import proj4 from "proj4";
import { afterAll, describe, expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { ThreadPool } from "../../../processing/pool/pool.ts";
import { ADMIN_KEY, openTestApp } from "../../support/api-app.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { SURVEY_MAP, storeFlownSurvey, storeMeasuredSurvey } from "../../support/survey-site.ts";

const P1 = "p1" as ProjectId;
const UTM_33 = "+proj=utm +zone=33 +datum=WGS84 +units=m";
const pool = new ThreadPool({ threads: 1, memoryBytes: 192 * 1024 ** 2 });
afterAll(() => pool.close());

/** LATITUDE,LONGITUDE of a place so far from the map's north-west corner, metres; heights are 40 m + half of east. */
function placeAt(east: number, south: number): string {
  const { westM, northM } = SURVEY_MAP;
  const [lon = 0, lat = 0] = proj4(UTM_33, "EPSG:4326", [westM + east, northM - south]);
  return `${lat},${lon}`;
}

async function openSite() {
  const t = await openTestApp({
    runTileTask: (task, input, signal) => pool.run(task, input, signal),
  });
  await t.project({ id: P1 });
  await storeFlownSurvey(t, "flight", P1, "2026-03-02T08:00:00.000Z");
  const get = (path: string) => t.get(`/api/v1/surveys/${path}`, ADMIN_KEY);
  return { t, get, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() };
}

describe("GET /surveys/{id}/height", { timeout: PATIENT_MS }, () => {
  it.each([
    [3.2, 4.1],
    [20, 15],
    // Where blocks of 256 cells meet.
    [25.6, 25.6],
    [25.61, 10.03],
    [39.9, 29.9],
  ])("the height %d m east and %d m south is that of the surface", async (east, south) => {
    await using site = await openSite();
    const answer = await site.get(`flight/height?at=${placeAt(east, south)}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json().height_m).toBeCloseTo(40 + east / 2, 1);
    expect(answer.json().source).toMatchObject({ survey_id: "flight", placed_by: "gps" });
    // 3 m by consumer GPS, and a quarter of 2.31 cm: 1.96 times the root of the sum of squares.
    expect(answer.json().source.uncertainty_95_m).toBeCloseTo(5.88, 2);
    expect(answer.json().source.relative_95_m).toBeCloseTo(0.016, 3);
  });

  it("a place beside the survey is a 404 that says why, one that is none a 400 with the range", async () => {
    await using site = await openSite();
    const beside = await site.get(`flight/height?at=${placeAt(-1, 5)}`);
    expect([beside.statusCode, beside.json().error.message]).toEqual([
      404,
      expect.stringContaining("did not see the place"),
    ]);
    for (const at of ["91,13", "52.5", "52.5,181", "a,b", "52.5,13.4,7", ","]) {
      const answer = await site.get(`flight/height?at=${at}`);
      expect([at, answer.statusCode]).toEqual([at, 400]);
      expect(answer.body).toContain("-90 to 90");
    }
  });
});

describe("GET /surveys/{id}/profile", { timeout: PATIENT_MS }, () => {
  it("a line has its length, its slope, and heights that rise with it", async () => {
    await using site = await openSite();
    const [from, to] = [placeAt(5, 15), placeAt(35, 15)];
    const answer = await site.get(`flight/profile?from=${from}&to=${to}&max_points=31`);
    expect(answer.statusCode).toBe(200);
    const { length_m, slope_percent, points, share_with_heights } = answer.json();
    // The map's scale is 0.99974 here, east of the middle of zone 33.
    expect(length_m).toBeCloseTo(30, 1);
    expect(slope_percent).toBeCloseTo(50, 0);
    expect([points.length, share_with_heights]).toEqual([31, 1]);
    for (const [i, point] of points.entries()) {
      expect(point.distance_m).toBeCloseTo((i * length_m) / 30, 2);
      expect(point.height_m).toBeCloseTo(42.5 + i / 2, 1);
      expect(point.compared_height_m).toBeNull();
    }
  });

  it("a line that leaves the survey has null there, never 0, and no slope", async () => {
    await using site = await openSite();
    const [from, to] = [placeAt(20, 15), placeAt(60, 15)];
    const answer = await site.get(`flight/profile?from=${from}&to=${to}&max_points=41`);
    const { points, rise_m, slope_percent, share_with_heights } = answer.json();
    const heights = points.map((one: { height_m: number | null }) => one.height_m);
    expect(heights.slice(0, 20)).not.toContain(null);
    expect(new Set(heights.slice(21))).toEqual(new Set([null]));
    expect([rise_m, slope_percent]).toEqual([null, null]);
    expect(share_with_heights).toBeCloseTo(0.5, 1);
  });

  it("compare_with gives the other survey's heights on the same line", async () => {
    await using site = await openSite();
    const { id } = await storeMeasuredSurvey(site.t, "pile", P1);
    const [from, to] = [placeAt(5, 15), placeAt(35, 15)];
    const answer = await site.get(`flight/profile?from=${from}&to=${to}&compare_with=${id}`);
    const { compared_with, points, warnings } = answer.json();
    expect([answer.statusCode, compared_with.survey_id, points.length]).toEqual([200, id, 200]);
    for (const { height_m, compared_height_m } of points) {
      expect(compared_height_m).toBe(height_m);
    }
    expect(warnings).toEqual([expect.stringContaining("not known")]);
    expect(
      (await site.get(`flight/profile?from=${from}&to=${to}&compare_with=no`)).statusCode,
    ).toBe(404);
  });

  it.each([
    ["the same place twice", placeAt(5, 5), placeAt(5, 5), 200],
    ["farther than 10 km", placeAt(5, 5), placeAt(10_100, 5), 200],
    ["one point", placeAt(5, 5), placeAt(9, 5), 1],
    ["too many points", placeAt(5, 5), placeAt(9, 5), 1_001],
  ])("%s is a 400", async (_, from, to, most) => {
    await using site = await openSite();
    const answer = await site.get(`flight/profile?from=${from}&to=${to}&max_points=${most}`);
    expect(answer.statusCode).toBe(400);
  });
});
