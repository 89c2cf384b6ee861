import { describe, expect, it } from "vitest";
import type { HeightField } from "../../../processing/photogrammetry/ortho/depth-buffer.ts";
import { placeTogether } from "../../../processing/volume/place-together.ts";

type Place = readonly [x: number, y: number];
/** Ground that the footprints leave around the toes, and half a cell each way. */
const FREE_M = 1.4;
const PILES: readonly Place[] = [
  [-14, 6],
  [12, -9],
  [10, 13],
];

/** A site of 80 x 80 m with piles of 5 m in radius and a hall that is higher than they are. */
function site(piles: readonly Place[]): HeightField {
  const frame = { westM: -40, northM: 40, cellM: 0.25, width: 320, height: 320 };
  const elevationM = Float32Array.from({ length: 320 * 320 }, (_, i) => {
    const x = frame.westM + ((i % 320) + 0.5) * frame.cellM;
    const y = frame.northM - (Math.floor(i / 320) + 0.5) * frame.cellM;
    const pile = Math.max(...piles.map(([e, n]) => 3 - 0.6 * Math.hypot(x - e, y - n)));
    const hall = Math.abs(x + 25) < 10 && Math.abs(y + 25) < 10 ? 8 : 0;
    return 7 + Math.max(0, pile, hall);
  });
  return { ...frame, elevationM };
}

const circle = ([east, north]: Place) =>
  Array.from({ length: 16 }, (_, k) => {
    const angle = (k / 8) * Math.PI;
    return [east + 6 * Math.cos(angle), north + 6 * Math.sin(angle)] as const;
  });
const drawn = (piles: readonly Place[], [eastM, northM]: Place) =>
  piles.map(([x, y]) => circle([x + eastM, y + northM]));

describe("the footprints of a site whose survey lies many metres off", () => {
  it.each([
    [7, -5],
    [-9, 3],
    [0, 8],
  ] as const)("drawn %d m east and %d m north of their piles are moved onto them together", (...off) => {
    const [eastM, northM] = placeTogether(site(PILES), drawn(PILES, off), 6);
    expect(Math.hypot(eastM + off[0], northM + off[1])).toBeLessThan(FREE_M);
  });

  it("keep their pattern where one pile has gone and another one has come", () => {
    const now = site([...PILES.slice(1), [-2, 28]]);
    const [eastM, northM] = placeTogether(now, drawn(PILES, [6, 6]), 6);
    expect(Math.hypot(eastM + 6, northM + 6)).toBeLessThan(FREE_M);
  });

  it("stay where they hold their piles, and where there are none", () => {
    expect(placeTogether(site(PILES), drawn(PILES, [0, 0]), 6)).toEqual([0, 0]);
    expect(placeTogether(site([]), drawn(PILES, [3, 0]), 6)).toEqual([0, 0]);
  });
});
