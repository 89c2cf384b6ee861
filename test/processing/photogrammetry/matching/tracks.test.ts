import { describe, expect, it } from "vitest";
import { linkTracks, selectTracks } from "../../../../processing/photogrammetry/matching/tracks.ts";
import type { VerifiedPair } from "../../../../processing/photogrammetry/matching/verified-pair.ts";

const image = (...pixels: readonly (readonly [number, number])[]) => ({
  count: pixels.length,
  x: Float32Array.from(pixels, ([x]) => x),
  y: Float32Array.from(pixels, ([, y]) => y),
});
const pair = (first: number, second: number, ...matches: number[]): VerifiedPair => ({
  first,
  second,
  candidates: matches.length / 2,
  matches: Uint32Array.from(matches),
  rotation: new Float64Array(9),
  direction: [1, 0, 0],
});
const three = [image([1, 1], [2, 2]), image([3, 3], [4, 4]), image([5, 5], [6, 6])];

describe("tracks", () => {
  it("tracks link keypoints through the image between", () => {
    const { tracks, conflicting } = linkTracks(three, [pair(0, 1, 0, 1), pair(1, 2, 1, 0)]);
    expect(conflicting).toBe(0);
    expect(tracks).toEqual({
      count: 1,
      start: Int32Array.of(0, 3),
      image: Int32Array.of(0, 1, 2),
      keypoint: Int32Array.of(0, 1, 0),
    });
  });

  it("tracks are dropped when they hold two keypoints of one image, and others stay", () => {
    const pairs = [pair(0, 1, 0, 0), pair(1, 2, 0, 0, 1, 1), pair(0, 2, 1, 0)];
    const { tracks, conflicting } = linkTracks(three, pairs);
    expect(conflicting).toBe(1);
    expect([...tracks.image]).toEqual([1, 2]);
    expect([...tracks.keypoint]).toEqual([1, 1]);
  });

  it("tracks come out the same whatever the order of the pairs", () => {
    const pairs = [pair(0, 1, 0, 1, 1, 0), pair(1, 2, 1, 0, 0, 1), pair(0, 2, 0, 0)];
    expect(linkTracks(three, pairs.toReversed())).toEqual(linkTracks(three, pairs));
  });

  it("tracks are thinned out in a cell, long ones kept, and kept where one image has room", () => {
    // Two cells of the first image, 75 px wide: three tracks in one, one in the other.
    const a = image([10, 10], [12, 12], [14, 14], [200, 10]);
    const b = image([10, 10], [12, 12], [14, 14], [10, 10]);
    const c = image([9, 9]);
    const { tracks } = linkTracks(
      [a, b, c],
      [pair(0, 1, 0, 0, 1, 1, 2, 2, 3, 3), pair(1, 2, 1, 0)],
    );
    const sizes = Array.from({ length: 3 }, () => ({ widthPx: 1200, heightPx: 900 }));
    // The long one (keypoint 1), the first of the others in that cell, and the one with a cell of its own.
    const keypointsOf = (chosen: Int32Array) =>
      [...chosen].map((t) => tracks.keypoint[tracks.start[t] ?? 0]);
    expect(keypointsOf(selectTracks(tracks, [a, b, c], sizes, 1))).toEqual([1, 3]);
    expect(keypointsOf(selectTracks(tracks, [a, b, c], sizes, 2))).toEqual([1, 0, 3]);
  });
});
