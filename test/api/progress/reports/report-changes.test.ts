import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { measuredZone, putReport, REPORTS } from "../../../support/report-site.ts";

let t: TestApp;
let site: ProjectId;
beforeAll(async () => {
  t = await openTestApp();
  site = await t.project();
  const zones = (progress: number, as_of: string) => [
    measuredZone("yard", progress, as_of, { method: "manual", interval_95: null }),
  ];
  putReport(t, site, "rpt_first", "2026-03-01T12:00:00.000Z", {
    zones: zones(20, "2026-03-01T12:00:00.000Z"),
  });
  putReport(t, site, "rpt_second", "2026-03-04T12:00:00.000Z", {
    zones: zones(32.5, "2026-03-04T12:00:00.000Z"),
  });
  putReport(t, await t.project(), "rpt_theirs", "2026-03-03T12:00:00.000Z");
});
afterAll(() => t[Symbol.asyncDispose]());

describe("GET /progress/reports/{report_id}/changes", () => {
  it("compares a report with the one of the capture before, of the same project", async () => {
    const response = await t.get(`${REPORTS}/rpt_second/changes`, ADMIN_KEY);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      report_id: "rpt_second",
      since: { report_id: "rpt_first", capture_date: "2026-03-01T12:00:00.000Z" },
    });
    const [zone] = response.json().zones;
    expect(zone).toMatchObject({
      basis: "compared",
      change: {
        ...{ before: 20, after: 32.5, difference: 12.5 },
        ...{ interval_95: [12.5, 12.5], is_significant: true },
      },
    });
  });

  it("says of the first report that there is none before", async () => {
    const { since, project, zones } = (
      await t.get(`${REPORTS}/rpt_first/changes`, ADMIN_KEY)
    ).json();
    expect([since, project, zones]).toEqual([null, null, []]);
  });
});
