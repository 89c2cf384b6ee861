import { type AdjustOutcome, adjustBundle } from "../../bundle/bundle-adjust.ts";
import type { BundleProblem, BundleState } from "../../bundle/bundle-problem.ts";
import { medianSigma, residualsOf, rmsLength } from "../../bundle/residuals.ts";
import { type AcceptedTracks, acceptTracks, type BlockTracks } from "./accept-tracks.ts";
import type { MarkedPoints } from "./marked-points.ts";
import { bundlePriors, type SurveyBlock } from "./survey-block.ts";

/** One round: triangulate anew, then adjust. */
export interface Round {
  /** Standard deviation that image observations are given, pixels. */
  readonly sigmaPx: number;
  /** Observations farther off than this after triangulation are removed, pixels. */
  readonly maxErrorPx: number;
  readonly minAngleRad: number;
  readonly holdLenses: boolean;
  readonly maxIterations: number;
  readonly tolerance: number;
  readonly stepSigmas?: number;
  /** Few tracks while only poses are to be found; all when it comes to precision. */
  readonly usesAllTracks: boolean;
}

/**
 * Rays that meet at less give a depth worse than 1 / 30 of the distance at 1 px. Larger drops tie points of flat
 * strips, smaller keeps points that slide along their rays.
 */
const MIN_ANGLE_RAD = 0.03;

const EARLY = {
  maxErrorPx: Number.POSITIVE_INFINITY,
  minAngleRad: 0.02,
  maxIterations: 12,
  tolerance: 1e-2,
  usesAllTracks: false,
} as const;
const LATE = {
  minAngleRad: MIN_ANGLE_RAD,
  holdLenses: false,
  usesAllTracks: true,
} as const;

/**
 * From tags (3 degrees and 2 m at 40 m height are 100 px) down to where wrong matches stand out
 * (docs/photogrammetry.md#stages); {@link lateRound} follows.
 */
export const EARLY_ROUNDS: readonly Round[] = [
  { ...EARLY, sigmaPx: 100, holdLenses: true },
  { ...EARLY, sigmaPx: 30, holdLenses: true },
  { ...EARLY, sigmaPx: 4, holdLenses: false },
  {
    ...LATE,
    sigmaPx: 2,
    maxErrorPx: 40,
    maxIterations: 15,
    tolerance: 1e-3,
    usesAllTracks: false,
  },
];

/**
 * Keypoints of one image share errors that no model knows of (lens, rolling shutter, shadows), so that
 * many are worth fewer: their noise counts this many times over against tags and lens data, and in
 * what is reported of their precision. Evidence: 18 nadir images of a camera with f known to 1 %
 * pulled f off by 10.7 % at 1x and by 2 % at 3x, with the same residuals (0.44 px).
 */
export const NOISE_INFLATION = 4;

/** What image observations are given at last, pixels; 0.7 is that of docs/photogrammetry.md, 2 the round before. */
const LATE_SIGMA_PX = { least: 0.7, most: 2 } as const;

/** How a late round removes observations and when it ends. */
interface LateLimits {
  /** How far off its point an observation may lie: times the noise, which is taken from the median. */
  readonly sigmas: number;
  /** Limits to that, pixels. */
  readonly leastPx: number;
  readonly mostPx: number;
  readonly maxIterations: number;
  readonly tolerance: number;
  readonly stepSigmas: number;
}

/** The round that still has to straighten what wrong matches have bent. */
export const CLEANING: LateLimits = {
  ...{ sigmas: 24, leastPx: 4, mostPx: 8 },
  ...{ maxIterations: 60, tolerance: 1e-3, stepSigmas: 0.3 },
};

/**
 * The round that gives the result: it ends when a step changes the cost by at most 1e-6 of it and no
 * unknown, nor the scale, by more than 0.01 of its standard deviation.
 */
export const FINAL: LateLimits = {
  ...{ sigmas: 6, leastPx: 1, mostPx: 4 },
  ...{ maxIterations: 150, tolerance: 1e-6, stepSigmas: 0.01 },
};

/** A round with removal and weights by the noise that the residuals so far show. */
export function lateRound(limits: LateLimits, residuals: Float64Array): Round {
  const { sigmas, leastPx, mostPx, ...end } = limits;
  const maxErrorPx = clamp(sigmas * medianSigma(residuals), leastPx, mostPx);
  const noise = rmsLength(residuals.filter((r) => Math.abs(r) <= maxErrorPx)) / Math.SQRT2;
  const sigmaPx = clamp(NOISE_INFLATION * noise, LATE_SIGMA_PX.least, LATE_SIGMA_PX.most);
  return { ...LATE, ...end, sigmaPx, maxErrorPx };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

export interface RoundOutcome {
  readonly problem: BundleProblem;
  readonly accepted: AcceptedTracks;
  readonly residuals: Float64Array;
  readonly adjustment: AdjustOutcome;
}

/**
 * Standard deviation of a mark that a person made, pixels of the working size. Smaller bends the block to hasty
 * marks, larger gives careful ones away.
 */
const MARK_SIGMA_PX = 1;

/** Runs one round from `state`, whose cameras, lenses, bias and marked points it changes in place. */
export function runRound(
  block: SurveyBlock,
  state: BundleState,
  tracks: BlockTracks,
  { marks, priors, bars }: MarkedPoints,
  round: Round,
): RoundOutcome {
  const accepted = acceptTracks(block, state, tracks, round);
  const problem: BundleProblem = {
    state: { ...state, points: accepted.points },
    cameraLens: block.cameraLens,
    observations: accepted.observations,
    marks,
    markSigmaPx: MARK_SIGMA_PX,
    priors: bundlePriors(block, priors),
    bars,
  };
  const adjustment = adjustBundle(problem, round);
  const residuals = residualsOf(
    problem.state,
    accepted.points,
    accepted.observations,
    block.cameraLens,
  );
  return { problem, accepted, residuals, adjustment };
}
