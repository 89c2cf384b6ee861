import { describe, expect, it } from "vitest";
import { PROJECT_DEFAULTS } from "../../../simulators/project/plan/options.ts";
import { planProject } from "../../../simulators/project/plan/plan-project.ts";
import { createZoneMeter } from "../../../simulators/project/truth/measure-zone.ts";
import { advanceAt } from "../../../simulators/project/zone/advance.ts";
import { buildingLevels, buildingState } from "../../../simulators/project/zone/building-work.ts";
import type { Solid } from "../../../simulators/survey/site/solid.ts";

function meterOf(code: string) {
  const plan = planProject({ ...PROJECT_DEFAULTS, zones: [code] });
  const [zone] = plan.zones;
  if (zone === undefined) throw new Error(`no zone ${code}`);
  return { plan, zone, meter: createZoneMeter(plan.ground, zone) };
}

/** Prismatoid: a frustum of rectangles between toe and crest. */
function frustumM3(lengthM: number, widthM: number, heightM: number, slopeRun: number): number {
  const areaAt = (inM: number) => (lengthM - 2 * inM) * (widthM - 2 * inM);
  const inM = slopeRun * heightM;
  return (heightM / 6) * (areaAt(0) + 4 * areaAt(inM / 2) + areaAt(inM));
}

describe("createZoneMeter", () => {
  it.each([
    ["EMB", frustumM3(36, 22, 3, 1.5)],
    ["EXC", frustumM3(38, 20, 3.2, 1)],
  ])("createZoneMeter plans for %s the volume of the frustum, %d m3, within 1 % (rough ground)", (code, volumeM3) => {
    const { meter } = meterOf(code);
    expect(Math.abs(meter.planned.volumeM3 / volumeM3 - 1)).toBeLessThan(0.01);
    expect(meter.measure(0, [])).toMatchObject({ percent: 0, movedM3: 0, overbuildM3: 0 });
    const finished = meter.measure(1, []);
    expect(finished.percent).toBeGreaterThan(99.9);
    expect(Math.abs(finished.movedM3 / volumeM3 - 1)).toBeLessThan(0.01);
  });

  it("the zone meter gives a fill whose first lift of six is whole what that lift's frustum holds", () => {
    const { meter } = meterOf("EMB");
    const lift = frustumM3(36, 22, 0.5, 1.5);
    const { percent, overbuildM3 } = meter.measure(1 / 6, []);
    expect(percent).toBeCloseTo((100 * lift) / frustumM3(36, 22, 3, 1.5), 0);
    expect(overbuildM3).toBe(0);
  });

  it("createZoneMeter does not credit what goes beyond the design for what is missing", () => {
    const { meter } = meterOf("OVR");
    const { percent, overbuildM3, remainingM3 } = meter.measure(1, []);
    expect(overbuildM3).toBeGreaterThan(20);
    expect(remainingM3).toBeGreaterThan(10);
    expect(percent).toBeCloseTo(100 * (1 - remainingM3 / meter.planned.volumeM3), 0);
    expect(percent).toBeLessThan(97);
  });

  it("the zone meter gives slabs the share of bays that are laid", () => {
    const { meter } = meterOf("POD");
    // Six rows of two bays, laid row by row.
    expect(meter.measure(0.5, []).percent).toBeCloseTo(50, 6);
    expect(meter.measure(2 / 12, []).percent).toBeCloseTo(100 / 6, 0);
    expect(meter.measure(1, []).percent).toBe(100);
  });

  it("the zone meter gives a building its levels by their weights, including the core of the next one", () => {
    const { meter } = meterOf("BLA");
    // Base slab (weight 1 of 9) and the first of four storeys (2 of 9) are whole; the core is a storey ahead.
    const { percent, levels } = meter.measure(3 / 9, []);
    const core = (2.4 * 2.4) / (16 * 12);
    expect(percent).toBeCloseTo((100 * (3 + 2 * core)) / 9, 6);
    expect(levels?.map(({ share }) => share)).toEqual([1, 1, expect.closeTo(core, 6), 0, 0]);
  });

  it("the zone meter gives how much of a zone is clear of objects", () => {
    const { plan, zone, meter } = meterOf("EMB");
    const block: Solid = {
      ...{ kind: "block", owner: "truck", centre: plan.ground.grid.toSite(zone.plan.rect) },
      ...{ bottomM: 0, topM: 6, halfLengthM: 4, halfWidthM: 1.5, sides: "plain", seed: 1 },
      ...{ azimuthRad: plan.ground.grid.azimuthRad, colour: [0.5, 0.5, 0.5] },
    };
    expect(meter.measure(0, [block]).clearShare).toBeCloseTo(1 - (8 * 3) / (36 * 22), 6);
    expect(meter.measure(0, []).clearShare).toBe(1);
  });
});

describe("buildingState", () => {
  const work = { kind: "building", storeys: 4, storeyM: 3 } as const;

  it("buildingState has tops of 0.4 m and 3 m a storey above", () => {
    expect(buildingLevels(work).map(({ topM }) => topM)).toEqual([
      0.4,
      expect.closeTo(3.4, 9),
      expect.closeTo(6.4, 9),
      expect.closeTo(9.4, 9),
      expect.closeTo(12.4, 9),
    ]);
  });

  it.each([
    [0, { whole: 0, bays: 0 }],
    [1 / 9, { whole: 1, bays: 0 }],
    [2 / 9, { whole: 1, bays: 2 }],
    [3 / 9, { whole: 2, bays: 0 }],
    [1, { whole: 5, bays: 0 }],
  ])("buildingState at %d of the work is %o", (done, state) => {
    expect(buildingState(work, done)).toEqual(state);
  });
});

describe("advanceAt", () => {
  it("advanceAt is 0 at week 1, never falls, and is 1 after the end", () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const shares = Array.from({ length: 12 }, (_, i) =>
        advanceAt(i + 1, 12, { from: 0.05, to: 0.8 }, seed),
      );
      expect(shares[0]).toBe(0);
      expect(shares.at(-1)).toBe(1);
      expect(shares.every((share, i) => i === 0 || share >= (shares[i - 1] ?? 0))).toBe(true);
      // Not linear: some week's work is 1.3 times another's in the midst of it.
      const steps = shares.slice(2, 9).map((share, i) => share - (shares[i + 1] ?? 0));
      expect(Math.max(...steps)).toBeGreaterThan(1.3 * Math.min(...steps));
    }
  });
});
