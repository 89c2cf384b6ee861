import { describe, expect, it } from "vitest";
import type { WorkZoneId } from "../../../../domain/ids.ts";
import type { ZoneEstimate } from "../../../../domain/sites/capture.ts";
import type { ReportZone } from "../../../../domain/sites/progress-report.ts";
import { comparedPlan, wholePlan } from "../../../../processing/progress/report/compared-plan.ts";
import {
  projectProgress,
  weightedProgress,
} from "../../../../processing/progress/report/project-progress.ts";
import { reportStatus } from "../../../../processing/progress/report/report-status.ts";
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
  it("weights of zones go by the first basis that every zone has", () => {
    const work = { a: { cost: 100, workH: 8 }, b: { workH: 24, durationH: 5 } };
    expect(weightsOf(work)).toEqual(["work", 8, 24]);
    expect(weightsOf({ ...work, b: { cost: 300 } })).toEqual(["cost", 100, 300]);
    expect(
      weightsOf(work, [], [workZone("a", { weight: 2 }), workZone("b", { weight: 1 })]),
    ).toEqual(["declared", 2, 1]);
    expect(weightsOf({ a: { durationH: 3 }, b: { durationH: 1 } })).toEqual(["duration", 3, 1]);
  });

  it("weights of zones go by planned volumes where the plan knows no work, and are equal without", () => {
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
  interval_95: [40, 60],
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
const AT_MS = Date.parse("2026-11-10T12:00:00.000Z");
/** A zone that no capture saw, and of which nobody said anything. */
const unseen = (id: string): ReportZone =>
  zone(id, { method: "declared", progress: 0, interval_95: null, evidence: {} });
const flown = (id: string, change: Partial<ReportZone> = {}) =>
  zone(id, {
    method: "dsm_volume",
    evidence: { method: "dsm_volume", captures: ["c1"] },
    ...change,
  });

describe("the project's percent", () => {
  it("the project's percent is the weighted mean of the zones as they are shown, to one decimal", () => {
    // (3 x 33.3 + 1 x 66.7) / 4 = 41.65
    expect(
      weightedProgress([
        { progress: 33.3, weight: 3 },
        { progress: 66.7, weight: 1 },
      ]),
    ).toBe(41.7);
  });

  const intervalOf = (...zones: readonly ReportZone[]) =>
    projectProgress(zones, AT_MS).seen_interval_95;

  it("the project's percent has an interval of independent errors for images: 10 / sqrt(2) points of two equal zones", () => {
    expect(intervalOf(zone("a", {}), zone("b", {}))).toEqual([42.9, 57.1]);
  });

  it("the project's percent adds up the errors of one flight, which share its co-registration", () => {
    expect(intervalOf(flown("a"), flown("b"))).toEqual([40, 60]);
    const other = { evidence: { method: "dsm_volume", captures: ["c2"] } };
    expect(intervalOf(flown("a"), flown("b", other))).toEqual([42.9, 57.1]);
  });

  it("the project's percent keeps the sides of lopsided intervals apart", () => {
    // Down 20 / 2 and 0; up 2 / 2 and 4 / 2: 40 to 50 + hypot(1, 2).
    const zones = [zone("a", { interval_95: [30, 52] }), zone("b", { interval_95: [50, 54] })];
    expect(intervalOf(...zones)).toEqual([40, 52.3]);
  });

  it("takes a person's word as exact, and an estimate without bounds from 0 to 100", () => {
    const byPerson = zone("a", { method: "manual", interval_95: null, evidence: {} });
    expect(intervalOf(byPerson, zone("b", {}))).toEqual([45, 55]);
    // Half of the project may be 50 points lower or higher, whatever the 5 points of the other half.
    expect(intervalOf(zone("a", { interval_95: null }), zone("b", {}))).toEqual([20, 80]);
    const declared = zone("a", { method: "declared", interval_95: null, evidence: {} });
    expect(intervalOf(declared, zone("b", {}))).toEqual([20, 80]);
  });

  it("the project's percent is of the zones that were ever seen, and its interval counts the rest from 0 to 100", () => {
    // A quarter of the weight was never seen: 0.75 x [40, 60], and 25 points above that.
    expect(projectProgress([zone("a", { weight: 3 }), unseen("b")], AT_MS)).toEqual({
      progress_percentage: 50,
      seen_share: 0.75,
      seen_interval_95: [40, 60],
      interval_95: [30, 70],
      unseenRange: [37.5, 62.5],
    });
  });

  it("the project's percent takes a figure of an earlier day as a lower bound", () => {
    // The older half may be done by now: 50 points of 100, halved.
    const earlier = zone("a", { as_of: "2026-11-03T12:00:00.000Z", interval_95: [40, 100] });
    expect(projectProgress([earlier, zone("b", {})], AT_MS)).toEqual({
      progress_percentage: 50,
      seen_share: 1,
      seen_interval_95: [42.9, 80],
      interval_95: [42.9, 80],
      unseenRange: [50, 75],
    });
    // One that is complete cannot grow.
    const done = { progress: 100, status: "complete", interval_95: [98, 100] } as const;
    expect(projectProgress([{ ...earlier, ...done }, zone("b", {})], AT_MS).interval_95).toEqual([
      69.9, 80,
    ]);
  });

  it("the project's percent is what was declared while nothing was seen, and can be anything", () => {
    expect(projectProgress([unseen("a"), unseen("b")], AT_MS)).toMatchObject({
      progress_percentage: 0,
      seen_share: 0,
      seen_interval_95: null,
      interval_95: [0, 100],
    });
    // What was declared for a later day says nothing of this one.
    const later = { method: "declared", progress: 30, as_of: "2026-11-20T12:00:00.000Z" } as const;
    expect(projectProgress([zone("a", later)], AT_MS).seen_share).toBe(0);
  });

  it("the project's percent rounds intervals outward and keeps them within 0 to 100", () => {
    expect(percentInterval([-3, 12.31])).toEqual([0, 12.4]);
    expect(percentInterval([12.39, 104])).toEqual([12.3, 100]);
    expect(percentInterval([12.3, 45.6])).toEqual([12.3, 45.6]);
  });
});

describe("the status of a project", () => {
  const stand = (
    actual: number,
    planned: number,
    interval: readonly [number, number] = [actual, actual],
    zones: readonly Pick<ReportZone, "status">[] = [{ status: "in_progress" }],
    unseen: { readonly share?: number; readonly isOfSeen?: boolean } = {},
  ) => {
    const { share = 1, isOfSeen = true } = unseen;
    return reportStatus({
      progress: {
        progress_percentage: actual,
        interval_95: interval,
        seen_share: share,
        seen_interval_95: interval,
        unseenRange: [share * actual, share * actual + 100 * (1 - share)],
      },
      planned,
      plannedAll: planned,
      isOfSeen,
      ...{ basis: "schedule", tolerancePoints: 5, zones },
    });
  };

  it("is on schedule within 5 points, its edges included", () => {
    expect(stand(45, 50).status).toBe("on_schedule");
    expect(stand(44.9, 50).status).toBe("behind_schedule");
    expect(stand(55, 50).status).toBe("on_schedule");
    expect(stand(55.1, 50).status).toBe("ahead_of_schedule");
  });

  it("the status of a project counts what was never seen as on plan: 8 points behind in 60 % of a project are 4.8 of it", () => {
    const none = { share: 0.6 };
    expect(stand(42, 50, undefined, undefined, none)).toMatchObject({
      status: "on_schedule",
      comparison: { variance: -8 },
    });
    expect(stand(41, 50, undefined, undefined, none).status).toBe("behind_schedule");
    expect(stand(0, 50, [0, 100], undefined, { share: 0 })).toMatchObject({
      status: "on_schedule",
      status_confidence: "low",
    });
  });

  it("the status of a project is late without plans of the zones only if unseen work at 100 % would leave it late", () => {
    // 30 % of 80 % of the project is 24 to 44 % of the whole.
    const part = { share: 0.8, isOfSeen: false };
    expect(stand(30, 50, undefined, undefined, part).status).toBe("behind_schedule");
    expect(stand(30, 48, undefined, undefined, part).status).toBe("on_schedule");
    expect(stand(30, 18, undefined, undefined, part).status).toBe("ahead_of_schedule");
    expect(stand(30, 20, undefined, undefined, part).status).toBe("on_schedule");
  });

  it("the status of a project has a variance that readers can check", () => {
    // 41.3 - 47.26 is -5.96; of the rounded 47.3 it is -6.0.
    expect(stand(41.3, 47.26).comparison).toEqual({
      planned: 47.3,
      planned_all: 47.3,
      actual: 41.3,
      variance: -6,
      basis: "schedule",
      tolerance_points: 5,
    });
  });

  it("the status of a project is completed at 100 with all zones complete, and with nothing less", () => {
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
  });
});

describe("the plan that a report is compared with", () => {
  const DAY_MS = 86_400_000;
  const plan = fakePlan({
    percent: () => 10,
    // One point a day up to the report's day.
    zonePercent: (id, atMs) => {
      const days = (AT_MS - atMs) / DAY_MS;
      const now = ({ a: 40, b: 80 } as Readonly<Record<string, number>>)[id as string];
      return now === undefined ? undefined : now - days;
    },
  });
  const plannedOf = (...zones: readonly ReportZone[]) =>
    comparedPlan(plan, zones, AT_MS).plannedPercent(AT_MS);

  it("the plan that a report is compared with is of the zones by their weights", () => {
    expect(plannedOf(zone("a", { weight: 3 }), zone("b", { weight: 1 }))).toBe(50);
  });

  it("the plan that a report is compared with leaves out zones that were never seen; the whole plan does not", () => {
    const zones = [zone("a", {}), unseen("b")];
    expect(plannedOf(...zones)).toBe(40);
    expect(wholePlan(plan, zones).plannedPercent(AT_MS)).toBe(60);
    expect(plannedOf(unseen("a"), unseen("b"))).toBe(60);
  });

  it("the plan that a report is compared with is as old as a zone's figure", () => {
    // Seven days before, 33 of zone a were planned.
    const earlier = zone("a", { as_of: "2026-11-03T12:00:00.000Z" });
    expect(plannedOf(earlier, zone("b", {}))).toBe(56.5);
  });

  it("the plan that a report is compared with is of all activities where a zone has none", () => {
    expect(plannedOf(zone("a", {}), zone("without" as WorkZoneId, {}))).toBe(10);
  });
});
