import { Compile } from "typebox/compile";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Capture } from "../../../../api/progress/captures/capture-schemas.ts";
import type { CaptureId, JobId, ReportId } from "../../../../domain/ids.ts";
import { completed, estimate, workZone } from "../../../contracts/records/progress-rows.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";
import {
  CAPTURES,
  claimCapture,
  clearCaptures,
  photographs,
  storeCapture,
} from "../../../support/capture-site.ts";

const captureSchema = Compile(Capture);
const iso = (ms: number) => new Date(ms).toISOString();
const NOON = iso(NOON_MS);

let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
});
afterEach(() => clearCaptures(t));
afterAll(() => t[Symbol.asyncDispose]());

/** A capture as the API shows it now; fails where it differs from the API description. */
async function follow(id: string) {
  const response = await t.get(`${CAPTURES}/${id}`, ADMIN_KEY);
  expect(response.statusCode).toBe(200);
  const capture = response.json();
  expect(captureSchema.Errors(capture)).toEqual([]);
  return { capture, retryAfter: response.headers["retry-after"] };
}

describe("GET /captures/{id}", () => {
  it("GET /captures shows a waiting capture with all its fields", async () => {
    const project_id = await t.project();
    const flight_metadata = { dsm_url: "https://site.example/dsm.tif?X-Sig=1#a", wind: { ms: 3 } };
    const { id } = await storeCapture(t, project_id, { flight_metadata });
    const { capture, retryAfter } = await follow(id);
    expect(capture).toEqual({
      id,
      status: "processing",
      estimated_completion: iso(NOON_MS + 14_000),
      images_count: 6,
      purpose: "progress",
      project_id,
      capture_type: "drone",
      progress: 0,
      stage: "queued",
      report_id: null,
      no_report: null,
      error: null,
      warnings: [],
      created_at: NOON,
      completed_at: null,
      capture_date: null,
      flight_metadata: { dsm_url: "https://site.example/dsm.tif", wind: { ms: 3 } },
      images: [],
      zones: [],
      products: null,
    });
    expect(Object.keys(capture).slice(0, 4)).toEqual([
      "id",
      "status",
      "estimated_completion",
      "images_count",
    ]);
    expect(retryAfter).toBe("14");
  });

  it("GET /captures estimates the end anew for each answer, and never in the past", async () => {
    const project_id = await t.project();
    const { id: first } = await storeCapture(t, project_id, { images: photographs(99) });
    const { id: second } = await storeCapture(t, project_id);
    const left = async (id: CaptureId) => {
      const { capture, retryAfter } = await follow(id);
      const seconds = (Date.parse(capture.estimated_completion) - t.clock.ms) / 1_000;
      return [capture.stage, capture.progress, seconds, retryAfter];
    };
    expect(await left(first)).toEqual(["queued", 0, 200, "60"]);
    expect(await left(second)).toEqual(["queued", 0, 214, "60"]);
    const job = await claimCapture(t);
    await t.records.jobs.beat([{ ...job, stage: "matching images", progress: 75 }]);
    t.clock.ms += 3_600_000;
    expect(await left(first)).toEqual(["matching images", 75, 50, "50"]);
    // Behind what is left of the first, whatever else there is.
    expect(await left(second)).toEqual(["queued", 0, 64, "60"]);
    await t.records.jobs.beat([{ ...job, stage: "storing", progress: 100 }]);
    expect(await left(first)).toEqual(["storing", 100, 1, "1"]);
  });

  it("GET /captures/{id} counts the pause before the next attempt", async () => {
    t.clock.ms = Date.now();
    const { id } = await storeCapture(t, await t.project());
    const error = { code: "STORE_UNAVAILABLE", message: "the database is away" };
    await t.records.jobs.fail(await claimCapture(t), error, 30_000);
    const passedMs = Date.now() - t.clock.ms;
    const { capture } = await follow(id);
    const leftMs = Date.parse(capture.estimated_completion) - t.clock.ms;
    expect(capture).toMatchObject({ status: "processing", stage: "queued", error: null });
    // 30 s from when it failed, then its own 14 s.
    expect(leftMs).toBeGreaterThanOrEqual(44_000);
    expect(leftMs).toBeLessThanOrEqual(44_001 + passedMs);
  });

  it("GET /captures shows the outcome of a completed capture: images, zones, products, and where its report is", async () => {
    const project_id = await t.project();
    const { id, jobId } = await storeCapture(t, project_id);
    await t.records.workZones.insert(workZone("z1", { project_id }));
    const row = t.records.rows.captures.get(id);
    if (row === undefined) throw new Error("there is no capture");
    const folder = `captures/${id}/${jobId}`;
    const { capture: _, ...rest } = completed(id, 20);
    await t.files.store.put(`${folder}/report.html`, Buffer.from("<title>Survey</title>"));
    await t.records.captures.complete({
      ...rest,
      capture: {
        ...row,
        state: "completed",
        completed_at: "2026-03-05T12:01:00.000Z",
        capture_date: "2026-03-05T09:30:00.000Z",
        report_id: "rpt_1" as ReportId,
        warnings: ["3.jpg is blurred"],
        images: [
          {
            url: "https://site.example/0.jpg",
            status: "used",
            taken_at: "2026-03-05T09:30:00.000Z",
          },
          { url: "https://site.example/3.jpg", status: "rejected", reason: "is blurred" },
        ],
        estimates: [
          estimate("z1"),
          estimate("z2", {
            raw_progress: undefined,
            interval_95: undefined,
            no_estimate: "dsm_not_suitable",
          }),
        ],
        products: {
          dsm: `${folder}/dsm.tif`,
          orthomosaic: `${folder}/orthomosaic.tif`,
          orthomosaic_preview: undefined,
          preview_corners: undefined,
          model_3d: `${folder}/model.glb`,
          survey_report: `${folder}/report.html`,
        },
      },
    });
    const { capture, retryAfter } = await follow(id);
    expect(retryAfter).toBeUndefined();
    const signed = (path: string) =>
      expect.stringMatching(
        `^https://site\\.test/files/captures/${id}/${path}\\?expires=\\d+&signature=`,
      );
    expect(capture).toEqual({
      id,
      status: "completed",
      estimated_completion: "2026-03-05T12:01:00.000Z",
      images_count: 6,
      purpose: "progress",
      project_id,
      capture_type: "drone",
      progress: 100,
      stage: "completed",
      report_id: "rpt_1",
      no_report: null,
      error: null,
      warnings: ["3.jpg is blurred"],
      created_at: NOON,
      completed_at: "2026-03-05T12:01:00.000Z",
      capture_date: "2026-03-05T09:30:00.000Z",
      flight_metadata: null,
      images: [
        {
          url: "https://site.example/0.jpg",
          signed_url: null,
          status: "used",
          reason: null,
          camera_id: null,
          change_index: null,
          taken_at: "2026-03-05T09:30:00.000Z",
        },
        {
          url: "https://site.example/3.jpg",
          signed_url: null,
          status: "rejected",
          reason: "is blurred",
          camera_id: null,
          change_index: null,
          taken_at: null,
        },
      ],
      zones: [
        {
          zone_id: "z1",
          method: "dsm_volume",
          raw_progress: 41.25,
          interval_95: [38.5, 44],
          observed_percent: 97,
          is_at_design: false,
          no_estimate: null,
          notes: ["overbuilt by 3 m³"],
          figures: { lod_m: 0.083, suitable: true },
        },
        {
          zone_id: "z2",
          method: "dsm_volume",
          raw_progress: null,
          interval_95: null,
          observed_percent: 97,
          is_at_design: false,
          no_estimate: "dsm_not_suitable",
          notes: ["overbuilt by 3 m³"],
          figures: { lod_m: 0.083, suitable: true },
        },
      ],
      products: {
        dsm_url: signed(`${jobId}/dsm\\.tif`),
        orthomosaic_url: signed(`${jobId}/orthomosaic\\.tif`),
        orthomosaic_preview_url: null,
        model_3d_url: signed(`${jobId}/model\\.glb`),
        survey_report_url: signed("survey-report\\.html"),
        survey_report_pdf_url: signed("survey-report\\.pdf"),
        exports: {},
        // A flight of before it was kept.
        vertical_datum: { kind: "unknown", name: "made before vertical datums were kept" },
      },
    });
  });

  it("GET /captures shows why a capture failed: image by image, by its gate, or that its work was lost", async () => {
    const project_id = await t.project();
    const ids: CaptureId[] = [];
    for (let i = 0; i < 4; i += 1) ids.push((await storeCapture(t, project_id)).id);
    const [refused = "", gated = "", killed = "", lost = ""] = ids as string[];

    const first = await claimCapture(t);
    await t.records.captures.fail(refused as CaptureId, {
      error: { code: "IMAGES_UNUSABLE", message: "no image could be used: is dark" },
      completedAt: "2026-03-05T12:00:30.000Z",
      images: [{ url: "https://site.example/0.jpg", status: "rejected", reason: "is dark" }],
    });
    await t.records.jobs.fail(first, { code: "IMAGES_UNUSABLE", message: "is dark" }, undefined);
    expect((await follow(refused)).capture).toMatchObject({
      status: "failed",
      stage: "failed",
      completed_at: "2026-03-05T12:00:30.000Z",
      estimated_completion: "2026-03-05T12:00:30.000Z",
      error: { code: "unusable_images", message: "no image could be used: is dark" },
      images: [{ status: "rejected", reason: "is dark" }],
    });

    const details = {
      ...{ gate: "WEAK_TEXTURE", severity: "reject", value: 40, threshold: 200 },
      ...{ unit: "keypoints", advice: "Fly lower.", images: ["0.jpg"] },
    };
    const weak = { code: "IMAGES_UNUSABLE", message: "WEAK_TEXTURE: 40 keypoints" };
    await t.records.jobs.fail(await claimCapture(t), { ...weak, details }, undefined);
    await t.records.captures.fail(gated as CaptureId, {
      ...{ error: weak, completedAt: NOON, images: [] },
    });
    expect((await follow(gated)).capture.error).toMatchObject({
      code: "unusable_images",
      message: "WEAK_TEXTURE: 40 keypoints",
      details: [{ gate: "WEAK_TEXTURE", value: 40, threshold: 200, advice: "Fly lower." }],
    });

    // Its process was killed three times: nobody could end the capture.
    const third = await claimCapture(t);
    await t.records.jobs.beat([{ ...third, stage: "matching", progress: 40 }]);
    const gone = { code: "TASK_FAILED", message: "the process ended" };
    await t.records.jobs.fail(third, gone, undefined);
    const { capture } = await follow(killed);
    const finishedAtMs = (await t.records.jobs.find(third.id))?.finishedAtMs ?? 0;
    expect(capture).toMatchObject({
      status: "failed",
      progress: 40,
      completed_at: iso(finishedAtMs),
      error: { code: "internal_error", message: "The analysis failed: the process ended" },
    });

    const row = t.records.rows.captures.get(lost as CaptureId);
    t.records.rows.captures.set(lost as CaptureId, { ...row, job_id: "gone" as JobId } as never);
    // It may be stored and its job about to be.
    expect((await follow(lost)).capture).toMatchObject({
      status: "processing",
      stage: "queued",
    });
    t.clock.ms += 60_000;
    expect((await follow(lost)).capture).toMatchObject({
      status: "failed",
      completed_at: null,
      error: {
        code: "internal_error",
        message: "The analysis failed: the work on it was lost; send it again",
      },
    });
  });

  it("GET /captures reads again where the capture ended between two reads", async () => {
    const { id } = await storeCapture(t, await t.project());
    const job = await claimCapture(t);
    const { jobs } = t.records;
    const { outlines } = jobs;
    const findCapture = t.records.captures.find;
    jobs.outlines = async (ids) => {
      const row = await findCapture(id);
      if (row?.state === "processing") {
        const end = { state: "completed", completed_at: NOON, capture_date: NOON } as const;
        const noReport = "the project has no work zones";
        await t.records.captures.complete({
          ...completed(id, 20),
          capture: { ...row, ...end, no_report: noReport },
        });
        await t.records.jobs.complete(job, {});
      }
      return await outlines(ids);
    };
    try {
      expect((await follow(id)).capture).toMatchObject({
        status: "completed",
        report_id: null,
        no_report: "the project has no work zones",
      });
    } finally {
      jobs.outlines = outlines;
    }
  });

  it("GET /captures/{id} is for those who may see the project", async () => {
    const { id } = await storeCapture(t, await t.project());
    const stranger = await t.key({ scopes: ["progress:read"], project_ids: [await t.project()] });
    const writer = await t.key({ scopes: ["progress:write"] });
    const statuses = [];
    for (const [path, key] of [
      [id, undefined],
      [id, writer],
      [id, stranger],
      ["absent", ADMIN_KEY],
      ["a%20b", ADMIN_KEY],
      [id, ADMIN_KEY],
    ] as const) {
      statuses.push((await t.get(`${CAPTURES}/${path}`, key)).statusCode);
    }
    expect(statuses).toEqual([401, 403, 404, 404, 404, 200]);
  });
});
