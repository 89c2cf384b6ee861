import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Report } from "../../../../api/progress/reports/report-schemas.ts";
import type { ProjectId, ReportId } from "../../../../domain/ids.ts";
import type { ReportZone } from "../../../../domain/sites/progress-report.ts";
import type { ZonePlanFiles } from "../../../../processing/progress/report/zone-plan/zone-plan.ts";
import {
  camera,
  capture,
  report,
  view,
  workZone,
  zoneId,
} from "../../../contracts/records/progress-rows.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { REPORTS } from "../../../support/report-site.ts";

const reportSchema = Compile(Report);
const drawn: ZonePlanFiles = { map: Buffer.from("a map"), model: Buffer.from("a model") };

let t: TestApp;
let project_id: ProjectId;
let tasks: string[] = [];
let mayDraw: Promise<void> = Promise.resolve();
beforeAll(async () => {
  const runTask = async ({ name }: { readonly name: string }) => {
    tasks.push(name);
    await mayDraw;
    return drawn;
  };
  t = await openTestApp({ runTask: runTask as never });
  project_id = await t.project({ planned_start: "2026-01-01", planned_finish: "2026-12-31" });
  for (const id of ["z1", "z2"]) {
    await t.records.workZones.insert(workZone(id, { project_id, name: `Zone ${id}` }));
  }
});
afterAll(() => t[Symbol.asyncDispose]());

const zone = (id: string, change: Partial<ReportZone> = {}): ReportZone => ({
  zone_id: zoneId(id),
  name: `Zone ${id}`,
  progress: 40,
  status: "in_progress",
  method: "dsm_volume",
  interval_95: [35, 45],
  observed_fraction: 1,
  raw_progress: 40,
  as_of: "2026-03-05T09:30:00.000Z",
  planned: 50,
  weight: 1,
  regression_suspected: false,
  no_estimate: null,
  notes: [],
  evidence: {},
  ...change,
});

/** A report of two zones of one weight at 40 %, planned 50 %. */
async function stored(id: string, supersededBy?: ReportId): Promise<ReportId> {
  const captureId = `cap_${id}`;
  await t.records.captures.insert(capture(captureId, { project_id }));
  const full = report(id, {
    project_id,
    capture_id: captureId as never,
    capture_date: "2026-03-05T09:30:00.000Z",
    progress_percentage: 40,
    comparison: {
      ...{ planned: 50, planned_all: 50, actual: 40, variance: -10 },
      ...{ basis: "project_dates", tolerance_points: 5 },
    },
    total_zones: 2,
    zones: [zone("z1"), zone("z2")],
  });
  t.records.rows.reports.push({ report: full, supersededBy });
  return full.id;
}

const correct = (id: string, body: object, key = ADMIN_KEY) =>
  t.send("POST", `${REPORTS}/${id}/corrections`, key, body);

describe("POST /reports/{id}/corrections", () => {
  it("POST /reports/{id}/corrections makes the next revision and leaves the report as it was", async () => {
    const id = await stored("rpt_first");
    tasks = [];
    const response = await correct(id, {
      zones: [
        { zone_id: "z1", progress: 100, note: "roof is on" },
        { zone_id: "z2", progress: 60, interval_95: [55, 70] },
      ],
      corrected_by: "Polier Özdemir",
      note: "walked through",
    });
    const corrected = response.json();
    expect(response.statusCode).toBe(201);
    expect(response.headers.location).toBe(`${REPORTS}/${corrected.id}`);
    expect(reportSchema.Errors(corrected)).toEqual([]);
    expect(corrected).toMatchObject({
      project_id,
      capture_id: "cap_rpt_first",
      capture_date: "2026-03-05T09:30:00.000Z",
      // (100 + 60) / 2, 30 points before the plan.
      progress_percentage: 80,
      status: "ahead_of_schedule",
      schedule: { planned: 50, variance: 30, basis: "project_dates" },
      revision: 2,
      supersedes: id,
      correction: {
        by: "Polier Özdemir",
        note: "walked through; Zone z1: roof is on",
      },
      zones: [
        { zone_id: "z1", progress: 100, status: "complete", method: "manual", interval_95: null },
        { zone_id: "z2", progress: 60, status: "in_progress", interval_95: [55, 70] },
      ],
      images: { kind: "zone_plan" },
    });
    expect(corrected).not.toHaveProperty("comparison");
    expect(tasks).toEqual(["draw-zone-plan"]);
    const map = await t.app.inject(corrected.images.map_url.replace("https://site.test", ""));
    expect(map.body).toBe("a map");

    const before = await t.get(`${REPORTS}/${id}`, ADMIN_KEY);
    expect(before.json()).toMatchObject({ progress_percentage: 40, revision: 1, correction: null });
    expect(before.headers.link).toBe(`<${REPORTS}/${corrected.id}>; rel="successor-version"`);
    const { data } = (await t.get(`${REPORTS}?project_id=${project_id}`, ADMIN_KEY)).json();
    expect(data).toMatchObject([{ id: corrected.id, zones_completed: 1, total_zones: 2 }]);
    const created = (await t.get("/api/v1/events?type=progress.report.created", ADMIN_KEY)).json();
    expect(created.data).toMatchObject([
      { type: "progress.report.created", project_id, data: { report_id: corrected.id } },
    ]);
  });

  it("POST /reports/{id}/corrections counts as what a person observed, and labels the pictures of the capture", async () => {
    const id = await stored("rpt_label");
    await t.records.siteCameras.insert(camera("mast", { project_id }));
    t.records.rows.views.push(
      view("sha-of-1", { capture_id: `cap_${id}` as never, camera_id: "mast" as never }),
    );
    t.clock.ms += 1_000;
    const response = await correct(id, { zones: [{ zone_id: "z1", progress: 62.5 }] });
    expect(response.statusCode).toBe(201);
    expect(response.json().correction).toEqual({ by: "admin", note: "" });
    const observed = await t.records.workZones.observations([zoneId("z1")], Date.UTC(2027, 0));
    expect(observed.at(-1)).toMatchObject({
      progress: 62.5,
      observed_at: "2026-03-05T09:30:00.000Z",
      observed_by: "admin",
      source: "correction",
    });
    expect(await t.records.siteCameras.labels([zoneId("z1")])).toMatchObject([
      { image_sha256: "sha-of-1", progress: 62.5, labelled_by: "admin", source: "correction" },
    ]);
  });

  it("POST /reports/{id}/corrections refuses a report that was corrected already, also by who comes at the same time: 409", async () => {
    const old = await correct(await stored("rpt_old", "rpt_newer" as ReportId), {
      zones: [{ zone_id: "z1", progress: 50 }],
    });
    expect([old.statusCode, old.json().error]).toMatchObject([
      409,
      { code: "conflict", message: "The report was corrected already: correct rpt_newer" },
    ]);
    const id = await stored("rpt_race");
    const answers = await Promise.all(
      [51, 52, 53].map((progress) => correct(id, { zones: [{ zone_id: "z1", progress }] })),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409, 409]);
  });

  it("POST /reports/{id}/corrections makes eight at a time, and asks others to come again", async () => {
    const ids: ReportId[] = [];
    for (let i = 0; i < 9; i += 1) ids.push(await stored(`rpt_busy_${i}`));
    let draw = (): void => undefined;
    mayDraw = new Promise((resolve) => {
      draw = resolve;
    });
    tasks = [];
    const body = { zones: [{ zone_id: "z1", progress: 50 }] };
    const waiting = ids.slice(0, 8).map((id) => correct(id, body));
    await expect.poll(() => tasks.length, { interval: 5, timeout: PATIENT_MS }).toBe(8);
    const refused = await correct(ids[8] ?? "", body);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "5"]);
    draw();
    const statuses = (await Promise.all(waiting)).map(({ statusCode }) => statusCode);
    expect(statuses).toEqual(ids.slice(0, 8).map(() => 201));
    expect((await correct(ids[8] ?? "", body)).statusCode).toBe(201);
  });

  it.each([
    [{}, "zones is required"],
    [{ zones: [] }, /^zones must/],
    [{ zones: [{ zone_id: "z1" }] }, "zones.0.progress is required"],
    [{ zones: [{ zone_id: "z1", progress: 100.1 }] }, "zones.0.progress must be <= 100"],
    [{ zones: [{ zone_id: "z1", progress: -1 }] }, "zones.0.progress must be >= 0"],
    [{ zones: [{ zone_id: "z1", progress: "50" }] }, /^zones\.0\.progress must be number/],
    [{ zones: [{ zone_id: "z9", progress: 50 }] }, "zones[0].zone_id names no zone of the report"],
    [
      {
        zones: [
          { zone_id: "z1", progress: 50 },
          { zone_id: "z1", progress: 60 },
        ],
      },
      "zones[1].zone_id is named twice",
    ],
    [
      { zones: [{ zone_id: "z1", progress: 50, interval_95: [60, 70] }] },
      "zones[0].interval_95 must hold the progress",
    ],
    [{ zones: [{ zone_id: "z1", progress: 50 }], corrected_by: "" }, /^corrected_by must/],
    [{ zones: [{ zone_id: "z1", progress: 50 }], note: "x".repeat(2_001) }, /^note must/],
  ])("POST /reports/{id}/corrections refuses %j with 400", async (body, message) => {
    const id = "rpt_wrong";
    if ((await t.records.progressReports.find(id as ReportId)) === undefined) await stored(id);
    const response = await correct(id, body);
    expect([response.statusCode, response.json().error.code]).toEqual([400, "invalid_parameter"]);
    expect(response.json().error.message).toMatch(message);
  });

  it("POST /reports/{id}/corrections is for writers who may see the project: 401, 403, 400, 404", async () => {
    const id = await stored("rpt_access");
    const reader = await t.key({ scopes: ["progress:read"] });
    const stranger = await t.key({ scopes: ["progress:write"], project_ids: [await t.project()] });
    const sound = { zones: [{ zone_id: "z1", progress: 50 }] };
    const statuses = [];
    for (const [key, body] of [
      [undefined, {}],
      [reader, {}],
      [stranger, {}],
      [stranger, sound],
    ] as const) {
      const path = `${REPORTS}/${id}/corrections`;
      statuses.push((await t.send("POST", path, key, body)).statusCode);
    }
    expect(statuses).toEqual([401, 403, 400, 404]);
  });
});
