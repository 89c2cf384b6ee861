import { describe, expect, it } from "vitest";
import { readFlightMetadata } from "../../../../processing/progress/flight/flight-metadata.ts";

const GCP = {
  ...{ name: "A", latitude: 52.5, longitude: 13.4, elevation_m: 40.5 },
  ...{ image: "1.jpg", x: 100, y: 200 },
};

describe("metadata of a flight", () => {
  it("the reader of flight metadata makes one point of the marks of one name", () => {
    const { controlPoints, warnings } = readFlightMetadata({
      ground_control_points: [
        GCP,
        { ...GCP, image: "2.jpg", x: 300.5, y: 20 },
        { ...GCP, name: "Check 1" },
      ],
    });
    const point = {
      ...{ latDeg: 52.5, lonDeg: 13.4, heightM: 40.5 },
      sigmaM: { horizontal: 0.02, vertical: 0.03 },
    };
    expect(controlPoints).toEqual([
      {
        ...{ name: "A", ...point, isCheck: false },
        marks: [
          { image: "1.jpg", u: 100, v: 200 },
          { image: "2.jpg", u: 300.5, v: 20 },
        ],
      },
      { name: "Check 1", ...point, isCheck: true, marks: [{ image: "1.jpg", u: 100, v: 200 }] },
    ]);
    expect(warnings).toEqual([]);
  });

  it("the reader of flight metadata names marks that cannot be used, and uses the others", () => {
    const { controlPoints, warnings } = readFlightMetadata({
      ground_control_points: [
        GCP,
        { ...GCP, latitude: 91 },
        { ...GCP, x: "12" },
        null,
        { ...GCP, name: "" },
      ],
    });
    expect(controlPoints).toHaveLength(1);
    expect(warnings).toEqual([expect.stringContaining("4 of 5 entries (1, 2, 3, 4)")]);
  });

  it("the reader of flight metadata leaves out a point that is said to be at two places", () => {
    const { controlPoints, warnings } = readFlightMetadata({
      ground_control_points: [GCP, { ...GCP, elevation_m: 41 }],
    });
    expect(controlPoints).toEqual([]);
    expect(warnings).toEqual(['Control point "A" is given at two places, and was not used.']);
  });

  it("metadata report a flown_at that is not a time, and take none", () => {
    const read = readFlightMetadata({ flown_at: "last week", ground_control_points: "none" });
    expect(read.flownAtMs).toBeUndefined();
    expect(read.warnings).toHaveLength(2);
    expect(readFlightMetadata({ flown_at: "2026-03-05T10:00:00Z" }).flownAtMs).toBe(
      Date.UTC(2026, 2, 5, 10),
    );
  });

  it("the reader of flight metadata takes scale bars, profile and orthophoto, and says which bars it cannot use", () => {
    const marks = [{ image: "1.jpg", u: 10, v: 20 }];
    const bar = { length_m: 10.5, sigma_m: 0.01, ends: [{ marks }, { marks }] };
    const asked = { profile: "full", orthophoto: "native" };
    const read = readFlightMetadata({ ...asked, scale_bars: [bar, { ...bar, length_m: 0 }] });
    expect(read).toMatchObject({
      ...asked,
      scaleBars: [{ lengthM: 10.5, sigmaM: 0.01, ends: bar.ends }],
      warnings: [expect.stringMatching(/scale_bars: 1 of 2 entries/)],
    });
    const { scaleBars, warnings } = readFlightMetadata({ scale_bars: "10 m" });
    expect([scaleBars, warnings]).toEqual([[], [expect.stringMatching(/is not a list/)]]);
  });

  it("all metadata of a flight are optional", () => {
    expect(readFlightMetadata(undefined)).toEqual({
      ...{ profile: "quick", orthophoto: "profile", scaleBars: [] },
      ...{ flownAtMs: undefined, isRtk: false, controlPoints: [], warnings: [] },
      ...{ dsmUrl: undefined, orthomosaicUrl: undefined, exports: false },
      isControlSubset: false,
    });
  });
});
