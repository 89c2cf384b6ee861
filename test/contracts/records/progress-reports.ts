import { describe, expect, it } from "vitest";
import type { ProgressReport } from "../../../domain/sites/progress-report.ts";
import {
  camera,
  cameraId,
  capture,
  captureId,
  completed,
  label,
  observation,
  observationId,
  report,
  reportId,
  workZone,
  zoneId,
} from "./progress-rows.ts";
import { event, type OpenStore, project, projectId } from "./rows.ts";

const P1 = projectId("p1");
const PAGE = { limit: 10, offset: 0 };
const FOR_EVER = Number.MAX_SAFE_INTEGER;

export function describeProgressReportRecords(current: () => OpenStore): void {
  const reports = () => current().store.progressReports;

  /** Stores a report by ending a capture of the same name. */
  async function make(id: string, change: Partial<ProgressReport> = {}): Promise<void> {
    const { captures } = current().store;
    const project_id = change.project_id ?? P1;
    await captures.insert(capture(id, { project_id }));
    const made = report(id, { capture_id: captureId(id), ...change });
    await captures.complete(completed(id, 15, { project_id }, { report: made }));
  }

  const correction = (id: string, supersedes: string, revision = 2) => ({
    report: report(id, {
      capture_id: captureId("r1"),
      revision,
      supersedes: reportId(supersedes),
      correction: { by: "Bauleiter", note: "Decke betoniert" },
    }),
    observations: [],
    labels: [],
    events: [],
  });

  describe("progress reports", () => {
    it("yields the newest report of each project, of its corrections the last", async () => {
      for (const id of ["p1", "p2", "p3"]) await current().store.projects.insert(project(id));
      await make("r1", { capture_date: "2026-03-02T08:00:00.000Z" });
      await make("r2", { capture_date: "2026-03-01T08:00:00.000Z" });
      await make("r3", { project_id: projectId("p2") });
      await reports().correct(correction("r4", "r1"));
      const newest = async (...ids: readonly string[]) =>
        (await reports().newest(ids.map(projectId))).map(({ id }) => id);
      expect((await reports().list({ projectId: P1, limit: 1, offset: 0 })).reports[0]?.id).toBe(
        (await newest("p1"))[0],
      );
      expect(await newest("p2", "p3", "p1")).toEqual(["r3", (await newest("p1"))[0]]);
      expect(await newest()).toEqual([]);
    });

    it("finds a report with every field it was given", async () => {
      await current().store.projects.insert(project("p1"));
      const full = report("r1", {
        capture_id: captureId("r1"),
        interval_95: [38.1, 44.4],
        schedule_revision: 3,
        earned_value: {
          planned_value: 50,
          earned_value: 41.3,
          schedule_variance: -8.7,
          spi: 0.826,
          spi_t: null,
          earned_schedule_days: null,
          forecast_finish: null,
          forecast_finish_interval: null,
        },
        pictures: [{ title: "Mast Nord", key: "captures/r1/1.jpg" }],
      });
      await make("r1", full);
      expect(await reports().find(reportId("r1"))).toEqual({
        report: full,
        supersededBy: undefined,
      });
      expect(await reports().ofCapture(captureId("r1"))).toEqual(full);
      expect(await reports().find(reportId("r2"))).toBeUndefined();
      expect(await reports().ofCapture(captureId("r2"))).toBeUndefined();
    });

    it("lists reports of a project by their date, newest first, within a range", async () => {
      for (const id of ["p1", "p2"]) await current().store.projects.insert(project(id));
      await make("a", { capture_date: "2026-11-14T00:00:00.000Z" });
      await make("c");
      await make("b", { recorded_at: "2026-11-20T10:07:00.001Z" });
      await make("d");
      await make("e", { capture_date: "2026-11-16T00:00:00.000Z" });
      await make("other", { project_id: projectId("p2") });
      const ids = async (filter: object = {}) => {
        const { reports: found, total } = await reports().list({
          projectId: P1,
          ...PAGE,
          ...filter,
        });
        return [found.map(({ id }) => id).join(""), total];
      };
      expect(await ids()).toEqual(["ebdca", 5]);
      expect(await ids({ limit: 2, offset: 1 })).toEqual(["bd", 5]);
      expect(await ids({ limit: 2, offset: 5 })).toEqual(["", 5]);
      const fromMs = Date.UTC(2026, 10, 14);
      const toMs = Date.UTC(2026, 10, 16);
      expect(await ids({ fromMs, toMs })).toEqual(["bdca", 4]);
      expect(await ids({ fromMs: fromMs + 1, toMs: toMs + 1 })).toEqual(["ebdc", 4]);
    });

    it("the store of progress reports stores a correction with what a person said, and lists the newest revision alone", async () => {
      const { store } = current();
      await store.projects.insert(project("p1"));
      await store.workZones.insert(workZone("z1"));
      await store.siteCameras.insert(camera("k1"));
      await make("r1");
      await make("x");
      await reports().correct({
        ...correction("r2", "r1"),
        observations: [observation("o1", { source: "correction" })],
        labels: [label("l1", { source: "correction" })],
        events: [event("e1")],
      });
      expect(await reports().find(reportId("r1"))).toMatchObject({
        report: { id: "r1" },
        supersededBy: "r2",
      });
      expect(await reports().find(reportId("r2"))).toEqual({
        report: correction("r2", "r1").report,
        supersededBy: undefined,
      });
      const { reports: listed, total } = await reports().list({ projectId: P1, ...PAGE });
      expect([listed.map(({ id }) => id), total]).toEqual([["x", "r2"], 2]);
      expect(await reports().ofCapture(captureId("r1"))).toMatchObject({ id: "r2" });
      const zones = [zoneId("z1")];
      expect(await store.workZones.observations(zones, FOR_EVER)).toEqual([
        observation("o1", { source: "correction" }),
      ]);
      expect(await store.siteCameras.labels(zones)).toEqual([
        label("l1", { source: "correction" }),
      ]);
      expect(await store.events.after(0, { limit: 9 })).toMatchObject([{ id: "e1" }]);
    });

    it("the store of progress reports lets one of simultaneous corrections through, and the next one of what it made", async () => {
      await current().store.projects.insert(project("p1"));
      await make("r1");
      const attempts = await Promise.allSettled(
        ["a", "b", "c"].map((id) => reports().correct(correction(id, "r1"))),
      );
      expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const attempt of attempts) {
        if (attempt.status === "rejected") expect(attempt.reason.code).toBe("REPORT_CORRECTED");
      }
      const newest = await reports().ofCapture(captureId("r1"));
      await reports().correct(correction("last", newest?.id ?? "", 3));
      expect(await reports().ofCapture(captureId("r1"))).toMatchObject({ id: "last" });
    });

    it("the store of progress reports stores nothing of a correction that is refused", async () => {
      const { store } = current();
      await store.projects.insert(project("p1"));
      await store.workZones.insert(workZone("z1"));
      await make("r1");
      await expect(reports().correct(correction("r2", "none"))).rejects.toMatchObject({
        code: "REPORT_NOT_FOUND",
      });
      const lost = [observation("o1"), observation("o2", { zone_id: zoneId("gone") })];
      await expect(
        reports().correct({ ...correction("r2", "r1"), observations: lost }),
      ).rejects.toMatchObject({ code: "ZONE_NOT_FOUND" });
      const blind = label("l1", { camera_id: cameraId("gone"), id: observationId("l1") });
      await expect(
        reports().correct({
          ...correction("r2", "r1"),
          observations: [observation("o1")],
          labels: [blind],
        }),
      ).rejects.toMatchObject({ code: "CAMERA_NOT_FOUND" });
      expect(await reports().find(reportId("r1"))).toMatchObject({ supersededBy: undefined });
      expect(await reports().find(reportId("r2"))).toBeUndefined();
      expect(await store.workZones.observations([zoneId("z1")], FOR_EVER)).toEqual([]);
    });
  });
}
