import { expect, it } from "vitest";
import { terrainOf } from "../../../../processing/photogrammetry/products/terrain/terrain.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

const SIZE = 240;

/** Rolling ground of 60 x 60 m or so with piles at 30 to 38 degrees, boxes with walls, noise, and a hole. */
function scene(seed: number, cellM: number, noiseM: number) {
  const random = seededRandom(seed);
  const extentM = SIZE * cellM;
  const at = (col: number, row: number) => [(col + 0.5) * cellM, (row + 0.5) * cellM] as const;
  const tilt = [0.08 * random() - 0.04, 0.08 * random() - 0.04] as const;
  const pile = {
    x: extentM * (0.25 + 0.1 * random()),
    y: extentM * (0.3 + 0.1 * random()),
    height: extentM * (0.05 + 0.03 * random()),
    slope: Math.tan(((30 + 8 * random()) * Math.PI) / 180),
  };
  const boxes = [0, 1].map((i) => ({
    west: extentM * (0.55 + 0.05 * random()),
    north: extentM * (0.12 + 0.45 * i),
    width: 3 + Math.min(8, extentM * 0.2) * random(),
    depth: 3 + 5 * random(),
    height: 2.2 + 4 * random(),
  }));
  const bare = new Float32Array(SIZE * SIZE);
  const elevationM = new Float32Array(SIZE * SIZE);
  const isBox = new Uint8Array(SIZE * SIZE);
  for (let i = 0; i < bare.length; i += 1) {
    const col = i % SIZE;
    const [x, y] = at(col, (i - col) / SIZE);
    const rolling = tilt[0] * x + tilt[1] * y + 0.5 * Math.sin(x / 9) * Math.cos(y / 11);
    const heap = Math.max(0, pile.height - pile.slope * Math.hypot(x - pile.x, y - pile.y));
    bare[i] = rolling + heap;
    const box = boxes.find(
      ({ west, north, width, depth }) =>
        x >= west && x < west + width && y >= north && y < north + depth,
    );
    isBox[i] = box === undefined ? 0 : 1;
    const noise = noiseM * (random() + random() + random() - 1.5);
    elevationM[i] = (bare[i] ?? 0) + (box?.height ?? 0) + noise;
  }
  const hole = Math.floor(SIZE * 0.9) * SIZE + Math.floor(SIZE * 0.1);
  for (let k = 0; k < 8; k += 1) elevationM[hole + k] = Number.NaN;
  const frame = { westM: 0, northM: extentM, cellM, width: SIZE, height: SIZE };
  return { surface: { ...frame, elevationM }, bare, isBox, hole };
}

const CELLS_M = [0.1, 0.25, 0.4];

it.each(
  [21, 22, 23].flatMap((seed) => CELLS_M.map((cellM) => [seed, cellM] as const)),
)("boxes are taken off and piles stay (seed %i, cells of %d m)", (seed, cellM) => {
  const { surface, bare, isBox, hole } = scene(seed, cellM, 0.02);
  const { elevationM, isGround } = terrainOf(surface);
  let [boxCells, boxGround, others, othersLost, worstBox] = [0, 0, 0, 0, 0];
  for (let i = 0; i < bare.length; i += 1) {
    if (Number.isNaN(surface.elevationM[i] ?? 0)) continue;
    const off = Math.abs((elevationM[i] ?? 0) - (bare[i] ?? 0));
    if (isBox[i] === 1) {
      boxCells += 1;
      boxGround += isGround[i] ?? 0;
      worstBox = Math.max(worstBox, off);
    } else {
      others += 1;
      if (off > 0.1) othersLost += 1;
    }
  }
  expect(boxCells).toBeGreaterThan(40);
  expect(boxGround / boxCells).toBeLessThan(0.01);
  expect(worstBox).toBeLessThan(0.6);
  expect(othersLost / others).toBeLessThan(0.01);
  expect(elevationM[hole]).toBeNaN();
  expect(isGround[hole]).toBe(0);
});

it("a surface that knows nothing has no ground", () => {
  const { surface } = scene(24, 0.25, 0);
  const { elevationM, isGround } = terrainOf({
    ...surface,
    elevationM: surface.elevationM.fill(Number.NaN),
  });
  expect(elevationM.every(Number.isNaN)).toBe(true);
  expect(isGround.includes(1)).toBe(false);
});
