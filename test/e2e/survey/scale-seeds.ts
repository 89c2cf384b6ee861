import type { SurveyResult } from "../../../processing/engine/port/engine.ts";
import { GateRefusal } from "../../../processing/gates/gates.ts";
import type { SurveyOptions } from "../../../simulators/survey/options/options.ts";
import { openSurveyBench } from "../../support/run-survey.ts";
import { cameraScaleError } from "../../support/survey-accuracy.ts";
import { type SurveySet, surveySet } from "../../support/survey-sets.ts";
import { type Check, holds, within } from "./check.ts";

/** Small surveys with all that fixes the scale: strips, obliques, and a receiver whose errors drift. */
const SURVEY = {
  widthPx: 640,
  images: 18,
  obliques: 4,
  gps: "ar1",
} as const satisfies Partial<SurveyOptions>;
/** Coarse products: they are made, and say nothing of the scale. */
const PROFILE = { workingWidthPx: 640, dsmCellGsd: 8, orthoCellGsd: 4, maxKeypoints: 2_000 };
/** No other check has sets of these seeds. */
const FIRST_SEED = 101;

/** Standard deviations to either side that hold 95 % of a normal distribution. */
const SIDES = 1.96;
/**
 * Share of the surveys within what is stated: 36 of 40, as issue 5 asks. Of true 95 % intervals 38 are
 * expected, and 36 or more in 95 of 100 such series (binomial).
 */
const LEAST_WITHIN = 0.9;
/**
 * The mean stated interval over the one that the errors' rms would make: 1 if nothing were put on for
 * safety. Above 2.5 it is merely wide; below 0.8 it is luck, for the rms of 40 draws scatters by 11 %.
 */
const WIDTH = { least: 0.8, most: 2.5 } as const;

/** The scale with consumer GPS, from photographs to what is stated of it (issue 5, Must show 1). */
export const scaleSeeds: Check = {
  name: "scale-seeds",
  about: "surveys of many seeds with drifting consumer GPS: scale within its stated 95 %",
  async run({ seeds, print }) {
    const draws: { readonly error: number; readonly sigma: number }[] = [];
    const refusals: string[] = [];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed += 1) {
      const set = await surveySet({ ...SURVEY, seed });
      const result = await surveyed(set);
      if (result instanceof GateRefusal) {
        refusals.push(`${seed}: ${result.message}`);
        print(`seed ${seed}: ${result.message}`);
        continue;
      }
      const sigma = result.reconstruction?.summary.scaleSigma ?? Number.NaN;
      const draw = { error: cameraScaleError(result, set), sigma };
      draws.push(draw);
      const isWithin = Math.abs(draw.error) <= SIDES * sigma;
      print(
        `seed ${seed}: off by ${percent(draw.error)} %, stated +-${percent(SIDES * sigma)} %` +
          `${isWithin ? "" : ": outside"}`,
      );
    }
    const inside = draws.filter(({ error, sigma }) => Math.abs(error) <= SIDES * sigma).length;
    const rms = Math.sqrt(mean(draws.map(({ error }) => error * error)));
    const stated = mean(draws.map(({ sigma }) => sigma));
    print(
      `${inside} of ${seeds} within, rms error ${percent(rms)} %, mean stated +-${percent(SIDES * stated)} %`,
    );
    return [
      holds(`no survey is refused (${refusals.length})`, refusals.length === 0),
      within("surveys within their stated 95 %", inside, Math.ceil(LEAST_WITHIN * seeds), seeds),
      // Positions are off by 0.8 m over a block 60 m wide: less than 0.1 % would not be a receiver's error.
      within("rms error of the scale", 100 * rms, 0.1, 4, "%"),
      within("stated interval over that of the rms", stated / rms, WIDTH.least, WIDTH.most),
    ];
  },
};

async function surveyed(set: SurveySet): Promise<SurveyResult | GateRefusal> {
  const bench = await openSurveyBench();
  try {
    return await bench.run(set.folder, { profile: PROFILE });
  } catch (error) {
    if (error instanceof GateRefusal) return error;
    throw error;
  } finally {
    await bench.close();
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function percent(share: number): string {
  return (100 * share).toFixed(2);
}
