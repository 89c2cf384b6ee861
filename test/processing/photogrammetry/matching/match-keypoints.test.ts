import { describe, expect, it } from "vitest";
import { matchKeypoints } from "../../../../processing/photogrammetry/matching/match-keypoints.ts";
import { keypointsAt } from "../../../support/keypoints.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

const LENGTH = 128;

/** Descriptors of length 512: `count` random ones. */
function descriptors(count: number, random: () => number): number[][] {
  return Array.from({ length: count }, () => {
    const raw = Array.from({ length: LENGTH }, () => random() ** 4);
    return scaled(raw);
  });
}

function scaled(raw: readonly number[]): number[] {
  const length = Math.hypot(...raw);
  return raw.map((value) => Math.min(255, Math.round((512 * value) / length)));
}

function keypoints(rows: readonly (readonly number[])[]) {
  return keypointsAt(
    rows.map(() => [0, 0]),
    [],
    Uint8Array.from(rows.flat()),
  );
}

/** The rule in plain loops: nearest in both directions by product, ratio 0.8 of distances at length 512. */
function plainMatches(a: readonly number[][], b: readonly number[][]): number[] {
  const products = a.map((p) =>
    b.map((q) => p.reduce((sum, value, k) => sum + value * (q[k] ?? 0), 0)),
  );
  const out: number[] = [];
  products.forEach((row, i) => {
    const sorted = row.toSorted((x, y) => y - x);
    const j = row.indexOf(sorted[0] ?? 0);
    const column = products.map((other) => other[j] ?? 0);
    if (column.indexOf(Math.max(...column)) !== i) return;
    const distance2 = (product = 0) => Math.max(0, 2 * (512 ** 2 - product));
    if (distance2(sorted[0]) < 0.64 * distance2(sorted[1])) out.push(i, j);
  });
  return out;
}

describe("matchKeypoints", () => {
  it.each([
    [61, 58],
    [60, 59],
    [7, 9],
    [64, 5],
  ])("matchKeypoints finds what plain loops find among %i and %i keypoints", (countA, countB) => {
    const random = seededRandom(countA);
    const a = descriptors(countA, random);
    // Half of the second image's are noisy copies of the first's, in another order.
    const b = descriptors(countB, random).map((row, j) => {
      const source = a[(j * 11) % countA];
      if (j % 2 === 0 || source === undefined) return row;
      return scaled(source.map((value) => value + 30 * random()));
    });
    const expected = plainMatches(a, b);

    expect(expected.length).toBeGreaterThan(0);
    expect([...matchKeypoints(keypoints(a), keypoints(b))]).toEqual(expected);
  });

  it("matchKeypoints decides as plain loops do where ratios and both directions are close, 20 times", () => {
    let passed = 0;
    let nearlyPassed = 0;
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = seededRandom(seed);
      // Few kinds of descriptors, each with small differences: nearest and second nearest are alike.
      const kinds = descriptors(40, random);
      const some = () => kinds[Math.floor(kinds.length * random())] ?? [];
      const varied = () => scaled(some().map((value) => value + 40 * random() ** 3));
      const a = Array.from({ length: 90 }, varied);
      const b = Array.from({ length: 77 }, varied);
      const expected = plainMatches(a, b);
      passed += expected.length;
      nearlyPassed += a.length - expected.length / 2;
      expect([...matchKeypoints(keypoints(a), keypoints(b))]).toEqual(expected);
    }
    expect(passed).toBeGreaterThan(200);
    expect(nearlyPassed).toBeGreaterThan(200);
  });

  it("matchKeypoints takes descriptors of one value, of zeros, and of none alike", () => {
    const one = (place: number) =>
      Array.from({ length: LENGTH }, (_, i) => (i === place ? 255 : 0));
    const none = new Array<number>(LENGTH).fill(0);
    const a = [none, one(0), one(1), one(127), one(64)];
    const b = [one(127), none, one(0), one(2), one(64), one(64)];

    expect([...matchKeypoints(keypoints(a), keypoints(b))]).toEqual(plainMatches(a, b));
  });

  it("matchKeypoints refuses a keypoint with two equal candidates: the ratio is 1", () => {
    const [row = [], other = []] = descriptors(2, seededRandom(1));

    expect([...matchKeypoints(keypoints([row]), keypoints([row, row, other]))]).toEqual([]);
    expect([...matchKeypoints(keypoints([row]), keypoints([other, row]))]).toEqual([0, 1]);
  });

  it("matchKeypoints finds nothing in an image without keypoints", () => {
    const some = keypoints(descriptors(9, seededRandom(1)));

    expect([...matchKeypoints(some, keypoints([]))]).toEqual([]);
    expect([...matchKeypoints(keypoints([]), some)]).toEqual([]);
  });

  it("matchKeypoints takes no notice of what a larger pair of images left in memory", () => {
    const random = seededRandom(5);
    const [a, b] = [descriptors(5, random), descriptors(6, random)];
    const before = matchKeypoints(keypoints(a), keypoints([...a, ...b]));
    matchKeypoints(keypoints(descriptors(90, random)), keypoints(descriptors(80, random)));

    expect(matchKeypoints(keypoints(a), keypoints([...a, ...b]))).toEqual(before);
    expect([...before]).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
  });
});
