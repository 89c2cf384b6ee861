import { expect, it } from "vitest";
import { orientSurvey } from "../../../../processing/photogrammetry/orient/orient-survey.ts";
import { scaleError } from "../../../support/survey-network.ts";
import { hardToAdjust } from "../../../support/tagged-networks.ts";

/** After 15 iterations of the last round it was 5.3 % too small, said to be 1 %. Five seeds: check `convergence`. */
it("the adjustment of a wide lens whose focal length is 4 % off comes to rest, scale within 2 sigma", () => {
  const network = hardToAdjust(3);
  const { reconstruction } = orientSurvey(network.input);
  if (!reconstruction) throw new Error("no reconstruction");
  const { cameras, summary } = reconstruction;
  const error = scaleError(
    cameras.map(({ pose }) => pose.centre),
    cameras.map(({ image, pose }) => network.cameras[image]?.centre ?? pose.centre),
  );
  expect(Math.abs(error)).toBeLessThan(2 * summary.scaleSigma);
  expect(summary.convergence.isConverged).toBe(true);
  expect(summary.convergence.stepSigmas).toBeLessThanOrEqual(0.01);
  const { misfit = 1, sigma = 0 } = summary.scaleByPositions ?? {};
  expect(Math.abs(misfit)).toBeLessThan(2 * sigma);
  // Positions of 0.8 m over a block of 56 x 54 m.
  expect(sigma).toBeGreaterThan(0.003);
});
