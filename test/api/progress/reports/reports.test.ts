import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ReportList } from "../../../../api/progress/reports/report-schemas.ts";
import type { ProjectId, ReportId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { putReport, REPORTS, type ReportRow } from "../../../support/report-site.ts";

const reportList = Compile(ReportList);

let t: TestApp;
let site: ProjectId;
let other: ProjectId;
beforeAll(async () => {
  t = await openTestApp();
  site = await t.project();
  other = await t.project();
  put(site, "rpt_a", "2026-03-01T00:00:00.000Z");
  put(site, "rpt_b", "2026-03-01T23:59:59.999Z");
  put(site, "rpt_c", "2026-03-02T00:00:00.000Z");
  put(site, "rpt_d", "2026-03-04T12:00:00.000Z");
  put(other, "rpt_theirs", "2026-03-02T12:00:00.000Z");
});
afterAll(() => t[Symbol.asyncDispose]());

const put = (...report: ReportRow) => putReport(t, ...report);

const get = (path: string, headers: Record<string, string> = {}, key = ADMIN_KEY) =>
  t.get(`${REPORTS}${path}`, key, headers);

/** Ids of a list, and its pagination; fails where the list is not as it is described. */
async function list(query: string) {
  const response = await get(query);
  expect(response.statusCode).toBe(200);
  const body = response.json();
  expect(reportList.Errors(body)).toEqual([]);
  return [body.data.map(({ id }: { id: string }) => id), body.pagination];
}

describe("GET /reports", () => {
  it("GET /reports answers with the contract's fields and no others", async () => {
    const project_id = await t.project();
    put(project_id, "rpt_list", "2026-03-05T09:30:00.000Z", {
      progress_percentage: 64.2,
      status: "ahead_of_schedule",
      comparison: {
        ...{ planned: 58.1, planned_all: 58.1, actual: 64.2, variance: 6.1 },
        ...{ basis: "schedule", tolerance_points: 5 },
      },
      zones_completed: 2,
      total_zones: 7,
    });
    const response = await get(`?project_id=${project_id}`);
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(response.headers).toMatchObject({
      vary: "Accept, Authorization, Cookie, accept-encoding",
      "cache-control": "private",
    });
    expect(response.body).toBe(
      JSON.stringify({
        data: [
          {
            id: "rpt_list",
            project_id,
            capture_date: "2026-03-05T09:30:00.000Z",
            progress_percentage: 64.2,
            status: "ahead_of_schedule",
            comparison: {
              planned: 58.1,
              actual: 64.2,
              variance: 6.1,
              basis: "schedule",
              seen_percent: 100,
            },
            zones_completed: 2,
            total_zones: 7,
          },
        ],
        pagination: { page: 1, limit: 20, total: 1, has_more: false },
      }),
    );
  });

  it("GET /reports lists the newest capture first, then the newest report", async () => {
    expect((await list(`?project_id=${site}`))[0]).toEqual(["rpt_d", "rpt_c", "rpt_b", "rpt_a"]);
    const project_id = await t.project();
    const at = "2026-03-05T09:30:00.000Z";
    put(project_id, "rpt_2", at, { recorded_at: "2026-03-05T10:00:00.000Z" });
    put(project_id, "rpt_1", at, { recorded_at: "2026-03-05T10:00:01.000Z" });
    put(project_id, "rpt_3", at, { recorded_at: "2026-03-05T10:00:00.000Z" });
    expect((await list(`?project_id=${project_id}`))[0]).toEqual(["rpt_1", "rpt_3", "rpt_2"]);
  });

  it.each([
    ["", 4, { page: 1, limit: 20, has_more: false }],
    ["&limit=4", 4, { page: 1, limit: 4, has_more: false }],
    ["&limit=3", 3, { page: 1, limit: 3, has_more: true }],
    ["&limit=3&offset=1", 3, { page: 1, limit: 3, has_more: false }],
    ["&limit=2&offset=1", 2, { page: 1, limit: 2, has_more: true }],
    ["&limit=2&offset=2", 2, { page: 2, limit: 2, has_more: false }],
    ["&limit=1&offset=3", 1, { page: 4, limit: 1, has_more: false }],
    ["&limit=1&offset=2", 1, { page: 3, limit: 1, has_more: true }],
    ["&offset=4", 0, { page: 1, limit: 20, has_more: false }],
    ["&limit=100&offset=1000000000", 0, { page: 10_000_001, limit: 100, has_more: false }],
    ["&limit=1", 1, { page: 1, limit: 1, has_more: true }],
    ["&limit=100", 4, { page: 1, limit: 100, has_more: false }],
  ])("GET /reports has the right page at the edges: %s", async (query, count, expected) => {
    const [ids, pagination] = await list(`?project_id=${site}${query}`);
    expect(ids).toHaveLength(count);
    expect(pagination).toEqual({ ...expected, total: 4 });
    expect(Object.keys(pagination)).toEqual(["page", "limit", "total", "has_more"]);
  });

  it("GET /reports has 20 of 21 on a page by default", async () => {
    const project_id = await t.project();
    for (let i = 10; i < 31; i += 1) put(project_id, `rpt_p${i}`, `2026-03-${i}T12:00:00.000Z`);
    const [ids, pagination] = await list(`?project_id=${project_id}`);
    expect([ids.length, ids[0], ids[19]]).toEqual([20, "rpt_p30", "rpt_p11"]);
    expect(pagination).toEqual({ page: 1, limit: 20, total: 21, has_more: true });
    expect(await list(`?project_id=${project_id}&offset=20`)).toEqual([
      ["rpt_p10"],
      { page: 2, limit: 20, total: 21, has_more: false },
    ]);
  });

  it.each([
    ["from_date=2026-03-01", "dcba"],
    ["from_date=2026-03-02", "dc"],
    ["to_date=2026-03-01", "ba"],
    ["to_date=2026-02-28", ""],
    ["from_date=2026-03-01&to_date=2026-03-01", "ba"],
    ["from_date=2026-03-02&to_date=2026-03-04", "dc"],
    ["from_date=2026-03-03&to_date=2026-03-03", ""],
    ["from_date=2026-03-05", ""],
    // A timestamp counts as its day in UTC, whatever its offset.
    ["to_date=2026-03-01T00:00:00Z", "ba"],
    ["from_date=2026-03-01T23:00:00.000Z&to_date=2026-03-01T01:00:00Z", "ba"],
    ["from_date=2026-03-02T00:30:00%2B01:00&to_date=2026-03-01", "ba"],
    ["from_date=2026-02-29T23:30:00-01:00", undefined],
    ["from_date=0001-01-01&to_date=9999-12-31", "dcba"],
    ["to_date=1969-12-31", ""],
  ])("GET /reports takes days inclusively, in UTC: %s", async (query, letters) => {
    const asked = `?project_id=${site}&${query}`;
    if (letters === undefined) {
      expect((await get(asked)).statusCode).toBe(400);
      return;
    }
    const [ids, { total }] = await list(asked);
    expect(ids).toEqual(Array.from(letters, (letter) => `rpt_${letter}`));
    expect(total).toBe(letters.length);
  });

  it.each([
    ["", "project_id is required"],
    ["?project_id=", /^project_id/],
    ["?project_id=a%20b", /^project_id/],
    ["?project_id=SITE&project_id=SITE", "project_id must be given once"],
    ["?project_id=SITE&limit=101", "limit must be <= 100"],
    ["?project_id=SITE&limit=0", "limit must be >= 1"],
    ["?project_id=SITE&limit=ten", "limit must be integer"],
    ["?project_id=SITE&limit=", "limit must be integer"],
    ["?project_id=SITE&offset=-1", "offset must be >= 0"],
    ["?project_id=SITE&offset=1.5", "offset must be integer"],
    [
      "?project_id=SITE&from_date=yesterday",
      "from_date must be an ISO 8601 date, such as 2026-03-05",
    ],
    ["?project_id=SITE&to_date=2026-02-30", "to_date must be an ISO 8601 date, such as 2026-03-05"],
    ["?project_id=SITE&to_date=2026-3-5", "to_date must be an ISO 8601 date, such as 2026-03-05"],
    ["?project_id=SITE&to_date=", "to_date must be an ISO 8601 date, such as 2026-03-05"],
    [
      "?project_id=SITE&from_date=2026-03-02&to_date=2026-03-01",
      "from_date must not be after to_date",
    ],
    ["?project_id=absent&limit=101", "limit must be <= 100"],
  ])("GET /reports refuses %s with 400", async (query, message) => {
    const response = await get(query.replaceAll("SITE", site));
    expect([response.statusCode, response.json().error.code]).toEqual([400, "invalid_parameter"]);
    expect(response.json().error.message).toMatch(message);
  });

  it("GET /reports leaves out what was corrected, and names parameters that it does not know", async () => {
    const project_id = await t.project();
    const at = "2026-03-05T09:30:00.000Z";
    put(project_id, "rpt_before", at, {}, "rpt_after" as ReportId);
    put(project_id, "rpt_after", at, { revision: 2, supersedes: "rpt_before" as ReportId });
    const response = await get(`?project_id=${project_id}&page=2`);
    expect(response.headers["x-ignored-parameters"]).toBe("page");
    expect(response.json()).toMatchObject({
      data: [{ id: "rpt_after" }],
      pagination: { total: 1 },
    });
  });

  it("GET /reports is CSV for those who ask for it", async () => {
    const response = await get(`?project_id=${site}&limit=1`, { accept: "text/csv" });
    expect(response.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(response.body.split("\r\n")).toEqual([
      "id,project_id,capture_date,progress_percentage,status,planned,actual,variance,basis,zones_completed,total_zones,seen_percent",
      `rpt_d,${site},2026-03-04T12:00:00.000Z,41.3,behind_schedule,50,41.3,-8.7,project_dates,0,1,100`,
      "",
    ]);
  });

  it("GET /reports is for those who may see the project: 401, 403, 400, 404", async () => {
    const writer = await t.key({ scopes: ["progress:write"] });
    const ours = await t.key({ scopes: ["progress:read"], project_ids: [site] });
    const answers = [];
    for (const [key, query] of [
      [undefined, ""],
      [writer, ""],
      [ours, `?project_id=${other}&limit=101`],
      [ours, `?project_id=${other}`],
      [ours, "?project_id=absent"],
      [ours, `?project_id=${site}`],
    ] as const) {
      const response = await t.get(`${REPORTS}${query}`, key);
      answers.push([response.statusCode, response.json().error?.code]);
    }
    expect(answers).toEqual([
      [401, "unauthorized"],
      [403, "forbidden"],
      [400, "invalid_parameter"],
      [404, "not_found"],
      [404, "not_found"],
      [200, undefined],
    ]);
  });
});
