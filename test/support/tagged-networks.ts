import type { OrientInput } from "../../processing/photogrammetry/orient/orientation.ts";
import { compose, rotationFromVector } from "../../processing/photogrammetry/rotation.ts";
import { seededRandom } from "./seeded-random.ts";
import { type Network, surveyNetwork, TRUE_LENS } from "./survey-network.ts";

/** Of a consumer receiver that states none, metres, as camera-priors.ts has it. */
const UNSTATED_SIGMA_M = [1.5, 1.5, 2.5] as const;
/** Of attitudes that were found from neighbours, rad, and what is believed of them. */
const ROUGH_ATTITUDE = { noiseRad: 0.05, sigmaRad: 0.075 } as const;

/**
 * 35 images that look straight down, a lens with much distortion whose tag is 4 % short, few images to a
 * track, rough attitudes: focal length, dome and scale hang together, and only positions of 0.8 m hold
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
