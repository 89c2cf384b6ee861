import { describe, expect, it } from "vitest";
import { readAttitude } from "../../../../processing/images/tags/attitude.ts";
import { readCaptureTime } from "../../../../processing/images/tags/capture-time.ts";
import { readFocal } from "../../../../processing/images/tags/focal.ts";
import { readPosition } from "../../../../processing/images/tags/position.ts";
import { numberOf } from "../../../../processing/images/tags/tag-groups.ts";

describe("attitude", () => {
  const senseFly = (Yaw: number, Pitch: number, Roll: number) =>
    readAttitude({ ifd0: { Make: "senseFly" }, Camera: { Yaw, Pitch, Roll } });

  it("the attitude is the gimbal's own with DJI and Parrot", () => {
    const wanted = { yawDeg: 45, pitchDeg: -55, rollDeg: 0.5 };
    expect(
      readAttitude({
        "drone-dji": { GimbalYawDegree: 45, GimbalPitchDegree: "-55.0", GimbalRollDegree: 0.5 },
      }),
    ).toEqual(wanted);
    expect(
      readAttitude({
        "drone-parrot": { CameraYawDegree: 45, CameraPitchDegree: -55, CameraRollDegree: "1/2" },
      }),
    ).toEqual(wanted);
  });

  it("the attitude of a level senseFly points straight down, its top towards the heading", () => {
    const { yawDeg, pitchDeg, rollDeg } = senseFly(120, 0, 0) ?? {};
    expect([yawDeg, pitchDeg, rollDeg].map((deg = 0) => Math.round(deg * 1e6) / 1e6)).toEqual([
      120, -90, 0,
    ]);
  });

  it("the attitude points ahead by as much as the body is pitched up", () => {
    const { yawDeg = 0, pitchDeg, rollDeg } = senseFly(30, 20, 0) ?? {};
    expect(yawDeg).toBeCloseTo(30, 9);
    expect(pitchDeg).toBeCloseTo(-70, 9);
    expect(rollDeg).toBeCloseTo(0, 9);
  });

  it("the attitude points to the left of a body that banks to the right, and the reverse with senseFly", () => {
    // Flying north with the right wing 10 degrees down, the belly faces west.
    const body = { Yaw: 0, Pitch: 0, Roll: 10 };
    const parrot = readAttitude({ ifd0: { Make: "Parrot" }, Camera: body });
    expect(parrot?.pitchDeg).toBeCloseTo(-80, 9);
    expect(parrot?.yawDeg).toBeCloseTo(-90, 9);
    expect(senseFly(0, 0, 10)?.yawDeg).toBeCloseTo(90, 9);
  });

  it("the attitude is unknown without yaw and pitch", () => {
    expect(readAttitude({ "drone-dji": { GimbalRollDegree: 0 } })).toBeUndefined();
  });
});

describe("position", () => {
  const gps = {
    GPSLatitudeRef: "S",
    GPSLatitude: [33, 30, 18],
    GPSLongitudeRef: "E",
    GPSLongitude: [151, 15, 36],
    GPSAltitudeRef: new Uint8Array([1]),
    GPSAltitude: 12.5,
  };

  it("a position has the signs of its hemispheres, and of a height below the reference", () => {
    expect(readPosition({ gps })).toEqual({
      latDeg: -(33 + 30 / 60 + 18 / 3600),
      lonDeg: 151 + 15 / 60 + 36 / 3600,
      altitudeM: -12.5,
      sigmaM: undefined,
      isRtk: false,
    });
  });

  it("a position prefers the maker's own, which may be misspelt", () => {
    const dji = {
      GpsLatitude: "-33.505001",
      GpsLongtitude: "151.260002",
      AbsoluteAltitude: "80.1",
    };
    expect(readPosition({ gps, "drone-dji": dji })).toMatchObject({
      latDeg: -33.505001,
      lonDeg: 151.260002,
      altitudeM: 80.1,
    });
  });

  it.each([
    [50, 0.02, true],
    [34, 0.02, false],
    [undefined, 0.02, true],
    [undefined, 0.8, false],
  ])("a position with flag %s and sigma %s m is fixed: %s", (RtkFlag, sigma, isRtk) => {
    const dji = { RtkFlag, RtkStdLon: sigma, RtkStdLat: sigma, RtkStdHgt: sigma };
    expect(readPosition({ gps, "drone-dji": dji })).toMatchObject({
      isRtk,
      sigmaM: { horizontal: sigma, vertical: sigma },
    });
  });

  it("a position states senseFly's and Parrot's accuracy", () => {
    const Camera = { GPSXYAccuracy: "0.03", GPSZAccuracy: "0.05" };
    expect(readPosition({ gps, Camera })).toMatchObject({
      sigmaM: { horizontal: 0.03, vertical: 0.05 },
      isRtk: true,
    });
  });

  it.each([
    ["none", {}],
    ["0, 0 of a receiver that knows none", { GPSLatitude: [0, 0, 0], GPSLongitude: [0, 0, 0] }],
    ["off the globe", { GPSLatitude: [91, 0, 0], GPSLongitude: [10, 0, 0] }],
    ["not a number", { GPSLatitude: [Number.NaN, 0, 0], GPSLongitude: [10, 0, 0] }],
  ])("a position is unknown: %s", (_name, tags) => {
    expect(readPosition({ gps: tags })).toBeUndefined();
  });
});

describe("focal length", () => {
  it.each([
    ["inches", 2, 25.4],
    ["centimetres", 3, 10],
    ["millimetres", 4, 1],
    ["micrometres", 5, 0.001],
  ])("on the focal plane counts in %s", (_name, FocalPlaneResolutionUnit, mm) => {
    const exif = { FocalPlaneXResolution: 5_000 * mm, FocalPlaneResolutionUnit };
    expect(readFocal({ exif }, 4_000).focalPlanePxPerMm).toBeCloseTo(5_000, 6);
  });

  it("on the focal plane shrinks with an image that was made smaller", () => {
    const exif = {
      FocalPlaneXResolution: 5_000,
      FocalPlaneResolutionUnit: 4,
      ExifImageWidth: 4_000,
    };
    expect(readFocal({ exif }, 1_000).focalPlanePxPerMm).toBe(1_250);
  });

  it("a focal length of zero is unknown", () => {
    expect(readFocal({ exif: { FocalLength: 0, FocalLengthIn35mmFormat: 0 } }, 100)).toEqual({
      focalLengthMm: undefined,
      focal35Mm: undefined,
      focalPlanePxPerMm: undefined,
      dewarp: undefined,
      isUndistorted: false,
    });
  });

  it.each([
    "2020;1,2,3",
    "1,2,3,4,5,6,7,8,9",
    "2020;1,2,3,4,5,6,7,8,x",
    7,
  ])("a focal length has no calibration in %s", (DewarpData) => {
    expect(readFocal({ "drone-dji": { DewarpData } }, 100).dewarp).toBeUndefined();
  });
});

describe("time of capture", () => {
  it.each([
    ["2026:11:20 09:30:15", undefined, Date.UTC(2026, 10, 20, 9, 30, 15)],
    ["2026:11:20 09:30:15", "-03:30", Date.UTC(2026, 10, 20, 13, 0, 15)],
    ["2026-11-20T09:30:15Z", undefined, Date.UTC(2026, 10, 20, 9, 30, 15)],
    ["0000:00:00 00:00:00", undefined, undefined],
    ["yesterday", undefined, undefined],
  ])("of %s at %s", (DateTimeOriginal, OffsetTimeOriginal, wanted) => {
    expect(readCaptureTime({ DateTimeOriginal, OffsetTimeOriginal })).toBe(wanted);
  });
});

it.each([
  ["+12.50", 12.5],
  ["25/2", 12.5],
  ["-1e-3", -0.001],
  [7, 7],
  [new Uint8Array([1]), 1],
  [Number.NaN, undefined],
  ["1/0", undefined],
  ["12 m", undefined],
  ["", undefined],
  [null, undefined],
])("the number of %s is %s", (value, wanted) => {
  expect(numberOf(value)).toBe(wanted);
});
