import { describe, expect, it } from "vitest";
import { readControlPointFile } from "../../../../processing/engine/port/control-point-file.ts";

describe("a file of control points", () => {
  it("a file of control points gathers the marks of a name, and holds those back that are called check", () => {
    const text =
      "EPSG:4326\n# surveyed\n9.5 51.25 180.5 10 20 a.jpg P1\n9.5 51.25 180.5 30.5 40 b.jpg P1\n9.6 51.25 181 5 6 a.jpg check-2\n";
    expect(readControlPointFile(text).points).toEqual([
      {
        ...{ name: "P1", lonDeg: 9.5, latDeg: 51.25, heightM: 180.5, isCheck: false },
        sigmaM: { horizontal: 0.02, vertical: 0.03 },
        marks: [
          { image: "a.jpg", u: 10, v: 20 },
          { image: "b.jpg", u: 30.5, v: 40 },
        ],
      },
      {
        ...{ name: "check-2", lonDeg: 9.6, latDeg: 51.25, heightM: 181, isCheck: true },
        sigmaM: { horizontal: 0.02, vertical: 0.03 },
        marks: [{ image: "a.jpg", u: 5, v: 6 }],
      },
    ]);
  });

  it("a file of control points reads UTM by the zone's name", () => {
    // On the central meridian of zone 32, at the equator: 500 km east, 0 km north.
    const [point] = readControlPointFile("WGS84 UTM 32N\n500000 0 100 1 2 a.jpg\n").points;
    expect(point?.lonDeg).toBeCloseTo(9, 9);
    expect(point?.latDeg).toBeCloseTo(0, 9);
  });

  it("a file of control points takes one place under two heights for one point, as unsure as they are apart", () => {
    const { points, note } = readControlPointFile(
      "EPSG:2180\n340594 548098 70 1 2 a.jpg\n340594 548098 70.5 3 4 b.jpg\n",
    );
    expect(points).toMatchObject([
      { heightM: 70.25, sigmaM: { horizontal: 0.02, vertical: 0.25 } },
    ]);
    expect(points[0]?.marks).toHaveLength(2);
    // Boruszyn, as published: the file has the easting first, which the authority does not.
    expect(points[0]?.latDeg).toBeCloseTo(52.775, 3);
    expect(points[0]?.lonDeg).toBeCloseTo(16.636, 3);
    expect(note).toMatch(/EPSG:2180.*easting before northing/);
  });

  it("a file of control points takes northing first only where the other order lies outside the system's area of use", () => {
    // Zone 33 north of Poland: 5,847 km north of the equator is not an easting of it.
    const north = readControlPointFile("EPSG:32633\n5847000 340000 70 1 2 a.jpg\n");
    expect(north.points[0]?.latDeg).toBeCloseTo(52.75, 1);
    expect(north.note).toMatch(/northing before easting/);
  });

  it("a file of control points reads CSV with named columns and names with blanks", () => {
    const { points } = readControlPointFile(
      "+proj=utm +zone=32 +datum=WGS84 +units=m\nname,image,u,v,easting,northing,height\nPost 1,a b.jpg,10,20,500000,0,5\n",
    );
    expect(points).toMatchObject([
      { name: "Post 1", heightM: 5, marks: [{ image: "a b.jpg", u: 10, v: 20 }] },
    ]);
  });

  it("a file of control points reads heights in the feet of their system", () => {
    const { points } = readControlPointFile("EPSG:2263\n990000 200000 100 1 2 a.jpg\n");
    expect(points[0]?.heightM).toBeCloseTo(30.48, 2);
  });

  it.each([
    ["9.5 51.25 180 1 2 a.jpg", /coordinate system/],
    ["EPSG:4326\n9.5 51.25 180 1 2", /line 2/],
    ["EPSG:4326\n\n9.5 51.25 high 1 2 a.jpg P1", /line 3/],
  ])("a file of control points refuses %j", (text, message) => {
    expect(() => readControlPointFile(text)).toThrow(message);
  });
});
