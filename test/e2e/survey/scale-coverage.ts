import { orientSurvey } from "../../../processing/photogrammetry/orient/orient-survey.ts";
import { scaleError, surveyNetwork } from "../../support/survey-network.ts";
import { type Check, within } from "./check.ts";

const DRAWS = 40;

/** What is stated covers 95 %: 38 of 40 expected, and 36 or more in 95 % of such series (binomial). */
const LEAST_COVERED = 36;

/** Error of the scale over its stated sigma, for draws of a 28-camera block with obliques. */
function draws(gpsMemory: number, isRtk: boolean): number[] {
  return Array.from({ length: DRAWS }, (_, i) => {
    const network = surveyNetwork({
      seed: 1000 + i,
      strips: 4,
      perStrip: 6,
      obliques: 4,
      points: 300,
      gpsSigmaM: isRtk ? [0.02, 0.02, 0.03] : [1, 1, 1.5],
      gpsBiasM: isRtk ? [0, 0, 0] : [1.2, -0.7, 2.5],
      gpsMemory,
      isRtk,
    });
    const { reconstruction } = orientSurvey(network.input);
    if (!reconstruction) return Number.POSITIVE_INFINITY;
    const { cameras, summary } = reconstruction;
    const error = scaleError(
      cameras.map(({ pose }) => pose.centre),
      cameras.map(({ image, pose }) => network.cameras[image]?.centre ?? pose.centre),
    );
    return error / summary.scaleSigma;
  });
}

/** The stated sigma of the scale, over many draws of receivers that drift and that do not. */
export const scaleCoverage: Check = {
  name: "scale-coverage",
  about: `scale within its stated 95 % for ${DRAWS} draws each of white, drifting and RTK positions`,
  async run({ print }) {
    const kinds = [
      // Floored at 1 %: errors are small beside it.
      { name: "white noise of 1 m", ratios: draws(0, false), leastRms: 0.15, mostRms: 1.1 },
      {
        name: "drifting noise of 1 m (AR(1), 0.9)",
        ratios: draws(0.9, false),
        leastRms: 0.3,
        mostRms: 1.4,
      },
      // Not doubled: the rms of 40 draws scatters by 0.11; the sigma is on the safe side for images.
      { name: "RTK of 2 cm", ratios: draws(0, true), leastRms: 0.5, mostRms: 1.4 },
    ];
    return kinds.flatMap(({ name, ratios, leastRms, mostRms }) => {
      const covered = ratios.filter((ratio) => Math.abs(ratio) <= 1.96).length;
      const rms = Math.sqrt(ratios.reduce((sum, ratio) => sum + ratio * ratio, 0) / DRAWS);
      print(
        `${name}: ${covered} of ${DRAWS} within 95 %, rms of error over sigma ${rms.toFixed(2)}`,
      );
      return [
        within(`${name}, draws within the stated 95 %`, covered, LEAST_COVERED, DRAWS),
        within(`${name}, rms of error over sigma`, rms, leastRms, mostRms),
      ];
    });
  },
};
