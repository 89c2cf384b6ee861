import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../../processing/gates/gate-thresholds.ts";
import { type GateFinding, GateRefusal } from "../../../../processing/gates/gates.ts";
import type {
  ImageQuality,
  SurveyImage,
} from "../../../../processing/photogrammetry/camera/survey-image.ts";
import { checkAdjustment } from "../../../../processing/photogrammetry/checks/check-adjustment.ts";
import { checkImages } from "../../../../processing/photogrammetry/checks/check-images.ts";
import { checkMatching } from "../../../../processing/photogrammetry/checks/check-matching.ts";
import {
  checkSurface,
  surveyedShare,
} from "../../../../processing/photogrammetry/checks/check-surface.ts";
import type {
  FailedPair,
  VerifiedPair,
} from "../../../../processing/photogrammetry/matching/verified-pair.ts";
import type { Reconstruction } from "../../../../processing/photogrammetry/reconstruction/reconstruction.ts";

const good: ImageQuality = {
  sharpness: 300,
  fineness: 0.8,
  brightness: 120,
  contrast: 40,
  overexposed: 0,
  underexposed: 0,
  differenceHash: "0123456789abcdef",
};

function image(i: number, changes: Partial<SurveyImage> = {}): SurveyImage {
  return {
    sha256: `${i}`.padStart(64, "0"),
    name: `DJI_${i}.JPG`,
    widthPx: 4_000,
    heightPx: 3_000,
    orientation: 1,
    capturedAtMs: 1_000 * i,
    make: "DJI",
    model: "FC300S",
    serial: undefined,
    software: undefined,
    focal: {
      focalLengthMm: 3.61,
      focal35Mm: 20,
      focalPlanePxPerMm: undefined,
      dewarp: undefined,
      isUndistorted: false,
    },
    position: {
      latDeg: 52.5 + i * 1e-4,
      lonDeg: 13.4,
      altitudeM: 90,
      sigmaM: undefined,
      isRtk: false,
    },
    gimbal: undefined,
    relativeAltitudeM: 40,
    quality: good,
    ...changes,
  };
}

const survey = (count: number) => Array.from({ length: count }, (_, i) => image(i));
const gates = (findings: readonly { gate: string; severity: string }[]) =>
  findings.map(({ gate, severity }) => `${gate} ${severity}`);

describe("the images of a survey", () => {
  it("pass without a word when they are good", () => {
    expect(checkImages(survey(36))).toEqual({ findings: [], leftOut: [] });
  });

  it("are refused when there are 3, and doubted when there are 8", () => {
    expect(checkImages(survey(3)).findings).toMatchObject([
      { gate: "TOO_FEW_IMAGES", severity: "reject", value: 3, threshold: 5 },
    ]);
    expect(gates(checkImages(survey(8)).findings)).toEqual(["TOO_FEW_IMAGES warn"]);
  });

  it("are refused above what one process adjusts, unless another engine takes them", () => {
    expect(gates(checkImages(survey(601)).findings)).toEqual(["TOO_MANY_IMAGES reject"]);
    expect(
      gates(checkImages(survey(601), { mostImages: Number.POSITIVE_INFINITY }).findings),
    ).toEqual([]);
  });

  it("the images of a survey lose one under a lens cap, which is named", () => {
    const images = survey(20);
    images[4] = image(4, { quality: { ...good, contrast: 2, brightness: 6, sharpness: 1 } });
    const { findings, leftOut } = checkImages(images);
    expect(leftOut).toEqual([4]);
    expect(findings).toMatchObject([
      { gate: "LENS_CAP", severity: "warn", value: 2, images: ["DJI_4.JPG"] },
    ]);
  });

  it("the images of a survey do not take even ground for a lens cap", () => {
    const even = { ...good, contrast: 6, brightness: 130 };
    expect(checkImages(survey(20).map((_, i) => image(i, { quality: even }))).leftOut).toEqual([]);
  });

  it("the images of a survey are refused as blurred when hardly a sharp one is left", () => {
    const images = survey(14).map((one, i) =>
      i < 11 ? image(i, { quality: { ...good, sharpness: 4, fineness: 0.05 } }) : one,
    );
    const { findings } = checkImages(images);
    expect(gates(findings)).toEqual(["LOW_SHARPNESS reject", "TOO_FEW_IMAGES reject"]);
    expect(findings[0]).toMatchObject({ value: 4, threshold: LIMITS.sharpness });
  });

  it("the images of a survey of even ground in focus are kept, and the advice names the ground, not the focus", () => {
    const even = { ...good, sharpness: 9, fineness: 0.4, contrast: 14 };
    const { findings, leftOut } = checkImages(
      survey(14).map((one, i) => (i < 13 ? image(i, { quality: even }) : one)),
    );
    expect(leftOut).toEqual([]);
    expect(findings).toMatchObject([
      { gate: "WEAK_TEXTURE", severity: "warn", value: 9, threshold: LIMITS.sharpness },
    ]);
    expect(findings[0]?.images).toHaveLength(13);
    expect(findings[0]?.advice).toMatch(/ground/);
    expect(findings[0]?.advice).not.toMatch(/check the focus|slower/);
  });

  it("the images of a survey without structure to compare are weak in texture, not blurred", () => {
    const blank = { ...good, sharpness: 0, fineness: undefined };
    expect(
      gates(checkImages(survey(14).map((_, i) => image(i, { quality: blank }))).findings),
    ).toEqual(["WEAK_TEXTURE warn"]);
  });

  it("the images of a survey count once when sent twice, also when saved anew", () => {
    const images = [...survey(13), image(3), image(5, { sha256: "f".repeat(64) })];
    expect(checkImages(images)).toMatchObject({
      leftOut: [13, 14],
      findings: [
        { gate: "DUPLICATE_IMAGES", severity: "warn", images: ["DJI_3.JPG", "DJI_5.JPG"] },
      ],
    });
  });

  it("the images of a survey are two when a hovering drone took both at one place", () => {
    const place = image(3).position;
    expect(checkImages([...survey(13), image(20, { position: place })]).leftOut).toEqual([]);
  });

  it("the images of a survey are refused without positions, and may miss one in ten", () => {
    const without = (count: number) =>
      survey(20).map((one, i) => (i < count ? image(i, { position: undefined }) : one));
    expect(checkImages(without(20)).findings).toMatchObject([
      { gate: "NO_GPS", severity: "reject", value: 0, threshold: 80 },
    ]);
    expect(gates(checkImages(without(2)).findings)).toEqual(["NO_GPS warn"]);
    // Control points place the block: then nobody misses them.
    expect(checkImages(without(20), { isPlacedByControl: true }).findings).toEqual([]);
  });
});

function pair(first: number, second: number, inliers = 120): VerifiedPair {
  return {
    first,
    second,
    candidates: inliers * 2,
    matches: new Uint32Array(inliers * 2),
    rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
    direction: [1, 0, 0],
  };
}
const chain = (count: number, inliers?: number) =>
  Array.from({ length: count - 1 }, (_, i) => [
    pair(i, i + 1, inliers),
    ...(i + 2 < count ? [pair(i, i + 2, inliers)] : []),
  ]).flat();
const names = (count: number) => Array.from({ length: count }, (_, i) => `${i}.jpg`);
const failed = (count: number): FailedPair[] =>
  Array.from({ length: count }, () => ({ first: 0, second: 1, candidates: 9, inliers: 3 }));

describe("the matches of a survey", () => {
  it("the matches of a survey pass without a finding when all hang together", () => {
    expect(
      checkMatching({
        expectedOverlap: 0.75,
        names: names(12),
        pairs: chain(12),
        failed: failed(4),
      }),
    ).toEqual({
      findings: [],
      leftOut: [],
    });
  });

  it("show weak texture by few matches in a pair, and by few pairs", () => {
    const few = checkMatching({
      expectedOverlap: 0.75,
      names: names(12),
      pairs: chain(12, 29),
      failed: [],
    });
    expect(few.findings).toMatchObject([
      { gate: "WEAK_TEXTURE", severity: "reject", value: 29, threshold: 50 },
    ]);
    // 21 of 60 pairs: 35 %.
    const rare = checkMatching({
      expectedOverlap: 0.75,
      names: names(12),
      pairs: chain(12),
      failed: failed(39),
    });
    expect(rare.findings).toMatchObject([{ gate: "WEAK_TEXTURE", value: 35, threshold: 40 }]);
  });

  it("the matches of a survey are not checked by how many match where pairs were tried blindly", () => {
    const blind = { names: names(12), pairs: chain(12), failed: failed(60) };
    expect(checkMatching({ ...blind, expectedOverlap: undefined }).findings).toEqual([]);
    expect(checkMatching({ ...blind, expectedOverlap: 0.75 }).findings).toHaveLength(1);
  });

  it("the matches of a survey are refused for their overlap where tags say that they hardly have any", () => {
    const apart = { names: names(12), pairs: chain(12).slice(0, 2), failed: failed(40) };
    expect(checkMatching({ ...apart, expectedOverlap: 0.05 }).findings[0]).toMatchObject({
      ...{ gate: "NO_OVERLAP", severity: "reject", value: 5, threshold: 50 },
    });
    // 2 of 42 pairs.
    expect(checkMatching({ ...apart, expectedOverlap: 0.75 }).findings[0]).toMatchObject({
      ...{ gate: "WEAK_TEXTURE", severity: "reject", value: 4.8 },
    });
  });

  it("leave out an image beside the block, and refuse two halves", () => {
    const one = checkMatching({
      expectedOverlap: 0.75,
      names: names(13),
      pairs: chain(12),
      failed: [],
    });
    expect(one.leftOut).toEqual([12]);
    expect(one.findings).toMatchObject([
      { gate: "DISCONNECTED", severity: "warn", images: ["12.jpg"] },
    ]);
    const second = chain(6).map(({ first, second: other, ...rest }) => ({
      ...rest,
      first: first + 7,
      second: other + 7,
    }));
    const halves = checkMatching({
      expectedOverlap: 0.75,
      names: names(13),
      pairs: [...chain(7), ...second],
      failed: [],
    });
    expect(halves.findings).toMatchObject([
      // 7 of 13.
      { gate: "DISCONNECTED", severity: "reject", value: 53.8, threshold: 90 },
    ]);
    expect(halves.leftOut).toEqual([7, 8, 9, 10, 11, 12]);
  });

  it("leave out an image that one neighbour holds", () => {
    const { findings, leftOut } = checkMatching({
      expectedOverlap: 0.75,
      names: names(13),
      pairs: [...chain(12), pair(0, 12)],
      failed: [],
    });
    expect(leftOut).toEqual([12]);
    expect(findings).toMatchObject([{ gate: "NO_OVERLAP", severity: "warn", images: ["12.jpg"] }]);
  });

  it("refuse images that see nothing in common", () => {
    const { findings } = checkMatching({
      expectedOverlap: 0.75,
      names: names(8),
      pairs: [],
      failed: failed(20),
    });
    expect(gates(findings)).toContain("NO_OVERLAP reject");
  });
});

function adjusted(changes: Partial<Reconstruction["summary"]>): Reconstruction {
  const none = new Float32Array(0);
  const lens = {
    widthPx: 4,
    heightPx: 3,
    focalPx: 4,
    cxPx: 2,
    cyPx: 1,
    k1: 0,
    k2: 0,
    p1: 0,
    p2: 0,
  };
  return {
    origin: { latDeg: 52, lonDeg: 13, heightM: 0 },
    cameras: [0, 1].map((i) => ({
      image: i,
      lens: 0,
      pose: { rotation: new Float64Array(9), centre: [0, 0, 40] as const },
      observations: 100,
      rmsPx: i + 1,
      gpsResidualM: [i, 0, 0] as const,
    })),
    lenses: [lens],
    points: new Float64Array(0),
    observations: { point: new Int32Array(0), camera: new Int32Array(0), u: none, v: none },
    summary: {
      rmsPx: 0.5,
      droppedTracks: 0.03,
      gpsResidualM: { horizontal: 0.8, vertical: 1.5 },
      gpsBiasM: [0, 0, 0],
      scaleSigma: 0.012,
      scaleFrom: "gps",
      focal: [{ relativeSigma: 0.002, relativeChange: 0.012 }],
      control: undefined,
      placedBy: "positions",
      scaleByPositions: { misfit: 0, sigma: 0.01 },
      convergence: { isConverged: true, stepSigmas: 0.001 },
      nadirShare: 0.8,
      expectedNadirShare: 0.8,
      heights: undefined,
      tiltSigmaRad: 0.01,
      groundTiltRad: 0.02,
      ...changes,
    },
  };
}
const scaleOf = (misfit: number) => ({ misfit, sigma: 0.01 });
const noTags = { flipped: [], conflicting: [] };

describe("an adjustment", () => {
  it.each([
    ["good figures", {}, []],
    ["1.3 px", { rmsPx: 1.3 }, ["BA_FAILED reject"]],
    ["a fifth of the tracks dropped", { droppedTracks: 0.2 }, ["BA_FAILED reject"]],
    [
      "a focal length 6 % off",
      { focal: [{ relativeSigma: 0.01, relativeChange: -0.06 }] },
      ["F_RUNAWAY reject"],
    ],
    [
      "GPS residuals of 8 m",
      { gpsResidualM: { horizontal: 8, vertical: 4 } },
      ["GPS_INCONSISTENT warn"],
    ],
    [
      "GPS residuals of 16 m",
      { gpsResidualM: { horizontal: 16, vertical: 4 } },
      ["GPS_INCONSISTENT reject"],
    ],
    [
      "vertical residuals of 6 m",
      { gpsResidualM: { horizontal: 1, vertical: 6 } },
      ["HEIGHTS_INCONSISTENT warn"],
    ],
    [
      "heights that drift by 117 m",
      { heights: { driftM: -117, spreadM: 1, isDoubted: true } },
      ["HEIGHTS_INCONSISTENT warn"],
    ],
    ["a ground that rises by 11 degrees", { groundTiltRad: 0.192 }, ["MODEL_TILTED warn"]],
    ["half of the views no longer down", { nadirShare: 0.3 }, ["MODEL_TILTED warn"]],
    ["views down that were not", { nadirShare: 1, expectedNadirShare: 0 }, []],
    [
      "a steep ground by control points",
      { groundTiltRad: 0.3, isHeldByControl: true as const },
      [],
    ],
    [
      "a steep ground by two control points, which level nothing",
      { groundTiltRad: 0.3, scaleFrom: "control_points" as const },
      ["MODEL_TILTED warn"],
    ],
    [
      "GPS residuals of 16 m beside control points that hold it",
      { gpsResidualM: { horizontal: 16, vertical: 4 }, isHeldByControl: true as const },
      ["GPS_INCONSISTENT warn"],
    ],
    [
      "positions that drift",
      { positionDrift: { eastM: 14, northM: -6, isDoubted: true } },
      ["POSITIONS_DRIFT warn"],
    ],
    [
      "positions that drift beside control points that hold it",
      {
        positionDrift: { eastM: 14, northM: -6, isDoubted: true },
        isHeldByControl: true as const,
      },
      [],
    ],
    ["a scale known to 4 %", { scaleSigma: 0.04 }, ["SCALE_UNCERTAIN warn"]],
    [
      "a last step of half a standard deviation",
      { convergence: { isConverged: false, stepSigmas: 0.5 } },
      ["NOT_CONVERGED warn"],
    ],
    ["a scale 1.9 sigma off the positions'", { scaleByPositions: scaleOf(-0.019) }, []],
    [
      "a scale 5 sigma off the positions'",
      { scaleByPositions: scaleOf(-0.05) },
      ["SCALE_CONTRADICTED warn"],
    ],
  ])("with %s", (_, changes, expected) => {
    expect(gates(checkAdjustment(adjusted(changes), names(2), noTags))).toEqual(expected);
  });

  it("an adjustment is checked in pixels of the working size and reported in those of the photographs", () => {
    // Photographs 2.5 times as wide as the lens of the working size.
    expect(checkAdjustment(adjusted({ rmsPx: 1.3 }), names(2), noTags, [10, 10])).toMatchObject([
      { gate: "BA_FAILED", value: 3.25, threshold: 3, unit: expect.stringMatching(/photographs/) },
    ]);
    expect(checkAdjustment(adjusted({ rmsPx: 1.1 }), names(2), noTags, [10, 10])).toEqual([]);
  });

  const bad = adjusted({ rmsPx: 2 });
  const named = ["a.jpg", "b.jpg", ...names(10)];

  it("an adjustment names the images whose tags contradict it, and the worst ones of a bad fit", () => {
    const tags = { flipped: ["b.jpg"], conflicting: ["a.jpg"] };
    expect(checkAdjustment(bad, named, tags)).toMatchObject([
      { gate: "TAG_CONFLICT", severity: "warn", value: 2, images: ["b.jpg", "a.jpg"] },
      { gate: "BA_FAILED", images: ["b.jpg", "a.jpg"] },
    ]);
  });

  it("an adjustment is refused for its tags when it is bad and more than a quarter of them is false", () => {
    const tags = { flipped: [], conflicting: names(4) };
    expect(gates(checkAdjustment(bad, named, tags))).toEqual([
      "TAG_CONFLICT reject",
      "BA_FAILED reject",
    ]);
    expect(gates(checkAdjustment(adjusted({}), named, tags))).toEqual(["TAG_CONFLICT warn"]);
  });

  it("an adjustment names single false positions, and is refused when they are many", () => {
    const far = (
      count: number,
      changes: Partial<Reconstruction["summary"]> = {},
    ): Reconstruction => ({
      ...adjusted(changes),
      cameras: Array.from({ length: 10 }, (_, i) => ({
        ...{ image: i, lens: 0, observations: 100, rmsPx: 0.5 },
        pose: { rotation: new Float64Array(9), centre: [0, 0, 40] as const },
        gpsResidualM: i < count ? ([30 + i, 40 + i, 0] as const) : ([1, 0, 0] as const),
      })),
    });
    // 31 and 41 m make 51.4 m.
    expect(checkAdjustment(far(2), names(10), noTags)).toMatchObject([
      { gate: "GPS_INCONSISTENT", severity: "warn", value: 51.4, images: ["0.jpg", "1.jpg"] },
    ]);
    expect(checkAdjustment(far(3), names(10), noTags)).toMatchObject([
      { gate: "GPS_INCONSISTENT", severity: "reject", value: 70, threshold: 80 },
    ]);
    expect(gates(checkAdjustment(far(3, { isHeldByControl: true }), names(10), noTags))).toEqual([
      "GPS_INCONSISTENT warn",
    ]);
  });

  it("an adjustment puts false positions before the bad fit that they make", () => {
    const both = adjusted({ rmsPx: 1.5, gpsResidualM: { horizontal: 100, vertical: 4 } });
    expect(gates(checkAdjustment(both, names(2), noTags))).toEqual([
      "GPS_INCONSISTENT reject",
      "BA_FAILED reject",
    ]);
  });
});

it("a refusal says what was needed, which images, and what else was found", () => {
  const cause: GateFinding = {
    gate: "NO_OVERLAP",
    severity: "reject",
    value: 3.1,
    threshold: 50,
    unit: "% shared",
    advice: "Fly again.",
    images: Array.from({ length: 10 }, (_, i) => `${i}.jpg`),
  };
  const other: GateFinding = {
    ...cause,
    gate: "TAG_CONFLICT",
    value: 2,
    threshold: 0,
    unit: "images",
  };
  expect(new GateRefusal(cause, [other]).message).toBe(
    "NO_OVERLAP: 3.1 % shared (at least 50). Fly again. Images: 0.jpg, 1.jpg, 2.jpg, 3.jpg, 4.jpg, " +
      "5.jpg, 6.jpg, 7.jpg and 2 more. Found as well: TAG_CONFLICT (2 images).",
  );
  expect(new GateRefusal({ ...other, images: [] }).message).toBe(
    "TAG_CONFLICT: 2 images (at most 0). Fly again.",
  );
});

it("a surface is doubted when more than one surveyed cell in twenty has no height", () => {
  const frame = { westM: 0, northM: 0, cellM: 1, width: 100, height: 1 };
  const elevationM = new Float32Array(100).fill(7, 0, 94).fill(Number.NaN, 94);
  const grid = { ...frame, elevationM, score: elevationM, views: new Uint8Array(100) };
  expect(checkSurface(surveyedShare(grid, new Uint8Array(100).fill(1)))).toMatchObject([
    { gate: "COVERAGE", severity: "warn", value: 94, threshold: 95 },
  ]);
  // The hole lies outside of what was surveyed.
  expect(checkSurface(surveyedShare(grid, new Uint8Array(100).fill(1, 0, 94)))).toEqual([]);
});
