import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Report } from "../../../../api/progress/reports/report-schemas.ts";
import type { CaptureId, ProjectId, ReportId, WorkZoneId } from "../../../../domain/ids.ts";
import type { ProgressReport } from "../../../../domain/sites/progress-report.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { putReport, REPORTS, type ReportRow } from "../../../support/report-site.ts";

const reportSchema = Compile(Report);

let t: TestApp;
let site: ProjectId;
beforeAll(async () => {
  t = await openTestApp();
  site = await t.project();
  put(site, "rpt_a", "2026-03-01T00:00:00.000Z");
  put(await t.project(), "rpt_theirs", "2026-03-02T12:00:00.000Z");
});
afterAll(() => t[Symbol.asyncDispose]());

const put = (...report: ReportRow) => putReport(t, ...report);

const get = (path: string, headers: Record<string, string> = {}, key = ADMIN_KEY) =>
  t.get(`${REPORTS}${path}`, key, headers);

/** A report of two zones with everything that one may have. */
const WHOLE: Partial<ProgressReport> = {
  capture_id: "cap_9" as CaptureId,
  revision: 3,
  supersedes: "rpt_before" as ReportId,
  recorded_at: "2026-03-05T10:00:00.000Z",
  progress_percentage: 64.2,
  interval_95: [58.1, 70.9],
  seen_share: 0.96,
  seen_interval_95: [60.1, 68.9],
  status: "on_schedule",
  status_confidence: "low",
  comparison: {
    ...{ planned: 62.1, planned_all: 60, actual: 64.2, variance: 2.1 },
    ...{ basis: "schedule", tolerance_points: 5 },
  },
  zones_completed: 1,
  total_zones: 2,
  zones: [
    {
      zone_id: "zon_1" as WorkZoneId,
      name: "Baugrube Süd",
      progress: 100,
      status: "complete",
      method: "dsm_volume",
      interval_95: [97.5, 100],
      observed_fraction: 0.97,
      raw_progress: 99.1,
      as_of: "2026-03-05T09:30:00.000Z",
      planned: 90,
      weight: 3,
      regression_suspected: false,
      no_estimate: null,
      notes: ["overbuilt by 3 m³"],
      evidence: { captures: ["cap_9"], lod_m: 0.083, model: null },
    },
    {
      zone_id: "zon_2" as WorkZoneId,
      name: "Halle",
      progress: 0,
      status: "not_started",
      method: "declared",
      interval_95: null,
      observed_fraction: 0,
      raw_progress: null,
      as_of: "2026-03-01T00:00:00.000Z",
      planned: null,
      weight: 1,
      regression_suspected: false,
      no_estimate: "no_surface",
      notes: [],
      evidence: {},
    },
  ],
  weight_basis: "cost",
  schedule_revision: 4,
  earned_value: {
    planned_value: 62.1,
    earned_value: 64.2,
    schedule_variance: 2.1,
    spi: 1.034,
    spi_t: null,
    earned_schedule_days: 41.5,
    forecast_finish: "2026-09-01T00:00:00.000Z",
    forecast_finish_interval: ["2026-08-01T00:00:00.000Z", "2026-10-01T00:00:00.000Z"],
  },
  images: {
    orthomosaic_key: "captures/cap_9/1/orthomosaic.tif",
    map_key: "captures/cap_9/1/map.png",
    model_3d_key: "captures/cap_9/1/model.glb",
    kind: "survey",
    as_of: "2026-03-05T09:30:00.000Z",
  },
  pictures: [{ title: "Mast Nord", key: "captures/cap_9/1/mast.jpg" }],
  correction: { by: "Polier Özdemir", note: "seen on site" },
  warnings: ["3.jpg is blurred"],
};

describe("GET /reports/{id}", () => {
  it("GET /reports/{id} answers with the contract's fields first, then with what else it knows", async () => {
    const id = put(site, "rpt_whole", "2026-02-05T09:30:00.000Z", WHOLE);
    const response = await get(`/${id}`);
    expect(response.statusCode).toBe(200);
    const body = response.json();
    expect(reportSchema.Errors(body)).toEqual([]);
    const signed = (path: string) =>
      expect.stringMatching(`^https://site\\.test/files/${path}\\?expires=\\d+&signature=[\\w-]+$`);
    const { forecast_finish_interval, ...earned } = WHOLE.earned_value ?? {};
    expect(body).toEqual({
      id,
      project_id: site,
      capture_date: "2026-02-05T09:30:00.000Z",
      progress_percentage: 64.2,
      status: "on_schedule",
      zones: [
        {
          ...{ name: "Baugrube Süd", progress: 100, status: "complete", zone_id: "zon_1" },
          ...{ method: "dsm_volume", interval_95: [97.5, 100], observed_percent: 97 },
          evidence: { captures: ["cap_9"], lod_m: 0.083, model: null },
          ...{ planned: 90, weight: 3, as_of: "2026-03-05T09:30:00.000Z", raw_progress: 99.1 },
          ...{ regression_suspected: false, no_estimate: null, notes: ["overbuilt by 3 m³"] },
        },
        {
          ...{ name: "Halle", progress: 0, status: "not_started", zone_id: "zon_2" },
          ...{ method: "declared", interval_95: null, observed_percent: 0, evidence: {} },
          ...{ planned: null, weight: 1, as_of: "2026-03-01T00:00:00.000Z", raw_progress: null },
          ...{ regression_suspected: false, no_estimate: "no_surface", notes: [] },
        },
      ],
      images: {
        orthomosaic_url: signed("captures/cap_9/1/orthomosaic\\.tif"),
        model_3d_url: signed("captures/cap_9/1/model\\.glb"),
        kind: "survey",
        as_of: "2026-03-05T09:30:00.000Z",
        map_url: signed("captures/cap_9/1/map\\.png"),
      },
      capture_id: "cap_9",
      recorded_at: "2026-03-05T10:00:00.000Z",
      interval_95: [58.1, 70.9],
      seen_percent: 96,
      seen_interval_95: [60.1, 68.9],
      status_confidence: "low",
      schedule: {
        ...{
          planned: 62.1,
          planned_all: 60,
          variance: 2.1,
          basis: "schedule",
          tolerance_points: 5,
          revision: 4,
        },
      },
      earned_value: {
        ...earned,
        forecast_finish_interval_95: forecast_finish_interval,
      },
      weight_basis: "cost",
      revision: 3,
      supersedes: "rpt_before",
      correction: { by: "Polier Özdemir", note: "seen on site" },
      warnings: ["3.jpg is blurred"],
      pictures: [{ title: "Mast Nord", url: signed("captures/cap_9/1/mast\\.jpg") }],
      report_url: signed("reports/rpt_whole/report\\.html"),
    });
    expect(Object.keys(body).slice(0, 7)).toEqual([
      ...["id", "project_id", "capture_date", "progress_percentage", "status"],
      ...["zones", "images"],
    ]);
    expect(Object.keys(body.zones[0]).slice(0, 3)).toEqual(["name", "progress", "status"]);
    expect(Object.keys(body.images).slice(0, 2)).toEqual(["orthomosaic_url", "model_3d_url"]);
    for (const listed of ["comparison", "zones_completed", "total_zones"]) {
      expect(body).not.toHaveProperty(listed);
    }
  });

  it("GET /reports/{id} has null for what there is not, but never in a field of the contract", async () => {
    const body = (await get("/rpt_a")).json();
    expect(reportSchema.Errors(body)).toEqual([]);
    expect(body).toMatchObject({
      ...{ earned_value: null, supersedes: null, correction: null, interval_95: null },
      schedule: { basis: "project_dates", revision: null },
      ...{ zones: [], pictures: [] },
    });
    const contract = ["id", "project_id", "capture_date", "progress_percentage", "status"];
    for (const field of contract) expect(body[field]).not.toBeNull();
  });

  it.each([
    "ahead_of_schedule",
    "on_schedule",
    "behind_schedule",
    "completed",
  ] as const)("the status %s of a report is the same in list and detail", async (status) => {
    const project_id = await t.project();
    const id = put(project_id, `rpt_${status}`, "2026-03-05T09:30:00.000Z", { status });
    const [listed] = (await get(`?project_id=${project_id}`)).json().data;
    const detail = (await get(`/${id}`)).json();
    for (const field of ["id", "project_id", "capture_date", "progress_percentage", "status"]) {
      expect(detail[field]).toBe(listed[field]);
    }
    expect(detail.status).toBe(status);
  });

  it("GET /reports/{id} has addresses that open without a key, for six days at least", async () => {
    await t.files.store.put("captures/cap_9/1/map.png", Buffer.from("a picture"));
    put(site, "rpt_open", "2026-01-01T00:00:00.000Z", WHOLE);
    const { images } = (await get("/rpt_open")).json();
    const open = () => t.app.inject(images.map_url.replace("https://site.test", ""));
    expect([(await open()).statusCode, (await open()).body]).toEqual([200, "a picture"]);
    t.clock.ms = NOON_MS + 6 * 86_400_000;
    expect((await open()).statusCode).toBe(200);
    t.clock.ms = NOON_MS + 7 * 86_400_000;
    expect((await open()).statusCode).toBe(403);
    t.clock.ms = NOON_MS;
  });

  it("GET /reports/{id} has a strong entity tag that holds for the day, and is not sent again to who has it", async () => {
    put(site, "rpt_tag", "2026-01-01T00:00:00.000Z", WHOLE);
    const first = await get("/rpt_tag");
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^"[\w-]{16}"$/);
    t.clock.ms = NOON_MS + 11 * 3_600_000;
    const again = await get("/rpt_tag");
    expect([again.headers.etag, again.body]).toEqual([etag, first.body]);
    for (const tags of [etag, `"other", ${etag}`, `W/${etag}`, "*"]) {
      const response = await get("/rpt_tag", { "if-none-match": tags });
      expect([response.statusCode, response.body, response.headers.etag]).toEqual([304, "", etag]);
      expect(response.headers).not.toHaveProperty("content-type");
      expect(response.headers).toMatchObject({
        vary: "Accept, Authorization, Cookie, accept-encoding",
        "cache-control": "private",
      });
    }
    expect((await get("/rpt_tag", { "if-none-match": '"other"' })).statusCode).toBe(200);
    t.clock.ms = NOON_MS + 12 * 3_600_000;
    const next = await get("/rpt_tag", { "if-none-match": etag });
    expect(next.statusCode).toBe(200);
    t.clock.ms = NOON_MS;
  });

  it("GET /reports/{id} names the report that corrected it, also with 304, and stays as it was", async () => {
    put(site, "rpt_old", "2026-01-01T00:00:00.000Z", {}, "rpt_new" as ReportId);
    const first = await get("/rpt_old");
    expect(first.headers.link).toBe(`<${REPORTS}/rpt_new>; rel="successor-version"`);
    expect(first.json()).not.toHaveProperty("superseded_by");
    const again = await get("/rpt_old", { "if-none-match": String(first.headers.etag) });
    expect([again.statusCode, again.headers.link]).toEqual([304, first.headers.link]);
    expect((await get("/rpt_a")).headers).not.toHaveProperty("link");
  });

  it("GET /reports/{id} is refused to those who may not see its project: 401, 403, 404", async () => {
    const writer = await t.key({ scopes: ["progress:write"] });
    const ours = await t.key({ scopes: ["progress:read"], project_ids: [site] });
    const answers = [];
    for (const [key, id] of [
      [undefined, "rpt_a"],
      [writer, "rpt_a"],
      [ours, "rpt_theirs"],
      [ours, "absent"],
      [ours, "a%20b"],
      [ours, "rpt_a"],
    ] as const) {
      const response = await t.get(`${REPORTS}/${id}`, key);
      answers.push([response.statusCode, response.json().error?.message]);
    }
    expect(answers).toEqual([
      [401, "Invalid API key"],
      [403, "The API key lacks the scope progress:read"],
      [404, "Not found"],
      [404, "Not found"],
      [404, "Not found"],
      [200, undefined],
    ]);
  });
});
