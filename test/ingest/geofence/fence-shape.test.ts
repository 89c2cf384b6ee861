import { describe, expect, test } from "vitest";
import type { LonLat } from "../../../domain/geometry/geofence.ts";
import { fenceShape, holds, signedDistanceM } from "../../../ingest/geofence/fence-shape.ts";
import { between, planarDistanceM, planarScale } from "../../../ingest/geofence/planar.ts";
import { PROJECT, rectangle, siteAt, siteOf } from "./site.ts";
import { foldFixes, inShort, START_MS } from "./walk.ts";

describe("the signed distance to the edge", () => {
  const shape = fenceShape(rectangle("f", [-100, -50, 100, 50]));
  const at = (eastM: number, northM: number) => signedDistanceM(shape, siteAt(eastM, northM));

  test("the signed distance to the edge is positive inside, by the nearest edge", () => {
    expect(at(0, 0)).toBeCloseTo(50, 2);
    expect(at(80, 0)).toBeCloseTo(20, 2);
    expect(at(-99, 49.5)).toBeCloseTo(0.5, 2);
  });

  test("the signed distance to the edge is negative outside, to the corner where no edge faces the position", () => {
    expect(at(0, 75)).toBeCloseTo(-25, 2);
    expect(at(130, 90)).toBeCloseTo(-50, 2);
  });

  test("the signed distance to the edge is 0 on the edge", () => {
    const corner = shape.version.ring[0];
    expect(signedDistanceM(shape, { lonDeg: corner?.[0] ?? 0, latDeg: corner?.[1] ?? 0 })).toBe(0);
  });
});

test("the flat map agrees with the WGS 84 ellipsoid to 0.02 %", () => {
  // At 50 degrees north the radii of curvature are N = 6,390,702.0 m and M = 6,372,955.9 m; a degree
  // is N cos(lat) pi / 180 = 71,695.7 m long and M pi / 180 = 111,229.0 m.
  const { mPerLonDeg, mPerLatDeg } = planarScale(50);

  expect(Math.abs(mPerLonDeg / 71_695.7 - 1)).toBeLessThan(2e-4);
  expect(Math.abs(mPerLatDeg / 111_229 - 1)).toBeLessThan(2e-4);
});

describe("a fence over the antimeridian", () => {
  const ring: readonly LonLat[] = [
    [179.99, -17.01],
    [-179.99, -17.01],
    [-179.99, -16.99],
    [179.99, -16.99],
    [179.99, -17.01],
  ];
  const fence = { ...rectangle("dateline", [0, 0, 1, 1]), ring };
  const timeline = siteOf(fence);
  const isHeld = (lonDeg: number) =>
    timeline.fencesHolding({ lonDeg, latDeg: -17 }, PROJECT, 0).length === 1;

  test("a fence over the antimeridian holds what lies on either side of 180 degrees, its edges included", () => {
    expect([179.98, 179.99, 179.995, 180, -180, -179.995, -179.99, -179.98].map(isHeld)).toEqual([
      false,
      true,
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  test("measures distances over it", () => {
    // 0.01 degrees of longitude at 17 degrees south are 1,064.8 m, of latitude 1,106 m.
    const shape = fenceShape(fence);

    expect(signedDistanceM(shape, { lonDeg: -180, latDeg: -17 })).toBeCloseTo(1_064.8, 0);
    expect(signedDistanceM(shape, { lonDeg: -179.98, latDeg: -17 })).toBeCloseTo(-1_064.8, 0);
    expect(holds(shape, { lonDeg: 0, latDeg: -17 })).toBe(false);
  });

  test("a fence over the antimeridian is entered and left by an asset that drives over it", () => {
    // 0.0005 degrees are 53 m: a fix every 5 s at 38 km/h, from 179.98 to -179.98.
    const fixes = Array.from({ length: 81 }, (_, i) => {
      const lonDeg = 179.98 + i * 0.0005;
      return {
        tMs: START_MS + i * 5_000,
        lonDeg: lonDeg > 180 ? lonDeg - 360 : lonDeg,
        latDeg: -17.0001,
        accuracyM: 3,
      };
    });

    // The edges are at i = 20 and i = 60; the first fixes surely beyond are the next ones.
    const { crossings } = foldFixes(timeline, fixes);
    expect(crossings.map(inShort)).toEqual(["dateline entered 105", "dateline exited 305"]);
    expect(foldFixes(timeline, fixes, undefined, { skip: false }).crossings).toEqual(crossings);
  });

  test("a fence over the antimeridian is inferred between two fixes on either side of it", () => {
    const approach = Array.from({ length: 20 }, (_, i) => 179.9795 + i * 0.0005);
    const fixes = [...approach, -179.985].map((lonDeg, i) => ({
      tMs: START_MS + (i < 20 ? i * 5_000 : 400_000),
      lonDeg,
      latDeg: -17.0001,
      accuracyM: 3,
    }));

    const { crossings } = foldFixes(timeline, fixes);

    expect(crossings.map(({ type, inferred }) => [type, inferred])).toEqual([
      ["entered", true],
      ["exited", true],
    ]);
    expect(crossings[0]?.location.longitude).toBeCloseTo(179.99, 6);
    expect(crossings[1]?.location.longitude).toBeCloseTo(-179.99, 6);
  });
});

test("the midpoint across the antimeridian is on the antimeridian", () => {
  const [west, east] = [
    { lonDeg: 179, latDeg: 10 },
    { lonDeg: -179, latDeg: 20 },
  ];

  expect(between(west, east, 0.5)).toEqual({ lonDeg: 180, latDeg: 15 });
  expect(between(west, east, 0.75)).toEqual({ lonDeg: -179.5, latDeg: 17.5 });
  expect(planarDistanceM(west, { lonDeg: -179, latDeg: 10 }, planarScale(10))).toBeCloseTo(
    2 * planarScale(10).mPerLonDeg,
  );
});
