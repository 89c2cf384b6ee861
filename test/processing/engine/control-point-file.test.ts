import { describe, expect, it } from "vitest";
import { readControlPointFile } from "../../../processing/engine/control-point-file.ts";

describe("a file of control points", () => {
  it("gathers the marks of a name, and holds those back that are called check", () => {
    const text =
      "EPSG:4326\n# surveyed\n9.5 51.25 180.5 10 20 a.jpg P1\n9.5 51.25 180.5 30.5 40 b.jpg P1\n9.6 51.25 181 5 6 a.jpg check-2\n";
    expect(readControlPointFile(text)).toEqual([
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

  it("reads UTM by the zone's name", () => {
    // On the central meridian of zone 32, at the equator: 500 km east, 0 km north.
    const [point] = readControlPointFile("WGS84 UTM 32N\n500000 0 100 1 2 a.jpg\n");
    expect(point?.lonDeg).toBeCloseTo(9, 9);
    expect(point?.latDeg).toBeCloseTo(0, 9);
  });

  it.each([
    ["9.5 51.25 180 1 2 a.jpg", /coordinate system/],
    ["EPSG:4326\n9.5 51.25 180 1 2", /line 2/],
    ["EPSG:4326\n\n9.5 51.25 high 1 2 a.jpg P1", /line 3/],
  ])("refuses %j", (text, message) => {
    expect(() => readControlPointFile(text)).toThrow(message);
  });
});
