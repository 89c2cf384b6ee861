import type { BundleState } from "../bundle/bundle-problem.ts";
import type { Pose } from "../camera.ts";
import { linkTracks, selectTracks, type Tracks } from "../tracks.ts";
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
import { largestConnectedGroup } from "./connected-images.ts";
import { initialPoses } from "./initial-poses.ts";
import { type MarkedPoints, markedPoints } from "./marked-points.ts";
import type { LeftOutImage, Orientation, OrientInput } from "./orientation.ts";
import { describeBlock, type SettledBlock } from "./reconstruct.ts";
import { createBlock, initialState, poseOf, type SurveyBlock } from "./survey-block.ts";

/** Tracks that a cell of an image may hold: for the early rounds, and for the result. */
const TRACKS_PER_CELL = { early: 1, all: 2 } as const;

/** Fewer cameras than this are no block. */
const MIN_CAMERAS = 3;

/** Fewer observations than this do not hold a camera, which has six unknowns. Chosen: thrice that. */
const MIN_OBSERVATIONS = 9;

/**
 * Turns verified pairs into cameras and tie points: tracks, triangulation from the tags, and a bundle
 * adjustment in rounds of falling sigma (PHOTOGRAMMETRY.md 4.1, stages 8 and 9). No image is added one
 * by one: all start from their tags at once. The same input gives the same result to the last bit.
 * @throws DOMException `AbortError` when `isCancelled` says so.
 */
export function orientSurvey(input: OrientInput): Orientation {
  const { priors, lenses, keypoints, pairs } = input;
  const group = largestConnectedGroup(priors.length, pairs);
  const { poses, leftOut: unplaced } = initialPoses(group, priors, pairs);
  const inGroup = new Set(group);
  const leftOut: LeftOutImage[] = [...unplaced];
  for (let image = 0; image < priors.length; image += 1) {
    if (!inGroup.has(image)) leftOut.push({ image, reason: "disconnected" });
  }
  const { tracks, conflicting } = linkTracks(keypoints, pairs);
  const sizes = priors.map(({ lens }) => lenses[lens]?.intrinsics ?? { widthPx: 1, heightPx: 1 });
  const chosen: ChosenTracks = {
    tracks,
    early: selectTracks(tracks, keypoints, sizes, TRACKS_PER_CELL.early),
    all: selectTracks(tracks, keypoints, sizes, TRACKS_PER_CELL.all),
  };
  const settled = settle(input, chosen, poses, leftOut);
  leftOut.sort((a, b) => a.image - b.image);
  const { reconstruction, figures } = describeBlock(input, settled);
  return {
    reconstruction,
    leftOut,
    figures: {
      connectedImages: group.length,
      connectedShare: priors.length === 0 ? 0 : group.length / priors.length,
      tracks: tracks.count,
      conflictingTracks: conflicting,
      chosenTracks: chosen.all.length,
      meanTrackLength: meanLength(tracks, chosen.all),
      ...figures,
    },
  };
}

interface ChosenTracks {
  readonly tracks: Tracks;
  readonly early: Int32Array;
  readonly all: Int32Array;
}

function meanLength({ start }: Tracks, chosen: Int32Array): number {
  if (chosen.length === 0) return 0;
  let entries = 0;
  for (const t of chosen) entries += (start[t + 1] ?? 0) - (start[t] ?? 0);
  return entries / chosen.length;
}

/**
 * Adjusts the block until every camera is held by its observations; those that are not are taken out,
 * and named in `leftOut`. `undefined` when too few cameras are left.
 */
function settle(
  input: OrientInput,
  chosen: ChosenTracks,
  poses: ReadonlyMap<number, Pose>,
  leftOut: LeftOutImage[],
): SettledBlock | undefined {
  let remaining = poses;
  let early = EARLY_ROUNDS;
  let lenses: Float64Array | undefined;
  let iterations = 0;
  while (remaining.size >= MIN_CAMERAS) {
    const block = createBlock(remaining, input.priors, input.lenses);
    const state = initialState(block, remaining);
    if (lenses) state.lenses.set(lenses);
    const adjusted = runRounds(input, block, state, chosen, early);
    iterations += adjusted.iterations;
    const held = heldPoses(block, adjusted.outcome);
    if (held.size === block.images.length) return { block, ...adjusted, iterations };
    for (const image of block.images) {
      if (!held.has(image)) leftOut.push({ image, reason: "too_few_observations" });
    }
    remaining = held;
    // Poses are good by now.
    early = EARLY_ROUNDS.slice(-1);
    lenses = adjusted.outcome.problem.state.lenses;
  }
  for (const image of remaining.keys()) leftOut.push({ image, reason: "too_few_observations" });
  return undefined;
}

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
): AdjustedBlock {
  const marked = markedPoints(block, start, input.control, input.scaleBars);
  const state = { ...start, marked: marked.points.slice() };
  const few = tracksOfBlock(block, input.keypoints, tracks, early);
  const many = tracksOfBlock(block, input.keypoints, tracks, all);
  let iterations = 0;
  const run = (round: Round, done: number): RoundOutcome => {
    if (input.isCancelled?.()) throw new DOMException("orientation was cancelled", "AbortError");
    const outcome = runRound(block, state, round.usesAllTracks ? many : few, marked, round);
    iterations += outcome.iterations;
    input.onProgress?.(done / (earlyRounds.length + 2));
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
