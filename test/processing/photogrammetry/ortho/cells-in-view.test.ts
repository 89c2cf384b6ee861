import { describe, expect, it } from "vitest";
import { compose, rotationFromVector } from "../../../../processing/geometry/rotation.ts";
import { heightRangeUnder } from "../../../../processing/grid/elevation-at.ts";
import type { HeightField } from "../../../../processing/grid/elevation-grid.ts";
import { type Intrinsics, project } from "../../../../processing/photogrammetry/camera/camera.ts";
import { cellsInView } from "../../../../processing/photogrammetry/ortho/cells-in-view.ts";

const LENS: Intrinsics = {
  ...{ widthPx: 240, heightPx: 180, focalPx: 190, cxPx: 121, cyPx: 88 },
  ...{ k1: -0.08, k2: 0.01, p1: 0.001, p2: -0.001 },
};
const DOWN = Float64Array.of(1, 0, 0, 0, -1, 0, 0, 0, -1);

/** 200 x 200 m of hills 10 m high, cells of 1 m, without data along the middle. */
function hills(): HeightField {
  const [width, height] = [200, 200];
  const elevationM = Float32Array.from({ length: width * height }, (_, i) =>
    i % width === 100 ? Number.NaN : 5 + 5 * Math.sin(i / 7),
  );
  return { westM: -100, northM: 100, cellM: 1, width, height, elevationM };
}

/** Columns and rows of the cells whose middle the image shows, one by one. */
function shown(surface: HeightField, pose: Parameters<typeof project>[1]) {
  const at = { u: 0, v: 0, depth: 0 };
  const cells: { readonly col: number; readonly row: number }[] = [];
  surface.elevationM.forEach((z, i) => {
    const [col, row] = [i % surface.width, Math.floor(i / surface.width)];
    const point = [
      surface.westM + (col + 0.5) * surface.cellM,
      surface.northM - (row + 0.5) * surface.cellM,
      z,
    ] as const;
    const isShown =
      project(LENS, pose, point, at) &&
      at.u > -0.5 &&
      at.v > -0.5 &&
      at.u < LENS.widthPx - 0.5 &&
      at.v < LENS.heightPx - 0.5;
    if (isShown) cells.push({ col, row });
  });
  return cells;
}

describe("cells in view", () => {
  const surface = hills();

  it.each([
    ["straight down over the middle", [0, 0, 0], [3, -4, 50]],
    ["30 degrees off the vertical", [Math.PI / 6, 0, 0.7], [10, 20, 50]],
    ["at the survey's corner", [0, 0.2, 1], [95, -95, 40]],
  ] as const)("cells in view hold all that the image shows, and not much else: %s", (_, turn, centre) => {
    const pose = { rotation: compose(rotationFromVector(turn), DOWN), centre };
    const range = cellsInView(surface, heightRangeUnder(surface, surface), LENS, pose);
    const cells = shown(surface, pose);

    const outside = cells.filter(
      ({ col, row }) =>
        col < range.left + 1 ||
        row < range.top + 1 ||
        col >= Math.min(200, range.right) ||
        row >= Math.min(200, range.bottom),
    );
    const inside = (range.right - range.left) * (range.bottom - range.top);

    expect(outside.filter(({ col, row }) => col > 0 && row > 0)).toEqual([]);
    // A box around a turned picture on hills of a fifth of the flying height.
    expect(inside).toBeGreaterThan(cells.length);
    expect(inside).toBeLessThan(5 * cells.length);
  });

  it("cells in view are all cells where the image reaches the horizon or lies below the surface", () => {
    const all = { left: 0, right: 200, top: 0, bottom: 200 };
    const level = compose(rotationFromVector([1.4, 0, 0]), DOWN);

    expect(
      cellsInView(surface, heightRangeUnder(surface, surface), LENS, {
        rotation: level,
        centre: [0, 0, 50],
      }),
    ).toEqual(all);
    expect(
      cellsInView(surface, heightRangeUnder(surface, surface), LENS, {
        rotation: DOWN,
        centre: [0, 0, 8],
      }),
    ).toEqual(all);
  });

  it("cells in view are none where the image shows other ground", () => {
    const { left, right } = cellsInView(surface, heightRangeUnder(surface, surface), LENS, {
      rotation: DOWN,
      centre: [500, 0, 50],
    });

    expect(right - left).toBe(0);
  });
});
