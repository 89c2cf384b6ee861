import proj4 from "proj4";
import { describe, expect, it } from "vitest";
import { createEnuFrame, surveyOrigin } from "../../../processing/geometry/enu.ts";

describe("createEnuFrame", () => {
  it("createEnuFrame has 1e-5 degrees at the equator as 1.11319 m of east and 1.10574 m of north", () => {
    const frame = createEnuFrame({ latDeg: 0, lonDeg: 0, heightM: 0 });

    // Radii of curvature at the equator: a = 6378137 m and a (1 - e2) = 6335439.327 m.
    expect(frame.toEnu({ latDeg: 0, lonDeg: 1e-5, heightM: 0 })[0]).toBeCloseTo(1.113195, 6);
    expect(frame.toEnu({ latDeg: 1e-5, lonDeg: 0, heightM: 0 })[1]).toBeCloseTo(1.105743, 6);
    expect(frame.toEnu({ latDeg: 0, lonDeg: 0, heightM: 12 })).toEqual([0, 0, 12]);
  });

  it("createEnuFrame keeps the distances of earth-centred coordinates by proj4, and sinks below the horizon", () => {
    const origin = { latDeg: 46.8, lonDeg: -91.99, heightM: 200 };
    const point = { latDeg: 46.81, lonDeg: -91.97, heightM: 230 };
    const ecef = (p: typeof point) =>
      proj4("EPSG:4326", "+proj=geocent +datum=WGS84", [p.lonDeg, p.latDeg, p.heightM]);
    const [a, b] = [ecef(origin), ecef(point)];
    const distance = Math.hypot(...a.map((value, i) => value - (b[i] ?? 0)));

    const enu = createEnuFrame(origin).toEnu(point);

    expect(Math.hypot(...enu)).toBeCloseTo(distance, 6);
    // A horizon d metres away lies d2 / 2R below the tangent plane: 1.9 km give 0.28 m.
    const drop = 30 - enu[2];
    expect(drop).toBeCloseTo((enu[0] ** 2 + enu[1] ** 2) / 2 / 6.38e6, 2);
  });

  it.each([
    [46.8, -91.99],
    [-33.9, 151.2],
    [0, 179.999],
    [89.99, 10],
  ])("createEnuFrame goes to ENU and back at %f, %f within 1e-6 m", (latDeg, lonDeg) => {
    const frame = createEnuFrame({ latDeg, lonDeg, heightM: 50 });
    const [east, north, up] = [812.5, -431.25, 77.125];

    const again = frame.toEnu(frame.toGeodetic([east, north, up]));

    expect(again[0]).toBeCloseTo(east, 6);
    expect(again[1]).toBeCloseTo(north, 6);
    expect(again[2]).toBeCloseTo(up, 6);
  });
});

describe("surveyOrigin", () => {
  const at = (latDeg: number, lonDeg: number, altitudeM?: number) => ({
    latDeg,
    lonDeg,
    altitudeM,
  });

  it("surveyOrigin is the median of each coordinate, untouched by one position gone astray", () => {
    const origin = surveyOrigin([at(10, 20, 100), at(10.001, 20.001, 101), at(55, -70, 900)]);

    expect(origin?.latDeg).toBe(10.001);
    expect(origin?.lonDeg).toBeCloseTo(20, 9);
    expect(origin?.heightM).toBe(101);
  });

  it("surveyOrigin stays with a survey across the antimeridian", () => {
    const origin = surveyOrigin([at(0, 179.999), at(0, -179.999), at(0, -179.998)]);

    expect(origin?.lonDeg).toBeCloseTo(-179.999, 9);
    expect(origin?.heightM).toBe(0);
  });

  it("surveyOrigin is not there without positions", () => {
    expect(surveyOrigin([])).toBeUndefined();
  });
});
