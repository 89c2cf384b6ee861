import { describe, expect, it } from "vitest";
import {
  type PayloadReadings,
  payloadLevel,
} from "../../../processing/reconciliation/payload-level.ts";
import { DEFAULT_WEIGHING_ERRORS } from "../../../processing/reconciliation/weighing-errors.ts";
import { createRandom } from "../../../simulators/randomness/random.ts";

/** Kilograms by second. */
function readings(pairs: readonly (readonly [number, number])[]): PayloadReadings {
  return {
    timesMs: Float64Array.from(pairs, ([s]) => s * 1_000),
    payloadKg: Float64Array.from(pairs, ([, kg]) => kg),
  };
}

/** The level before a crossing at 600 s, searched from 0 s on. */
const levelBefore = (series: PayloadReadings) =>
  payloadLevel(series, { fromMs: 0, toMs: 600_000, atMs: 600_000 }, DEFAULT_WEIGHING_ERRORS);

const every = (seconds: number, kgAt: (s: number) => number) =>
  readings(Array.from({ length: 600 / seconds }, (_, i) => [i * seconds, kgAt(i * seconds)]));

describe("payloadLevel", () => {
  it("payloadLevel is the median of the minute before the crossing, unmoved by a few wild readings", () => {
    const level = levelBefore(every(5, (s) => (s % 50 === 0 ? 0 : 30_000)));
    expect(level).toEqual({
      kg: 30_000,
      // 540, 545, ..., 595 s.
      readings: 12,
      distanceMs: 5_000,
      spreadKg: 0,
      isSteady: true,
    });
  });

  it("payloadLevel holds its level within 2 % in 5 % of bouncing, and says how much they scatter", () => {
    const random = createRandom("bouncing");
    const level = levelBefore(every(1, () => 30_000 * (1 + 0.05 * random.gaussian())));
    // 1.25 x 1500 kg over the root of 60 readings is 243 kg.
    expect(Math.abs((level?.kg ?? 0) - 30_000)).toBeLessThan(600);
    // 60 readings give a deviation to about 15 %.
    expect(level?.spreadKg).toBeGreaterThan(900);
    expect(level?.spreadKg).toBeLessThan(2_200);
    expect(level?.isSteady).toBe(true);
  });

  it("payloadLevel takes what is nearest to the crossing of a machine that was still being loaded beside the fence", () => {
    const level = levelBefore(every(1, (s) => (s < 580 ? Math.floor(s / 100) * 6_000 : 36_000)));
    expect(level).toMatchObject({ kg: 36_000, readings: 15, isSteady: false, spreadKg: 0 });
  });

  it("payloadLevel takes the one nearest reading where there is none within the minute", () => {
    const level = levelBefore(
      readings([
        [100, 12_000],
        [400, 31_000],
      ]),
    );
    expect(level).toMatchObject({ kg: 31_000, readings: 1, distanceMs: 200_000, spreadKg: 0 });
  });

  it("payloadLevel is unknown without a reading in the window; its end and rows without the field do not count", () => {
    expect(levelBefore(readings([]))).toBeUndefined();
    expect(
      levelBefore(
        readings([
          [600, 5],
          [601, 5],
        ]),
      ),
    ).toBeUndefined();
    expect(
      levelBefore(
        readings([
          [-1, 5],
          [599, Number.NaN],
        ]),
      ),
    ).toBeUndefined();
  });

  it("payloadLevel searches forward after a crossing, which counts with it", () => {
    const series = readings([
      [599, 30_000],
      [600, 10],
      [601, 20],
      [602, 30],
      [700, 9_999],
    ]);
    const window = { fromMs: 600_000, toMs: 1_200_000, atMs: 600_000 };
    const level = payloadLevel(series, window, DEFAULT_WEIGHING_ERRORS);
    expect(level).toMatchObject({ kg: 20, readings: 3, distanceMs: 0 });
  });
});
