import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { CaptureId, ReportId } from "../../../../domain/ids.ts";
import { completed, report } from "../../../contracts/records/progress-rows.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { storeCapture } from "../../../support/capture-site.ts";
import { REPORTS } from "../../../support/report-site.ts";

let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
  const name = '<script>alert("p")</script>';
  const project_id = await t.project({
    name,
    planned_start: "2026-01-01",
    planned_finish: "2026-12-31",
  });
  const shown = report("rpt_1", {
    project_id,
    capture_date: "2026-03-05T09:30:00.000Z",
    pictures: [{ title: "<b>Mast</b>", key: "captures/c1/mast.jpg" }],
  });
  t.records.rows.reports.push({ report: shown, supersededBy: "rpt_2" as ReportId });
});
afterAll(() => t[Symbol.asyncDispose]());

const open = (url: string) => t.app.inject(url.replace("https://site.test", ""));

it("a report's address is a page for those who ask for one, which runs nothing and loads its pictures alone", async () => {
  const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
  const answers = [
    await t.get(`${REPORTS}/rpt_1/report?format=html`, ADMIN_KEY),
    await t.get(`${REPORTS}/rpt_1/report`, ADMIN_KEY, { accept }),
  ];
  for (const { statusCode, headers, body } of answers) {
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "content-security-policy":
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src data: https://site.test; style-src 'unsafe-inline'",
    });
    expect(body).toMatch(/^<!doctype html>/i);
    expect(body).toContain("&lt;script&gt;");
    expect(body).not.toMatch(/<script|<b>Mast/);
    expect(body).toMatch(
      /<img[^>]+src="https:\/\/site\.test\/files\/captures\/c1\/map\.png\?expires=/,
    );
    expect(body).toMatch(/<img[^>]+src="https:\/\/site\.test\/files\/captures\/c1\/mast\.jpg\?/);
    // The one that corrected it, which opens without a key as well.
    expect(body).toMatch(/href="https:\/\/site\.test\/files\/reports\/rpt_2\/report\.html\?/);
  }
});

it("a report's address is the detail for programs, and refuses what it is not", async () => {
  const json = await t.get(`${REPORTS}/rpt_1/report?format=json`, ADMIN_KEY);
  expect(json.body).toBe((await t.get(`${REPORTS}/rpt_1`, ADMIN_KEY)).body);
  const key = await t.key({ scopes: ["progress:read"], project_ids: [await t.project()] });
  const statuses = [];
  for (const [path, asked] of [
    ["rpt_1/report?format=pdf", ADMIN_KEY],
    ["absent/report?format=html", ADMIN_KEY],
    ["rpt_1/report?format=html", key],
  ] as const) {
    statuses.push((await t.get(`${REPORTS}/${path}`, asked)).statusCode);
  }
  expect(statuses).toEqual([400, 404, 404]);
});

it("a report's address opens without a key by the address in an answer, and by no other", async () => {
  const { report_url: url } = (await t.get(`${REPORTS}/rpt_1`, ADMIN_KEY)).json();
  const page = await open(url);
  expect([page.statusCode, page.headers["content-type"]]).toEqual([
    200,
    "text/html; charset=utf-8",
  ]);
  const statuses = [];
  for (const other of [
    url.split("?")[0],
    url.replace("rpt_1", "rpt_2"),
    url.replace("/reports/rpt_1/report.html", "/captures/rpt_1/survey-report.html"),
  ]) {
    statuses.push((await open(other)).statusCode);
  }
  t.clock.ms = NOON_MS + 7 * 86_400_000;
  statuses.push((await open(url)).statusCode);
  t.clock.ms = NOON_MS;
  expect(statuses).toEqual([403, 403, 403, 403]);
});

it("a report's address is made once for many who open it, anew after a minute, and not kept when it fails", async () => {
  const summaries = vi.spyOn(t.records.progressReports, "list");
  const page = (id: string) => t.get(`${REPORTS}/${id}/report?format=html`, ADMIN_KEY);
  const [row] = t.records.rows.reports;
  if (row === undefined) throw new Error("there is no report");
  const put = (id: string) => {
    const report = { ...row.report, id: id as ReportId };
    t.records.rows.reports.push({ report, supersededBy: undefined });
  };
  put("rpt_many");
  await Promise.all([page("rpt_many"), page("rpt_many"), page("rpt_many")]);
  await page("rpt_many");
  expect(summaries).toHaveBeenCalledTimes(1);
  t.clock.ms = NOON_MS + 60_000;
  await page("rpt_many");
  expect(summaries).toHaveBeenCalledTimes(2);
  t.clock.ms = NOON_MS;
  put("rpt_broken");
  summaries.mockRejectedValueOnce(new Error("broken"));
  expect((await page("rpt_broken")).statusCode).toBe(500);
  expect((await page("rpt_broken")).statusCode).toBe(200);
  for (let i = 0; i < 33; i += 1) {
    put(`rpt_kept_${i}`);
    await page(`rpt_kept_${i}`);
  }
  const before = summaries.mock.calls.length;
  await page("rpt_kept_32");
  await page("rpt_kept_0");
  expect(summaries.mock.calls.length - before).toBe(1);
});

it("the page of a report shows the quality report of a capture's survey, as long as its file is there", async () => {
  const { id } = await storeCapture(t, await t.project());
  const row = t.records.rows.captures.get(id);
  if (row === undefined) throw new Error("there is no capture");
  const folder = `captures/${id}/1`;
  const end = completed(id, 20);
  await t.records.captures.complete({
    ...end,
    capture: {
      ...end.capture,
      project_id: row.project_id,
      products: {
        dsm: `${folder}/dsm.tif`,
        orthomosaic: undefined,
        orthomosaic_preview: undefined,
        preview_corners: undefined,
        model_3d: `${folder}/model.glb`,
        survey_report: `${folder}/report.html`,
      },
    },
  });
  await t.files.store.put(`${folder}/report.html`, Buffer.from("<title>Survey</title>"));
  const { products } = (await t.get(`/api/v1/progress/captures/${id}`, ADMIN_KEY)).json();
  const page = await open(products.survey_report_url);
  expect([page.statusCode, page.headers["content-type"], page.body]).toEqual([
    200,
    "text/html; charset=utf-8",
    "<title>Survey</title>",
  ]);
  expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'/);
  await t.files.store.delete(`${folder}/report.html`);
  expect((await open(products.survey_report_url)).statusCode).toBe(404);
  t.records.rows.captures.delete(id as CaptureId);
  expect((await open(products.survey_report_url)).statusCode).toBe(404);
});
