import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PlanPolygon, polygonWeights } from "../../../processing/grid/polygon-weights.ts";

const frame = { westM: -10, northM: 10, cellM: 0.5, width: 40, height: 40 };

function shareAt(polygon: PlanPolygon, col: number, row: number): number {
  const { firstCol, firstRow, width, height, share } = polygonWeights(frame, polygon);
  const [c, r] = [col - firstCol, row - firstRow];
  return c < 0 || r < 0 || c >= width || r >= height ? 0 : (share[r * width + c] ?? 0);
}

describe("share of a cell inside a polygon", () => {
  // Cell (20, 19) is [0, 0.5] x [0, 0.5].
  it.each<[string, PlanPolygon, number]>([
    [
      "half by a diagonal",
      [
        [0, 0],
        [0.5, 0],
        [0.5, 0.5],
      ],
      0.5,
    ],
    [
      "a quarter, clockwise",
      [
        [0.25, 0.25],
        [0.25, 3],
        [3, 3],
        [3, 0.25],
      ],
      0.25,
    ],
    [
      "whole, in a larger one",
      [
        [-4, -4],
        [4, -4],
        [4, 4],
        [-4, 4],
      ],
      1,
    ],
    [
      "a sliver of a tenth",
      [
        [-1, 0.45],
        [2, 0.45],
        [2, 0.5],
        [-1, 0.5],
      ],
      0.1,
    ],
    [
      "whole, as the bar of an H on its side",
      [
        [-1, -1],
        [2, -1],
        [2, 0],
        [0.5, 0],
        [0.5, 0.5],
        [2, 0.5],
        [2, 1],
        [-1, 1],
        [-1, 0.5],
        [0, 0.5],
        [0, 0],
        [-1, 0],
      ],
      1,
    ],
    [
      "outside, in the notch of a U",
      [
        [-1, -1],
        [2, -1],
        [2, 2],
        [0.5, 2],
        [0.5, 0],
        [0, 0],
        [0, 2],
        [-1, 2],
      ],
      0,
    ],
  ])("%s", (_, polygon, share) => {
    expect(shareAt(polygon, 20, 19)).toBeCloseTo(share, 12);
    expect(shareAt(polygon.toReversed(), 20, 19)).toBeCloseTo(share, 12);
  });

  it("the share of a cell inside a polygon adds up to the polygon's area, whatever star it is and however it lies", () => {
    const radius = fc.double({ min: 0.3, max: 8, noNaN: true });
    const shift = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(radius, { minLength: 3, maxLength: 24 }),
        shift,
        shift,
        (radii, dx, dy) => {
          const polygon = radii.map((r, i) => {
            const angle = (i / radii.length) * 2 * Math.PI;
            return [dx + r * Math.cos(angle), dy + r * Math.sin(angle)] as const;
          });
          let twice = 0;
          for (const [i, [x, y]] of polygon.entries()) {
            const [nextX = 0, nextY = 0] = polygon[(i + 1) % polygon.length] ?? [];
            twice += x * nextY - nextX * y;
          }
          const { share } = polygonWeights(frame, polygon);
          const sum = share.reduce((a, b) => a + b, 0) * frame.cellM ** 2;
          expect(sum).toBeCloseTo(Math.abs(twice) / 2, 6);
        },
      ),
      { numRuns: 200, seed: 7 },
    );
  });

  it("polygon weights refuse a ring that is not a polygon or covers a continent", () => {
    expect(() =>
      polygonWeights(frame, [
        [0, 0],
        [1, 1],
      ]),
    ).toThrow(RangeError);
    expect(() =>
      polygonWeights(frame, [
        [0, 0],
        [1e6, 0],
        [0, 1e6],
      ]),
    ).toThrow(RangeError);
  });
});
