import type { SurveyResult } from "../../../processing/engine/port/engine.ts";
import { upperMedian } from "../../../processing/numeric/median.ts";
import { openSurveyBench } from "../../support/run-survey.ts";
import { heightError } from "../../support/survey-accuracy.ts";
import { surveyedControl } from "../../support/survey-control.ts";
import { surveySet } from "../../support/survey-sets.ts";
import { type Check, type Expectation, holds, within } from "./check.ts";

/** Seeds that nothing was chosen on. */
const SEEDS = [4101, 4102, 4103, 4104];
/** Control points a survey, and which of them are held back: every third. */
const POINTS = 9;
const CHECK_EVERY = 3;

/** Images without positions and attitudes, placed by control points alone. */
export const control: Check = {
  name: "control",
  about: "surveys without GPS and gimbal tags by control points alone, checks held back",
  async run({ print }) {
    const bench = await openSurveyBench();
    const expectations: Expectation[] = [];
    try {
      const checksM: number[] = [];
      for (const seed of SEEDS) {
        const set = await surveySet({
          ...{ seed, widthPx: 800, images: 18, gps: "rtk", controlPoints: POINTS },
          faults: [
            { fault: "no-gps", images: "all" },
            { fault: "no-gimbal", images: "all" },
          ],
        });
        const controlPoints = surveyedControl(set.truth, CHECK_EVERY);
        const result = await bench.run(set.folder, {
          profile: { workingWidthPx: 800 },
          input: { controlPoints },
        });
        const { cameras, checkM, leaveOneOutM } = figures(result);
        const heights = await heightError(result, set);
        checksM.push(checkM);
        print(
          `seed ${seed}: ${cameras} cameras, checks ${cm(checkM)}, left out in turn ${cm(leaveOneOutM)}, heights ` +
            `${cm(heights.medianM)} (median), NMAD ${cm(heights.nmadM)}; ${gates(result)}`,
        );
        expectations.push(
          holds(`seed ${seed}: at least 17 of 18 images are oriented`, cameras >= 17),
          // Checks are surveyed to 2 to 3 cm themselves, and marked to half a pixel of 5 cm.
          within(`seed ${seed}: check points, rms`, 100 * checkM, 0.5, 10, "cm"),
          within(`seed ${seed}: median error of heights`, 100 * heights.medianM, -6, 6, "cm"),
        );
      }
      expectations.push(
        within(
          "check points, median of the seeds",
          100 * (upperMedian(checksM) ?? NaN),
          0.5,
          7,
          "cm",
        ),
      );
    } finally {
      await bench.close();
    }
    return expectations;
  },
};

function figures({ reconstruction }: SurveyResult) {
  const rmsM = reconstruction?.summary.control?.rmsM;
  return {
    cameras: reconstruction?.cameras.length ?? 0,
    checkM: rmsM?.check ?? Number.NaN,
    leaveOneOutM: rmsM?.leaveOneOut ?? Number.NaN,
  };
}

function gates({ findings }: SurveyResult): string {
  return findings.map(({ gate }) => gate).join(", ") || "no gate";
}

function cm(metres: number): string {
  return `${(100 * metres).toFixed(1)} cm`;
}
