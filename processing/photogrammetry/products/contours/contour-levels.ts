import { rounded } from "../../../numeric/rounding.ts";

/** Contour lines over the relief: more than twice as many run together on paper. */
const WANTED_LINES = 20;
/** Finest interval that is chosen, metres: below it lines follow the noise of matching. */
const FINEST_M = 0.1;
/** Levels at most, also where a person chose the interval: more are a file that no program opens. */
const MOST_LEVELS = 2_000;
/** Share of the heights left out at either end: a mast is not relief. */
const OUTLIERS = 0.02;
/** Heights that the relief is taken from at most. */
const SAMPLES = 20_000;

/** Heights of contour lines. */
export interface ContourLevels {
  readonly intervalM: number;
  readonly levelsM: readonly number[];
}

/**
 * Multiples of the interval within the heights: the interval that was asked for, else 1, 2 or 5 times a
 * power of ten that gives about twenty lines over the relief, 0.1 m or more. An interval that gives more than
 * 2,000 levels is doubled until it does not.
 */
export function contourLevels(
  heightM: Float32Array,
  askedIntervalM: number | undefined,
): ContourLevels {
  const stride = Math.max(1, Math.floor(heightM.length / SAMPLES));
  const sample: number[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < heightM.length; i += 1) {
    const z = heightM[i] ?? Number.NaN;
    if (Number.isNaN(z)) continue;
    lowest = Math.min(lowest, z);
    highest = Math.max(highest, z);
    if (i % stride === 0) sample.push(z);
  }
  if (!(highest >= lowest)) return { intervalM: askedIntervalM ?? FINEST_M, levelsM: [] };
  sample.sort((a, b) => a - b);
  const quantile = (share: number) => sample[Math.floor(share * (sample.length - 1))] ?? lowest;
  let intervalM = askedIntervalM ?? roundInterval(quantile(1 - OUTLIERS) - quantile(OUTLIERS));
  while ((highest - lowest) / intervalM > MOST_LEVELS) intervalM *= 2;
  const first = Math.ceil(lowest / intervalM);
  const last = Math.floor(highest / intervalM);
  const levelsM = Array.from({ length: Math.max(0, last - first + 1) }, (_, k) =>
    // Whole multiples without the digits of binary fractions.
    rounded((first + k) * intervalM, 6),
  );
  return { intervalM, levelsM };
}

function roundInterval(reliefM: number): number {
  const wanted = Math.max(FINEST_M, reliefM / WANTED_LINES);
  const power = 10 ** Math.floor(Math.log10(wanted) + 1e-9);
  const factor = [1, 2, 5, 10].find((one) => one * power >= wanted * (1 - 1e-9)) ?? 10;
  return rounded(factor * power, 6);
}
