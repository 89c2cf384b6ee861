import { levelHeights } from "../matching/level-heights.ts";
import { linkTracks, selectTracks, type Tracks } from "../matching/tracks.ts";
import { adjustSurvey } from "./adjust-survey.ts";
import { initialPoses } from "./block/initial-poses.ts";
import type { LeftOutImage, Orientation, OrientInput } from "./block/orientation.ts";
import { canBeFitted } from "./control/controlled-block.ts";
import { largestConnectedGroup } from "./network/connected-images.ts";
import { consistentPairs } from "./network/consistent-pairs.ts";
import { freeNetwork } from "./network/free-network.ts";
import { joinFlights } from "./network/join-flights.ts";
import { asStored, asTaken } from "./network/turned-images.ts";
import { describeBlock } from "./reconstruct.ts";

/** Tracks that a cell of an image may hold: for the early rounds, and for the result. */
const TRACKS_PER_CELL = { early: 1, all: 2 } as const;

/**
 * Turns verified pairs into cameras and tie points: tracks, triangulation from the tags, and a bundle
 * adjustment in rounds of falling sigma (docs/photogrammetry.md#stages). No image is added one
 * by one: all start from their tags at once. The same input gives the same result to the last bit.
 * Turned images are adjusted as they were taken.
 * @throws DOMException `AbortError` when `isCancelled` says so.
 */
export function orientSurvey(input: OrientInput): Orientation {
  const { turned = [] } = input;
  if (turned.length === 0) return orientTaken(input);
  return asStored(orientTaken(asTaken(input, turned)), turned);
}

function orientTaken(input: OrientInput): Orientation {
  const { lenses, keypoints } = input;
  const { priors: levelled, agreement } = levelHeights(input.priors, input.pairs);
  const priors = joinFlights(levelled, input.pairs);
  const hasLens = (image: number) => lenses[priors[image]?.lens ?? -1] !== undefined;
  const pairs = input.pairs.filter(({ first, second }) => hasLens(first) && hasLens(second));
  const group = largestConnectedGroup(priors.length, pairs).filter(hasLens);
  const isFitted = canBeFitted(input.control);
  const isFree = isFitted && group.every((image) => priors[image]?.centre === undefined);
  const inGroup = new Set(group);
  const leftOut: LeftOutImage[] = [];
  for (let image = 0; image < priors.length; image += 1) {
    if (!hasLens(image)) leftOut.push({ image, reason: "no_lens" });
    else if (!inGroup.has(image)) leftOut.push({ image, reason: "disconnected" });
  }
  const { tracks, conflicting } = linkTracks(keypoints, isFree ? consistentPairs(pairs) : pairs);
  const sizes = priors.map(({ lens }) => lenses[lens]?.intrinsics ?? { widthPx: 1, heightPx: 1 });
  const chosen = {
    tracks,
    early: selectTracks(tracks, keypoints, sizes, TRACKS_PER_CELL.early),
    all: selectTracks(tracks, keypoints, sizes, TRACKS_PER_CELL.all),
  };
  const start = isFree ? undefined : initialPoses(group, priors, pairs);
  leftOut.push(...(start?.leftOut ?? []));
  const poses =
    start?.poses ??
    freeNetwork({
      imageCount: priors.length,
      lensOf: (image) => lenses[priors[image]?.lens ?? -1]?.intrinsics,
      keypoints,
      pairs,
      tracks,
      chosen: chosen.early,
    });
  if (isFree) {
    const reason = priors.some(({ rotation }) => rotation) ? "no_position" : "no_attitude";
    for (const image of group) if (!poses.has(image)) leftOut.push({ image, reason });
  }
  const adjusted = adjustSurvey({ ...input, priors, pairs }, chosen, poses, isFree);
  const { settled, unheld, distrusted, iterations, straight, control } = adjusted;
  for (const image of unheld) leftOut.push({ image, reason: "too_few_observations" });
  leftOut.sort((a, b) => a.image - b.image);
  const { reconstruction, figures } = describeBlock(
    input,
    settled,
    { heights: agreement, straight },
    control,
  );
  return {
    reconstruction,
    leftOut,
    ...(control?.isContradicted && { contradictedRmsM: control.fitRmsM }),
    figures: {
      connectedImages: group.length,
      connectedShare: priors.length === 0 ? 0 : group.length / priors.length,
      tracks: tracks.count,
      conflictingTracks: conflicting,
      chosenTracks: chosen.all.length,
      meanTrackLength: meanLength(tracks, chosen.all),
      distrustedAttitudes: distrusted,
      iterations,
      ...figures,
    },
  };
}

function meanLength({ start }: Tracks, chosen: Int32Array): number {
  if (chosen.length === 0) return 0;
  let entries = 0;
  for (const t of chosen) entries += (start[t + 1] ?? 0) - (start[t] ?? 0);
  return entries / chosen.length;
}
