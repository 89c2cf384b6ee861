import { upperMedian } from "../../../numeric/median.ts";
import type { BundleProblem } from "../../bundle/bundle-problem.ts";

/**
 * Least standard deviation that residuals may claim for a position, metres, however small they are by
 * chance (docs/photogrammetry.md#uncertainty-of-a-volume).
 */
const LEAST_SIGMA_M = { gps: 0.5, rtk: 0.02 } as const;

/**
 * Times the median horizontal residual (of white noise, 1.18 sigma) beyond which a position is false and says
 * nothing about the others: their adjustment gives it no weight either. Two of 18 tags 60 to 120 m off made
 * 20 m of a spread of 0.9 m, and a scale known to 1.9 % one of 26 %.
 */
const FALSE_MEDIANS = 6;

/** Unknowns of a similarity: what a block of cameras takes from its positions. */
const SIMILARITY_UNKNOWNS = 7;

/** How far positions by tags lie from the adjusted ones. */
export interface PositionResiduals {
  /** Adjusted less tagged (its flight's bias taken off), ENU metres, three a camera; NaN = no position. */
  readonly residuals: Float64Array;
  /**
   * Standard deviation about their mean, of those that are not false: horizontal (both axes pooled)
   * and vertical, metres.
   */
  readonly std: { readonly horizontal: number; readonly vertical: number } | undefined;
}

export function positionResiduals({ state, priors }: BundleProblem): PositionResiduals {
  const residuals = priors.centres.map((tagged, i) => {
    if ((priors.centreSigma[i] ?? 0) <= 0) return Number.NaN;
    const biasOf = priors.biasOf[Math.floor(i / 3)] ?? -1;
    const bias = biasOf >= 0 ? (state.bias[biasOf * 3 + (i % 3)] ?? 0) : 0;
    return (state.centres[i] ?? 0) + bias - tagged;
  });
  const isTrue = trueOf(residuals, priors.sharesBias);
  return { residuals, std: spreadOf(residuals, isTrue) };
}

/** Separates the positions that fit from the false ones. */
function trueOf(residuals: Float64Array, sharesBias: Uint8Array): (camera: number) => boolean {
  const lengths = Array.from({ length: residuals.length / 3 }, (_, camera) =>
    Math.hypot(residuals[camera * 3] ?? 0, residuals[camera * 3 + 1] ?? 0),
  );
  const median = upperMedian(lengths.filter((length) => !Number.isNaN(length))) ?? 0;
  return (camera) => {
    const least = sharesBias[camera] === 1 ? LEAST_SIGMA_M.gps : LEAST_SIGMA_M.rtk;
    return (lengths[camera] ?? 0) <= FALSE_MEDIANS * Math.max(median, least);
  };
}

/**
 * Standard deviations of positions by the residuals, for the covariance: those of the tags are a guess (a
 * receiver without RTK) or a claim (one with).
 */
export function settledPositionSigmas(problem: BundleProblem): Float64Array {
  const { priors } = problem;
  const { residuals } = positionResiduals(problem);
  const isTrue = trueOf(residuals, priors.sharesBias);
  const found = [0, 1].map((shares) =>
    spreadOf(residuals, (camera) => priors.sharesBias[camera] === shares && isTrue(camera)),
  );
  return priors.centreSigma.map((sigma, i) => {
    const camera = Math.floor(i / 3);
    if (sigma <= 0 || !isTrue(camera)) return 0;
    const sharesBias = priors.sharesBias[camera] === 1;
    const spread = found[sharesBias ? 1 : 0];
    const std = (i % 3 === 2 ? spread?.vertical : spread?.horizontal) ?? sigma;
    return sharesBias ? Math.max(std, LEAST_SIGMA_M.gps) : Math.max(std, sigma, LEAST_SIGMA_M.rtk);
  });
}

function spreadOf(residuals: Float64Array, counts: (camera: number) => boolean) {
  const axes = [0, 1, 2].map((axis) =>
    [...residuals].filter(
      (r, i) => i % 3 === axis && !Number.isNaN(r) && counts(Math.floor(i / 3)),
    ),
  );
  const count = axes[0]?.length ?? 0;
  if (count < 3) return undefined;
  // The block follows its positions by seven unknowns, which hides as much of their scatter.
  const inflation = (3 * count) / (3 * count - SIMILARITY_UNKNOWNS);
  const [east = 0, north = 0, up = 0] = axes.map((values) => variance(values) * inflation);
  return { horizontal: Math.sqrt((east + north) / 2), vertical: Math.sqrt(up) };
}

function variance(values: readonly number[]): number {
  const mean = values.reduce((sum, r) => sum + r, 0) / values.length;
  return values.reduce((sum, r) => sum + (r - mean) ** 2, 0) / values.length;
}
