import { expect, it } from "vitest";
import { ringGeometry } from "../../../../api/representations/ring-geometry.ts";
import { fenceRing } from "../../../../domain/geometry/fence-ring.ts";
import type { LonLat } from "../../../../domain/geometry/geofence.ts";

const geometryOf = (vertices: readonly LonLat[]) => ringGeometry(fenceRing(vertices).ring);

it("the GeoJSON of a fence turns a clockwise outline round", () => {
  const corners: LonLat[] = [
    [1, 1],
    [1, 2],
    [2, 2],
  ];
  const expected = [
    [
      [1, 1],
      [2, 2],
      [1, 2],
      [1, 1],
    ],
  ];
  expect(geometryOf(corners)).toEqual({ type: "Polygon", coordinates: expected });
  expect(
    geometryOf([
      [1, 1],
      [2, 2],
      [1, 2],
    ]),
  ).toEqual({ type: "Polygon", coordinates: expected });
});

it.each<[string, LonLat[]]>([
  [
    "from the west",
    [
      [179, 0],
      [-179, 0],
      [-179, 2],
      [179, 2],
    ],
  ],
  [
    "from the east",
    [
      [-179, 2],
      [179, 2],
      [179, 0],
      [-179, 0],
    ],
  ],
])("cuts an outline at the antimeridian in two, begun %s", (_name, corners) => {
  const geometry = geometryOf(corners) as { type: string; coordinates: number[][][][] };
  expect(geometry.type).toBe("MultiPolygon");
  const parts = geometry.coordinates.map((part) => part[0]?.slice(0, -1).toSorted(byLonLat));
  expect(parts.toSorted((a, b) => (b?.[0]?.[0] ?? 0) - (a?.[0]?.[0] ?? 0))).toEqual([
    [
      [179, 0],
      [179, 2],
      [180, 0],
      [180, 2],
    ],
    [
      [-180, 0],
      [-180, 2],
      [-179, 0],
      [-179, 2],
    ],
  ]);
  for (const [ring = []] of geometry.coordinates) {
    expect(ring[0]).toEqual(ring.at(-1));
    expect(signedArea(ring)).toBe(2);
  }
});

it("the GeoJSON of a fence leaves an outline that only touches the antimeridian whole, on its own side", () => {
  const west = geometryOf([
    [179, 0],
    [-180, 0],
    [-180, 2],
    [179, 2],
  ]);
  const east = geometryOf([
    [180, 0],
    [-179, 0],
    [-179, 2],
    [180, 2],
  ]);
  expect(west).toEqual({
    type: "Polygon",
    coordinates: [
      [
        [179, 0],
        [180, 0],
        [180, 2],
        [179, 2],
        [179, 0],
      ],
    ],
  });
  expect(east).toEqual({
    type: "Polygon",
    coordinates: [
      [
        [-180, 0],
        [-179, 0],
        [-179, 2],
        [-180, 2],
        [-180, 0],
      ],
    ],
  });
});

const byLonLat = ([aLon = 0, aLat = 0]: number[], [bLon = 0, bLat = 0]: number[]): number =>
  aLon - bLon || aLat - bLat;

/** In square degrees, positive for a counter-clockwise ring. */
function signedArea(ring: readonly number[][]): number {
  return ring.slice(1).reduce((sum, [lon = 0, lat = 0], i) => {
    const [beforeLon = 0, beforeLat = 0] = ring[i] ?? [];
    return sum + (beforeLon * lat - lon * beforeLat) / 2;
  }, 0);
}
