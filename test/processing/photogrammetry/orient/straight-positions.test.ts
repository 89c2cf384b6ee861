import { expect, it } from "vitest";
import { judgeLevel } from "../../../../processing/photogrammetry/judge-level.ts";
import { orientSurvey } from "../../../../processing/photogrammetry/orient/orient-survey.ts";
import type { Reconstruction } from "../../../../processing/photogrammetry/reconstruction.ts";
import { type Network, scaleError, surveyNetwork } from "../../../support/survey-network.ts";
import {
  HEIGHT_ERRORS,
  tiltDeg,
  withHeights,
  withPlanDrift,
} from "../../../support/tagged-networks.ts";

const flight = (seed: number, obliques: number) =>
  surveyNetwork({
    ...{ seed, strips: 4, perStrip: 6, obliques, points: 250, gpsSigmaM: [0.8, 0.8, 1.2] },
  });

function oriented({ input }: Network): Reconstruction {
  const { reconstruction } = orientSurvey(input);
  if (!reconstruction) throw new Error("no reconstruction");
  return reconstruction;
}

const scaleOff = (network: Network, { cameras }: Reconstruction) =>
  scaleError(
    cameras.map(({ pose }) => pose.centre),
    cameras.map(({ image, pose }) => network.cameras[image]?.centre ?? pose.centre),
  );

const gatesOf = ({ summary }: Reconstruction) => judgeLevel(summary).map(({ gate }) => gate);

it.each([
  1, 2,
])("a drift of 14 m across the strips is taken off the positions and named (seed %i)", (seed) => {
  const network = withPlanDrift(flight(seed, 4), [14, -6]);
  const reconstruction = oriented(network);
  const { positionDrift, scaleSigma } = reconstruction.summary;
  expect(positionDrift?.isDoubted).toBe(true);
  expect(Math.abs((positionDrift?.eastM ?? 0) - 14)).toBeLessThan(4);
  expect(Math.abs((positionDrift?.northM ?? 0) + 6)).toBeLessThan(4);
  // Left on them, the drift makes the block 9 to 13 % too large (12 seeds).
  expect(Math.abs(scaleOff(network, reconstruction))).toBeLessThan(2 * scaleSigma);
  expect(Math.abs(scaleOff(network, reconstruction))).toBeLessThan(0.04);
  expect(gatesOf(reconstruction)).toEqual(["POSITIONS_DRIFT"]);
});

it.each([1, 2])("positions that only scatter are left as they are (seed %i)", (seed) => {
  const reconstruction = oriented(flight(seed, 4));
  expect(reconstruction.summary.positionDrift?.isDoubted).toBe(false);
  expect(gatesOf(reconstruction)).toEqual([]);
});

it("a flight of several views whose heights drift by 117 m without attitudes is levelled by its ground", () => {
  const network = withHeights(flight(1, 10), HEIGHT_ERRORS.drift, false);
  const reconstruction = oriented(network);
  const { isLevelledByGround, tiltSigmaRad } = reconstruction.summary;
  expect(isLevelledByGround).toBe(true);
  // 21 to 23 degrees before (12 seeds).
  expect(tiltDeg(network, reconstruction)).toBeLessThan((2 * tiltSigmaRad * 180) / Math.PI);
  expect(tiltDeg(network, reconstruction)).toBeLessThan(4);
  const { scaleSigma } = reconstruction.summary;
  expect(Math.abs(scaleOff(network, reconstruction))).toBeLessThan(2 * scaleSigma);
  expect(gatesOf(reconstruction)).toEqual(["HEIGHTS_INCONSISTENT"]);
});
