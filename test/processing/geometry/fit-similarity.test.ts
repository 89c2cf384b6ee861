import { describe, expect, it } from "vitest";
import { createEnuFrame } from "../../../processing/geometry/enu.ts";
import { fitSimilarity } from "../../../processing/geometry/fit-similarity.ts";
import { angleBetween, rotationFromVector } from "../../../processing/geometry/rotation.ts";
import {
  applySimilarity,
  betweenFrames,
  chainSimilarities,
  invertSimilarity,
  type Similarity,
} from "../../../processing/geometry/similarity.ts";
import { seededRandom } from "../../support/seeded-random.ts";

const TRUE: Similarity = {
  scale: 1.013,
  rotation: rotationFromVector([0.02, -0.03, 0.7]),
  translation: [3.2, -1.7, 42],
};

/** 36 cameras in six strips of six over 50 x 40 m, heights within 3 m. */
function cameras(): Float64Array {
  const random = seededRandom(5);
  return Float64Array.from({ length: 36 * 3 }, (_, k) => {
    const i = Math.floor(k / 3);
    return [(i % 6) * 10, Math.floor(i / 6) * 8, 3 * random()][k % 3] ?? 0;
  });
}

function moved(points: Float64Array, by: Similarity, sigmaM: number, seed = 7): Float64Array {
  const random = seededRandom(seed);
  const noise = () =>
    sigmaM * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const out = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 3) {
    const p = applySimilarity(by, [points[i] ?? 0, points[i + 1] ?? 0, points[i + 2] ?? 0]);
    out.set(
      p.map((value) => value + noise()),
      i,
    );
  }
  return out;
}

describe("similarity between two sets of cameras", () => {
  it("the similarity between two sets of cameras is found to the last digits where the points are exact", () => {
    const found = fitSimilarity(cameras(), moved(cameras(), TRUE, 0));
    expect(found?.scale).toBeCloseTo(TRUE.scale, 9);
    expect(angleBetween(found?.rotation ?? TRUE.rotation, TRUE.rotation)).toBeLessThan(1e-9);
    expect(found?.translation[2]).toBeCloseTo(42, 7);
    expect(found?.used).toBe(36);
    expect(found?.rmsM).toBeLessThan(1e-8);
  });

  it("the similarity between two sets of cameras keeps its scale within the stated sigma over 200 draws of 3 cm, and no better than that", () => {
    const errors = Array.from({ length: 200 }, (_, seed) => {
      const found = fitSimilarity(cameras(), moved(cameras(), TRUE, 0.03, seed + 1));
      return ((found?.scale ?? 0) - TRUE.scale) / (found?.scaleSigma ?? 0);
    });
    const rms = Math.sqrt(errors.reduce((sum, e) => sum + e * e, 0) / errors.length);
    // The rms of 200 draws of a standard normal scatters by 5 %; weights and estimated sigmas add some.
    expect(rms).toBeGreaterThan(0.8);
    expect(rms).toBeLessThan(1.2);
  });

  it("the similarity between two sets of cameras does not follow 8 of 36 cameras that moved by 5 to 60 m", () => {
    const to = moved(cameras(), TRUE, 0.02);
    const random = seededRandom(9);
    for (let i = 0; i < 8; i += 1) {
      const at = 3 * (1 + 4 * i) + (i % 3);
      to[at] = (to[at] ?? 0) + 5 + 55 * random();
    }
    const found = fitSimilarity(cameras(), to);
    // 2 cm over 28 cameras that spread by 24 m: 1.6e-4.
    expect(Math.abs((found?.scale ?? 0) - TRUE.scale)).toBeLessThan(5e-4);
    expect(found?.used).toBeGreaterThan(25);
    expect(found?.used).toBeLessThan(29);
    expect(found?.rmsM).toBeGreaterThan(0.02);
    expect(found?.rmsM).toBeLessThan(0.05);
  });

  it("the similarity is undefined for three points and for a line of points", () => {
    const line = Float64Array.from({ length: 30 }, (_, k) => (k % 3 === 0 ? k : 0));
    expect(fitSimilarity(line, moved(line, TRUE, 0))).toBeUndefined();
    const three = cameras().slice(0, 9);
    expect(fitSimilarity(three, moved(three, TRUE, 0))).toBeUndefined();
  });
});

describe("change of frame", () => {
  it("a change of frame undoes itself and chains", () => {
    const p = [4, 5, 6] as const;
    const both = chainSimilarities(invertSimilarity(TRUE), TRUE);
    applySimilarity(both, p).forEach((value, axis) => {
      expect(value).toBeCloseTo(p[axis] ?? 0, 10);
    });
  });

  it("a change of frame between two surveys 400 m apart keeps places on the ellipsoid", () => {
    const from = { latDeg: 47.1, lonDeg: 8.2, heightM: 500 };
    const to = { latDeg: 47.1025, lonDeg: 8.2035, heightM: 530 };
    const place = [30, -20, 5] as const;
    const expected = createEnuFrame(to).toEnu(createEnuFrame(from).toGeodetic(place));
    applySimilarity(betweenFrames(from, to), place).forEach((value, axis) => {
      expect(value).toBeCloseTo(expected[axis] ?? 0, 7);
    });
  });
});
