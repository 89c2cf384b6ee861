import {
  compose,
  inverse,
  rotate,
  rotationFromVector,
  vectorFromRotation,
} from "../../processing/geometry/rotation.ts";
import { voteOnTags } from "../../processing/photogrammetry/matching/tag-vote.ts";
import type { OrientInput } from "../../processing/photogrammetry/orient/block/orientation.ts";
import type { Reconstruction } from "../../processing/photogrammetry/reconstruction/reconstruction.ts";
import { seededRandom } from "./seeded-random.ts";
import { type Network, surveyNetwork, TRUE_LENS } from "./survey-network.ts";

/** Of a consumer receiver that states none, metres, as camera-priors.ts has it. */
const UNSTATED_SIGMA_M = [1.5, 1.5, 2.5] as const;
/** Of attitudes that were found from neighbours, rad, and what is believed of them. */
const ROUGH_ATTITUDE = { noiseRad: 0.05, sigmaRad: 0.075 } as const;

/**
 * 35 images that point straight down, a lens with much distortion whose tag is 4 % short, few images to a
 * track, rough attitudes. Focal length, dome and scale hang together, and only positions of 0.8 m hold
 * the scale. What is true of one real flight of 38 images.
 */
export function hardToAdjust(seed: number): Network {
  const network = surveyNetwork({
    ...{ seed, strips: 5, perStrip: 7, obliques: 0, points: 6_000, repeatability: 0.2 },
    ...{ gpsSigmaM: [0.8, 0.8, 1.2], noisePx: 0.3, outlierShare: 0.03 },
    lenses: [{ ...TRUE_LENS, k1: -0.3, k2: 0.15 }],
  });
  const random = seededRandom(seed);
  const { noiseRad, sigmaRad } = ROUGH_ATTITUDE;
  const turn = () => (random() + random() + random() - 1.5) * 2 * noiseRad;
  const input: OrientInput = {
    ...network.input,
    lenses: network.input.lenses.map(({ intrinsics, sigma, source }) => ({
      intrinsics: { ...intrinsics, focalPx: 0.96 * TRUE_LENS.f },
      sigma: { ...sigma, focalPx: 0.05 * TRUE_LENS.f },
      source,
    })),
    priors: network.input.priors.map((prior) => ({
      ...prior,
      rotation:
        prior.rotation && compose(rotationFromVector([turn(), turn(), turn()]), prior.rotation),
      rotationSigmaRad: sigmaRad,
      centreSigmaM: UNSTATED_SIGMA_M,
    })),
  };
  return { ...network, input };
}

/** Error of a height in the tags, metres, by the image's place in the flight, 0 to 1. */
export type HeightError = (share: number) => number;

/** What altitude tags do over a flight: nothing, drift as much as on one real flight, and what barometers do. */
export const HEIGHT_ERRORS = {
  none: () => 0,
  drift: (share) => 117 * share,
  barometer: (share) => 60 + 12 * share,
} as const satisfies Record<string, HeightError>;

/** A flight whose altitude tags err so; without attitude tags where `isTagged` is false. */
export function withHeights(network: Network, errorM: HeightError, isTagged = true): Network {
  const { input } = network;
  const last = Math.max(1, input.priors.length - 1);
  const priors = input.priors.map((prior, i) => {
    const [east = 0, north = 0, up = 0] = prior.centre ?? [];
    return {
      ...prior,
      centre: [east, north, up + errorM(i / last)] as const,
      centreSigmaM: UNSTATED_SIGMA_M,
      ...(isTagged ? {} : { rotation: undefined }),
    };
  });
  return { ...network, input: { ...input, priors: voteOnTags(priors, input.pairs).priors } };
}

/** Angle by which a model leans from the truth: the mean turn of its cameras about horizontal axes, degrees. */
export function tiltDeg({ cameras: truth }: Network, { cameras }: Reconstruction): number {
  const turns = cameras.map(({ image, pose }) => {
    const camera = truth[image];
    if (!camera) throw new RangeError("a camera that was never there");
    const right = Float64Array.of(...camera.right, ...camera.down, ...camera.forward);
    const off = vectorFromRotation(compose(pose.rotation, inverse(right)));
    return rotate(inverse(right), off);
  });
  const mean = (axis: 0 | 1) => turns.reduce((sum, turn) => sum + turn[axis], 0) / turns.length;
  return (Math.hypot(mean(0), mean(1)) * 180) / Math.PI;
}

/** A flight whose positions drift by so much from the first image to the last: east and north, metres. */
export function withPlanDrift(
  network: Network,
  [eastM, northM]: readonly [number, number],
): Network {
  const { input } = network;
  const last = Math.max(1, input.priors.length - 1);
  const priors = input.priors.map((prior, i) => {
    const [east = 0, north = 0, up = 0] = prior.centre ?? [];
    const share = i / last;
    return { ...prior, centre: [east + share * eastM, north + share * northM, up] as const };
  });
  return { ...network, input: { ...input, priors } };
}
