import { expect, it } from "vitest";
import type { ElevationGrid } from "../../../../processing/grid/elevation-grid.ts";
import { gatherCells } from "../../../../processing/grid/gather-cells.ts";
import { datumGrid } from "../../../../processing/measurement/surface/datum-grid.ts";

const square = (edgeM: number) =>
  [
    [0, 0],
    [edgeM, 0],
    [edgeM, edgeM],
    [0, edgeM],
  ] as const;

/** Height = 100 row + column of the cell; every seventh cell a hole. */
function survey(width: number, height: number, cellM: number): ElevationGrid {
  const cells = width * height;
  return {
    ...{ westM: -3.7, northM: 9.1, cellM, width, height },
    elevationM: Float32Array.from({ length: cells }, (_, i) =>
      i % 7 === 0 ? Number.NaN : 100 * Math.floor(i / width) + (i % width),
    ),
    score: Float32Array.from({ length: cells }, (_, i) => (i % 7 === 0 ? Number.NaN : 0.5)),
    views: Uint8Array.from({ length: cells }, (_, i) => (i % 7 === 0 ? 0 : 3 + (i % 2))),
  };
}

it("the datum grid takes the survey's cells, and ground as wide as the footprint around it: 12 to 60 m", () => {
  const frame = survey(40, 40, 0.1);
  const cases = [
    { edgeM: 5, marginM: 12 },
    { edgeM: 30, marginM: 30 },
    { edgeM: 70, marginM: 60 },
  ];
  for (const { edgeM, marginM } of cases) {
    const grid = datumGrid(frame, square(edgeM));
    expect(grid.cellM).toBe(0.1);
    const [columns, rows] = [(grid.westM - frame.westM) / 0.1, (frame.northM - grid.northM) / 0.1];
    expect(Math.abs(columns - Math.round(columns))).toBeLessThan(1e-6);
    expect(Math.abs(rows - Math.round(rows))).toBeLessThan(1e-6);
    const right = grid.westM + grid.width * 0.1;
    const bottom = grid.northM - grid.height * 0.1;
    for (const beyondM of [
      -marginM - grid.westM,
      grid.northM - edgeM - marginM,
      right - edgeM - marginM,
      -marginM - bottom,
    ]) {
      expect(beyondM).toBeGreaterThan(-1e-6);
      expect(beyondM).toBeLessThan(0.1 + 1e-6);
    }
  }
});

it("the datum grid takes whole multiples of fine cells, so that no grid has more than four million", () => {
  // 220 m at 2 cm would be 121 million cells; at 12 cm it is 3.4 million, at 10 cm 4.8 million.
  const grid = datumGrid(survey(10, 10, 0.02), square(100));
  expect(grid.cellM).toBeCloseTo(0.12, 9);
  expect(grid.width * grid.height).toBeLessThan(4e6);
});

it("the datum grid copies the cells of a grid of the same cells, with nothing beyond the survey", () => {
  const surface = survey(6, 4, 0.5);
  const grid = { westM: -4.7, northM: 8.6, cellM: 0.5, width: 4, height: 4 };
  const copy = gatherCells(surface, grid);
  // Two columns beyond the west side, one row from the top, a hole, the last row beyond the south side.
  const nan = Number.NaN;
  expect([...copy.elevationM]).toEqual([
    ...[nan, nan, 100, nan],
    ...[nan, nan, 200, 201],
    ...[nan, nan, 300, 301],
    ...[nan, nan, nan, nan],
  ]);
  expect([...copy.views.subarray(6, 8)]).toEqual([3, 4]);
  expect([...copy.score.subarray(0, 4)]).toEqual([nan, nan, 0.5, nan]);
});

it("the datum grid takes the mean of the parts with data where half of them have some", () => {
  const nan = Number.NaN;
  const surface: ElevationGrid = {
    ...{ westM: 0, northM: 2, cellM: 1, width: 4, height: 2 },
    elevationM: Float32Array.of(1, 2, nan, 5, 3, nan, nan, nan),
    score: Float32Array.of(0.5, 1, nan, 1, 0.75, nan, nan, nan),
    views: Uint8Array.of(9, 4, 0, 3, 6, 0, 0, 0),
  };
  const grid = { westM: 0, northM: 2, cellM: 2, width: 2, height: 1 };
  expect(gatherCells(surface, grid)).toEqual({
    ...grid,
    elevationM: Float32Array.of(2, nan),
    score: Float32Array.of(0.75, nan),
    views: Uint8Array.of(4, 0),
  });
});
