import { describe, expect, it } from "vitest";
import type { PlanPolygon } from "../../../../processing/grid/polygon-weights.ts";
import { pileAxis } from "../../../../processing/measurement/profile/pile-axis.ts";
import { pileProfile } from "../../../../processing/measurement/profile/pile-profile.ts";
import { levelBase } from "../../../../processing/volume/base/base-surface.ts";
import { CONE, circle, FRUSTUM, RIDGE, surfaceOf } from "../../volume/solids.ts";

const ground = levelBase(0);
/** Rectangle about the ridge of solids.ts: 8 m and twice 4 / tan 36 long, turned by 0.5 rad. */
const reachM = 4 / Math.tan((36 * Math.PI) / 180);
const ridgeToe: PlanPolygon = (
  [
    [-4 - reachM, -reachM],
    [4 + reachM, -reachM],
    [4 + reachM, reachM],
    [-4 - reachM, reachM],
  ] as const
).map(([a, b]) => [a * Math.cos(0.5) - b * Math.sin(0.5), a * Math.sin(0.5) + b * Math.cos(0.5)]);

describe("pileAxis", () => {
  it("pileAxis lies along a ridge that is turned by 0.5 rad, through its middle", () => {
    const { through, direction } = pileAxis(surfaceOf(0.1, RIDGE.height), ground, ridgeToe);
    expect(Math.atan2(direction[1], direction[0])).toBeCloseTo(0.5, 3);
    // The nearest of the high cells to the middle of the volume lies within a cell's diagonal of it.
    expect(Math.hypot(...through)).toBeLessThan(0.15);
  });

  it("pileAxis goes through the higher of two heaps, though the middle lies between them", () => {
    const heaps = (x: number, y: number) =>
      Math.max(0, 3 - Math.hypot(x + 5, y), 4 - Math.hypot(x - 5, y));
    const box: PlanPolygon = [
      [-12, -6],
      [12, -6],
      [12, 6],
      [-12, 6],
    ];
    const { through, direction } = pileAxis(surfaceOf(0.1, heaps), ground, box);
    // Of the part above 90 % (within 0.4 m of the peak) the side towards the lower heap.
    expect(through[0]).toBeGreaterThan(4.5);
    expect(through[0]).toBeLessThan(4.8);
    expect(Math.abs(direction[1])).toBeLessThan(1e-3);
  });

  it("pileAxis of a round pile follows the footprint, and runs west to east on a round one", () => {
    const cone = surfaceOf(0.1, CONE.height);
    const [r, wide] = [CONE.radiusM, CONE.radiusM + 3];
    const box: PlanPolygon = [
      [-r, -wide],
      [r, -wide],
      [r, wide],
      [-r, wide],
    ];
    const { direction } = pileAxis(cone, ground, box);
    expect(Math.abs(direction[1])).toBeCloseTo(1, 6);
    expect(pileAxis(cone, ground, circle(r)).direction).toEqual([1, 0]);
  });

  it("pileAxis of a footprint without material goes through its middle", () => {
    const { through, direction } = pileAxis(
      surfaceOf(0.5, () => -1),
      ground,
      circle(5),
    );
    // Cells that the line cuts count at their middles: a thousandth of a cell.
    expect(Math.hypot(...through)).toBeLessThan(1e-3);
    expect(direction).toEqual([1, 0]);
  });
});

describe("pileProfile", () => {
  it("pileProfile cuts a frustum as the trapezium that it is, with ground beyond the toe", () => {
    const { along, across } = pileProfile(
      surfaceOf(0.1, FRUSTUM.height),
      ground,
      circle(FRUSTUM.radiusM, 720),
    );
    for (const section of [along, across]) {
      const [start, end] = section.toe_m;
      // The line lies within a cell of the middle: the chord is the diameter within 1 mm.
      expect(end - start).toBeCloseTo(2 * FRUSTUM.radiusM, 2);
      expect(start).toBeCloseTo(0.1 * 2 * FRUSTUM.radiusM, 2);
      const length = Math.hypot(
        section.to_m[0] - section.from_m[0],
        section.to_m[1] - section.from_m[1],
      );
      expect(section.distance_m.at(-1)).toBeCloseTo(length, 2);
      const { from_m: from, to_m: to } = section;
      for (const [i, distance] of section.distance_m.entries()) {
        const t = distance / length;
        const [x, y] = [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])];
        // Bilinear between 10 cm cells: at the edges of top and toe up to a quarter of a cell's fall.
        expect(Math.abs((section.surface_m[i] ?? 99) - FRUSTUM.height(x, y))).toBeLessThan(0.02);
      }
      expect(new Set(section.base_m)).toEqual(new Set([0]));
      expect(section.previous_m).toBeNull();
    }
    // Across is the same line turned by a right angle.
    const direction = ({ from_m: a, to_m: b }: typeof along) => [b[0] - a[0], b[1] - a[1]] as const;
    const [u, v] = [direction(along), direction(across)];
    expect(u[0] * v[0] + u[1] * v[1]).toBeCloseTo(0, 2);
  });

  it("pileProfile has null without data, and the heights of the previous epoch", () => {
    const surface = surfaceOf(0.1, (x, y) =>
      Math.abs(x - 2) < 0.5 ? Number.NaN : FRUSTUM.height(x, y),
    );
    const { along } = pileProfile(
      surface,
      ground,
      circle(FRUSTUM.radiusM),
      surfaceOf(0.1, () => 1.25),
    );
    const x = (i: number) => along.from_m[0] + (along.distance_m[i] ?? 0);
    const gap = along.surface_m.flatMap((z, i) => (z === null ? [x(i)] : []));
    // 1 m in steps of a cell; the hole grows by nothing.
    expect(gap.length).toBeGreaterThanOrEqual(9);
    expect(gap.length).toBeLessThanOrEqual(11);
    expect(Math.min(...gap)).toBeGreaterThan(1.4);
    expect(Math.max(...gap)).toBeLessThan(2.6);
    expect(new Set(along.previous_m)).toEqual(new Set([1.25]));
    expect(JSON.parse(JSON.stringify(along))).toEqual(along);
  });

  it("pileProfile of a long pile has at most 501 points", () => {
    const long: PlanPolygon = [
      [-14, -1],
      [14, -1],
      [14, 1],
      [-14, 1],
    ];
    const { along } = pileProfile(
      surfaceOf(0.05, () => 2),
      ground,
      long,
    );
    expect(along.distance_m).toHaveLength(501);
    expect(along.toe_m).toEqual([2.8, 30.8]);
  });
});
