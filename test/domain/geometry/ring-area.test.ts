import area from "@turf/area";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ringAreaM2 } from "../../../domain/geometry/ring-area.ts";

const RAD_PER_DEG = Math.PI / 180;

/** Corners of a rectangle between parallels and meridians. */
function rectangle(west: number, south: number, widthDeg: number, heightDeg: number) {
  const [east, north] = [west + widthDeg, south + heightDeg];
  return {
    lonsDeg: Float64Array.of(west, east, east, west),
    latsDeg: Float64Array.of(south, south, north, north),
  };
}

const areaOf = ({ lonsDeg, latsDeg }: ReturnType<typeof rectangle>) => ringAreaM2(lonsDeg, latsDeg);

/** Square metres of one square degree at a latitude: the radii of curvature of WGS 84, M x N x cos(lat). */
function squareDegreeM2(latDeg: number): number {
  const e2 = 0.00669437999014;
  const sin = Math.sin(latDeg * RAD_PER_DEG);
  const n = 6_378_137 / Math.sqrt(1 - e2 * sin ** 2);
  const m = (6_378_137 * (1 - e2)) / (1 - e2 * sin ** 2) ** 1.5;
  return m * n * Math.cos(latDeg * RAD_PER_DEG) * RAD_PER_DEG ** 2;
}

it.each([
  0, 33.9, 53.5, -72, 89,
])("the area of a small rectangle at %d degrees is measured by the radii there", (latDeg) => {
  const side = 0.001;
  const measured = areaOf(rectangle(9.9, latDeg - side / 2, side, side));
  expect(measured / (squareDegreeM2(latDeg) * side ** 2)).toBeCloseTo(1, 8);
});

it("the area of the whole Earth is 510,065,621.7 km2", () => {
  // WGS 84: 2 pi a^2 + pi b^2 / e ln((1 + e) / (1 - e)); NIMA TR8350.2 gives the radius of equal area as 6371007.1809 m.
  const half = areaOf(rectangle(-90, -90, 180, 180));
  expect((2 * half) / (4 * Math.PI * 6_371_007.1809 ** 2)).toBeCloseTo(1, 9);
});

it("the area of a square of 1 m2 is exact to 1e-6 m2 at 180 degrees of longitude", () => {
  // 2 x 2 units of 2^-17 degrees are exact in a double, so that only the sums round.
  const unit = 2 ** -17;
  const here = areaOf(rectangle(0, 60, 2 * unit, 2 * unit));
  const far = areaOf(rectangle(180 - 2 * unit, 60, 2 * unit, 2 * unit));
  expect(Math.abs(here - far)).toBeLessThan(1e-6);
  expect(here).toBeGreaterThan(1);
  expect(here).toBeLessThan(3);
});

it("the area of a triangle is measured with edges that are straight in longitude and latitude", () => {
  // Half of a rectangle of 0.1 degrees, less what the meridians converge: the width of the triangle
  // falls with the height h as (1 - h), so that its area is the integral of (1 - h) squareDegreeM2.
  const side = 0.1;
  const measured = ringAreaM2(
    Float64Array.of(10, 10 + side, 10),
    Float64Array.of(60, 60, 60 + side),
  );
  const steps = 1_000;
  let expected = 0;
  for (let i = 0; i < steps; i += 1) {
    const h = (i + 0.5) / steps;
    expected += ((1 - h) * squareDegreeM2(60 + h * side) * side ** 2) / steps;
  }
  expect(measured / expected).toBeCloseTo(1, 6);
});

it("the area of a ring has no sign: clockwise is the same area", () => {
  const { lonsDeg, latsDeg } = rectangle(9.9, 53.5, 0.01, 0.02);
  expect(ringAreaM2(lonsDeg.toReversed(), latsDeg.toReversed())).toBeCloseTo(
    ringAreaM2(lonsDeg, latsDeg),
    6,
  );
});

it("the area of a ring is turf's area on the sphere, corrected by the ellipsoid at that latitude", () => {
  const offset = fc.double({ min: 0.0005, max: 0.01, noNaN: true });
  fc.assert(
    fc.property(
      fc.double({ min: -179, max: 179, noNaN: true }),
      fc.double({ min: -70, max: 70, noNaN: true }),
      fc.tuple(offset, offset, offset, offset),
      (lon, lat, [east, north, west, south]) => {
        const corners = [
          [lon + east, lat],
          [lon, lat + north],
          [lon - west, lat],
          [lon, lat - south],
        ];
        const sphereM2 = area({ type: "Polygon", coordinates: [[...corners, [lon + east, lat]]] });
        const sphereSquareDegreeM2 = (6_371_008.8 * RAD_PER_DEG) ** 2 * Math.cos(lat * RAD_PER_DEG);
        // Turf's edges are straight in another projection: up to 1e-4 of an area of 2 km.
        const expected = sphereM2 * (squareDegreeM2(lat) / sphereSquareDegreeM2);
        const measured = ringAreaM2(
          Float64Array.from(corners, ([x = 0]) => x),
          Float64Array.from(corners, ([, y = 0]) => y),
        );
        expect(Math.abs(measured / expected - 1)).toBeLessThan(1e-4);
      },
    ),
    { numRuns: 500 },
  );
});
