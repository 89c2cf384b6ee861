import { describe, expect, it } from "vitest";
import {
  angleBetween,
  compose,
  rotationFromVector,
} from "../../../../processing/geometry/rotation.ts";
import type { CameraPrior } from "../../../../processing/photogrammetry/camera/camera-prior.ts";
import {
  type TagVote,
  voteOnTags,
} from "../../../../processing/photogrammetry/matching/tag-vote.ts";
import { flownBlock, type TrueCamera, taggedPriors, truePairs } from "../../../support/block.ts";

const FLIP = Float64Array.of(-1, 0, 0, 0, -1, 0, 0, 0, 1);
const cameras = flownBlock(5, 4);
const pairs = truePairs(cameras, 3);

/** The same images with pixels turned round: the true camera is turned, the tags are not. */
function viewedUpsideDown(turned: readonly number[], all = cameras): readonly TrueCamera[] {
  return all.map((camera, i) =>
    turned.includes(i) ? { ...camera, rotation: compose(FLIP, camera.rotation) } : camera,
  );
}

function withoutTags(priors: readonly CameraPrior[], images: readonly number[]) {
  return priors.map((prior, i) =>
    images.includes(i) ? { ...prior, rotation: undefined, rotationSigmaRad: 0.25 } : prior,
  );
}

function worstErrorDeg(vote: TagVote, truth: readonly TrueCamera[]): number {
  const errors = vote.priors.map(({ rotation }, i) => {
    const camera = truth[i];
    if (rotation === undefined || camera === undefined) return 180;
    return (angleBetween(rotation, camera.rotation) * 180) / Math.PI;
  });
  return Math.max(...errors);
}

describe("voteOnTags", () => {
  it("voteOnTags leaves tags alone that agree with the pictures but for their errors of 2 degrees", () => {
    const priors = taggedPriors(cameras, 1);
    const vote = voteOnTags(priors, pairs);

    expect(vote).toMatchObject({ flipped: [], conflicting: [], filled: [], priors });
    // Two attitudes of 2 degrees an axis each, and half a degree of the pair.
    expect(vote.disagreementRad).toBeGreaterThan(0.02);
    expect(vote.disagreementRad).toBeLessThan(0.1);
  });

  it("voteOnTags finds six of 20 images turned by 180 degrees, and turns their priors", () => {
    const turned = [6, 7, 8, 9, 10, 11];
    const truth = viewedUpsideDown(turned);
    const vote = voteOnTags(taggedPriors(cameras, 1), truePairs(truth, 3));

    expect(vote.flipped).toEqual(turned);
    expect(vote.conflicting).toEqual([]);
    expect(worstErrorDeg(vote, truth)).toBeLessThan(8);
  });

  it("voteOnTags finds 14 of 20 images turned: GPS shows that the majority is wrong", () => {
    const turned = Array.from({ length: 14 }, (_, i) => i + 6);
    const vote = voteOnTags(taggedPriors(cameras, 1), truePairs(viewedUpsideDown(turned), 3));

    expect(vote.flipped).toEqual(turned);
  });

  it("voteOnTags goes by the majority where no image has a position", () => {
    const priors = taggedPriors(cameras, 1).map((prior) => ({ ...prior, centre: undefined }));
    const vote = voteOnTags(priors, truePairs(viewedUpsideDown([2, 3]), 3));

    expect(vote.flipped).toEqual([2, 3]);
  });

  it("voteOnTags names an image whose tags are 70 degrees off and takes its neighbours' word", () => {
    const priors = taggedPriors(cameras, 1).map((prior, i) =>
      i === 7 && prior.rotation !== undefined
        ? { ...prior, rotation: compose(rotationFromVector([0, 1.2, 0]), prior.rotation) }
        : prior,
    );
    const vote = voteOnTags(priors, pairs);

    expect(vote.conflicting).toEqual([7]);
    expect(vote.flipped).toEqual([]);
    expect(vote.priors[7]?.rotationSigmaRad).toBe(0.1);
    expect(worstErrorDeg(vote, cameras)).toBeLessThan(8);
  });

  it("voteOnTags counts an image whose yaw is 150 degrees off as false tags, not as a turned image", () => {
    const priors = taggedPriors(cameras, 1).map((prior, i) =>
      i === 7 && prior.rotation !== undefined
        ? { ...prior, rotation: compose(rotationFromVector([0, 0, 2.6]), prior.rotation) }
        : prior,
    );

    expect(voteOnTags(priors, pairs)).toMatchObject({ conflicting: [7], flipped: [] });
  });

  it("voteOnTags gives images without tags the rotation that their neighbours' tags and pairs come to", () => {
    const vote = voteOnTags(withoutTags(taggedPriors(cameras, 1), [0, 3, 12, 13]), pairs);

    expect(vote.filled).toEqual([0, 3, 12, 13]);
    expect(vote.priors[12]?.rotationSigmaRad).toBe(0.1);
    expect(worstErrorDeg(vote, cameras)).toBeLessThan(8);
  });

  it("voteOnTags finds all rotations by GPS baselines when no image has tags, also of oblique images", () => {
    const all = cameras.map((_, i) => i);
    const oblique = flownBlock(5, 4, -60);

    const nadirVote = voteOnTags(withoutTags(taggedPriors(cameras, 1), all), pairs);
    const obliqueVote = voteOnTags(
      withoutTags(taggedPriors(oblique, 1), all),
      truePairs(oblique, 3),
    );

    expect(nadirVote.filled).toEqual(all);
    expect(nadirVote.priors[0]?.rotationSigmaRad).toBe(0.25);
    expect(worstErrorDeg(nadirVote, cameras)).toBeLessThan(4);
    expect(worstErrorDeg(obliqueVote, oblique)).toBeLessThan(6);
  });

  it("voteOnTags leaves an image without tags and without pairs as it was", () => {
    const priors = withoutTags(taggedPriors(cameras, 1), [19]);
    const vote = voteOnTags(
      priors,
      pairs.filter(({ second }) => second !== 19),
    );

    expect(vote.priors[19]).toEqual(priors[19]);
    expect(vote.filled).toEqual([]);
  });
});
