import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { measuredZone, putReport } from "../../../support/report-site.ts";
import { putSchedule, TWO_ZONES_CSV } from "../../../support/schedule-files/site.ts";

let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
});
afterAll(() => t[Symbol.asyncDispose]());

const curveOf = async (project: ProjectId) => {
  const response = await t.get(`/api/v1/progress/projects/${project}/curve`, ADMIN_KEY);
  expect(response.statusCode).toBe(200);
  return response.json();
};

describe("GET /progress/projects/{project_id}/curve", () => {
  it("says null of a plan, and of a forecast, that there is not", async () => {
    const project = await t.project();
    expect(await curveOf(project)).toEqual({
      project_id: project,
      plan: null,
      actual: [],
      left_out: 0,
      earned_value: null,
    });
  });

  it("has the plan of the newest schedule, else a line between the project's dates", async () => {
    const project = await t.project({
      planned_start: "2026-03-02",
      planned_finish: "2026-03-11",
    });
    const { plan: byDates } = await curveOf(project);
    expect(byDates).toMatchObject({ basis: "project_dates", revision: null });
    expect(byDates.points[120]).toEqual({ at: "2026-03-07T00:00:00.000Z", planned_percent: 50 });
    await putSchedule(t, project, TWO_ZONES_CSV);
    const { plan } = await curveOf(project);
    expect(plan).toMatchObject({
      ...{ basis: "schedule", revision: 1 },
      ...{ start: "2026-03-02T00:00:00.000Z", finish: "2026-03-10T00:00:00.000Z" },
    });
    expect(plan.points[0].planned_percent).toBe(0);
    // Half of the time is the first activity, three quarters of the weight.
    expect(plan.points[120].planned_percent).toBe(75);
    expect(plan.points.at(-1).planned_percent).toBe(100);
  });

  it("has each report's percent with its intervals, oldest first, what it does not cover by name, and the newest one's forecast", async () => {
    const project = await t.project();
    const seen = measuredZone("Seen", 40, "2026-03-04T12:00:00.000Z");
    const old = measuredZone("Old", 40, "2026-03-01T12:00:00.000Z");
    const never = measuredZone("Never", 0, "2026-03-01T12:00:00.000Z", { method: "declared" });
    putReport(t, project, "rpt_new", "2026-03-04T12:00:00.000Z", {
      zones: [seen, old, never],
      progress_percentage: 40,
      seen_share: 0.75,
      interval_95: [25, 70],
      seen_interval_95: [35, 45],
      earned_value: {
        ...{ planned_value: 50, earned_value: 40, schedule_variance: -10, spi: 0.8 },
        ...{ spi_t: 0.8, earned_schedule_days: 3 },
        forecast_finish: "2026-04-01T00:00:00.000Z",
        forecast_finish_interval: ["2026-03-20T00:00:00.000Z", "2026-04-10T00:00:00.000Z"],
      },
    });
    putReport(t, project, "rpt_old", "2026-03-01T12:00:00.000Z", {
      interval_95: null,
      seen_interval_95: null,
    });
    const { actual, earned_value, left_out } = await curveOf(project);
    expect(actual.map((one: { report_id: string }) => one.report_id)).toEqual([
      "rpt_old",
      "rpt_new",
    ]);
    expect(actual[0]).toMatchObject({ interval_95: null, seen_interval_95: null });
    expect(actual[1]).toMatchObject({
      ...{ progress_percentage: 40, interval_95: [25, 70], seen_interval_95: [35, 45] },
      seen_percent: 75,
      unseen_zones: ["Never"],
      earlier_zones: ["Old"],
    });
    expect(earned_value).toMatchObject({
      forecast_finish: "2026-04-01T00:00:00.000Z",
      forecast_finish_interval_95: ["2026-03-20T00:00:00.000Z", "2026-04-10T00:00:00.000Z"],
      spi_t: 0.8,
    });
    expect(left_out).toBe(0);
  });
});
