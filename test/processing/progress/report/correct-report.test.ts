import { describe, expect, it } from "vitest";
import type { ProgressReport } from "../../../../domain/sites/progress-report.ts";
import { correctReport } from "../../../../processing/progress/report/correct-report.ts";
import {
  camera,
  captureId,
  estimate,
  reportId,
  view,
  workZone,
  zoneId,
} from "../../../contracts/records/progress-rows.ts";
import { day, findings, type SampleProject, sampleProject } from "../capture/sample-project.ts";

const NOW_MS = Date.parse("2026-11-25T09:00:00.000Z");
const SIGNAL = new AbortController().signal;

/** Two zones at 40 and 60 % on the 11th, planned 52.5 %. */
async function twoZones(): Promise<SampleProject> {
  const p = await sampleProject([workZone("z1"), workZone("z2")]);
  await p.add("cap_1", () =>
    findings(11, [
      estimate("z1", { raw_progress: 40, interval_95: [38, 42] }),
      estimate("z2", { raw_progress: 60, interval_95: [58, 62] }),
    ]),
  );
  await p.attempt("cap_1");
  return p;
}

const reportOf = async (p: SampleProject, id: string): Promise<ProgressReport> => {
  const found = await p.records.progressReports.find(reportId(id));
  if (found === undefined) throw new Error(`no report ${id}`);
  return found.report;
};

const correct = async (
  p: SampleProject,
  report: ProgressReport,
  zones: Parameters<typeof correctReport>[1]["zones"],
) =>
  await correctReport(
    p.tools,
    { report, by: "Foreman Ito", note: "measured by tape", zones, recordedAtMs: NOW_MS },
    SIGNAL,
    async (change) => {
      await p.records.progressReports.correct(change);
      return change.report;
    },
  );

describe("a correction by a person", () => {
  it("a correction by a person is the next revision, everything worked out anew, and the report itself stays", async () => {
    const p = await twoZones();
    const before = await reportOf(p, "rpt_1");
    const kept = structuredClone(before);
    const after = await correct(p, before, [{ zoneId: zoneId("z1"), progress: 20 }]);
    expect(after).toMatchObject({
      revision: 2,
      supersedes: "rpt_1",
      capture_id: "cap_1",
      capture_date: day(11),
      recorded_at: "2026-11-25T09:00:00.000Z",
      // (20 + 60) / 2, and z2's interval of 2 points at half weight.
      progress_percentage: 40,
      interval_95: [39, 41],
      status: "behind_schedule",
      comparison: { planned: 52.5, actual: 40, variance: -12.5 },
      correction: { by: "Foreman Ito", note: "measured by tape" },
    });
    expect(after.zones[0]).toMatchObject({ progress: 20, method: "manual", status: "in_progress" });
    expect(after.zones[0]?.notes[0]).toBe(
      "corrected by Foreman Ito: 40 % was reported; measured by tape",
    );
    expect(after.zones[1]).toEqual(before.zones[1]);
    expect(await reportOf(p, "rpt_1")).toEqual(kept);
    expect((await p.records.progressReports.find(reportId("rpt_1")))?.supersededBy).toBe(after.id);
    // Drawn anew with the corrected colours, in a folder of its own.
    expect(after.images.map_key).toBe(`reports/${after.id}/zones.png`);
    expect(await p.keys()).toContain(after.images.map_key);
  });

  it("a correction reports that a project is behind only now", async () => {
    const p = await twoZones();
    const first = await reportOf(p, "rpt_1");
    expect(first.status).toBe("on_schedule");
    const second = await correct(p, first, [{ zoneId: zoneId("z1"), progress: 0 }]);
    await correct(p, second, [{ zoneId: zoneId("z1"), progress: 1 }]);
    const types = (await p.records.events.after(0, { limit: 100 })).map(({ type, data }) => [
      type,
      data["report_revision"],
    ]);
    expect(types).toEqual([
      ["progress.report.created", 1],
      ["progress.report.created", 2],
      ["progress.behind_schedule", 2],
      ["progress.report.created", 3],
    ]);
  });

  it("a correction by a person is an observation for reports to come", async () => {
    const p = await twoZones();
    await correct(p, await reportOf(p, "rpt_1"), [
      { zoneId: zoneId("z1"), progress: 100, interval95: [98, 100], note: "all poured" },
    ]);
    const said = await p.records.workZones.observations([zoneId("z1")], Date.parse(day(20)));
    expect(said).toMatchObject([
      {
        progress: 100,
        interval_95: [98, 100],
        observed_at: day(11),
        observed_by: "Foreman Ito",
        note: "all poured",
        source: "correction",
      },
    ]);
    await p.add("cap_2", () => findings(12, []));
    await p.attempt("cap_2");
    const next = await reportOf(p, "rpt_2");
    expect(next.zones[0]).toMatchObject({ progress: 100, status: "complete", method: "manual" });
    expect(next.zones_completed).toBe(1);
  });

  it("a correction by a person labels the capture's views of the zones that it names", async () => {
    const p = await sampleProject([workZone("z1"), workZone("z2")]);
    await p.records.siteCameras.insert(camera("k1"));
    const views = [
      view("one", { capture_id: captureId("cap_1") }),
      view("two", { capture_id: captureId("cap_1"), zone_id: zoneId("z2") }),
    ];
    await p.add("cap_1", () => findings(11, [estimate("z1")], { views }), {
      capture_type: "cctv",
    });
    await p.attempt("cap_1");
    await correct(p, await reportOf(p, "rpt_1"), [{ zoneId: zoneId("z1"), progress: 33 }]);
    const labels = await p.records.siteCameras.labels([zoneId("z1"), zoneId("z2")]);
    expect(labels).toMatchObject([
      {
        zone_id: "z1",
        image_sha256: "one",
        progress: 33,
        labelled_by: "Foreman Ito",
        source: "correction",
      },
    ]);
  });

  it("a correction by a person is refused for a report that was corrected already, and leaves no files", async () => {
    const p = await twoZones();
    const first = await reportOf(p, "rpt_1");
    await correct(p, first, [{ zoneId: zoneId("z1"), progress: 20 }]);
    const keys = await p.keys();
    await expect(correct(p, first, [{ zoneId: zoneId("z1"), progress: 30 }])).rejects.toMatchObject(
      { code: "REPORT_CORRECTED" },
    );
    expect(await p.keys()).toEqual(keys);
    expect(p.records.rows.reports).toHaveLength(2);
  });

  it("a correction by a person names zones of the report, each once, within 0 to 100", async () => {
    const p = await twoZones();
    const report = await reportOf(p, "rpt_1");
    const z1 = zoneId("z1");
    await expect(correct(p, report, [])).rejects.toThrow("one zone at least");
    await expect(correct(p, report, [{ zoneId: zoneId("zz"), progress: 1 }])).rejects.toThrow(
      'no zone "zz"',
    );
    const twice = [
      { zoneId: z1, progress: 1 },
      { zoneId: z1, progress: 2 },
    ];
    await expect(correct(p, report, twice)).rejects.toThrow("each zone once");
    for (const zone of [
      { zoneId: z1, progress: 100.1 },
      { zoneId: z1, progress: Number.NaN },
      { zoneId: z1, progress: 50, interval95: [60, 70] as const },
    ]) {
      await expect(correct(p, report, [zone])).rejects.toMatchObject({ code: "PARAMETER_INVALID" });
    }
    expect(p.records.rows.reports).toHaveLength(1);
  });

  it("a correction by a person corrects a zone that was deleted meanwhile in the report alone", async () => {
    const p = await twoZones();
    const report = await reportOf(p, "rpt_1");
    await p.records.workZones.delete(zoneId("z1"));
    const after = await correct(p, report, [{ zoneId: zoneId("z1"), progress: 20 }]);
    expect(after.zones[0]).toMatchObject({ zone_id: "z1", progress: 20 });
    expect(await p.records.workZones.observations([zoneId("z1")], NOW_MS)).toEqual([]);
  });
});
