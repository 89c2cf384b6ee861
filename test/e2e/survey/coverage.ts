import { drawnFootprint } from "../../support/drawn-footprint.ts";
import { surveyedControl } from "../../support/survey-control.ts";
import { surveySet } from "../../support/survey-sets.ts";
import { type Check, type Expectation, within } from "./check.ts";
import {
  coverageExpectations,
  figuresOf,
  type SurveyPiles,
} from "./many-surveys/coverage-table.ts";
import { type SurveyDesign, surveyDesign } from "./many-surveys/design.ts";
import { keptResult } from "./many-surveys/kept-results.ts";
import { type MeasuredPile, measurePiles } from "./many-surveys/measure-piles.ts";

/** No other check has sets of these seeds, and nothing was chosen on them. */
const FIRST_SEED = 20_001;
/** Signed mean with RTK, % of the volume: at up to 5 cm (two classes here), and at 8.5 (issue 16). */
const MOST_MEAN = { fine: 0.5, middle: 0.5, coarse: 1 } as const;
/** Surveys of a class below which its mean is printed only. */
const FEWEST_SURVEYS = 12;

/** Every pile of many surveys, over positions, texture and ground sample distance (issue 16, Must show 1). */
export const coverage: Check = {
  name: "coverage",
  about:
    "every pile of many surveys over positions, texture and sample distance: coverage, mean, width",
  async run({ seeds, firstSeed = FIRST_SEED, kinds, results, print }) {
    const surveys: (SurveyPiles & { readonly design: SurveyDesign })[] = [];
    for (let i = 0; i < seeds; i += 1) {
      const design = surveyDesign(firstSeed + i);
      const { positions, texture, sampleDistance, options } = design;
      if (kinds?.includes(positions) === false) continue;
      // With classes and lens: results of a version that gave the seed another survey are not taken for this one's.
      const lens = options.focalOffPercent?.toFixed(2);
      const key = `coverage-${design.seed}-${positions}-${texture}-${sampleDistance}-${lens}`;
      const { piles } = await keptResult(results, key, async () => ({
        piles: await measured(design),
      }));
      const classes = { positions, texture, "sample distance": sampleDistance };
      surveys.push({ design, classes, piles });
      print(lineOf(design, piles));
    }
    return [...coverageExpectations(surveys, print), ...rtkMeans(surveys)];
  },
};

async function measured({ options, positions }: SurveyDesign): Promise<readonly MeasuredPile[]> {
  const set = await surveySet(options);
  return await measurePiles({
    folder: set.folder,
    widthPx: set.truth.options.widthPx,
    controlPoints:
      positions === "control" ? surveyedControl(set.truth, Number.POSITIVE_INFINITY) : [],
    piles: set.truth.piles.map((pile) => ({
      shape: pile.shape.kind,
      trueM3: pile.volumeM3,
      footprint: drawnFootprint(pile, set.truth),
    })),
  });
}

function rtkMeans(
  surveys: readonly (SurveyPiles & { readonly design: SurveyDesign })[],
): readonly Expectation[] {
  return Object.entries(MOST_MEAN).flatMap(([distance, most]) => {
    const those = surveys.filter(
      ({ design }) => design.positions === "rtk" && design.sampleDistance === distance,
    );
    if (those.length < FEWEST_SURVEYS) return [];
    const { meanPercent } = figuresOf(those);
    return [within(`signed mean with RTK, ${distance}`, meanPercent, -most, most, "%")];
  });
}

function lineOf(
  { seed, positions, texture, options }: SurveyDesign,
  piles: readonly MeasuredPile[],
): string {
  const errors = piles.map(({ trueM3, measured: found }) =>
    found === undefined
      ? "-"
      : `${(100 * (found.netM3 / trueM3 - 1)).toFixed(1)}/${((100 * found.halfWidthM3) / trueM3).toFixed(1)}`,
  );
  const gates = [...new Set(piles.flatMap((pile) => pile.gates))].join(" ");
  return `${seed} ${positions} ${texture} ${options.contrast?.toFixed(2)} ${options.altitudeM?.toFixed(0)} m: ${errors.join("  ")}  ${gates}`;
}
