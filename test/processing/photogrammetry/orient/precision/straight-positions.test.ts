import { expect, it } from "vitest";
import { checkLevel } from "../../../../../processing/photogrammetry/checks/check-level.ts";
import type { ControlTarget } from "../../../../../processing/photogrammetry/orient/block/orientation.ts";
import { orientSurvey } from "../../../../../processing/photogrammetry/orient/orient-survey.ts";
import type { Reconstruction } from "../../../../../processing/photogrammetry/reconstruction/reconstruction.ts";
import { CORNERS, controlAt } from "../../../../support/network-control.ts";
import { seededRandom } from "../../../../support/seeded-random.ts";
import { someOf } from "../../../../support/some-of.ts";
import { type Network, scaleError, surveyNetwork } from "../../../../support/survey-network.ts";
import {
  HEIGHT_ERRORS,
  tiltDeg,
  withHeights,
  withPlanDrift,
} from "../../../../support/tagged-networks.ts";

const flight = (seed: number, obliques: number) =>
  surveyNetwork({
    ...{ seed, strips: 4, perStrip: 6, obliques, points: 250, gpsSigmaM: [0.8, 0.8, 1.2] },
  });

function oriented({ input }: Network, control: readonly ControlTarget[] = []): Reconstruction {
  const { reconstruction } = orientSurvey({ ...input, control });
  if (!reconstruction) throw new Error("no reconstruction");
  return reconstruction;
}

const scaleOff = (network: Network, { cameras }: Reconstruction) =>
  scaleError(
    cameras.map(({ pose }) => pose.centre),
    cameras.map(({ image, pose }) => network.cameras[image]?.centre ?? pose.centre),
  );

const gatesOf = ({ summary }: Reconstruction) => checkLevel(summary).map(({ gate }) => gate);

it.each(
  someOf([1, 2]),
)("a drift of 14 m across the strips is taken off the positions and named (seed %i)", (seed) => {
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

/** Lists of control points that do not hold a block. */
const WEAK_CONTROL = {
  "a check point": (network: Network, seed: number) =>
    controlAt(network, CORNERS.slice(0, 1), { seed, errorM: 0.02, sigmaM: 0.02 }).map((target) => ({
      ...target,
      isCheck: true,
    })),
  "a check point that no image shows": (network: Network, seed: number) =>
    controlAt(network, CORNERS.slice(0, 1), { seed, errorM: 0.02, sigmaM: 0.02 }).map((target) => ({
      ...target,
      isCheck: true,
      marks: [],
    })),
  "two points of 3 m": (network: Network, seed: number) =>
    controlAt(network, CORNERS.slice(0, 2), { seed, errorM: 3, sigmaM: 3 }),
  "six points of 3 m": (network: Network, seed: number) =>
    controlAt(network, CORNERS, { seed, errorM: 3, sigmaM: 3 }),
  "six points up to 30 m off": (network: Network, seed: number) => {
    const random = seededRandom(seed);
    const wild = () => (random() - 0.5) * 60;
    return controlAt(network, CORNERS, { seed, errorM: 0, sigmaM: 0.02 }).map((target) => {
      const [x, y, z] = target.position;
      return { ...target, position: [x + wild(), y + wild(), z + wild()] as const };
    });
  },
} as const;

// Before: 9 to 12.5 % off, and nothing named the drift (6 seeds each).
it.each(
  someOf(
    (Object.keys(WEAK_CONTROL) as (keyof typeof WEAK_CONTROL)[]).map((kind, i) => ({
      kind,
      seed: 1 + (i % 3),
    })),
  ),
)("a drift of 14 m is taken off the positions beside $kind (seed $seed)", ({ kind, seed }) => {
  const network = withPlanDrift(flight(seed, 4), [14, -6]);
  const reconstruction = oriented(network, WEAK_CONTROL[kind](network, seed));
  const { scaleSigma, scaleFrom, isHeldByControl } = reconstruction.summary;
  expect(Math.abs(scaleOff(network, reconstruction))).toBeLessThan(2 * scaleSigma);
  expect(Math.abs(scaleOff(network, reconstruction))).toBeLessThan(0.03);
  expect(scaleSigma).toBeGreaterThan(0.0095);
  expect(scaleFrom).toBe("gps");
  expect(isHeldByControl).toBeUndefined();
  expect(gatesOf(reconstruction)).toEqual(["POSITIONS_DRIFT"]);
});

it("control points of 2 cm hold a block whose positions drift by 14 m", () => {
  const seed = 1;
  const network = withPlanDrift(flight(seed, 4), [14, -6]);
  const control = controlAt(network, CORNERS, { seed, errorM: 0.02, sigmaM: 0.02 });
  const reconstruction = oriented(network, control);
  const { scaleSigma, scaleFrom, isHeldByControl, positionDrift } = reconstruction.summary;
  expect(scaleFrom).toBe("control_points");
  expect(isHeldByControl).toBe(true);
  expect(scaleSigma).toBeLessThan(0.003);
  expect(Math.abs(scaleOff(network, reconstruction))).toBeLessThan(2 * scaleSigma);
  expect(positionDrift?.isDoubted).toBe(true);
  expect(gatesOf(reconstruction)).toEqual([]);
});

it.each(someOf([1, 2]))("positions that only scatter are left as they are (seed %i)", (seed) => {
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
