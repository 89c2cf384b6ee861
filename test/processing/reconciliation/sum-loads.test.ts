import { describe, expect, it } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import { type LoadSum, sumLoads } from "../../../processing/reconciliation/sum-loads.ts";
import { type Load, weighStay } from "../../../processing/reconciliation/weigh-stay.ts";
import { DEFAULT_WEIGHING_ERRORS } from "../../../processing/reconciliation/weighing-errors.ts";
import { createRandom, type Random } from "../../../simulators/randomness/random.ts";

/** A stay of a machine that came with and left with so many kilograms. */
function load(machine: string, beforeKg: number | undefined, afterKg: number | undefined): Load {
  const level = (kg: number | undefined) =>
    kg === undefined ? undefined : { kg, readings: 12, distanceMs: 0, spreadKg: 0, isSteady: true };
  const stay = {
    assetId: machine as AssetId,
    visitIds: [],
    enteredMs: 0,
    exitedMs: 1,
    entryCause: "crossing",
    exitCause: "crossing",
    inferred: false,
    freeFromMs: Number.NEGATIVE_INFINITY,
    freeToMs: Number.POSITIVE_INFINITY,
  };
  return weighStay(stay, level(beforeKg), level(afterKg), DEFAULT_WEIGHING_ERRORS);
}

const sum = (loads: readonly Load[]): LoadSum => sumLoads(loads, DEFAULT_WEIGHING_ERRORS);

describe("sumLoads", () => {
  it("sumLoads adds weighings by squares, and what one machine moved by its one scale factor", () => {
    const { brought, taken, net } = sum([
      load("t1", 30_000, 0),
      load("t1", 40_000, 0),
      load("t2", 0, 20_000),
    ]);
    expect([brought.t, taken.t, net.t]).toEqual([70, 20, 50]);
    // 3 % of each load; 1 % of 70 t and of 20 t.
    expect(brought.sigmaT).toBeCloseTo(Math.hypot(0.9, 1.2, 0.7), 9);
    expect(taken.sigmaT).toBeCloseTo(Math.hypot(0.6, 0.2), 9);
    expect(net.sigmaT).toBeCloseTo(Math.hypot(0.9, 1.2, 0.6, 0.7, 0.2), 9);
  });

  it("sumLoads lets the scale factor cancel in what one machine brought and took", () => {
    const { net } = sum([load("t1", 30_000, 0), load("t1", 0, 30_000)]);
    expect(net.t).toBe(0);
    expect(net.sigmaT).toBeCloseTo(Math.hypot(0.9, 0.9), 9);
  });

  it("sumLoads counts empty passes and stays that were not weighed, and adds neither", () => {
    const { net, counts, machines } = sum([
      load("t1", 30_000, 0),
      load("t1", 0, 0),
      load("t1", 30_000, undefined),
      load("van", undefined, undefined),
    ]);
    expect(counts).toEqual({ brought: 1, taken: 0, none: 1, unknown: 2 });
    expect(net.t).toBe(30);
    expect(machines).toEqual([
      { assetId: "t1", stays: 3, broughtT: 30, takenT: 0, unweighed: 1, weighs: true },
      { assetId: "van", stays: 1, broughtT: 0, takenT: 0, unweighed: 1, weighs: false },
    ]);
  });

  it("sumLoads is 0 with no uncertainty of no loads", () => {
    const { brought, taken, net } = sum([]);
    const nothing = { t: 0, sigmaT: 0 };
    expect([brought, taken, net]).toEqual([nothing, nothing, nothing]);
  });

  it("sumLoads holds the truth within its 95 % in 93 to 97 of 100 days of four trucks", () => {
    const random = createRandom("days");
    const days = 1_000;
    let inside = 0;
    for (let day = 0; day < days; day += 1) {
      const { truthT, loads } = weighedDay(random);
      const { net } = sum(loads);
      if (Math.abs(net.t - truthT) <= 1.96 * net.sigmaT) inside += 1;
    }
    // 1,000 draws of 95 % scatter by 7.
    expect(inside).toBeGreaterThan(930);
    expect(inside).toBeLessThan(970);
  });
});

/** 40 loads brought by four trucks whose scales are off as assumed. */
function weighedDay(random: Random): { truthT: number; loads: readonly Load[] } {
  const { loadShare, calibrationShare } = DEFAULT_WEIGHING_ERRORS;
  const scales = Array.from({ length: 4 }, () => 1 + calibrationShare * random.gaussian());
  let truthKg = 0;
  const loads = Array.from({ length: 40 }, (_, i) => {
    const kg = random.uniform(28_000, 39_500);
    truthKg += kg;
    const scale = scales[i % 4] ?? 1;
    return load(`t${i % 4}`, kg * scale * (1 + loadShare * random.gaussian()), 0);
  });
  return { truthT: truthKg / 1_000, loads };
}
