import { describe, expect, it } from "vitest";
import { levelHeights } from "../../../../processing/photogrammetry/matching/level-heights.ts";
import { surveyNetwork } from "../../../support/survey-network.ts";
import { HEIGHT_ERRORS, withHeights } from "../../../support/tagged-networks.ts";

const SEEDS = [1, 2, 3, 4, 5];
const flight = (seed: number, isRtk = false) =>
  surveyNetwork({
    ...{ seed, strips: 4, perStrip: 5, obliques: 2, points: 250, gpsSigmaM: [0.8, 0.8, 1.2] },
    ...{ gpsMemory: 0.9, isRtk },
  });

describe("heights in the tags", () => {
  it.each(
    SEEDS,
  )("heights in the tags of a receiver whose errors follow each other are believed (seed %i)", (seed) => {
    const { input } = withHeights(flight(seed), HEIGHT_ERRORS.none);
    const { priors, agreement } = levelHeights(input.priors, input.pairs);
    expect(agreement?.isDoubted).toBe(false);
    // The receiver drifts by metres, and is not without error.
    expect(Math.abs(agreement?.driftM ?? 9)).toBeLessThan(5);
    expect(agreement?.spreadM).toBeGreaterThan(0.1);
    expect(priors).toEqual(input.priors);
  });

  it.each(
    SEEDS,
  )("heights in the tags that drift by 117 m are replaced by what attitudes say (seed %i)", (seed) => {
    const network = withHeights(flight(seed), HEIGHT_ERRORS.drift);
    const { priors, agreement } = levelHeights(network.input.priors, network.input.pairs);
    expect(agreement?.isDoubted).toBe(true);
    expect(Math.abs((agreement?.driftM ?? 0) - 117)).toBeLessThan(10);
    // Level with each other; their common height is that of the tags.
    const errors = priors.map(
      (p, i) => (p.centre?.[2] ?? 0) - (network.cameras[i]?.centre[2] ?? 0),
    );
    expect(Math.max(...errors) - Math.min(...errors)).toBeLessThan(6);
    expect(priors.every(({ centreSigmaM: [, , up] }) => up > 100)).toBe(true);
  });

  it("heights in the tags of a barometer with an offset and 12 m of drift are doubted, the same of RTK are not", () => {
    const consumer = withHeights(flight(1), HEIGHT_ERRORS.barometer).input;
    expect(levelHeights(consumer.priors, consumer.pairs).agreement?.isDoubted).toBe(true);
    const rtk = withHeights(flight(1, true), HEIGHT_ERRORS.barometer).input;
    expect(levelHeights(rtk.priors, rtk.pairs)).toEqual({
      priors: rtk.priors,
      agreement: undefined,
    });
  });

  it("heights in the tags are left alone where too few images are joined to check them", () => {
    const { input } = withHeights(flight(2), HEIGHT_ERRORS.drift);
    const four = input.pairs.filter(({ first, second }) => first < 4 && second < 4);
    expect(levelHeights(input.priors, four)).toEqual({
      priors: input.priors,
      agreement: undefined,
    });
  });
});
