import { orientSurvey } from "../../../processing/photogrammetry/orient/orient-survey.ts";
import { scaleError } from "../../support/survey-network.ts";
import { hardToAdjust } from "../../support/tagged-networks.ts";
import { type Check, holds, within } from "./check.ts";

const SEEDS = 10;
/** Rms of the scale that positions of 0.8 m leave of 35 cameras over 56 x 54 m: 0.6 %, times two. */
const MOST_RMS = 1.2;

/** Whether the adjustment comes to rest where focal length, dome and scale hang together. */
export const convergence: Check = {
  name: "convergence",
  about: `the adjustment of ${SEEDS} blocks whose focal length is 4 % off comes to rest at the true scale`,
  run({ print }) {
    let [squares, rested, inside] = [0, 0, 0];
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const network = hardToAdjust(seed);
      const { reconstruction, figures } = orientSurvey(network.input);
      if (!reconstruction) continue;
      const { cameras, summary } = reconstruction;
      const error = scaleError(
        cameras.map(({ pose }) => pose.centre),
        cameras.map(({ image, pose }) => network.cameras[image]?.centre ?? pose.centre),
      );
      squares += error ** 2;
      if (summary.convergence.isConverged) rested += 1;
      if (Math.abs(error) <= 1.96 * summary.scaleSigma) inside += 1;
      print(
        `seed ${seed}: scale off by ${(100 * error).toFixed(2)} %, stated sigma ` +
          `${(100 * summary.scaleSigma).toFixed(2)} %, ${figures.iterations} iterations`,
      );
    }
    return Promise.resolve([
      holds(`all ${SEEDS} come to rest`, rested === SEEDS),
      within("of them within the stated 95 %", inside, SEEDS - 1, SEEDS),
      within("rms error of the scale", 100 * Math.sqrt(squares / SEEDS), 0.1, MOST_RMS, "%"),
    ]);
  },
};
