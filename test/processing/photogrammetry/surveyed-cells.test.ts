import { expect, it } from "vitest";
import { rotationFromGimbal } from "../../../processing/photogrammetry/gimbal-rotation.ts";
import type { Reconstruction } from "../../../processing/photogrammetry/reconstruction.ts";
import { surveyedCells } from "../../../processing/photogrammetry/surveyed-cells.ts";

const LENS = {
  ...{ widthPx: 101, heightPx: 101, focalPx: 100, cxPx: 50, cyPx: 50 },
  ...{ k1: 0, k2: 0, p1: 0, p2: 0 },
};
const DOWN = rotationFromGimbal({ yawDeg: 0, pitchDeg: -90, rollDeg: 0 });

/** Cameras 10 m above ground at these places east; each sees 5 m to either side. */
function block(eastM: readonly number[]): Reconstruction {
  const cameras = eastM.map((x, image) => ({
    ...{ image, lens: 0, observations: 0, rmsPx: 0, gpsResidualM: undefined },
    pose: { rotation: DOWN, centre: [x, 0, 10] as const },
  }));
  return { cameras, lenses: [LENS] } as unknown as Reconstruction;
}

const GRID = {
  ...{ westM: -20.1, northM: 2, cellM: 0.1, width: 400, height: 40 },
  ...{ score: new Float32Array(16_000), views: new Uint8Array(16_000) },
  elevationM: new Float32Array(16_000).fill(Number.NaN),
};

it("counts ground well within three images, in blocks of four cells, holes at the ground's height", () => {
  const cells = surveyedCells(GRID, block([-2, 0, 2]), 0);
  // All three see from -3 to 3 m, and 0.5 m beyond it from -2.5 to 2.6 m: of the middles at -19.9 m and
  // every 0.4 m on, those from -2.3 m (44th) to 2.5 m (56th).
  const row = [...cells.subarray(0, 400)];
  expect(row).toEqual(row.map((_, column) => (column >= 176 && column < 228 ? 1 : 0)));
  expect(cells.filter((cell) => cell === 1)).toHaveLength(52 * 40);
});

it("does not count what only two images show", () => {
  expect(surveyedCells(GRID, block([-2, 0]), 0).some((cell) => cell === 1)).toBe(false);
});
