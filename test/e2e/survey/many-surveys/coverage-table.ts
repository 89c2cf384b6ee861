import { type Expectation, within } from "../check.ts";
import type { MeasuredPile } from "./measure-piles.ts";

/** The piles of one survey, and the classes that it is counted in: name by kind of class. */
export interface SurveyPiles {
  readonly classes: Readonly<Record<string, string>>;
  readonly piles: readonly MeasuredPile[];
}

/** Fewer surveys of a class are printed only: piles of one survey share its scale, and chance decides. */
const FEWEST_SURVEYS = 40;
/** Share of volumes that lie within their stated 95 %, of a class (issue 16, Must show 1). */
const WITHIN_PERCENT = { least: 92, most: 98 } as const;
/** Mean half width of the stated intervals over the rms error (the same). */
const MOST_WIDTH = 2.5;
/** Of a run with few surveys, all together: less is not a matter of chance. */
const FEW_WITHIN_PERCENT = 80;

/** Errors and half widths of measured piles as shares of their true volumes. */
function relativeOf(piles: readonly MeasuredPile[]) {
  return piles.flatMap(({ trueM3, measured }) =>
    measured === undefined
      ? []
      : [{ error: measured.netM3 / trueM3 - 1, halfWidth: measured.halfWidthM3 / trueM3 }],
  );
}

export interface ClassFigures {
  readonly surveys: number;
  readonly measured: number;
  readonly refused: number;
  readonly withinPercent: number;
  /** Signed mean and rms of the errors, and mean half width, % of the volume. */
  readonly meanPercent: number;
  readonly rmsPercent: number;
  readonly halfWidthPercent: number;
}

export function figuresOf(surveys: readonly SurveyPiles[]): ClassFigures {
  const piles = surveys.flatMap((survey) => survey.piles);
  const found = relativeOf(piles);
  const inside = found.filter(({ error, halfWidth }) => Math.abs(error) <= halfWidth).length;
  return {
    surveys: surveys.length,
    measured: found.length,
    refused: piles.length - found.length,
    withinPercent: (100 * inside) / found.length,
    meanPercent: 100 * meanOf(found.map(({ error }) => error)),
    rmsPercent: 100 * Math.sqrt(meanOf(found.map(({ error }) => error ** 2))),
    halfWidthPercent: 100 * meanOf(found.map(({ halfWidth }) => halfWidth)),
  };
}

/** Prints every class, and holds those of enough surveys to what is promised of a stated 95 %. */
export function coverageExpectations(
  surveys: readonly SurveyPiles[],
  print: (line: string) => void,
): readonly Expectation[] {
  const all = figuresOf(surveys);
  print(lineOf("all", all));
  const expectations = [
    within(
      "volumes within their stated 95 %",
      all.withinPercent,
      all.surveys >= FEWEST_SURVEYS ? WITHIN_PERCENT.least : FEW_WITHIN_PERCENT,
      100,
      "%",
    ),
  ];
  for (const [name, of] of classesOf(surveys)) {
    const figures = figuresOf(of);
    print(lineOf(name, figures));
    if (figures.surveys < FEWEST_SURVEYS) continue;
    const { least, most } = WITHIN_PERCENT;
    expectations.push(
      within(`${name}: within the stated 95 %`, figures.withinPercent, least, most, "%"),
      within(
        `${name}: mean half width over the rms error`,
        figures.halfWidthPercent / figures.rmsPercent,
        // A few surveys whose gates warn make the rms error of a class: no lower bound but by what lies inside.
        0,
        MOST_WIDTH,
      ),
    );
  }
  printGates(surveys, print);
  return expectations;
}

/** Surveys by class, and piles by shape. */
function classesOf(surveys: readonly SurveyPiles[]): ReadonlyMap<string, readonly SurveyPiles[]> {
  const classes = new Map<string, SurveyPiles[]>();
  const add = (name: string, survey: SurveyPiles) =>
    classes.set(name, [...(classes.get(name) ?? []), survey]);
  for (const survey of surveys) {
    for (const [kind, name] of Object.entries(survey.classes)) add(`${kind} ${name}`, survey);
    for (const shape of new Set(survey.piles.map((pile) => pile.shape))) {
      const piles = survey.piles.filter((pile) => pile.shape === shape);
      add(`shape ${shape}`, { classes: {}, piles });
    }
  }
  return new Map([...classes].sort(([a], [b]) => a.localeCompare(b)));
}

function lineOf(name: string, figures: ClassFigures): string {
  const { surveys, measured, refused, withinPercent, meanPercent, rmsPercent } = figures;
  const width = figures.halfWidthPercent / rmsPercent;
  return (
    `${name.padEnd(26)}${String(surveys).padStart(4)} surveys ${String(measured).padStart(5)} piles ` +
    `${String(refused).padStart(4)} refused  within ${withinPercent.toFixed(1).padStart(5)} %  ` +
    `mean ${signed(meanPercent)} %  rms ${rmsPercent.toFixed(2)} %  ` +
    `+-${figures.halfWidthPercent.toFixed(2)} % (${width.toFixed(1)} x rms)`
  );
}

/** How often each gate refused or warned, and how often those volumes lay outside. */
function printGates(surveys: readonly SurveyPiles[], print: (line: string) => void): void {
  const piles = surveys.flatMap((survey) => survey.piles);
  const names = new Set(piles.flatMap(({ gates }) => gates));
  for (const name of [...names].sort()) {
    const those = piles.filter(({ gates }) => gates.includes(name));
    const found = relativeOf(those);
    const outside = found.filter(({ error, halfWidth }) => Math.abs(error) > halfWidth).length;
    print(
      `  gate ${name}: ${those.length - found.length} piles refused, ${found.length} warned of, ${outside} of them outside`,
    );
  }
}

const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const signed = (value: number) => `${value < 0 ? "" : "+"}${value.toFixed(2)}`;
