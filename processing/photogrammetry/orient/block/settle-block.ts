import type { BundleState } from "../../bundle/bundle-problem.ts";
import type { Pose } from "../../camera/camera.ts";
import type { CameraPrior } from "../../camera/camera-prior.ts";
import type { Tracks } from "../../matching/tracks.ts";
import type { VerifiedPair } from "../../matching/verified-pair.ts";
import { tracksOfBlock } from "./accept-tracks.ts";
import {
  CLEANING,
  EARLY_ROUNDS,
  FINAL,
  lateRound,
  type Round,
  type RoundOutcome,
  runRound,
} from "./anneal.ts";
import { initialPoses } from "./initial-poses.ts";
import { type MarkedPoints, markedPoints } from "./marked-points.ts";
import type { OrientInput } from "./orientation.ts";
import { createBlock, initialState, poseOf, type SurveyBlock } from "./survey-block.ts";

/** Fewer cameras than this are not a block. */
const MIN_CAMERAS = 3;

/**
 * Fewer observations than this do not hold a camera, which has six unknowns. That is thrice as many numbers as
 * unknowns: fewer let a wrong match turn a camera, more leave images out at the edge.
 */
const MIN_OBSERVATIONS = 9;

/**
 * Share of the progress left that a pass over the block takes: another may have to follow. Only the progress that
 * is shown depends on it: less leaves more for passes that may not come.
 */
const PASS_SHARE = 0.9;

/** Tracks to adjust with: few while poses are found, all for the result. */
export interface ChosenTracks {
  readonly tracks: Tracks;
  readonly early: Int32Array;
  readonly all: Int32Array;
}

/** A block whose adjustment has come to rest. */
export interface SettledBlock {
  readonly block: SurveyBlock;
  readonly outcome: RoundOutcome;
  readonly marked: MarkedPoints;
}

export interface Settlement {
  /** `undefined` when too few cameras are left. */
  readonly settled: SettledBlock | undefined;
  /** Images whose observations did not hold them. */
  readonly unheld: readonly number[];
  /** Images whose attitude by tags was given up for that of a neighbour, and which are held by it. */
  readonly distrusted: readonly number[];
  /** Steps of Levenberg-Marquardt over all rounds. */
  readonly iterations: number;
}

/** Where an adjustment begins that is not the first of its block. */
export interface SettleStart {
  /** Rounds before the late ones. */
  readonly early: readonly Round[];
  /** Lens values, seven a lens; absent: as the priors have them. */
  readonly lenses?: Float64Array;
}

/**
 * Adjusts the block until its observations hold every camera. One that they do not hold may have false
 * tags: it gets a second chance with a pose from its neighbours, and is then taken out.
 */
export function settleBlock(
  input: OrientInput,
  chosen: ChosenTracks,
  poses: ReadonlyMap<number, Pose>,
  start: SettleStart = { early: EARLY_ROUNDS },
): Settlement {
  const priors = [...input.priors];
  const distrusted = new Set<number>();
  const unheld: number[] = [];
  let present = poses;
  let { early, lenses } = start;
  let iterations = 0;
  let reported = 0;
  while (present.size >= MIN_CAMERAS) {
    const block = createBlock(present, priors, input.lenses);
    const state = initialState(block, present);
    if (lenses) state.lenses.set(lenses);
    const from = reported;
    const adjusted = runRounds(input, block, state, chosen, early, (share) => {
      reported = from + (1 - from) * PASS_SHARE * share;
      input.onProgress?.(reported);
    });
    iterations += adjusted.iterations;
    const held = heldPoses(block, adjusted.outcome);
    if (held.size === block.images.length) {
      const settled = { block, ...adjusted };
      input.onProgress?.(1);
      return { settled, unheld, distrusted: [...distrusted].sort((a, b) => a - b), iterations };
    }
    for (const image of block.images) {
      if (held.has(image)) continue;
      if (distrusted.delete(image)) unheld.push(image);
      else {
        distrusted.add(image);
        priors[image] = withoutAttitude(priors[image]);
      }
    }
    present = placeAgain(held, [...held.keys(), ...distrusted], priors, input.pairs);
    for (const image of distrusted) {
      if (present.has(image)) continue;
      distrusted.delete(image);
      unheld.push(image);
    }
    early = EARLY_ROUNDS.slice(-2);
    lenses = adjusted.outcome.problem.state.lenses;
  }
  unheld.push(...present.keys());
  return { settled: undefined, unheld, distrusted: [], iterations };
}

function withoutAttitude(prior: CameraPrior | undefined): CameraPrior {
  if (!prior) throw new RangeError("an image of the block has no prior");
  return { ...prior, rotation: undefined };
}

/**
 * Poses as adjusted; images that have none are placed from their neighbours alone, for either tag may
 * be false, and only where that fails with the position by their tags.
 */
function placeAgain(
  held: ReadonlyMap<number, Pose>,
  images: readonly number[],
  priors: readonly CameraPrior[],
  pairs: readonly VerifiedPair[],
): ReadonlyMap<number, Pose> {
  const untagged = priors.map((prior) => ({ ...prior, centre: undefined }));
  const place = (from: readonly CameraPrior[], known: ReadonlyMap<number, Pose>) =>
    initialPoses(
      images,
      from.map((prior, image) => ({ ...prior, ...known.get(image) })),
      pairs,
    ).poses;
  return place(priors, place(untagged, held));
}

/** What rounds leave of a block. */
interface AdjustedBlock {
  readonly outcome: RoundOutcome;
  readonly marked: MarkedPoints;
  readonly iterations: number;
}

function runRounds(
  input: OrientInput,
  block: SurveyBlock,
  start: BundleState,
  { tracks, early, all }: ChosenTracks,
  earlyRounds: readonly Round[],
  onProgress: (share: number) => void,
): AdjustedBlock {
  const marked = markedPoints(block, start, input.control, input.scaleBars);
  const state = { ...start, marked: marked.points.slice() };
  const few = tracksOfBlock(block, input.keypoints, tracks, early);
  const many = tracksOfBlock(block, input.keypoints, tracks, all);
  let iterations = 0;
  const run = (round: Round, done: number): RoundOutcome => {
    if (input.isCancelled?.()) throw new DOMException("orientation was cancelled", "AbortError");
    const outcome = runRound(block, state, round.usesAllTracks ? many : few, marked, round);
    iterations += outcome.adjustment.iterations;
    onProgress(done / (earlyRounds.length + 2));
    return outcome;
  };
  let residuals: Float64Array = new Float64Array(0);
  earlyRounds.forEach((round, i) => {
    residuals = run(round, i + 1).residuals;
  });
  const cleaned = run(lateRound(CLEANING, residuals), earlyRounds.length + 1);
  const outcome = run(lateRound(FINAL, cleaned.residuals), earlyRounds.length + 2);
  return { outcome, marked, iterations };
}

/** Poses of the cameras that enough observations hold, by image. */
function heldPoses(block: SurveyBlock, { problem }: RoundOutcome): ReadonlyMap<number, Pose> {
  const counts = new Int32Array(block.images.length);
  for (const camera of problem.observations.camera) counts[camera] = (counts[camera] ?? 0) + 1;
  const held = new Map<number, Pose>();
  block.images.forEach((image, camera) => {
    if ((counts[camera] ?? 0) >= MIN_OBSERVATIONS) held.set(image, poseOf(problem.state, camera));
  });
  return held;
}
