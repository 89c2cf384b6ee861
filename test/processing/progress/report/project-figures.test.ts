import { describe, expect, it } from "vitest";
import type { ZoneEstimate } from "../../../../domain/capture.ts";
import type { WorkZoneId } from "../../../../domain/ids.ts";
import type { ReportZone } from "../../../../domain/progress-report.ts";
import { comparedPlan } from "../../../../processing/progress/report/compared-plan.ts";
import {
  projectInterval,
  weightedProgress,
} from "../../../../processing/progress/report/project-progress.ts";
import { standing } from "../../../../processing/progress/report/report-status.ts";
import { percentInterval } from "../../../../processing/progress/report/rounding.ts";
import { zoneWeights } from "../../../../processing/progress/report/zone-weights.ts";
import type { PlannedWork } from "../../../../processing/progress/schedule/plan.ts";
import { estimate, workZone, zoneId } from "../../../contracts/records/progress-rows.ts";
import { fakePlan } from "./fake-plan.ts";

const NO_WORK: PlannedWork = { cost: undefined, workH: undefined, durationH: undefined };
const ZONES = [workZone("a"), workZone("b")];

function weightsOf(
  work: Readonly<Record<string, Partial<PlannedWork>>>,
  estimates: readonly ZoneEstimate[] = [],
  zones = ZONES,
) {
  const plan = fakePlan({ work: (id) => work[id] && { ...NO_WORK, ...work[id] } });
  const { basis, weightById } = zoneWeights(
    zones,
    plan,
    new Map(
      estimates.map((current) => [current.zone_id, { current, estimates: [], observations: [] }]),
    ),
  );
  return [basis, ...zones.map(({ id }) => weightById.get(id))];
}

describe("weights of zones", () => {
  it("go by the first basis that every zone has", () => {
    const work = { a: { cost: 100, workH: 8 }, b: { workH: 24, durationH: 5 } };
    expect(weightsOf(work)).toEqual(["work", 8, 24]);
    expect(weightsOf({ ...work, b: { cost: 300 } })).toEqual(["cost", 100, 300]);
    expect(
      weightsOf(work, [], [workZone("a", { weight: 2 }), workZone("b", { weight: 1 })]),
    ).toEqual(["declared", 2, 1]);
    expect(weightsOf({ a: { durationH: 3 }, b: { durationH: 1 } })).toEqual(["duration", 3, 1]);
  });

  it("go by planned volumes where the plan knows no work, and are equal without", () => {
    const volumes = [
      estimate("a", { figures: { planned_volume_m3: 900 } }),
      estimate("b", { figures: { planned_volume_m3: 100 }, raw_progress: undefined }),
    ];
    expect(weightsOf({}, volumes)).toEqual(["volume", 900, 100]);
    expect(weightsOf({}, volumes.slice(0, 1))).toEqual(["equal", 1, 1]);
    // A zone without weight would be in the report and not in its figure.
    expect(weightsOf({ a: { cost: 0 }, b: { cost: 5 } })).toEqual(["equal", 1, 1]);
  });
});

const zone = (id: string, change: Partial<ReportZone>): ReportZone => ({
  zone_id: zoneId(id),
  name: id,
  progress: 50,
  status: "in_progress",
  method: "calibrated_image",
  interval_90: [40, 60],
  observed_fraction: 1,
  raw_progress: 50,
  as_of: "2026-11-10T12:00:00.000Z",
  planned: 50,
  weight: 1,
  regression_suspected: false,
  no_estimate: null,
  notes: [],
  evidence: { method: "calibrated_image", captures: ["c1"] },
  ...change,
});
const flown = (id: string, change: Partial<ReportZone> = {}) =>
  zone(id, {
    method: "dsm_volume",
    evidence: { method: "dsm_volume", captures: ["c1"] },
    ...change,
  });

describe("the project's percent", () => {
  it("is the weighted mean of the zones as they are shown, to one decimal", () => {
    // (3 x 33.3 + 1 x 66.7) / 4 = 41.65
    expect(
      weightedProgress([
        { progress: 33.3, weight: 3 },
        { progress: 66.7, weight: 1 },
      ]),
    ).toBe(41.7);
  });

  it("has an interval of independent errors for images: 10 / sqrt(2) points of two equal zones", () => {
    expect(projectInterval([zone("a", {}), zone("b", {})], 50)).toEqual([42.9, 57.1]);
  });

  it("adds up the errors of one flight, which share its co-registration", () => {
    expect(projectInterval([flown("a"), flown("b")], 50)).toEqual([40, 60]);
    const other = { evidence: { method: "dsm_volume", captures: ["c2"] } };
    expect(projectInterval([flown("a"), flown("b", other)], 50)).toEqual([42.9, 57.1]);
  });

  it("keeps the sides of lopsided intervals apart", () => {
    // Down 20 / 2 and 0; up 2 / 2 and 4 / 2: 40 to 50 + hypot(1, 2).
    const zones = [zone("a", { interval_90: [30, 52] }), zone("b", { interval_90: [50, 54] })];
    expect(projectInterval(zones, 50)).toEqual([40, 52.3]);
  });

  it("takes a person's word as exact, and is not bounded when an estimate is not, or a zone was only declared", () => {
    const told = zone("a", { method: "manual", interval_90: null, evidence: {} });
    expect(projectInterval([told, zone("b", {})], 50)).toEqual([45, 55]);
    expect(projectInterval([zone("a", { interval_90: null }), zone("b", {})], 50)).toBeUndefined();
    const declared = zone("a", { method: "declared", interval_90: null, evidence: {} });
    expect(projectInterval([declared, zone("b", {})], 50)).toBeUndefined();
  });

  it("rounds intervals outward and keeps them within 0 to 100", () => {
    expect(percentInterval([-3, 12.31])).toEqual([0, 12.4]);
    expect(percentInterval([12.39, 104])).toEqual([12.3, 100]);
    expect(percentInterval([12.3, 45.6])).toEqual([12.3, 45.6]);
  });
});

describe("the standing of a project", () => {
  const stand = (
    actual: number,
    planned: number,
    interval: readonly [number, number] | undefined = [actual, actual],
    zones: readonly Pick<ReportZone, "status">[] = [{ status: "in_progress" }],
  ) => standing({ actual, planned, interval, basis: "schedule", tolerancePoints: 5, zones });

  it("is on schedule within 5 points, its edges included", () => {
    expect(stand(45, 50).status).toBe("on_schedule");
    expect(stand(44.9, 50).status).toBe("behind_schedule");
    expect(stand(55, 50).status).toBe("on_schedule");
    expect(stand(55.1, 50).status).toBe("ahead_of_schedule");
  });

  it("tells a variance that readers can check", () => {
    // 41.3 - 47.26 is -5.96; of the rounded 47.3 it is -6.0.
    expect(stand(41.3, 47.26).comparison).toEqual({
      planned: 47.3,
      actual: 41.3,
      variance: -6,
      basis: "schedule",
      tolerance_points: 5,
    });
  });

  it("is completed at 100 with all zones complete, and with nothing less", () => {
    const done = [{ status: "complete" }, { status: "complete" }] as const;
    expect(stand(100, 100, undefined, done)).toMatchObject({
      status: "completed",
      status_confidence: "high",
      zones_completed: 2,
      total_zones: 2,
    });
    expect(stand(99.9, 100, undefined, done).status).toBe("on_schedule");
    expect(
      stand(100, 90, undefined, [{ status: "complete" }, { status: "in_progress" }]),
    ).toMatchObject({
      status: "ahead_of_schedule",
      zones_completed: 1,
    });
  });

  it("is sure only where the whole interval lies in one band", () => {
    expect(stand(50, 50, [45, 55]).status_confidence).toBe("high");
    expect(stand(50, 50, [44.9, 55]).status_confidence).toBe("low");
    expect(stand(40, 50, [38, 44]).status_confidence).toBe("high");
    expect(stand(40, 50, [38, 46]).status_confidence).toBe("low");
    expect(
      standing({
        actual: 50,
        planned: 50,
        interval: undefined,
        basis: "schedule",
        tolerancePoints: 5,
        zones: [],
      }).status_confidence,
    ).toBe("low");
  });
});

describe("the plan that a report is compared with", () => {
  const plan = fakePlan({
    percent: () => 10,
    zonePercent: (id) => ({ a: 40, b: 80 })[id as string],
  });

  it("is of the zones by their weights", () => {
    const zones = [zone("a", { weight: 3 }), zone("b", { weight: 1 })];
    expect(comparedPlan(plan, zones).plannedPercent(0)).toBe(50);
  });

  it("is of all activities where a zone has none", () => {
    const zones = [zone("a", {}), zone("without" as WorkZoneId, {})];
    expect(comparedPlan(plan, zones).plannedPercent(0)).toBe(10);
  });
});
