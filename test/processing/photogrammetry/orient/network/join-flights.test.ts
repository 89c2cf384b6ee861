import { expect, it } from "vitest";
import { fitSimilarity } from "../../../../../processing/geometry/fit-similarity.ts";
import type { CameraPrior } from "../../../../../processing/photogrammetry/camera/camera-prior.ts";
import { joinFlights } from "../../../../../processing/photogrammetry/orient/network/join-flights.ts";
import { orientSurvey } from "../../../../../processing/photogrammetry/orient/orient-survey.ts";
import { minus, surveyNetwork, type Triple } from "../../../../support/survey-network.ts";

/** What the earlier flight's receiver was off by: metres in plan, and heights above another zero. */
const OFFSET: Triple = [4, -3, 35];
const isEarlier = (image: number) => image % 2 === 1;

function twoFlights() {
  const network = surveyNetwork({ seed: 12, points: 250, gpsSigmaM: [1, 1, 1.5] });
  const priors = network.input.priors.map((prior, i): CameraPrior => {
    const [x, y, z] = prior.centre ?? [0, 0, 0];
    return isEarlier(i)
      ? {
          ...prior,
          centre: [x + OFFSET[0], y + OFFSET[1], z + OFFSET[2]],
          isOfEarlierFlight: true,
        }
      : prior;
  });
  return { network, input: { ...network.input, priors } };
}

it("the join of two flights finds how far two receivers were apart from lines of sight, to a metre", () => {
  const { input, network } = twoFlights();
  const joined = joinFlights(input.priors, input.pairs);
  joined.forEach(({ centre }, i) => {
    const before = network.input.priors[i]?.centre ?? [0, 0, 0];
    const off = Math.hypot(...minus(centre ?? [0, 0, 0], before));
    // Attitudes by tags are off by 2 degrees, positions by 1 m and 24 cameras share the offset.
    expect(off).toBeLessThan(isEarlier(i) ? 1.5 : 1e-12);
  });
});

it("the join of two flights orients two flights with other zeros in one frame, and keeps the scale", () => {
  const { input, network } = twoFlights();
  const { reconstruction } = orientSurvey(input);
  const cameras = reconstruction?.cameras ?? [];
  expect(cameras).toHaveLength(24);
  const truth = cameras.flatMap(({ image }) => network.cameras[image]?.centre ?? []);
  const found = cameras.flatMap(({ pose }) => pose.centre);
  // Pictures of 0.3 px at 40 m and f = 870 px hold a camera to some 2 cm, whichever flight it is of:
  // one similarity brings both onto the truth.
  const fitted = fitSimilarity(Float64Array.from(truth), Float64Array.from(found));
  expect(fitted?.used).toBe(24);
  expect(fitted?.rmsM).toBeGreaterThan(0.005);
  expect(fitted?.rmsM).toBeLessThan(0.05);
  // Of 24 positions by white noise of 1 m over a spread of 20 m: 1 %.
  expect(Math.abs((fitted?.scale ?? 0) - 1)).toBeLessThan(0.03);
  // The frame is that of this flight's tags: 1.5 m over the root of twelve, thrice.
  const off = cameras.map(({ pose, image }) =>
    minus(pose.centre, network.cameras[image]?.centre ?? [0, 0, 0]),
  );
  const mean = [0, 1, 2].map((k) => off.reduce((sum, one) => sum + (one[k] ?? 0), 0) / 24);
  expect(Math.hypot(...mean)).toBeLessThan(1.6);
  expect(reconstruction?.summary.scaleFrom).toBe("gps");
});

it("the join of two flights lets another flight's RTK scale the block, and not place it", () => {
  const network = surveyNetwork({ seed: 13, points: 250, gpsSigmaM: [1, 1, 1.5] });
  const priors = network.input.priors.map((prior, i): CameraPrior => {
    const [x, y, z] = network.cameras[i]?.centre ?? [0, 0, 0];
    return isEarlier(i)
      ? {
          ...prior,
          centre: [x + 60, y, z - 20],
          centreSigmaM: [0.02, 0.02, 0.03],
          isRtk: true,
          isOfEarlierFlight: true,
        }
      : prior;
  });
  const { reconstruction } = orientSurvey({ ...network.input, priors });
  expect(reconstruction?.cameras).toHaveLength(24);
  expect(reconstruction?.summary.scaleFrom).toBe("rtk");
  const east = (reconstruction?.cameras ?? []).map(
    ({ image, pose }) => pose.centre[0] - (network.cameras[image]?.centre[0] ?? 0),
  );
  expect(Math.abs(east.reduce((sum, e) => sum + e, 0) / 24)).toBeLessThan(1);
});
