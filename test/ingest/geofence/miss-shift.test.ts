import { describe, expect, test } from "vitest";
import type { LonLat } from "../../../domain/geometry/geofence.ts";
import { fenceShape, holds } from "../../../ingest/geofence/fence-shape.ts";
import { missShiftM, roadBend } from "../../../ingest/geofence/miss-shift.ts";
import { between, planarScale } from "../../../ingest/geofence/planar.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { type ORIGIN, polygon, rectangle, siteAt } from "./site.ts";

const straight = { bendOf: () => 0 };
const lane = fenceShape(rectangle("lane", [-4, -100, 4, 100]));

describe("the least shift by which a path misses a fence", () => {
  test("the least shift is along the path where it crosses a long lane: until both ends lie on one side", () => {
    expect(missShiftM(lane, [siteAt(-10, 0), siteAt(10, 0)], straight)).toBeCloseTo(14, 2);
    expect(missShiftM(lane, [siteAt(-20, 0), siteAt(6, 0)], straight)).toBeCloseTo(10, 2);
  });

  test("the least shift by which a path misses a fence is sideways where it crosses near an end of the lane, or its corner", () => {
    const corner = fenceShape(rectangle("corner", [0, 0, 500, 500]));

    expect(missShiftM(lane, [siteAt(-10, 94), siteAt(10, 94)], straight)).toBeCloseTo(6, 2);
    // The path crosses the edges 20 m from the corner, 20 m / sqrt(2) away from it.
    expect(missShiftM(corner, [siteAt(-80, 100), siteAt(100, -80)], straight)).toBeCloseTo(
      14.14,
      1,
    );
  });

  test("the least shift is 0 where the path misses the fence as it is", () => {
    expect(missShiftM(lane, [siteAt(-30, 0), siteAt(-10, 0)], straight)).toBe(0);
  });

  test("the least shift by which a path misses a fence is smaller by the bend that a road may have between two fixes", () => {
    const ends = [siteAt(-50, 85), siteAt(50, 85)];

    expect(missShiftM(lane, ends, straight)).toBeCloseTo(15, 2);
    expect(missShiftM(lane, ends, { bendOf: () => 0.1 })).toBeCloseTo(5, 0);
    expect(missShiftM(lane, ends, { bendOf: () => 0.2 })).toBe(0);
    expect([20, 100, 150, 200, 5_000].map(roadBend)).toEqual([0.1, 0.1, 0.15, 0.2, 0.2]);
  });

  test("the least shift considers every knot of the path", () => {
    // Into a field, 3 m deep, and back to the side that it came from.
    const field = fenceShape(rectangle("field", [0, -200, 300, 200]));
    const path = [siteAt(-30, -20), siteAt(3, 0), siteAt(-30, 20)];

    expect(missShiftM(field, path, straight)).toBeCloseTo(3, 2);
  });

  test("the least shift by which a path misses a fence does not count the hollow of a fence as a part of it", () => {
    // A U that is open to the east: its hollow is 180 m wide and begins 10 m beyond the west edge.
    const u = fenceShape(
      polygon("u", [
        { eastM: 0, northM: -100 },
        { eastM: 300, northM: -100 },
        { eastM: 300, northM: -90 },
        { eastM: 10, northM: -90 },
        { eastM: 10, northM: 90 },
        { eastM: 300, northM: 90 },
        { eastM: 300, northM: 100 },
        { eastM: 0, northM: 100 },
      ]),
    );

    expect(missShiftM(u, [siteAt(-5, 0), siteAt(15, 0)], straight)).toBeCloseTo(15, 2);
  });

  test("the least shift is undefined where the whole path would lie inside", () => {
    // 10 m of path beside an edge of 500 m: to the east the fence holds all of it, to the west it misses at once.
    const field = fenceShape(rectangle("field", [0, -250, 500, 250]));
    const path = [siteAt(-2, -5), siteAt(4, 0), siteAt(-2, 5)];

    expect(missShiftM(field, path, straight)).toBeCloseTo(4, 2);
    // Edges out of reach are left out, and the fence still holds the path that is shifted to the east.
    expect(missShiftM(field, path, { ...straight, enoughM: 20 })).toBeCloseTo(4, 2);
    expect(missShiftM(field, path, { ...straight, enoughM: 3.5 })).toBe(3.5);
  });

  test("the least shift by which a path misses a fence is the same over the antimeridian", () => {
    const { mPerLonDeg } = planarScale(-17);
    const lonAt = (eastM: number): number => {
      const lonDeg = 180 + eastM / mPerLonDeg;
      return lonDeg > 180 ? lonDeg - 360 : lonDeg;
    };
    const corners = [
      [-4, -17.001],
      [4, -17.001],
      [4, -16.999],
      [-4, -16.999],
      [-4, -17.001],
    ] as const;
    const ring = corners.map(([eastM, latDeg]): LonLat => [lonAt(eastM), latDeg]);
    const shape = fenceShape({ ...lane.version, ring });
    const at = (eastM: number) => ({ lonDeg: lonAt(eastM), latDeg: -17 });

    expect(missShiftM(shape, [at(-10), at(10)], straight)).toBeCloseTo(14, 2);
    expect(missShiftM(shape, [at(10), at(-10)], straight)).toBeCloseTo(14, 2);
  });

  test("the least shift agrees with small steps in every direction, for 20 random fences and paths", () => {
    const random = seededRandom(47);
    const uniform = (least: number, most: number): number => least + random() * (most - least);
    for (let n = 0; n < 20; n++) {
      const count = 4 + Math.floor(random() * 6);
      const corners = Array.from({ length: count }, (_, i) => {
        const [angle, radiusM] = [(2 * Math.PI * i) / count, uniform(15, 60)];
        return { eastM: radiusM * Math.cos(angle), northM: radiusM * Math.sin(angle) };
      });
      const shape = fenceShape(polygon("f", corners));
      const ends = [siteAt(-80, uniform(-50, 50)), siteAt(80, uniform(-50, 50))] as const;
      const least = missShiftM(shape, ends, straight);
      const stepped = leastByStepsM(shape, ends);

      // 16 directions overrate by 2 % at most, and steps of 1 m by one step.
      expect(least).toBeLessThan(stepped * 1.02 + 0.5);
      expect(least).toBeGreaterThan(stepped * 0.98 - 1.5);
    }
  });
});

/** Shifts the path by steps of 1 m in 64 directions and tests places every 0.5 m of it. */
function leastByStepsM(
  shape: ReturnType<typeof fenceShape>,
  [from, to]: readonly [typeof ORIGIN, typeof ORIGIN],
): number {
  const { mPerLonDeg, mPerLatDeg } = shape.scale;
  const isMissed = (shiftM: number, angle: number): boolean => {
    for (let i = 0; i <= 320; i++) {
      const { lonDeg, latDeg } = between(from, to, i / 320);
      const place = {
        lonDeg: lonDeg + (shiftM * Math.cos(angle)) / mPerLonDeg,
        latDeg: latDeg + (shiftM * Math.sin(angle)) / mPerLatDeg,
      };
      if (holds(shape, place)) return false;
    }
    return true;
  };
  for (let shiftM = 0; shiftM < 200; shiftM += 1) {
    for (let k = 0; k < 64; k++) if (isMissed(shiftM, (Math.PI * k) / 32)) return shiftM;
  }
  return Number.POSITIVE_INFINITY;
}
