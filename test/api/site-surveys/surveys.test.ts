import proj4 from "proj4";
import { describe, expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";
import { SURVEY_MAP, storeFlownSurvey, storeMeasuredSurvey } from "../../support/survey-site.ts";

const SURVEYS = "/api/v1/surveys";
const P1 = "p1" as ProjectId;
const P2 = "p2" as ProjectId;

async function idsOf(t: TestApp, query = "", key = ADMIN_KEY): Promise<string[]> {
  const answer = await t.get(`${SURVEYS}${query}`, key);
  return answer.json().data.map(({ id }: { readonly id: string }) => id);
}

/** Three surveys of two projects, and the measurement's id. */
async function withSurveys(t: TestApp) {
  await t.project({ id: P1 });
  await t.project({ id: P2 });
  const { id } = await storeMeasuredSurvey(t, "a", P1, { measured_at: "2026-03-01T09:30:00.000Z" });
  await storeFlownSurvey(t, "flight-1", P1, "2026-03-02T08:00:00.000Z");
  const inLondon = { ...SURVEY_MAP, epsg: 32_630, westM: 699_000, northM: 5_710_000 };
  await storeFlownSurvey(t, "flight-2", P2, "2026-03-03T08:00:00.000Z", { map: inLondon });
  return id;
}

describe("GET /surveys", () => {
  it("GET /surveys lists measurements and captures, newest first, with what their files say of place and accuracy", async () => {
    await using t = await openTestApp();
    const measured = await withSurveys(t);
    const { data, pagination } = (await t.get(SURVEYS, ADMIN_KEY)).json();
    expect(pagination).toEqual({ limit: 100, has_more: false });
    expect(data.map(({ id }: { id: string }) => id)).toEqual(["flight-2", "flight-1", measured]);
    const [, flown, pile] = data;
    expect(flown).toMatchObject({
      project_id: "p1",
      source: { kind: "progress_capture", capture_id: "flight-1", report_id: null },
      captured_at: "2026-03-02T08:00:00.000Z",
      recorded_at: "2026-03-05T11:00:00.000Z",
      epsg: 32_633,
      cell_m: 0.1,
      gsd_cm: 2.31,
      lowest_m: 40,
      accuracy: { georeferencing: "gps", scale_sigma_percent: 0.21, check_rms_m: null },
      warnings: ["little overlap"],
      findings: [{ gate: "LOW_OVERLAP", severity: "warn" }],
    });
    expect(pile).toMatchObject({
      source: { kind: "stockpile_measurement", stockpile_id: "pile-a", measurement_id: measured },
      gsd_cm: 2.1,
      accuracy: { georeferencing: "rtk", reprojection_rms_px: 0.412 },
      vertical_datum: { kind: "ellipsoidal" },
    });
    const { westM, northM } = SURVEY_MAP;
    const map = proj4("+proj=utm +zone=33 +datum=WGS84 +units=m", "WGS84");
    const corners = [
      [westM, northM],
      [westM + 40, northM],
      [westM, northM - 30],
      [westM + 40, northM - 30],
    ].map((corner) => map.forward(corner));
    const [lons, lats] = [0, 1].map((axis) => corners.map((corner) => corner[axis] ?? 0));
    expect(pile.bounds.west).toBeCloseTo(Math.min(...(lons ?? [])), 9);
    expect(pile.bounds.east).toBeCloseTo(Math.max(...(lons ?? [])), 9);
    expect(pile.bounds.south).toBeCloseTo(Math.min(...(lats ?? [])), 9);
    expect(pile.bounds.north).toBeCloseTo(Math.max(...(lats ?? [])), 9);
  });

  it("a flight says what holds its place, where its record has it, and else what its scale follows", async () => {
    await using t = await openTestApp();
    await t.project({ id: P1 });
    for (const georeferencing of ["given", "control_points", "scale_bars"] as const) {
      await storeFlownSurvey(t, `by-${georeferencing}`, P1, "2026-03-02T08:00:00.000Z", {
        georeferencing,
      });
    }
    await storeFlownSurvey(t, "before", P1, "2026-03-02T08:00:00.000Z");
    const { data } = (await t.get(SURVEYS, ADMIN_KEY)).json();
    const held = data.map((one: { readonly id: string; readonly accuracy: object }) => [
      one.id,
      (one.accuracy as { readonly georeferencing: string }).georeferencing,
    ]);
    expect(Object.fromEntries(held)).toEqual({
      "by-given": "given",
      "by-control_points": "control_points",
      "by-scale_bars": "scale_bars",
      before: "gps",
    });
  });

  it("GET /surveys is filtered by project, time and place, and read on by its cursor", async () => {
    await using t = await openTestApp();
    const measured = await withSurveys(t);
    expect(await idsOf(t, "?project_id=p2")).toEqual(["flight-2"]);
    expect(await idsOf(t, "?stockpile_id=pile-a")).toEqual([measured]);
    expect(await idsOf(t, "?stockpile_id=pile-a&project_id=p2")).toEqual([]);
    expect(await idsOf(t, "?stockpile_id=none")).toEqual([]);
    expect(await idsOf(t, "?from=2026-03-01T09:30:00Z&to=2026-03-02T08:00:00Z")).toEqual([
      measured,
    ]);
    expect(await idsOf(t, "?bbox=13,52,14,53")).toEqual(["flight-1", measured]);
    expect(await idsOf(t, "?bbox=-1,51,0.5,52")).toEqual(["flight-2"]);
    expect(await idsOf(t, "?bbox=13.5,52,14,53")).toEqual([]);
    const found: string[] = [];
    for (let cursor = ""; ; ) {
      const page = (await t.get(`${SURVEYS}?limit=1&bbox=13,52,14,53${cursor}`, ADMIN_KEY)).json();
      found.push(...page.data.map(({ id }: { id: string }) => id));
      if (!page.pagination.has_more) break;
      cursor = `&cursor=${page.pagination.next_cursor}`;
    }
    expect(found).toEqual(["flight-1", measured]);
  });

  it.each([
    ["bbox=13,52,14", "bbox"],
    ["bbox=14,52,13,53", "bbox"],
    ["bbox=13,52,14,91", "bbox"],
    ["bbox=13,52,,53", "bbox"],
    ["cursor=latest", "cursor"],
    ["cursor=1.2.3", "cursor"],
    ["limit=1001", "limit"],
    ["from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z", "from"],
  ])("GET /surveys?%s is refused and names the parameter", async (query, parameter) => {
    await using t = await openTestApp();
    const answer = await t.get(`${SURVEYS}?${query}`, ADMIN_KEY);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.details[0].parameter).toContain(parameter);
  });

  it("a key sees the surveys of its projects and of the areas that it may read, and no others", async () => {
    await using t = await openTestApp();
    const measured = await withSurveys(t);
    const both = ["materials:read", "progress:read"] as const;
    const ours = await t.key({ scopes: [...both], project_ids: [P1] });
    const piles = await t.key({ scopes: ["materials:read"] });
    const flights = await t.key({ scopes: ["progress:read"] });
    const machines = await t.key({ scopes: ["equipment:read"] });
    expect(await idsOf(t, "", ours)).toEqual(["flight-1", measured]);
    expect(await idsOf(t, "", piles)).toEqual([measured]);
    expect(await idsOf(t, "", flights)).toEqual(["flight-2", "flight-1"]);
    const statusOf = async (path: string, key: string) => (await t.get(path, key)).statusCode;
    expect(await statusOf(SURVEYS, machines)).toBe(403);
    expect(await statusOf(`${SURVEYS}?project_id=p2`, ours)).toBe(404);
    expect(await statusOf(`${SURVEYS}/flight-2`, ours)).toBe(404);
    expect(await statusOf(`${SURVEYS}/flight-1`, ours)).toBe(200);
    expect(await statusOf(`${SURVEYS}/flight-1`, piles)).toBe(404);
    expect(await statusOf(`${SURVEYS}/${measured}`, flights)).toBe(404);
  });
});

describe("GET /surveys/{id}", () => {
  it("GET /surveys/{id} has what the checks found and addresses of the products that open without a key", async () => {
    await using t = await openTestApp();
    const measured = await withSurveys(t);
    for (const id of [measured, "flight-1"]) {
      const survey = (await t.get(`${SURVEYS}/${id}`, ADMIN_KEY)).json();
      expect(survey.findings).toEqual([
        {
          gate: "LOW_OVERLAP",
          severity: "warn",
          measured: { value: 61, unit: "%" },
          limit: { value: 70, unit: "%" },
          advice: "Fly with more overlap.",
        },
      ]);
      for (const url of [survey.products.surface_url, survey.products.orthomosaic_url]) {
        const { pathname, search } = new URL(url);
        expect((await t.get(`${pathname}${search}`, undefined)).statusCode).toBe(200);
        expect((await t.get(pathname, undefined)).statusCode).toBe(403);
      }
      expect(survey.products.survey_report_url).toContain("survey-report.html?");
    }
  });

  it("a survey whose files are gone has no place and no findings, which are null and not 0", async () => {
    await using t = await openTestApp();
    await t.project({ id: P1 });
    await storeFlownSurvey(t, "lost", P1, "2026-03-02T08:00:00.000Z", { hasFiles: false });
    const lost = (await t.get(`${SURVEYS}/lost`, ADMIN_KEY)).json();
    expect(lost).toMatchObject({
      ...{ bounds: null, epsg: null, cell_m: null, gsd_cm: null, lowest_m: null },
      accuracy: { georeferencing: null, scale_sigma_percent: null },
      ...{ findings: null, tiles: null },
    });
    expect(await idsOf(t)).toEqual(["lost"]);
    expect(await idsOf(t, "?bbox=-180,-90,180,90")).toEqual([]);
  });

  it("there is no survey of a capture that is processing, nor of what is no id", async () => {
    await using t = await openTestApp();
    for (const id of ["none", "a%20b", "x".repeat(65)]) {
      expect((await t.get(`${SURVEYS}/${id}`, ADMIN_KEY)).statusCode).toBe(404);
    }
  });
});
