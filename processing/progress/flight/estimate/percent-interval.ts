import { rounded } from "../../../numeric/rounding.ts";

/** Standard deviations on either side of a value that hold 95 % of a normal distribution. */
const SIGMAS_95 = 1.96;

/** What may be wrong with a zone's percent: one standard deviation each, points. */
export interface PercentTerms {
  /** The flight lies too high or too low as a whole (docs/progress-method.md#surfaces: A sigma_bias). */
  readonly bias: number;
  /** Noise of cells (A1: a sqrt(N) sigma_rand). */
  readonly noise: number;
  /** Cells at the edges of what is built that may count or not. */
  readonly edges: number;
  /** The design's own height. */
  readonly design: number;
  /** Scale of the survey's heights. */
  readonly scale: number;
  /** The zone lies beside where it was drawn. */
  readonly place: number;
  /** The rim that matching rounds off. */
  readonly rim: number;
  /** What was not seen. */
  readonly unseen: number;
}

/** Ends of an interval that errors to one side move, points. */
export interface OneSided {
  readonly below: number;
  readonly above: number;
}

/** The 95 % interval of a percent, 0 to 100: of terms that have nothing to do with each other. */
export function percentInterval(
  percent: number,
  terms: PercentTerms,
  { below, above }: OneSided,
): readonly [low: number, high: number] {
  const half = SIGMAS_95 * Math.hypot(...Object.values(terms));
  return [Math.max(0, percent - half - below), Math.min(100, percent + half + above)];
}

/** Edge of the square of cells that share their noise, cells: the window that is matched (7 x 7). */
const SHARED_CELLS = 7;

/** What the terms of a volume are computed from; metres, square metres, cubic metres. */
export interface VolumeErrors {
  /** Area and planned volume of what was seen. */
  readonly areaM2: number;
  readonly volumeM3: number;
  /** 0 to 1. */
  readonly share: number;
  readonly biasSigmaM: number;
  readonly cellSigmaM: number;
  /** Of the surface. */
  readonly cellM: number;
  readonly designSigmaM: number;
  readonly scaleSigma: number;
}

/**
 * Terms of a share of a volume (docs/progress-method.md#surfaces: volume error over planned volume): 0.03 m of bias over 1,000
 * m2 are 1 point of 3,000 m3, one standard deviation.
 */
export function volumeTerms(errors: VolumeErrors): Omit<PercentTerms, "place" | "rim" | "unseen"> {
  const { areaM2, volumeM3, share, cellM } = errors;
  const points = (sigmaM3: number) => (100 * sigmaM3) / volumeM3;
  return {
    bias: points(areaM2 * errors.biasSigmaM),
    noise: points(Math.sqrt(areaM2) * SHARED_CELLS * cellM * errors.cellSigmaM),
    edges: 0,
    design: points(share * areaM2 * errors.designSigmaM),
    scale: 100 * share * errors.scaleSigma,
  };
}

/**
 * Least scatter of the progress within a zone that what was not seen may differ by, 0 to 1: seen cells that are
 * all alike prove little of hidden ones. Larger widens intervals of zones seen in part.
 */
const LEAST_SPREAD = 0.1;

/**
 * What the unseen part leaves, points: it is taken to be like the seen one, and may differ from it by as
 * much as its cells do.
 * @param observed share that was seen, 0 to 1
 */
export const unseenTerm = (observed: number, spread: number): number =>
  100 * (1 - observed) * Math.max(LEAST_SPREAD, spread);

/** The rim says something else than the rest: the truth is between, evenly. */
export const rimTerm = (withRim: number, without: number): number =>
  (100 * Math.abs(withRim - without)) / Math.sqrt(3) || 0;

/** One standard deviation each, points: what the interval comes from. */
export const termFigures = (terms: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(terms).map(([name, points]) => [`${name}_points`, rounded(points, 3)]),
  );
