import { describe, expect, it } from "vitest";
import { standingObjects } from "../../../../../processing/progress/flight/cells/standing-objects.ts";
import { boxMean, opened } from "../../../../../processing/progress/flight/cells/window-filters.ts";

const FRAME = { westM: 0, northM: 20, cellM: 0.5, width: 40, height: 40 };
/** Rises of 20 m square by place, x to the right and y down, metres. */
const risesOf = (riseAt: (x: number, y: number) => number) =>
  Float32Array.from({ length: 1_600 }, (_, i) =>
    riseAt(((i % 40) + 0.5) / 2, (Math.floor(i / 40) + 0.5) / 2),
  );
const hidden = (rises: Float32Array) =>
  standingObjects(FRAME, rises, 0.5).cells.reduce((sum, one) => sum + one, 0);
const isIn = (x: number, y: number, left: number, top: number, w: number, h: number) =>
  x > left && x < left + w && y > top && y < top + h;

describe("standing objects", () => {
  it("standing objects are found with a margin of two cells: a truck of 3 m by 8 m", () => {
    const rises = risesOf((x, y) => (isIn(x, y, 5, 5, 3, 8) ? 2.5 : 0));
    // 6 x 16 cells; two more on each side, but for the corners of a round margin.
    const cells = hidden(rises);
    expect(cells).toBeGreaterThan(6 * 16 + 2 * 2 * (6 + 16));
    expect(cells).toBeLessThanOrEqual(10 * 20);
  });

  it("standing objects are found on a fill, which stays", () => {
    const fill = (x: number, y: number) => (isIn(x, y, 2, 2, 14, 14) ? 2 : 0);
    expect(hidden(risesOf(fill))).toBe(0);
    expect(
      hidden(risesOf((x, y) => fill(x, y) + (isIn(x, y, 6, 6, 3, 6) ? 2.5 : 0))),
    ).toBeGreaterThan(6 * 12);
  });

  it("standing objects are not the corners of a fill that lies across the grid, nor heaps of soil, nor thin lifts", () => {
    const turned = (x: number, y: number) =>
      Math.abs(x - 10 + (y - 10)) < 9 && Math.abs(x - 10 - (y - 10)) < 9 ? 2 : 0;
    expect(hidden(risesOf(turned))).toBe(0);
    const heap = (x: number, y: number) => Math.max(0, 2 - 0.7 * Math.hypot(x - 10, y - 10));
    expect(hidden(risesOf(heap))).toBe(0);
    expect(hidden(risesOf((x, y) => (isIn(x, y, 5, 5, 3, 8) ? 0.7 : 0)))).toBe(0);
  });

  it("standing objects are not searched in cells of more than a metre", () => {
    const rises = risesOf((x, y) => (isIn(x, y, 5, 5, 3, 8) ? 2.5 : 0));
    const { cells } = standingObjects({ ...FRAME, cellM: 1.5 }, rises, 1.5);
    expect(cells.some((one) => one === 1)).toBe(false);
  });
});

describe("windows over cells", () => {
  const ROW = { width: 5, height: 1 };

  it("windows over cells take means of what there is, and leave holes", () => {
    const means = boxMean(ROW, Float32Array.of(1, 2, Number.NaN, 6, 8), 1);
    expect([...means]).toEqual([1.5, 1.5, Number.NaN, 7, 7]);
    expect([...boxMean({ width: 1, height: 3 }, Float32Array.of(1, 2, 6), 1)]).toEqual([1.5, 3, 4]);
  });

  it("windows over cells take away what is narrower than they are", () => {
    expect([...opened(ROW, Float32Array.of(0, 0, 5, 0, 0), 1)]).toEqual([0, 0, 0, 0, 0]);
    expect([...opened(ROW, Float32Array.of(0, 5, 5, 5, 0), 1)]).toEqual([0, 5, 5, 5, 0]);
  });
});
