import { describe, expect, it } from "vitest";
import type { SurveyId } from "../../../domain/ids.ts";
import { surveyIdOf } from "../../../domain/sites/site-survey.ts";
import type { SurveyRecords } from "../../../storage/ports/sites/surveys.ts";
import { capture, captureId, completed } from "./progress-rows.ts";
import { type OpenStore, project, projectId } from "./rows.ts";
import { jobId, measurement, stockpile, stockpileId } from "./stockpile-rows.ts";

const BOTH = ["stockpile_measurement", "progress_capture"] as const;
const PRODUCTS = {
  dsm: "captures/c1/dsm.tif",
  orthomosaic: undefined,
  orthomosaic_preview: undefined,
  preview_corners: undefined,
  model_3d: "captures/c1/model.glb",
  survey_report: "captures/c1/report.html",
};
const at = (hour: number): string => new Date(Date.UTC(2026, 10, 20, hour)).toISOString();
const surveyId = (id: string) => id as SurveyId;

export function describeSurveyRecords(current: () => OpenStore): void {
  const surveys = () => current().store.surveys;

  async function measure(id: string, pile: string, hour: number): Promise<void> {
    await current().store.stockpiles.addMeasurement(
      stockpileId(pile),
      jobId(`job-of-${id}`),
      (before) => ({
        stockpile: before,
        measurement: measurement(id, {
          stockpile_id: stockpileId(pile),
          measured_at: at(hour),
        }),
        events: [],
      }),
    );
  }

  /** A capture that is completed at an hour; without products where it has none. */
  async function fly(id: string, hour: number, hasProducts: boolean, of = "p1"): Promise<void> {
    const { captures } = current().store;
    await captures.insert(capture(id, { project_id: projectId(of) }));
    const done = completed(id, hour);
    const change = { capture_date: at(hour), project_id: projectId(of) };
    const products = hasProducts ? PRODUCTS : undefined;
    await captures.complete({ ...done, capture: { ...done.capture, ...change, products } });
  }

  async function insertAll(): Promise<void> {
    const { projects, stockpiles } = current().store;
    await projects.insert(project("p1"));
    await projects.insert(project("p2"));
    await stockpiles.insert(stockpile("s1"));
    await stockpiles.insert(stockpile("s2", { project_id: projectId("p2"), material: "Sand" }));
    await measure("m1", "s1", 8);
    await measure("m2", "s2", 9);
    await measure("M3", "s1", 10);
    await fly("c1", 10, true);
    await fly("c2", 11, true, "p2");
    await fly("c3", 12, false);
    await current().store.captures.insert(capture("c4"));
  }

  const ids = async (filter: Partial<Parameters<SurveyRecords["list"]>[0]> = {}) =>
    (await surveys().list({ kinds: BOTH, limit: 10, ...filter })).map(surveyIdOf);

  describe("surveys", () => {
    it("lists measurements and captures that left products as surveys, newest first", async () => {
      await insertAll();
      expect(await ids()).toEqual(["c2", "c1", "M3", "m2", "m1"]);
      expect(await ids({ kinds: ["progress_capture"] })).toEqual(["c2", "c1"]);
      expect(await ids({ kinds: [] })).toEqual([]);
      expect(await ids({ projectIds: [projectId("p2")] })).toEqual(["c2", "m2"]);
      expect(await ids({ stockpileId: stockpileId("s1") })).toEqual(["M3", "m1"]);
      expect(await ids({ stockpileId: stockpileId("s1"), projectIds: [projectId("p2")] })).toEqual(
        [],
      );
      expect(await ids({ stockpileId: stockpileId("none") })).toEqual([]);
      expect(await ids({ fromMs: Date.parse(at(9)), toMs: Date.parse(at(11)) })).toEqual([
        ...["c1", "M3", "m2"],
      ]);
    });

    it("lists surveys in pages that miss none of those of one time", async () => {
      await insertAll();
      const found: string[] = [];
      for (let after: { capturedMs: number; id: SurveyId } | undefined; ; ) {
        const [one] = await surveys().list({ kinds: BOTH, after, limit: 1 });
        if (one === undefined) break;
        found.push(surveyIdOf(one));
        after = { capturedMs: one.capturedMs, id: surveyIdOf(one) };
      }
      expect(found).toEqual(["c2", "c1", "M3", "m2", "m1"]);
    });

    it("finds a survey by the id of its measurement or capture, with what it came from", async () => {
      await insertAll();
      expect(await surveys().find(surveyId("m2"))).toMatchObject({
        kind: "stockpile_measurement",
        projectId: "p2",
        capturedMs: Date.parse(at(9)),
        stockpile: { material: "Sand", location: "Bay 3" },
        measurement: { id: "m2", stockpile_id: "s2" },
      });
      expect(await surveys().find(surveyId("c1"))).toMatchObject({
        kind: "progress_capture",
        projectId: "p1",
        capture: { id: captureId("c1"), products: { dsm: "captures/c1/dsm.tif" } },
      });
      for (const id of ["c3", "c4", "none"]) {
        expect(await surveys().find(surveyId(id))).toBeUndefined();
      }
    });

    it("a survey follows its stockpile to another project, and is gone with it", async () => {
      await insertAll();
      const { stockpiles } = current().store;
      await stockpiles.update(stockpileId("s1"), (before) => ({
        ...before,
        project_id: projectId("p2"),
      }));
      expect(await ids({ projectIds: [projectId("p1")] })).toEqual(["c1"]);
      await stockpiles.delete(stockpileId("s1"));
      expect(await ids()).toEqual(["c2", "c1", "m2"]);
      expect(await surveys().find(surveyId("m1"))).toBeUndefined();
    });
  });
}
