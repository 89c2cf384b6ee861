import { expect, it } from "vitest";
import { rotationFromGimbal } from "../../../../processing/photogrammetry/camera/gimbal-rotation.ts";
import type { Reconstruction } from "../../../../processing/photogrammetry/reconstruction/reconstruction.ts";
import { surveyedCells } from "../../../../processing/photogrammetry/reconstruction/surveyed-cells.ts";

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
  ...{ westM: -20, northM: 2, cellM: 0.1, width: 400, height: 40 },
  ...{ score: new Float32Array(16_000), views: new Uint8Array(16_000) },
  elevationM: new Float32Array(16_000).fill(Number.NaN),
};

it("the surveyed cells are squares of four cells whose corners lie well within three images", () => {
  const cells = surveyedCells(GRID, block([-2, 0, 2]), 0);
  // All three see from -3 to 3 m, and 0.5 m beyond it from -2.5 to 2.6 m: of the corners at -20 m and
  // every 0.4 m on, those from -2.4 m (44th) to 2.4 m (56th).
  const row = [...cells.subarray(0, 400)];
  expect(row).toEqual(row.map((_, column) => (column >= 176 && column < 224 ? 1 : 0)));
  expect(cells.filter((cell) => cell === 1)).toHaveLength(48 * 40);
});

it("surveyed cells take holes at the height of what is around them", () => {
  const elevationM = GRID.elevationM.slice();
  elevationM[0] = 5;
  const cells = surveyedCells({ ...GRID, elevationM }, block([-1, 0, 1]), 0);
  // At half the height all three see from -1.5 to 1.5 m, and 0.5 m beyond it from -1 to 1.05 m: corners
  // from -0.8 m (48th) to 0.8 m (52nd). On the ground it would be from -3.5 to 3.6 m.
  const row = [...cells.subarray(20 * 400, 21 * 400)];
  expect(row).toEqual(row.map((_, column) => (column >= 192 && column < 208 ? 1 : 0)));
});

it("the surveyed cells do not include what only two images show", () => {
  expect(surveyedCells(GRID, block([-2, 0]), 0).some((cell) => cell === 1)).toBe(false);
});
