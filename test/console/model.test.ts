import { describe, expect, it } from "vitest";
import { measure } from "../../console/model/measure.ts";
import { directionOf, PRESETS, presetOf } from "../../console/model/presets.ts";
import { rampColour } from "../../console/model/ramp.ts";
import { isBeside, NO_POINTS, pointedAt, typed } from "../../console/pages/surveys/model/points.ts";
import { tileGrid } from "../../console/pages/surveys/model/relief.ts";

const at = (eastM: number, northM: number, upM: number) => ({ eastM, northM, upM });

describe("measuring between two places", () => {
  it("has the distance through the air and in plan, the rise with its sign, and the slope", () => {
    expect(measure(at(1, 2, 5), at(4, 6, 0))).toEqual({
      ...{ planM: 5, riseM: -5, slopePercent: -100, slopeDeg: -45 },
      distanceM: Math.hypot(5, 5),
    });
  });

  it("has no slope in percent where one lies above the other, and none at one place", () => {
    const above = measure(at(1, 1, 0), at(1, 1, 2));
    expect([above.slopePercent, above.slopeDeg, above.distanceM]).toEqual([undefined, 90, 2]);
    expect(measure(at(1, 1, 2), at(1, 1, 2)).slopeDeg).toBe(0);
  });

  it("takes the first click as A, the second as B, and begins again with the third", () => {
    const a = pointedAt(NO_POINTS, at(1.234_567, 2, 3));
    expect([a[0].eastM, a[1].place]).toEqual([1.235, undefined]);
    const b = pointedAt(a, at(4, 5, 6));
    expect(b.map(({ place }) => place?.upM)).toEqual([3, 6]);
    expect(pointedAt(b, at(7, 8, 9)).map(({ place }) => place?.upM)).toEqual([9, undefined]);
  });

  it("asks for the site where both numbers are typed, and says when it has none there", () => {
    const surface = (eastM: number, northM: number) =>
      eastM > 10 ? undefined : at(eastM, northM, 1);
    const half = typed(NO_POINTS[0], { eastM: 3 }, surface);
    expect([half.place, isBeside(half)]).toEqual([undefined, false]);
    const whole = typed(half, { northM: 4 }, surface);
    expect(whole.place).toEqual(at(3, 4, 1));
    const beside = typed(whole, { eastM: 11 }, surface);
    expect([beside.place, isBeside(beside)]).toEqual([undefined, true]);
    expect(isBeside(typed(whole, { eastM: Number.NaN }, surface))).toBe(false);
  });
});

describe("views and colours of a model", () => {
  it("keys 1 to 5 look from above and from four sides, from a camera above the ground", () => {
    expect(["1", "2", "3", "4", "5"].map(presetOf)).toEqual(PRESETS);
    expect(["0", "6", "a", "12"].map(presetOf)).toEqual(Array(4).fill(undefined));
    for (const preset of PRESETS) {
      const [east, up, south] = directionOf(preset);
      expect(Math.hypot(east, up, south)).toBeCloseTo(1, 12);
      expect(up).toBeGreaterThan(0);
    }
    // South is towards the viewer of a scene with y up.
    expect(directionOf("south")[2]).toBeGreaterThan(0);
    expect(directionOf("east")[0]).toBeGreaterThan(0);
  });

  it("colours go from the one end of the ramp to the other and not beyond", () => {
    const ends = [-1, 0, 1, 2].map((share) =>
      rampColour(share).map((channel) => Math.round(channel * 255)),
    );
    expect(ends).toEqual([
      [68, 1, 84],
      [68, 1, 84],
      [253, 231, 37],
      [253, 231, 37],
    ]);
  });
});

describe("the relief in place of a model", () => {
  const edges = { west: 13.404, south: 52.5195, east: 13.406, north: 52.5205 };

  it("is made of the deepest zoom that needs four tiles a side at most", () => {
    const grid = tileGrid(edges, { min_zoom: 10, max_zoom: 22 });
    // A tile of zoom 19 is 360 / 2^19 degrees wide: 0.002 degrees are 2.9 of them; at zoom 20 they are 5.8.
    expect(grid.zoom).toBe(19);
    expect(grid.columns.length).toBeLessThanOrEqual(4);
    expect(grid.columns[0]).toBe(Math.floor(((13.404 + 180) / 360) * 2 ** 19));
    expect(grid.rows[0]).toBeLessThan(grid.rows.at(-1) ?? 0);
  });

  it("stays within the zooms that there are", () => {
    expect(tileGrid(edges, { min_zoom: 10, max_zoom: 15 }).zoom).toBe(15);
    expect(tileGrid(edges, { min_zoom: 21, max_zoom: 22 }).zoom).toBe(21);
  });
});
