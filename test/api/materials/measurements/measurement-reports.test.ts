import { describe, expect, it } from "vitest";
import type { JobId } from "../../../../domain/ids.ts";
import type {
  PileProfile,
  PileSection,
} from "../../../../processing/measurement/profile/pile-profile.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { storeStockpile } from "../../../support/measuring.ts";
import { sampleMeasurement } from "../../../support/sample-stockpile.ts";

const SECTION: PileSection = {
  from_m: [0, 0],
  to_m: [4, 0],
  toe_m: [1, 3],
  distance_m: [0, 1, 2, 3, 4],
  surface_m: [10, 10, 12.5, null, 10],
  base_m: [10, 10, 10, 10, 10],
  previous_m: null,
};
const PROFILE: PileProfile = { version: 1, along: SECTION, across: SECTION };

/** A measurement of a stockpile whose name somebody chose with care, with its files. */
async function measured(t: TestApp) {
  const stockpile = await storeStockpile(t, { material: `<script>alert("m")</script>` });
  const jobId = "job_1" as JobId;
  const measurement = await t.records.stockpiles.addMeasurement(stockpile.id, jobId, (before) => ({
    stockpile: before,
    measurement: sampleMeasurement(before, jobId),
    events: [],
  }));
  const { profile, surveyReportHtml } = measurement.files;
  await t.files.store.put(profile, Buffer.from(JSON.stringify(PROFILE)));
  await t.files.store.put(surveyReportHtml, Buffer.from("<title>Survey</title>"));
  const path = `/api/v1/materials/stockpiles/${stockpile.id}/measurements/${measurement.id}`;
  const { report_url, profile_url, survey_report_url } = (await t.get(path, ADMIN_KEY)).json();
  const inject = (url: string) => t.app.inject(url.replace("https://site.test", ""));
  return { path, measurement, inject, report_url, profile_url, survey_report_url };
}

describe("the report of a measurement", () => {
  it("the report of a measurement is JSON with its stockpile and sections", async () => {
    await using t = await openTestApp();
    const { path, measurement } = await measured(t);
    const response = await t.get(`${path}/report`, ADMIN_KEY);
    expect(response.json()).toMatchObject({
      stockpile: { id: "sp_north", location: "north yard", max_capacity_m3: 5_000 },
      measurement: { measurement_id: measurement.id, current_volume_m3: 1_234.567 },
      profile: PROFILE,
    });
  });

  it("the report of a measurement is a page for those who ask for one, which runs nothing and loads its pictures alone", async () => {
    await using t = await openTestApp();
    const { path } = await measured(t);
    const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    const answers = [
      await t.get(`${path}/report?format=html`, ADMIN_KEY),
      await t.get(`${path}/report`, ADMIN_KEY, { accept }),
    ];
    for (const { headers, body } of answers) {
      expect(headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "content-security-policy":
          "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src data: https://site.test; style-src 'unsafe-inline'",
      });
      expect(body).toMatch(/^<!doctype html>/);
      expect(body).toContain("&lt;script&gt;");
      expect(body).not.toContain("<script");
      expect(body).toMatch(
        /<img[^>]+src="https:\/\/site\.test\/files\/stockpiles\/[^"]+heights\.png/,
      );
    }
    const json = await t.get(`${path}/report?format=json`, ADMIN_KEY, { accept });
    expect(json.headers["content-type"]).toBe("application/json; charset=utf-8");
    const wrong = await t.get(`${path}/report?format=pdf`, ADMIN_KEY);
    expect(wrong.statusCode).toBe(400);
  });

  it("the report of a measurement opens without a key by the address in an answer, for seven days", async () => {
    await using t = await openTestApp();
    const { inject, report_url, profile_url, survey_report_url } = await measured(t);
    const pages = [];
    for (const url of [report_url, profile_url, survey_report_url]) pages.push(await inject(url));
    expect(pages.map(({ statusCode, headers }) => [statusCode, headers["content-type"]])).toEqual([
      [200, "text/html; charset=utf-8"],
      [200, "image/svg+xml"],
      [200, "text/html; charset=utf-8"],
    ]);
    expect(pages[1]?.body).toMatch(/^<svg/);
    expect(pages[2]?.body).toBe("<title>Survey</title>");
    expect(pages[2]?.headers["content-security-policy"]).toMatch(/^default-src 'none'/);
    t.clock.ms += 7 * 86_400_000 + 1_000;
    expect((await inject(report_url)).statusCode).toBe(403);
  });

  it("the report of a measurement opens by no other address: neither without a signature nor by another page's", async () => {
    await using t = await openTestApp();
    const { inject, report_url } = await measured(t);
    const statuses = [];
    for (const url of [
      report_url.split("?")[0],
      report_url.replace("report.html", "profile.svg"),
      report_url.replace("sp_north", "sp_south"),
      report_url.replace("report.html", "secret.html"),
    ]) {
      statuses.push((await inject(url)).statusCode);
    }
    expect(statuses).toEqual([403, 403, 403, 403]);
  });

  it("the report of a measurement leaves out sections whose file is gone, and their drawing is not found", async () => {
    await using t = await openTestApp();
    const { path, measurement, inject, report_url, profile_url } = await measured(t);
    await t.files.store.delete(measurement.files.profile);
    expect((await t.get(`${path}/report`, ADMIN_KEY)).json()).not.toHaveProperty("profile");
    expect((await inject(report_url)).statusCode).toBe(200);
    const drawings = [await inject(profile_url), await t.get(`${path}/profile.svg`, ADMIN_KEY)];
    expect(drawings.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
  });

  it("the report of a measurement is gone with its stockpile", async () => {
    await using t = await openTestApp();
    const { measurement, inject, report_url } = await measured(t);
    await t.records.stockpiles.delete(measurement.stockpile_id);
    expect((await inject(report_url)).statusCode).toBe(404);
  });
});
