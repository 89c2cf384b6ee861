import kinks from "@turf/kinks";
import { describe, expect, it } from "vitest";
import { fenceRing, RingError, unwrappedLons } from "../../../domain/geometry/fence-ring.ts";
import type { LonLat } from "../../../domain/geometry/geofence.ts";
import { seededRandom } from "../../support/seeded-random.ts";

/** What `fenceRing` says against these vertices: the vertex that it names, and the reason. */
function refusal(vertices: readonly LonLat[]): { vertex: number | undefined; reason: string } {
  try {
    fenceRing(vertices);
  } catch (error) {
    if (error instanceof RingError) return { vertex: error.vertex, reason: error.message };
    throw error;
  }
  throw new Error("the ring was taken");
}

function isTaken(vertices: readonly LonLat[]): boolean {
  try {
    return fenceRing(vertices).areaM2 > 0;
  } catch (error) {
    if (error instanceof RingError) return false;
    throw error;
  }
}

const SQUARE: readonly LonLat[] = [
  [9, 53],
  [9.01, 53],
  [9.01, 53.01],
  [9, 53.01],
];

/** `count` corners on a circle of 500 m. */
function circle(count: number): LonLat[] {
  return Array.from({ length: count }, (_, i) => {
    const angleRad = (2 * Math.PI * i) / count;
    return [9 + 0.0075 * Math.cos(angleRad), 53 + 0.0045 * Math.sin(angleRad)];
  });
}

describe("a ring", () => {
  it("a ring is closed, in the order given, whether it was closed or not", () => {
    const closed = [...SQUARE, [9, 53]];
    expect(fenceRing(SQUARE).ring).toEqual(closed);
    expect(fenceRing([...SQUARE, [9, 53]]).ring).toEqual(closed);
    expect(fenceRing(SQUARE.toReversed()).ring).toEqual([...SQUARE.toReversed(), [9, 53.01]]);
  });

  it("a ring leaves repetitions of the vertex before out, and names vertices as they were given", () => {
    const [a, b, c, d] = SQUARE as [LonLat, LonLat, LonLat, LonLat];
    expect(fenceRing([a, a, b, c, c, c, d, d, a, a]).ring).toEqual([...SQUARE, a]);
    expect(refusal([a, a, c, b, b, d]).vertex).toBe(3);
  });

  it("a ring takes 1,000 corners, closed or not, and refuses 1,001", () => {
    expect(fenceRing(circle(1_000)).ring).toHaveLength(1_001);
    expect(fenceRing([...circle(1_000), ...circle(1_000).slice(0, 1)]).ring).toHaveLength(1_001);
    expect(refusal(circle(1_001)).reason).toBe(
      "has 1001 different vertices; an outline has 3 to 1000, a closing one not counted",
    );
  });

  it("a ring may have corners on a straight side", () => {
    const middle: LonLat = [9.005, 53];
    expect(fenceRing(SQUARE.toSpliced(1, 0, middle)).ring).toHaveLength(6);
  });

  it("a ring has the area of 1 m2 or more: 0.9 m x 1 m is refused, 1.1 m x 1 m is not", () => {
    // At the equator 1 m is 1 / 111,319.49 degrees of longitude and 1 / 110,574.28 of latitude.
    const box = (widthM: number): LonLat[] => [
      [0, 0],
      [widthM / 111_319.49, 0],
      [widthM / 111_319.49, 1 / 110_574.28],
      [0, 1 / 110_574.28],
    ];
    expect(refusal(box(0.9))).toEqual({
      vertex: undefined,
      reason: "has an area of 0.900 m2; an outline has 1 m2 or more",
    });
    expect(fenceRing(box(1.1)).areaM2).toBeCloseTo(1.1, 5);
  });
});

describe("a ring with a flaw", () => {
  it.each<[string, number, LonLat[], string]>([
    [
      "two edges that cross",
      2,
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ],
      "begins an edge, to vertex 3, that crosses the edge from vertex 0 to vertex 1",
    ],
    [
      "the closing edge crossing another",
      3,
      [
        [0, 0],
        [2, 0],
        [2, 2],
        [3, 1],
      ],
      "begins an edge, to vertex 0, that crosses the edge from vertex 1 to vertex 2",
    ],
    [
      "a corner on another edge",
      3,
      [
        [0, 0],
        [2, 0],
        [2, 2],
        [1, 0],
        [0, 2],
      ],
      "lies on the edge from vertex 0 to vertex 1: the outline touches itself",
    ],
    [
      "a corner at another corner",
      5,
      [
        [0, 0],
        [4, 0],
        [2, 2],
        [4, 4],
        [0, 4],
        [2, 2],
      ],
      "is at the place of vertex 2: the outline touches itself",
    ],
    [
      "a spike outwards",
      2,
      [
        [0, 0],
        [2, 0],
        [4, 0],
        [3, 0],
        [2, 2],
      ],
      "is a spike: the outline turns back on itself",
    ],
    [
      "a spike of decimals that no double holds",
      2,
      [
        [9, 53],
        [9.1, 53.1],
        [9.3, 53.3],
        [9.2, 53.2],
        [9, 53.4],
      ],
      "is a spike: the outline turns back on itself",
    ],
    [
      "corners on one line",
      2,
      [
        [0, 0],
        [0.1, 0.1],
        [0.3, 0.3],
      ],
      "is a spike: the outline turns back on itself",
    ],
  ])("%s: names vertex %i", (_name, vertex, vertices, reason) => {
    expect(refusal(vertices)).toEqual({ vertex, reason });
  });
});

it("the check of a ring finds edges that cross wherever turf's kinks does, in 5,000 random rings", () => {
  const random = seededRandom(7);
  let simple = 0;
  for (let i = 0; i < 5_000; i += 1) {
    const count = 4 + (i % 6);
    const corners = Array.from({ length: count }, (): LonLat => [random(), random()]);
    const coordinates = [[...corners, corners[0] as LonLat].map((corner) => [...corner])];
    const expected = kinks({ type: "Polygon", coordinates }).features.length === 0;
    if (expected) simple += 1;
    expect(isTaken(corners)).toBe(expected);
  }
  expect(simple).toBeGreaterThan(100);
});

describe("a ring at the antimeridian", () => {
  const fiji: readonly LonLat[] = [
    [179.9, -17],
    [-179.9, -17],
    [-179.9, -16.9],
    [179.9, -16.9],
  ];

  it("a ring at the antimeridian is joined across it, and keeps its longitudes", () => {
    const elsewhere = fiji.map(
      ([lonDeg, latDeg]): LonLat => [lonDeg > 0 ? lonDeg - 170 : lonDeg + 190, latDeg],
    );
    const { ring, areaM2 } = fenceRing(fiji);
    expect(ring).toEqual([...fiji, fiji[0]]);
    expect(areaM2).toBeCloseTo(fenceRing(elsewhere).areaM2, 0);
    expect([...unwrappedLons(ring)]).toEqual([179.9, 180.1, 180.1, 179.9, 179.9]);
  });

  it("a ring at the antimeridian may be closed with the other sign of 180 degrees", () => {
    const ring: LonLat[] = [
      [180, 10],
      [-179, 10],
      [-179, 11],
      [-180, 10],
    ];
    expect(fenceRing(ring).ring).toHaveLength(4);
  });

  it("a ring at the antimeridian is refused when it crosses itself there", () => {
    const [a, b, c, d] = fiji as [LonLat, LonLat, LonLat, LonLat];
    expect(refusal([a, c, b, d]).reason).toContain("crosses the edge from vertex 0 to vertex 1");
  });
});

describe("a ring as wide as the Earth", () => {
  const round = "goes once round the Earth";
  it.each<[string, number | undefined, LonLat[], string]>([
    [
      "around the pole",
      undefined,
      [
        [0, 80],
        [90, 80],
        [180, 80],
        [-90, 80],
      ],
      round,
    ],
    [
      "around the pole, westward",
      undefined,
      [
        [0, -80],
        [-120, -80],
        [120, -80],
      ],
      round,
    ],
    [
      "of 200 degrees",
      undefined,
      [
        [-100, 0],
        [0, 0],
        [100, 0],
        [0, 10],
      ],
      "is 200 degrees of longitude wide; an outline is at most 180 degrees wide",
    ],
    [
      "with an edge of 180 degrees",
      1,
      [
        [-90, 0],
        [90, 0],
        [0, 10],
      ],
      "is 180 degrees of longitude from vertex 0, so that either direction could be meant",
    ],
  ])("%s is refused", (_name, vertex, vertices, reason) => {
    const given = refusal(vertices);
    expect(given.vertex).toBe(vertex);
    expect(given.reason).toContain(reason);
  });
});
