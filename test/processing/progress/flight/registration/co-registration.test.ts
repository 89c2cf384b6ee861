import { describe, expect, it } from "vitest";
import { stableGround } from "../../../../../processing/progress/flight/cells/stable-mask.ts";
import {
  type CoRegistration,
  coRegister,
} from "../../../../../processing/progress/flight/registration/co-registration.ts";
import {
  type HeightFacts,
  heightErrors,
} from "../../../../../processing/progress/flight/registration/height-errors.ts";

/** A surface of 40 by 40 cells of 1 m; heights by column and row. */
const surfaceOf = (heightAt: (col: number, row: number) => number) => ({
  ...{ westM: 0, northM: 40, cellM: 1, width: 40, height: 40 },
  elevationM: Float32Array.from({ length: 1_600 }, (_, i) => heightAt(i % 40, Math.floor(i / 40))),
});
const LEVEL = surfaceOf(() => 10);
const square = (edgeM: number) =>
  [
    [0, 0],
    [edgeM, 0],
    [edgeM, edgeM],
    [0, edgeM],
  ] as const;

describe("stable ground", () => {
  it("stable ground lies a metre and more outside of all that changes", () => {
    const ground = stableGround(LEVEL, [square(10)]);
    const places = [
      [5, 5],
      [10.5, 5],
      [11.5, 5],
      [30, 30],
      [41, 30],
    ] as const;
    expect(places.map(([x, y]) => ground.isStable(x, y))).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  it("stable ground is what lies beside a zone that reaches far beyond the survey", () => {
    const ground = stableGround(LEVEL, [
      [
        [-100_000, -100_000],
        [20, -100_000],
        [20, 100_000],
        [-100_000, 100_000],
      ],
    ]);
    expect([ground.isStable(18, 20), ground.isStable(22, 20)]).toEqual([false, true]);
  });
});

describe("co-registration", () => {
  it("co-registration is the median of the differences, whatever was built on a tenth of the ground", () => {
    const built = surfaceOf((col) => (col < 4 ? 13 : 10.0625));
    const found = coRegister(built, () => 10, stableGround(LEVEL, []));
    // Of 40 columns 36 did not change.
    expect(found).toMatchObject({ biasM: 0.0625, nmadM: 0, stableCells: 1_440 });
  });

  it("co-registration measures the spread of cells by the median of their deviations", () => {
    // A quarter each of -2, -1, 1 and 2 cm: the upper median of all is 1 cm, of the deviations 2 cm.
    const steps = [-0.02, -0.01, 0.01, 0.02];
    const noisy = surfaceOf((col) => 10 + (steps[col % 4] ?? 0));
    const found = coRegister(noisy, () => 10, stableGround(LEVEL, []));
    expect(found?.biasM).toBeCloseTo(0.01, 5);
    expect(found?.nmadM).toBeCloseTo(1.4826 * 0.02, 5);
  });

  it("co-registration knows that means over large areas scatter less than cells do", () => {
    const found = coRegister(
      surfaceOf((col, row) => 10 + ((col * 7 + row * 13) % 5) / 100),
      () => 10,
      stableGround(LEVEL, []),
    );
    const [small = 0, large = 0] = [4, 64].map((areaM2) => found?.meanSigmaM(areaM2));
    expect(large).toBeLessThan(small);
    expect(small).toBeLessThan(found?.nmadM ?? 0);
  });

  it("co-registration gives nothing for fewer than 200 cells that both surfaces know", () => {
    const ground = stableGround(LEVEL, []);
    const known = (cells: number) => (x: number, y: number) =>
      Math.floor(40 - y) * 40 + Math.floor(x) < cells ? 9 : Number.NaN;
    expect(coRegister(LEVEL, known(199), ground)).toBeUndefined();
    expect(coRegister(LEVEL, known(200), ground)).toMatchObject({ biasM: 1, stableCells: 200 });
  });
});

describe("errors of a zone's heights", () => {
  const found = (change: Partial<CoRegistration> = {}): CoRegistration => ({
    ...{ biasM: 0.05, nmadM: 0.02, stableCells: 900, meanSigmaM: () => 0.01 },
    ...change,
  });
  const FACTS: HeightFacts = {
    ...{ baseline: "flight", design: "baseline", own: undefined, site: undefined },
    ...{ isPlaced: true, gsdM: 0.01, alignmentSigmaM: 0 },
  };

  it("errors of a zone's heights are those of the ground, where there is enough of it", () => {
    const errors = heightErrors({ ...FACTS, own: found() });
    expect(errors).toMatchObject({
      ...{ biasM: 0.05, source: "stable_ground", stableCells: 900, cellSigmaM: 0.02 },
      ...{ designOffsetM: 0, designSigmaM: 0 },
    });
    expect(errors.meanSigmaM(100)).toBe(0.01);
  });

  it("errors of a zone's heights are 3 cm or two sample distances with RTK, 30 cm without, where there is not", () => {
    const sigma = (isPlaced: boolean, gsdM: number) =>
      heightErrors({ ...FACTS, isPlaced, gsdM }).meanSigmaM(100);
    expect([sigma(true, 0.01), sigma(true, 0.04), sigma(false, 0.01)]).toEqual([0.03, 0.08, 0.3]);
    expect(heightErrors(FACTS)).toMatchObject({ source: "assumed", biasM: 0 });
    // Of the difference of two flights.
    expect(heightErrors(FACTS).cellSigmaM).toBeCloseTo(0.03 * Math.SQRT2, 9);
  });

  it("errors of a zone's heights are metres against given heights where consumer GPS placed the flight", () => {
    const given: HeightFacts = {
      ...{ ...FACTS, baseline: "given", design: "given", isPlaced: false },
    };
    expect(heightErrors(given).meanSigmaM(100)).toBe(3);
    // Unless ground around a given surface ties the two.
    const tied = heightErrors({ ...given, site: found({ biasM: 7 }) });
    expect(tied).toMatchObject({ biasM: 7, source: "stable_ground", designSigmaM: 0 });
  });

  it("a given design is brought to the flights by the ground that another given surface shares", () => {
    const errors = heightErrors({
      ...{ ...FACTS, design: "given" },
      own: found({ biasM: 0.05 }),
      site: found({ biasM: 0.25 }),
    });
    expect(errors.designOffsetM).toBeCloseTo(0.2, 9);
    expect(errors.designSigmaM).toBe(0.01);
  });

  it("errors of a zone's heights of a design in the heights of the surveys are those of RTK", () => {
    const survey: HeightFacts = { ...FACTS, design: "survey", own: found() };
    expect(heightErrors(survey).designSigmaM).toBe(0.03);
    expect(heightErrors({ ...survey, isPlaced: false }).designSigmaM).toBe(3);
  });
});
