import { describe, expect, it } from "vitest";
import type { DrawnShape, LonLat } from "../../../domain/geometry/geofence.ts";
import { ringAreaM2 } from "../../../domain/geometry/ring-area.ts";
import { outlineOf } from "../../../processing/fence-outline/outline.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { circleTrial, corridorTrial } from "../../support/shape-truth.ts";

const circle = (lonDeg: number, latDeg: number, radius_m: number) =>
  ({ type: "circle", centre: [lonDeg, latDeg], radius_m }) as const;
const corridor = (width_m: number, ...line: LonLat[]) =>
  ({ type: "corridor", line, width_m }) as const;

describe("the outline of a circle", () => {
  it.each([
    ["1 m", circle(13.4, 52.5, 1), 0.02],
    ["100 m on the equator, over the antimeridian", circle(180, 0, 100), 0.02],
    ["10 km", circle(-179.98, -17, 10_000), 0.055],
    ["100 km", circle(13.4, 60, 100_000), 0.55],
    ["100 m, 1 km from the pole", circle(20, 89.991, 100), 0.02],
  ])("the outline of a circle of %s lies within its tolerance of a circle on the ellipsoid", (_name, drawn, toleranceM) => {
    const trial = circleTrial(drawn, 1_000, seededRandom(17), 2_000);
    expect(trial.inside).toBeGreaterThan(300);
    expect(trial.corners).toBeLessThanOrEqual(1_000);
    expect(trial.farthestM).toBeLessThan(toleranceM);
  });

  it("the outline of a circle is counter-clockwise, closed, and the same every time", () => {
    const { ring, areaM2 } = outlineOf(circle(13.4, 52.5, 50));
    expect(ring.at(-1)).toEqual(ring[0]);
    const signed = ring.reduce((sum, [x, y], i) => {
      const [nextX, nextY] = ring[i + 1] ?? [x, y];
      return sum + (x - 13.4) * (nextY - 52.5) - (nextX - 13.4) * (y - 52.5);
    }, 0);
    expect(signed).toBeGreaterThan(0);
    const lons = Float64Array.from(ring.slice(0, -1), ([lonDeg]) => lonDeg);
    const lats = Float64Array.from(ring.slice(0, -1), ([, latDeg]) => latDeg);
    expect(areaM2).toBe(ringAreaM2(lons, lats));
    expect(outlineOf(circle(13.4, 52.5, 50)).ring).toEqual(ring);
  });
});

describe("the outline of a corridor", () => {
  const winding = Array.from(
    { length: 40 },
    (_, i): LonLat => [13 + i * 3e-4, 52 + 2e-4 * Math.sin(i / 3)],
  );
  it.each([
    ["a straight road", corridor(12, [13.4, 52.5], [13.41, 52.5])],
    [
      "a bent road over the antimeridian",
      corridor(20, [179.99, 52.5], [-179.99, 52.51], [-179.98, 52.5]),
    ],
    ["a winding road", corridor(10, ...winding)],
    [
      "a road that crosses itself without a gap",
      corridor(200, [13, 52], [13.001, 52], [13.0005, 52.0005], [13.0005, 51.9995]),
    ],
    ["a path there and back", corridor(20, [13, 52], [13.01, 52], [13, 52])],
    ["a line of 1 cm", corridor(10, [13, 52], [13.0000001, 52])],
    ["50 cm of width", corridor(0.5, [13, 52], [13.001, 52])],
    ["a piece of a parallel near the pole", corridor(20, [13, 89.99], [60, 89.99])],
    [
      "repeated points",
      corridor(8, [13, 52], [13, 52], [13.001, 52], [13.001, 52], [13.001, 52.001]),
    ],
  ])("the outline of a corridor of %s lies within 5 cm of the places at half its width", (_name, drawn) => {
    const trial = corridorTrial(drawn, 500, seededRandom(17));
    expect(trial.inside).toBeGreaterThan(100);
    expect(trial.corners).toBeLessThanOrEqual(1_000);
    expect(trial.farthestM).toBeLessThan(0.05);
  });

  it.each<[string, DrawnShape, string, RegExp]>([
    ["a line of no length", corridor(10, [13, 52], [13, 52]), "line", /no length/],
    [
      "a line of no length over the antimeridian",
      corridor(10, [180, 5], [-180, 5]),
      "line",
      /no length/,
    ],
    [
      "a ring road",
      corridor(10, [13, 52], [13.01, 52], [13.01, 52.01], [13, 52.01], [13, 52]),
      "line",
      /goes round \d+ m2/,
    ],
    [
      "the fixes of a stay",
      corridor(
        10,
        ...Array.from(
          { length: 60 },
          (_, i): LonLat => [13 + ((i * 7) % 11) * 1e-6, 52 + ((i * 5) % 13) * 1e-6],
        ),
      ),
      "line",
      /too often/,
    ],
    [
      "a step of half the Earth",
      corridor(10, [0, 89.9], [180, 89.9]),
      "line[1]",
      /either direction/,
    ],
    [
      "a line over a pole",
      corridor(10, [0, 89.9999], [120, 89.9999], [-120, 89.9999], [0, 89.9999]),
      "line",
      /goes round/,
    ],
    ["a circle around a pole", circle(0, 90, 50), "", /pole/],
    ["a large circle beside a pole", circle(0, 89.9, 10_000), "", /too close to a pole/],
    ["a width that is not a number", corridor(Number.NaN, [13, 52], [13.1, 52]), "width_m", /NaN/],
  ])("the outline of a corridor refuses %s", (_name, drawn, path, reason) => {
    expect(() => outlineOf(drawn)).toThrow(
      expect.objectContaining({ path, message: expect.stringMatching(reason) }),
    );
  });
});
