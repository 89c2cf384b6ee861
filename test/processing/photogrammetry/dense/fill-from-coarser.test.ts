import { expect, it } from "vitest";
import { fillFromCoarser } from "../../../../processing/photogrammetry/dense/fill-from-coarser.ts";

const frame = { westM: 10, northM: 20 };
/** Four cells of 1 m, of which the south-west one is matched in two views only. */
const coarse = {
  ...{ ...frame, cellM: 1, width: 2, height: 2 },
  elevationM: Float32Array.of(1, 2, 3, Number.NaN),
  score: Float32Array.of(0.9, 0.4, 0.8, Number.NaN),
  views: Uint8Array.of(3, 5, 2, 0),
};

it("cells without a height take the coarser one's, with a score that states its error; others stay", () => {
  const elevationM = new Float32Array(16).fill(Number.NaN);
  elevationM[0] = 7;
  const fine = {
    ...{ ...frame, cellM: 0.5, width: 4, height: 4 },
    elevationM,
    score: new Float32Array(16).fill(0.1),
    views: new Uint8Array(16).fill(1),
  };
  const filled = fillFromCoarser(fine, coarse);
  const nan = Number.NaN;
  expect([...filled.elevationM]).toEqual([
    ...[7, 1, 2, 2],
    ...[1, 1, 2, 2],
    ...[nan, nan, nan, nan],
    ...[nan, nan, nan, nan],
  ]);
  expect(filled.views.slice(0, 4)).toEqual(Uint8Array.of(1, 3, 5, 5));
  // Twice the cell, twice the error: 1 - 4 (1 - 0.9), and -1 for what would be -1.4.
  const scores = [...filled.score.slice(0, 4)];
  expect(scores.map((score) => Number(score.toFixed(3)))).toEqual([0.1, 0.6, -1, -1]);
});
