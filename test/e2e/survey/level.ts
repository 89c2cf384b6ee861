import { orientSurvey } from "../../../processing/photogrammetry/orient/orient-survey.ts";
import { scaleError, surveyNetwork } from "../../support/survey-network.ts";
import { HEIGHT_ERRORS, tiltDeg, withHeights } from "../../support/tagged-networks.ts";
import { type Check, within } from "./check.ts";

const SEEDS = 6;

/** Blocks of 35 images that point down, with altitude tags that err, and attitude tags or none. */
const CASES = [
  { name: "white noise, attitude tags", heights: "none", isTagged: true, memory: 0 },
  { name: "drifting receiver, attitude tags", heights: "none", isTagged: true, memory: 0.9 },
  { name: "drifting receiver, no attitude tags", heights: "none", isTagged: false, memory: 0.9 },
  { name: "117 m of drift, attitude tags", heights: "drift", isTagged: true, memory: 0 },
  { name: "117 m of drift, no attitude tags", heights: "drift", isTagged: false, memory: 0 },
  { name: "barometer, attitude tags", heights: "barometer", isTagged: true, memory: 0 },
  { name: "barometer, no attitude tags", heights: "barometer", isTagged: false, memory: 0 },
] as const;

/** Whether altitude tags that err tilt a block, and whether sound ones are believed. */
export const level: Check = {
  name: "level",
  about: `${SEEDS} nadir blocks each with altitude tags that drift, or not: level within what is stated`,
  run({ print }) {
    const expectations = CASES.flatMap(({ name, heights, isTagged, memory }) => {
      let [inside, doubted, worst, scaled] = [0, 0, 0, 0];
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const flown = surveyNetwork({
          ...{ seed, strips: 5, perStrip: 7, obliques: 0, points: 500 },
          ...{ gpsSigmaM: [0.8, 0.8, 1.2], gpsMemory: memory },
        });
        const network = withHeights(flown, HEIGHT_ERRORS[heights], isTagged);
        const { reconstruction } = orientSurvey(network.input);
        if (!reconstruction) continue;
        const { cameras, summary } = reconstruction;
        const tilt = tiltDeg(network, reconstruction);
        const sigma = (summary.tiltSigmaRad * 180) / Math.PI;
        const error = scaleError(
          cameras.map(({ pose }) => pose.centre),
          cameras.map(({ image, pose }) => network.cameras[image]?.centre ?? pose.centre),
        );
        if (tilt <= 2.45 * sigma) inside += 1;
        if (Math.abs(error) <= 1.96 * summary.scaleSigma) scaled += 1;
        if (summary.heights?.isDoubted) doubted += 1;
        worst = Math.max(worst, tilt);
        print(
          `${name}, seed ${seed}: ${tilt.toFixed(2)} degrees off level (sigma ${sigma.toFixed(2)}), ` +
            `scale off by ${(100 * error).toFixed(2)} %`,
        );
      }
      const isSound = heights === "none";
      return [
        // 2.45 sigma hold 95 % of a distribution over two axes.
        within(`${name}: within the stated 95 % of tilt`, inside, SEEDS - 1, SEEDS),
        within(`${name}: within the stated 95 % of scale`, scaled, SEEDS - 1, SEEDS),
        within(`${name}: heights doubted`, doubted, isSound ? 0 : SEEDS, isSound ? 0 : SEEDS),
        within(`${name}: the worst tilt`, worst, 0.01, 2, "degrees"),
      ];
    });
    return Promise.resolve(expectations);
  },
};
