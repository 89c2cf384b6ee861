import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  PlannedProgress,
  ScheduleDetail,
  ScheduleRevisionList,
} from "../../../../api/progress/schedules/schedule-schemas.ts";
import type { ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import {
  addZone,
  putSchedule,
  schedulePath,
  TWO_ZONES_CSV,
} from "../../../support/schedule-files/site.ts";

const detail = Compile(ScheduleDetail);
const revisionList = Compile(ScheduleRevisionList);
const plannedProgress = Compile(PlannedProgress);

let t: TestApp;
let project: ProjectId;
beforeAll(async () => {
  t = await openTestApp();
  project = await t.project();
  await addZone(t, project, "North");
  await addZone(t, project, "West");
  await addZone(t, project, "Yard", { names: ["wal*"] });
  await putSchedule(t, project, TWO_ZONES_CSV);
});
afterAll(() => t[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = {}, of = project) =>
  t.get(`${schedulePath(of)}${path}`, ADMIN_KEY, headers);

describe("GET /projects/{project_id}/schedule", () => {
  it("GET /schedule shows how many activities each zone has and what is planned of it now", async () => {
    const response = await get("");
    expect(response.statusCode).toBe(200);
    expect(detail.Check(response.json())).toBe(true);
    expect(response.json()).toMatchObject({
      revision: 1,
      // Thursday noon: 3.5 days of 4, weight 3 of 4.
      planned_percent: 65.6,
      zones: [
        { zone_id: `${project}-north`, name: "North", activities: 1, planned_percent: 87.5 },
        { zone_id: `${project}-west`, name: "West", activities: 0 },
        { zone_id: `${project}-yard`, name: "Yard", activities: 1, planned_percent: 0 },
      ],
      unmatched_activities: 0,
      unmatched: [],
      plan_warnings: ["no activity of the schedule is of these zones: West"],
    });
  });

  it("GET /projects/{project_id}/schedule follows zones and the time zone of the project as they change", async () => {
    const own = await t.project();
    await putSchedule(t, own, TWO_ZONES_CSV);
    const before = (await get("", {}, own)).json();
    const zone = await addZone(t, own, "South");
    const added = (await get("", {}, own)).json();
    await t.records.workZones.update(zone, (one) => ({ ...one, name: "North" }));
    const renamed = (await get("", {}, own)).json();
    const percents = [before, added, renamed].map(({ zones, unmatched }) => [
      zones.map(({ planned_percent }: { planned_percent: number }) => planned_percent),
      unmatched.map(({ code }: { code: string }) => code),
    ]);
    expect(percents).toEqual([
      [[], ["Slab", "Walls"]],
      [[0], ["Slab"]],
      [[87.5], ["Walls"]],
    ]);
  });

  it("GET /projects/{project_id}/schedule answers 404 without a schedule, for a revision that is not there, and to other keys", async () => {
    const empty = await t.project();
    const key = await t.key({ scopes: ["progress:read"], project_ids: [empty] });
    const answers = await Promise.all([
      get("", {}, empty),
      get("?revision=2"),
      t.get(schedulePath(project), key),
      t.get(`${schedulePath(project)}/revisions`, key),
      t.get(`${schedulePath(project)}/planned`, key),
      get("/planned", {}, empty),
    ]);
    expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404, 404, 404, 404, 404]);
  });
});

describe("GET /projects/{project_id}/schedule/revisions", () => {
  it("GET /projects/{project_id}/schedule/revisions lists newest first, page by page, as JSON and CSV", async () => {
    const own = await t.project();
    for (const i of [1, 2, 3])
      await putSchedule(t, own, `${TWO_ZONES_CSV}S,R${i},2026-04-01,2026-04-02,,\n`);
    const first = await get("/revisions?limit=2", {}, own);
    const last = await get("/revisions?limit=2&offset=2", {}, own);
    const csv = await get("/revisions", { accept: "text/csv" }, own);
    const old = await get("?revision=1", {}, own);
    expect(revisionList.Check(first.json())).toBe(true);
    const numbers = (body: { data: { revision: number }[] }) =>
      body.data.map((one) => one.revision);
    expect([numbers(first.json()), numbers(last.json())]).toEqual([[3, 2], [1]]);
    expect([first.json().pagination, last.json().pagination]).toEqual([
      { page: 1, limit: 2, total: 3, has_more: true },
      { page: 2, limit: 2, total: 3, has_more: false },
    ]);
    expect(csv.body.split("\r\n")[0]).toBe(
      "revision,id,format,name,data_date,start,finish,activities,sha256,imported_by,imported_at",
    );
    expect(csv.body.split("\r\n")).toHaveLength(5);
    expect(old.json().unmatched.at(-1).name).toBe("R1");
  });
});

describe("GET /projects/{project_id}/schedule/planned", () => {
  it("GET /schedule/planned gives percents at a time", async () => {
    const response = await get("/planned?at=2026-03-07T00:00:00Z");
    expect(plannedProgress.Check(response.json())).toBe(true);
    expect(response.json()).toEqual({
      project_id: project,
      basis: "schedule",
      schedule_revision: 1,
      start: "2026-03-02T00:00:00.000Z",
      finish: "2026-03-10T00:00:00.000Z",
      data: [
        {
          at: "2026-03-07T00:00:00.000Z",
          // 3 of 3, a quarter of 1: 3.25 of 4.
          planned_percent: 81.3,
          zones: [
            { zone_id: `${project}-north`, name: "North", planned_percent: 100 },
            { zone_id: `${project}-west`, name: "West" },
            { zone_id: `${project}-yard`, name: "Yard", planned_percent: 25 },
          ],
        },
      ],
    });
  });

  it("GET /projects/{project_id}/schedule/planned goes from start to finish in steps, both included", async () => {
    const response = await get("/planned?interval_days=3");
    const { data } = response.json();
    const percents = data.map((one: { at: string; planned_percent: number }) => [
      one.at.slice(5, 10),
      one.planned_percent,
    ]);
    // 3 x 3/4 of 4; 3 + 2/4 of 4... on days 0, 3, 6 and 8.
    expect(percents).toEqual([
      ["03-02", 0],
      ["03-05", 56.3],
      ["03-08", 87.5],
      ["03-10", 100],
    ]);
  });

  it("GET /projects/{project_id}/schedule/planned is there as CSV, a row for each zone and one for the project", async () => {
    const response = await get("/planned?at=2026-03-06T00:00:00Z", { accept: "text/csv" });
    expect(response.body).toBe(
      [
        "at,zone_id,zone,planned_percent",
        "2026-03-06T00:00:00.000Z,,,75",
        `2026-03-06T00:00:00.000Z,${project}-north,North,100`,
        `2026-03-06T00:00:00.000Z,${project}-west,West,`,
        `2026-03-06T00:00:00.000Z,${project}-yard,Yard,0`,
        "",
      ].join("\r\n"),
    );
  });

  it("the planned percent follows the project's dates without a schedule", async () => {
    const own = await t.project({ planned_start: "2026-03-01", planned_finish: "2026-03-10" });
    const response = await get("/planned?at=2026-03-02T00:00:00Z", {}, own);
    expect(response.json()).toEqual({
      project_id: own,
      basis: "project_dates",
      start: "2026-03-01T00:00:00.000Z",
      finish: "2026-03-11T00:00:00.000Z",
      data: [{ at: "2026-03-02T00:00:00.000Z", planned_percent: 10, zones: [] }],
    });
  });

  it.each([
    ["at=soon", "at"],
    ["at=2026-03-06T00:00:00Z&from=2026-03-06T00:00:00Z", "from"],
    ["from=2026-03-06T00:00:00Z&to=2026-03-05T00:00:00Z", "from"],
    ["from=2027-03-06T00:00:00Z", "from"],
    ["to=2025-03-06T00:00:00Z", "to"],
    ["interval_days=0", "interval_days"],
    ["interval_days=1.5", "interval_days"],
    ["interval_days=1&to=2036-03-05T00:00:00Z", "interval_days"],
    ["revision=0", "revision"],
  ])("GET /projects/{project_id}/schedule/planned refuses %s", async (query, parameter) => {
    const response = await get(`/planned?${query}`);
    expect([response.statusCode, response.json().error.details[0].parameter]).toEqual([
      400,
      parameter,
    ]);
  });
});
