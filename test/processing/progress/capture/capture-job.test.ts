import { describe, expect, it } from "vitest";
import { DomainError } from "../../../../domain/errors.ts";
import type { CaptureProducts } from "../../../../domain/sites/capture.ts";
import { AllImagesRefused } from "../../../../processing/progress/analysis/all-images-refused.ts";
import type { CaptureAnalyser } from "../../../../processing/progress/analysis/analyser.ts";
import { attemptFolder } from "../../../../processing/progress/analysis/attempt-folder.ts";
import { createCaptureJob } from "../../../../processing/progress/capture/capture-job.ts";
import { readCaptureRequest } from "../../../../processing/progress/capture/capture-request.ts";
import type { Job } from "../../../../storage/ports/platform/jobs.ts";
import {
  camera,
  cameraId,
  captureId,
  estimate,
  reportId,
  workZone,
  zoneId,
} from "../../../contracts/records/progress-rows.ts";
import { day, findings, sampleProject } from "./sample-project.ts";

const events = async (p: Awaited<ReturnType<typeof sampleProject>>) =>
  (await p.records.events.after(0, { limit: 100 })).map(({ type, id }) => `${type} ${id}`);

const productsOf = (id: string, attempt = 1): CaptureProducts => ({
  dsm: `captures/${id}/${attempt}/dsm.tif`,
  orthomosaic: `captures/${id}/${attempt}/ortho.tif`,
  orthomosaic_preview: undefined,
  preview_corners: undefined,
  model_3d: `captures/${id}/${attempt}/model.glb`,
  survey_report: `captures/${id}/${attempt}/report.json`,
  basis: `captures/${id}/${attempt}/basis.bin`,
});

describe("a capture", () => {
  it("a capture makes one report with everything that was found, in one transaction", async () => {
    const p = await sampleProject();
    await p.add("cap_1", () => findings(11, [estimate("z1", { raw_progress: 40 })]));
    expect(await p.attempt("cap_1")).toEqual({
      captureId: "cap_1",
      state: "completed",
      reportId: "rpt_1",
    });
    const stored = await p.records.captures.find(captureId("cap_1"));
    expect(stored).toMatchObject({
      state: "completed",
      capture_date: day(11),
      report_id: "rpt_1",
      images: [{ status: "used" }],
    });
    const found = await p.records.progressReports.find(reportId("rpt_1"));
    expect(found?.report).toMatchObject({
      revision: 1,
      capture_date: day(11),
      progress_percentage: 40,
      status: "behind_schedule",
      comparison: { planned: 52.5, actual: 40, variance: -12.5, basis: "project_dates" },
      weight_basis: "equal",
      images: {
        orthomosaic_key: "captures/cap_1/1/zones.png",
        map_key: "captures/cap_1/1/zones.png",
        model_3d_key: "captures/cap_1/1/zones.glb",
        kind: "zone_plan",
        as_of: day(11),
      },
    });
    // Without a schedule no budget can be earned.
    expect(found?.report.earned_value).toBeUndefined();
    expect(found?.report.schedule_revision).toBeUndefined();
    expect(await events(p)).toEqual([
      "progress.report.created evt_rpt_1_created",
      "progress.behind_schedule evt_rpt_1_behind",
    ]);
  });

  it("a capture is analysed by the analyser of its type", async () => {
    const p = await sampleProject();
    const asked: string[] = [];
    const analyserOf = (name: string): CaptureAnalyser => ({
      async analyse({ images }) {
        asked.push(`${name} ${images.join()}`);
        return findings(11, []);
      },
    });
    const handler = createCaptureJob({
      ...p.tools,
      analysers: {
        drone: analyserOf("flight"),
        cctv: analyserOf("fixed camera"),
        manual: analyserOf("hand"),
      },
    });
    for (const capture_type of ["drone", "cctv", "manual"] as const) {
      const id = `cap_${capture_type}`;
      await p.add(id, () => findings(11, []), { capture_type });
      const job = { input: { captureId: id, images: [`${id}.jpg`] }, attempts: 1, maxAttempts: 3 };
      const context = { signal: new AbortController().signal, progress: () => undefined };
      await handler(job as Job, context);
    }
    expect(asked).toEqual([
      "flight cap_drone.jpg",
      "fixed camera cap_cctv.jpg",
      "hand cap_manual.jpg",
    ]);
  });

  it("a capture for its survey alone is analysed without the project's zones, and makes no report and no event", async () => {
    const p = await sampleProject();
    const seen: number[] = [];
    await p.add(
      "cap_1",
      ({ zones }) => {
        seen.push(zones.length);
        return findings(11, []);
      },
      { purpose: "survey" },
    );
    expect(await p.attempt("cap_1")).toMatchObject({ state: "completed", reportId: undefined });
    expect(seen).toEqual([0]);
    expect(await p.records.captures.find(captureId("cap_1"))).toMatchObject({
      purpose: "survey",
      no_report: "the flight was sent for its survey alone",
    });
    expect(p.records.rows.reports).toEqual([]);
    expect(await events(p)).toEqual([]);
  });

  it("a capture is reported as over when it is, and is not analysed again", async () => {
    const p = await sampleProject();
    let analysed = 0;
    await p.add("cap_1", () => {
      analysed += 1;
      return findings(11, []);
    });
    const first = await p.attempt("cap_1");
    expect(await p.attempt("cap_1", { attempts: 2 })).toEqual(first);
    expect(analysed).toBe(1);
    expect(await events(p)).toHaveLength(1);
  });

  it("a capture makes the same report once when the process is killed between analyser and completion", async () => {
    const p = await sampleProject();
    let isKilled = true;
    await p.add("cap_1", async ({ capture, job }) => {
      await p.files.put(`${attemptFolder(capture.id, job)}/dsm.tif`, Uint8Array.of(1));
      return findings(11, [estimate("z1", { raw_progress: 40 })]);
    });
    const { complete } = p.records.captures;
    p.tools.captures.complete = async (done) => {
      // The process goes: nothing after this is run, not even the tidying up.
      if (isKilled) await new Promise<never>(() => undefined);
      return await complete(done);
    };
    void p.attempt("cap_1");
    await until(async () => (await p.keys()).includes("captures/cap_1/1/zones.png"));
    isKilled = false;
    expect(await p.attempt("cap_1", { attempts: 2 })).toMatchObject({ reportId: "rpt_1" });
    expect(p.records.rows.reports).toHaveLength(1);
    expect(await events(p)).toHaveLength(2);
    expect(await p.keys()).toEqual([
      "captures/cap_1/2/dsm.tif",
      "captures/cap_1/2/zones.glb",
      "captures/cap_1/2/zones.png",
    ]);
  });

  it("a capture keeps the file of its volumes, and none of an attempt that was killed amid storing", async () => {
    const p = await sampleProject();
    await p.files.put("captures/cap_1/1/dsm.tif", Uint8Array.of(1));
    await p.files.put("captures/cap_1/1/basis.bin", Uint8Array.of(1));
    await p.add("cap_1", async ({ capture, job }) => {
      const products = productsOf(capture.id, job.attempts);
      for (const key of [products.dsm, products.basis ?? ""]) {
        await p.files.put(key, Uint8Array.of(2));
      }
      return { ...findings(11, [estimate("z1", { raw_progress: 40 })]), products };
    });
    await p.attempt("cap_1", { attempts: 2 });
    const kept = (await p.keys()).filter((key) => /dsm|basis/.test(key));
    expect(kept).toEqual(["captures/cap_1/2/basis.bin", "captures/cap_1/2/dsm.tif"]);
    const stored = await p.records.captures.find(captureId("cap_1"));
    expect(stored?.products?.basis).toBe("captures/cap_1/2/basis.bin");
  });

  it("a capture keeps what another attempt stored, and deletes its own files", async () => {
    const p = await sampleProject();
    let release: () => void = () => undefined;
    const paused = new Promise<void>((resolve) => {
      release = resolve;
    });
    await p.add("cap_1", async ({ job }) => {
      if (job.attempts === 1) await paused;
      return findings(11, [estimate("z1", { raw_progress: 10 * job.attempts })]);
    });
    const late = p.attempt("cap_1");
    await p.attempt("cap_1", { attempts: 2 });
    release();
    expect(await late).toMatchObject({ reportId: "rpt_1" });
    const found = await p.records.progressReports.find(reportId("rpt_1"));
    expect(found?.report.progress_percentage).toBe(20);
    expect(await p.keys()).toEqual(["captures/cap_1/2/zones.glb", "captures/cap_1/2/zones.png"]);
  });

  it("a capture leaves nothing behind when it was canceled meanwhile", async () => {
    const p = await sampleProject();
    await p.add("cap_1", async ({ capture }) => {
      await p.records.captures.fail(capture.id, {
        error: { code: "canceled", message: "canceled" },
        completedAt: day(12),
        images: [],
      });
      return findings(11, []);
    });
    expect(await p.attempt("cap_1")).toMatchObject({ state: "failed", reportId: undefined });
    expect(await p.keys()).toEqual([]);
    expect(await events(p)).toEqual([]);
  });

  it("a survey that was deleted while it was analysed comes back as nothing: no row and no file", async () => {
    const p = await sampleProject();
    await p.add(
      "cap_1",
      async ({ capture, job }) => {
        await p.files.put(`${attemptFolder(capture.id, job)}/dsm.tif`, Uint8Array.of(1));
        await p.records.captures.delete(capture.id);
        return findings(11, []);
      },
      { purpose: "survey" },
    );
    await expect(p.attempt("cap_1")).rejects.toMatchObject({ code: "CAPTURE_NOT_FOUND" });
    expect(await p.records.captures.find(captureId("cap_1"))).toBeUndefined();
    expect(await p.keys()).toEqual([]);
    expect(await events(p)).toEqual([]);
  });

  it("a capture is completed without a report where the project has no zones or no plan", async () => {
    const none = await sampleProject([]);
    await none.add("cap_1", () => findings(11, []));
    await none.attempt("cap_1");
    const capture = await none.records.captures.find(captureId("cap_1"));
    expect(capture?.state).toBe("completed");
    expect(capture?.report_id).toBeUndefined();
    expect(capture?.no_report).toContain("no work zones");

    const planless = await sampleProject([workZone("z1")], {
      planned_start: undefined,
    } as unknown as object);
    await planless.add("cap_1", () => findings(11, [estimate("z1")]));
    await planless.attempt("cap_1");
    const unplanned = await planless.records.captures.find(captureId("cap_1"));
    expect(unplanned?.no_report).toContain("no plan");
    // What was found is kept for reports to come.
    expect(unplanned?.estimates).toHaveLength(1);
    expect(await planless.keys()).toEqual([]);
  });

  it("a capture suspends the cameras that moved, with an event for each", async () => {
    const p = await sampleProject();
    await p.records.siteCameras.insert(camera("cam_1"));
    const note = "looks 212 px beside its reference view";
    const moved = [{ cameraId: cameraId("cam_1"), note }];
    await p.add("cap_1", () => findings(5, [estimate("z1", { raw_progress: 40 })], { moved }), {
      capture_type: "cctv",
      created_at: "2026-12-01T00:00:00.000Z",
    });
    await p.attempt("cap_1");
    expect(await p.records.siteCameras.find(cameraId("cam_1"))).toMatchObject({
      state: "suspended",
    });
    expect(await events(p)).toEqual([
      "progress.report.created evt_rpt_1_created",
      "progress.camera_moved evt_cap_1_moved_cam_1",
    ]);
    const found = await p.records.progressReports.find(reportId("rpt_1"));
    expect(found?.report.warnings).toEqual([`camera cam_1: ${note}`]);
  });

  it("a capture reports how many images were refused, and goes on with the others", async () => {
    const p = await sampleProject();
    const images = [
      { url: "a.jpg", status: "used" as const },
      { url: "b.jpg", status: "rejected" as const, reason: "b.jpg is too dark" },
    ];
    await p.add("cap_1", () => findings(11, [], { images }));
    await p.attempt("cap_1");
    const stored = await p.records.captures.find(captureId("cap_1"));
    expect(stored?.warnings).toEqual(["1 of 2 images were refused: b.jpg is too dark"]);
  });
});

describe("a capture that fails", () => {
  it("a capture that fails names every image when all were refused, and is over", async () => {
    const p = await sampleProject();
    const images = [{ url: "a.jpg", status: "rejected" as const, reason: "a.jpg is blurred" }];
    await p.add("cap_1", () => {
      throw new AllImagesRefused(images);
    });
    await expect(p.attempt("cap_1")).rejects.toThrow("a.jpg is blurred");
    expect(await p.records.captures.find(captureId("cap_1"))).toMatchObject({
      state: "failed",
      error: { code: "IMAGES_UNUSABLE" },
      images,
    });
  });

  it("a capture that fails goes on processing while another attempt may help, and is over at the last one", async () => {
    const p = await sampleProject();
    await p.add("cap_1", async ({ capture, job }) => {
      await p.files.put(`${attemptFolder(capture.id, job)}/dsm.tif`, Uint8Array.of(1));
      throw new DomainError("ENGINE_FAILED", "the engine stopped");
    });
    await expect(p.attempt("cap_1")).rejects.toThrow("the engine stopped");
    expect(await p.records.captures.find(captureId("cap_1"))).toMatchObject({
      state: "processing",
    });
    expect(await p.keys()).toEqual([]);
    await expect(p.attempt("cap_1", { attempts: 3 })).rejects.toThrow("the engine stopped");
    expect(await p.records.captures.find(captureId("cap_1"))).toMatchObject({
      state: "failed",
      error: { code: "ENGINE_FAILED", message: "the engine stopped" },
    });
  });

  it("a capture that fails does not expose the message of a bug", async () => {
    const p = await sampleProject();
    await p.add("cap_1", () => {
      throw new TypeError("secrets of the program");
    });
    await expect(p.attempt("cap_1")).rejects.toThrow(TypeError);
    const stored = await p.records.captures.find(captureId("cap_1"));
    expect(stored?.error).toEqual({
      code: "TASK_FAILED",
      message: "the job failed by an internal error",
    });
  });

  it("a capture that fails is not over when its job was stopped to go on elsewhere", async () => {
    const p = await sampleProject();
    const stopping = new AbortController();
    await p.add("cap_1", () => {
      stopping.abort(new DOMException("the job was stopped", "AbortError"));
      return findings(11, []);
    });
    await expect(p.attempt("cap_1", {}, stopping.signal)).rejects.toThrow("stopped");
    expect(await p.records.captures.find(captureId("cap_1"))).toMatchObject({
      state: "processing",
    });
  });

  it("a capture begins anew when a zone was changed during its analysis", async () => {
    const p = await sampleProject();
    await p.add("cap_1", async () => {
      await p.records.workZones.update(zoneId("z1"), (zone) => ({
        ...zone,
        metric: { kind: "image" },
      }));
      return findings(11, [estimate("z1")]);
    });
    await expect(p.attempt("cap_1")).rejects.toMatchObject({ code: "TASK_FAILED" });
    expect(await p.records.captures.find(captureId("cap_1"))).toMatchObject({
      state: "processing",
    });
    // The second attempt finds the zone as it left it.
    expect(await p.attempt("cap_1", { attempts: 2 })).toMatchObject({ state: "completed" });
  });

  it("a capture refuses invalid input", () => {
    expect(() => readCaptureRequest({ captureId: "cap_1", images: [] })).toThrow(/images/);
    expect(() => readCaptureRequest({ captureId: "../etc", images: ["a"] })).toThrow(/captureId/);
  });
});

describe("captures of a project out of the order of their dates", () => {
  it("captures out of the order of their dates each report what was known at their date", async () => {
    const p = await sampleProject();
    await p.add("cap_new", () => findings(15, [estimate("z1", { raw_progress: 70 })]));
    await p.add("cap_old", () => findings(5, [estimate("z1", { raw_progress: 12 })]));
    await p.add("cap_blind", () => findings(18, []));
    for (const id of ["cap_new", "cap_old", "cap_blind"]) await p.attempt(id);
    const percent = async (id: string) =>
      (await p.records.progressReports.find(reportId(id)))?.report.zones[0];
    expect(await percent("rpt_old")).toMatchObject({ progress: 12, as_of: day(5) });
    expect(await percent("rpt_blind")).toMatchObject({
      progress: 70,
      method: "carried_forward",
      as_of: day(15),
    });
  });

  it("captures publish behind_schedule once, and never for the past", async () => {
    const p = await sampleProject();
    // Planned at noon: 42.5, 62.5, 72.5, 22.5 %.
    await p.add("cap_1", () => findings(9, [estimate("z1", { raw_progress: 42 })]));
    await p.add("cap_2", () => findings(13, [estimate("z1", { raw_progress: 50 })]));
    await p.add("cap_3", () => findings(15, [estimate("z1", { raw_progress: 55 })]));
    await p.add("cap_late", () => findings(5, [estimate("z1", { raw_progress: 2 })]));
    for (const id of ["cap_1", "cap_2", "cap_3", "cap_late"]) await p.attempt(id);
    const behind = (await p.records.events.after(0, { limit: 100 })).filter(
      ({ type }) => type === "progress.behind_schedule",
    );
    expect(behind.map(({ id }) => id)).toEqual(["evt_rpt_2_behind"]);
    expect(behind[0]?.data).toMatchObject({
      planned: 62.5,
      actual: 50,
      variance: -12.5,
      previous_report_id: "rpt_1",
      zones_behind: [{ zone_id: "z1", progress: 50, planned: 62.5 }],
    });
    expect(behind[0]?.occurredAtMs).toBe(Date.parse(day(13)));
  });
});

describe("zones that no capture saw", () => {
  it("zones that no capture saw do not make a project late: 62 % of four zones that were seen, 57.5 % planned", async () => {
    const names = ["z1", "z2", "z3", "z4", "z5"];
    const p = await sampleProject(names.map((name) => workZone(name)));
    const hidden = estimate("z5", {
      raw_progress: undefined,
      interval_95: undefined,
      no_estimate: "not_observed",
      observed_fraction: 0.4,
    });
    const seen = names
      .slice(0, 4)
      .map((name) => estimate(name, { raw_progress: 62, interval_95: [60, 64] }));
    await p.add("cap_1", () => findings(12, [...seen, hidden]));
    await p.attempt("cap_1");
    const found = await p.records.progressReports.find(reportId("rpt_1"));
    // Counted as 0 % the fifth zone made it 49.6 %, which is late.
    expect(found?.report).toMatchObject({
      progress_percentage: 62,
      seen_share: 0.8,
      seen_interval_95: [60, 64],
      interval_95: [48, 71.2],
      status: "on_schedule",
      status_confidence: "low",
      comparison: { planned: 57.5, planned_all: 57.5, variance: 4.5 },
    });
    expect(await events(p)).toEqual(["progress.report.created evt_rpt_1_created"]);
  });

  it("zones that no capture saw are known by an earlier capture: a lower bound, against the plan of its day", async () => {
    const p = await sampleProject([workZone("z1"), workZone("z2")]);
    const at = (id: string, raw_progress: number) =>
      estimate(id, { raw_progress, interval_95: [raw_progress - 2, raw_progress + 2] });
    // Planned at noon: 22.5, 62.5 %.
    await p.add("cap_1", () => findings(5, [at("z1", 23), at("z2", 23)]));
    await p.add("cap_2", () => findings(13, [at("z1", 61)]));
    for (const id of ["cap_1", "cap_2"]) await p.attempt(id);
    const found = await p.records.progressReports.find(reportId("rpt_2"));
    expect(found?.report).toMatchObject({
      progress_percentage: 42,
      seen_share: 1,
      status: "on_schedule",
      comparison: { planned: 42.5, planned_all: 62.5, variance: -0.5 },
      zones: [{ interval_95: [59, 63] }, { progress: 23, interval_95: [21, 100] }],
    });
    expect(await events(p)).toEqual([
      "progress.report.created evt_rpt_1_created",
      "progress.report.created evt_rpt_2_created",
    ]);
  });
});

describe("pictures of a report", () => {
  it("pictures of a report are the flight's own, and of the newest flight for captures after it", async () => {
    const p = await sampleProject();
    await p.add("cap_fly", () => findings(8, [], { products: productsOf("cap_fly") }));
    await p.add("cap_later", () => findings(20, [], { products: productsOf("cap_later") }));
    await p.add("cap_cam", () => findings(11, []), { capture_type: "cctv" });
    for (const id of ["cap_fly", "cap_later", "cap_cam"]) await p.attempt(id);
    const own = await p.records.progressReports.find(reportId("rpt_fly"));
    expect(own?.report.images).toEqual({
      orthomosaic_key: "captures/cap_fly/1/ortho.tif",
      map_key: "captures/cap_fly/1/zones.png",
      model_3d_key: "captures/cap_fly/1/model.glb",
      kind: "survey",
      as_of: day(8),
    });
    const borrowed = await p.records.progressReports.find(reportId("rpt_cam"));
    expect(borrowed?.report.images).toEqual({
      orthomosaic_key: "captures/cap_fly/1/ortho.tif",
      map_key: "captures/cap_cam/1/zones.png",
      model_3d_key: "captures/cap_fly/1/model.glb",
      kind: "survey",
      as_of: day(8),
    });
  });
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 1_000 && !(await isTrue()); i += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
