import type { SurveyImage } from "../../processing/photogrammetry/camera/survey-image.ts";

/** A nadir image of 4000 x 3000 px from 40 m with a 24 mm equivalent, over the equator's zero point. */
export function surveyImage(overrides: Partial<SurveyImage> = {}): SurveyImage {
  return {
    sha256: "0".repeat(64),
    name: "image.jpg",
    widthPx: 4000,
    heightPx: 3000,
    orientation: 1,
    capturedAtMs: undefined,
    make: "DJI",
    model: "FC1",
    serial: undefined,
    software: undefined,
    focal: focalTags({ focal35Mm: 24 }),
    position: { latDeg: 0, lonDeg: 0, altitudeM: 140, sigmaM: undefined, isRtk: false },
    gimbal: { yawDeg: 0, pitchDeg: -90, rollDeg: 0 },
    relativeAltitudeM: 40,
    quality: {
      sharpness: 500,
      fineness: 0.8,
      brightness: 120,
      contrast: 40,
      overexposed: 0,
      underexposed: 0,
      differenceHash: "0".repeat(16),
    },
    ...overrides,
  };
}

/** Focal tags of which only the given ones are there. */
export function focalTags(overrides: Partial<SurveyImage["focal"]> = {}): SurveyImage["focal"] {
  return {
    focalLengthMm: undefined,
    focal35Mm: undefined,
    focalPlanePxPerMm: undefined,
    dewarp: undefined,
    isUndistorted: false,
    ...overrides,
  };
}
