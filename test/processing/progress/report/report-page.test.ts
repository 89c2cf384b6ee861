import { describe, expect, it } from "vitest";
import type { ProgressReport } from "../../../../domain/sites/progress-report.ts";
import type { ScheduleTask } from "../../../../domain/sites/schedule.ts";
import { progressReportPage } from "../../../../processing/progress/report/page/progress-report-page.ts";
import {
  estimate,
  reportId,
  schedule,
  workZone,
} from "../../../contracts/records/progress-rows.ts";
import { projectId } from "../../../contracts/records/rows.ts";
import { elementsOf } from "../../../support/well-formed.ts";
import { day, findings, type SampleProject, sampleProject } from "../capture/sample-project.ts";

const ATTACK = `<script>alert("1")</script>`;

const pageOf = async (
  p: SampleProject,
  id: string,
  supersededBy?: { readonly id: string; readonly url: string },
) => {
  const found = await p.records.progressReports.find(reportId(id));
  if (found === undefined) throw new Error(`no report ${id}`);
  return await progressReportPage(p.tools, found.report, {
    address: async (key) => `https://files.test/${key}?a=1&b=2`,
    supersededBy,
    links: [{ text: "Model", url: "https://files.test/model.glb" }],
  });
};

const minutes = (iso: string) => Date.parse(iso) / 60_000;
/** One activity of ten days for a zone: 10 % a day from the 1st to the 11th. */
const task = (code: string): ScheduleTask => ({
  code,
  name: code,
  wbs: "",
  zone_codes: [code],
  start_min: minutes("2026-11-01T12:00:00Z"),
  finish_min: minutes("2026-11-11T12:00:00Z"),
  curve: "linear",
  cost: 1_000,
});

async function scheduled(): Promise<SampleProject> {
  const zones = ["A", "B"].map((code) =>
    workZone(code.toLowerCase(), {
      name: `Zone ${code} ${ATTACK}`,
      activities: { codes: [code], wbs: [], names: [] },
    }),
  );
  const p = await sampleProject(zones, { name: `Site ${ATTACK}` });
  await p.records.schedules.add(projectId("p1"), "sha", (revision) => ({
    ...schedule("sch_1", revision, {
      start_min: minutes("2026-11-01T12:00:00Z"),
      finish_min: minutes("2026-11-11T12:00:00Z"),
    }),
    calendars: [],
    tasks: [task("A"), task("B")],
  }));
  return p;
}

describe("a report by a schedule", () => {
  it("a report by a schedule has earned value, and planned values of zones that add up to the project's", async () => {
    const p = await scheduled();
    await p.add("cap_1", () =>
      findings(6, [
        estimate("a", { raw_progress: 20, interval_95: [18, 22] }),
        estimate("b", { raw_progress: 60, interval_95: [58, 62] }),
      ]),
    );
    await p.attempt("cap_1");
    const report = (await p.records.progressReports.find(reportId("rpt_1")))
      ?.report as ProgressReport;
    expect(report).toMatchObject({
      schedule_revision: 1,
      weight_basis: "cost",
      comparison: { planned: 50, actual: 40, variance: -10, basis: "schedule" },
      // Both zones are of one flight: 38 to 42. ES 4 days of 5: SPI(t) 0.8, finish after 12.5 days.
      interval_95: [38, 42],
      earned_value: {
        planned_value: 50,
        earned_value: 40,
        spi: 0.8,
        spi_t: 0.8,
        earned_schedule_days: 4,
        forecast_finish: "2026-11-14T00:00:00.000Z",
      },
    });
    expect(report.zones.map(({ planned, weight }) => [planned, weight])).toEqual([
      [50, 1_000],
      [50, 1_000],
    ]);
  });
});

describe("the page of a report", () => {
  it("the page of a report escapes what people and images brought along, and draws well-formed pictures", async () => {
    const p = await scheduled();
    await p.add("cap_1", () =>
      findings(6, [estimate("a", { notes: [ATTACK], figures: { model: ATTACK } }), estimate("b")], {
        warnings: [ATTACK],
        pictures: [{ title: ATTACK, key: "captures/cap_1/1/view.png" }],
      }),
    );
    await p.attempt("cap_1");
    const html = await pageOf(p, "rpt_1");
    expect(html).not.toContain("<script");
    expect(html.match(/&lt;script&gt;/g)?.length).toBeGreaterThanOrEqual(6);
    expect(html).toContain("https://files.test/captures/cap_1/1/view.png?a=1&amp;b=2");
    expect(html).toContain("default-src 'none'");
    const drawings = html.match(/<svg.*?<\/svg>/gs) ?? [];
    expect(drawings).toHaveLength(3);
    for (const svg of drawings) expect(elementsOf(svg).length).toBeGreaterThan(2);
  });

  it("the page of a report shows percent, plan, variance and status in words, and what was not seen", async () => {
    const p = await scheduled();
    await p.add("cap_1", () =>
      findings(3, [estimate("b", { raw_progress: 15, interval_95: [13, 17] })]),
    );
    await p.add("cap_2", () =>
      findings(6, [estimate("a", { raw_progress: 20, interval_95: [18, 22] })]),
    );
    await p.attempt("cap_1");
    await p.attempt("cap_2");
    const html = await pageOf(p, "rpt_2");
    expect(html).toContain("<b>17.5 %</b>");
    expect(html).toContain("behind schedule");
    expect(html).toContain("17.5 points behind the plan, beyond the tolerance of 5 points");
    expect(html).toContain("1 of 2 zones have figures of earlier captures");
    expect(html).toContain("3 days old");
    expect(html).toContain("Forecast finish");
    // Two reports as points of the curve.
    expect(html.match(/<g class="point/g)?.length).toBeGreaterThanOrEqual(2);
  });

  it("the page of a report says that a zone which was never seen is not known, and names no percent of it", async () => {
    const p = await scheduled();
    await p.add("cap_1", () =>
      findings(6, [estimate("a", { raw_progress: 20, interval_95: [18, 22] })]),
    );
    await p.attempt("cap_1");
    const html = await pageOf(p, "rpt_1");
    const rows = html.match(/<tr class="zone">.*?<\/tr>/gs) ?? [];
    expect(rows.map((row) => row.match(/<b>(.*?)<\/b>/)?.[1])).toEqual(["20.0 %", "not known"]);
    expect(rows[1]).toContain("never seen");
    expect(rows[1]).not.toContain("not started");
  });

  it("the page of a report of which nothing was seen has no percent of the project", async () => {
    const p = await scheduled();
    await p.add("cap_1", () => findings(6, []));
    await p.attempt("cap_1");
    expect(await pageOf(p, "rpt_1")).toContain(`<p class="actual"><b>not known</b>`);
  });

  it("the page of a report says that a corrected report is superseded, and by whom one was corrected", async () => {
    const p = await scheduled();
    await p.add("cap_1", () => findings(6, [estimate("a")]));
    await p.attempt("cap_1");
    const html = await pageOf(p, "rpt_1", { id: "rpt_next", url: "https://site.test/next" });
    expect(html).toContain("https://site.test/next");
    expect(html).toContain("no longer hold");
  });

  it("the page of a report is made without the plan, which was taken away since, and of a project that is gone", async () => {
    const p = await sampleProject();
    await p.add("cap_1", () => findings(6, [estimate("z1")]));
    await p.attempt("cap_1");
    await p.records.projects.update(projectId("p1"), ({ planned_start: _, ...rest }) => rest);
    expect(await pageOf(p, "rpt_1")).toContain("no longer on record");
    p.tools.projects.find = async () => undefined;
    expect(await pageOf(p, "rpt_1")).toContain(`<h1>p1</h1>`);
  });

  it("the page of a report says so when the project's dates were changed since", async () => {
    const p = await sampleProject();
    await p.add("cap_1", () => findings(6, [estimate("z1")]));
    await p.attempt("cap_1");
    await p.records.projects.update(projectId("p1"), (project) => ({
      ...project,
      planned_finish: "2026-12-10",
    }));
    // 5.5 of 40 days.
    expect(await pageOf(p, "rpt_1")).toContain("it says 13.8 % for this date now");
    expect(day(6)).toBe("2026-11-06T12:00:00.000Z");
  });
});
