import type { ElevationGrid } from "../../../../processing/grid/elevation-grid.ts";
import {
  type Intrinsics,
  type Pose,
  project,
} from "../../../../processing/photogrammetry/camera/camera.ts";
import type { SurveyImage } from "../../../../processing/photogrammetry/camera/survey-image.ts";
import { mapGrid } from "../../../../processing/photogrammetry/products/map/map-grid.ts";
import type { ReportInput } from "../../../../processing/photogrammetry/products/report/report-input.ts";
import type { Reconstruction } from "../../../../processing/photogrammetry/reconstruction/reconstruction.ts";

const origin = { latDeg: 51.5, lonDeg: -0.12, heightM: 30 };
export const LENS: Intrinsics = {
  widthPx: 400,
  heightPx: 300,
  focalPx: 300,
  cxPx: 199.5,
  cyPx: 149.5,
  k1: 0,
  k2: 0,
  p1: 0,
  p2: 0,
};
const DOWN = Float64Array.of(1, 0, 0, 0, -1, 0, 0, 0, -1);

/** Every observation lies this far to the right of where its point is projected, pixels. */
export const SHIFT_PX = 0.25;

function image(name: string, i: number): SurveyImage {
  return {
    sha256: String(i).padStart(64, "0"),
    name,
    widthPx: 400,
    heightPx: 300,
    orientation: 1,
    capturedAtMs: Date.UTC(2026, 10, 20, 10, 0, i),
    make: "DJI",
    model: "SIM-1",
    serial: undefined,
    software: undefined,
    focal: {
      focalLengthMm: 8.8,
      focal35Mm: 26,
      focalPlanePxPerMm: undefined,
      dewarp: undefined,
      isUndistorted: false,
    },
    position: { latDeg: 51.5, lonDeg: -0.12, altitudeM: 60, sigmaM: undefined, isRtk: false },
    gimbal: undefined,
    relativeAltitudeM: 30,
    quality: {
      sharpness: 400,
      fineness: 0.8,
      brightness: 118,
      contrast: 30,
      overexposed: 0.001,
      underexposed: 0.002,
      differenceHash: "0",
    },
  };
}

function reconstruct(): Reconstruction {
  const poses: Pose[] = [-6, 0, 6].map((x) => ({ rotation: DOWN, centre: [x, 0, 30] }));
  const points: number[] = [];
  for (let y = -8; y <= 8; y += 1) for (let x = -8; x <= 8; x += 1) points.push(x, y, 0);
  const columns = { point: [0], camera: [0], u: [0], v: [0] };
  for (const column of Object.values(columns)) column.length = 0;
  const at = { u: 0, v: 0, depth: 0 };
  for (const [camera, pose] of poses.entries()) {
    for (let p = 0; p < points.length / 3; p += 1) {
      const [x = 0, y = 0, z = 0] = points.slice(p * 3, p * 3 + 3);
      if (!project(LENS, pose, [x, y, z], at)) continue;
      columns.point.push(p);
      columns.camera.push(camera);
      columns.u.push(at.u + SHIFT_PX);
      columns.v.push(at.v);
    }
  }
  return {
    origin,
    lenses: [LENS],
    points: Float64Array.from(points),
    observations: {
      point: Int32Array.from(columns.point),
      camera: Int32Array.from(columns.camera),
      u: Float32Array.from(columns.u),
      v: Float32Array.from(columns.v),
    },
    cameras: poses.map((pose, i) => ({
      image: i,
      lens: 0,
      pose,
      observations: 289,
      rmsPx: 0.25,
      gpsResidualM: [0.3, -0.4, 0.1],
    })),
    summary: {
      rmsPx: 0.25,
      droppedTracks: 0.012,
      gpsResidualM: { horizontal: 0.5, vertical: 0.7 },
      gpsBiasM: [1, 2, 3],
      scaleSigma: 0.012,
      scaleFrom: "gps",
      focal: [{ relativeSigma: 0.001, relativeChange: -0.004 }],
      control: undefined,
      placedBy: "positions",
      scaleByPositions: { misfit: 0, sigma: 0.01 },
      convergence: { isConverged: true, stepSigmas: 0.001 },
      nadirShare: 1,
      expectedNadirShare: 0.8,
      heights: undefined,
      tiltSigmaRad: 0.01,
      groundTiltRad: 0.02,
    },
  };
}

/** Level ground of 20 x 16 m with four cells of no data, and a cell that two views see. */
export function smallSurface(): ElevationGrid {
  const [width, height] = [40, 32];
  const elevationM = new Float32Array(width * height).fill(1.5);
  elevationM.fill(Number.NaN, 0, 4);
  elevationM[100] = 4.5;
  const views = new Uint8Array(width * height).fill(3);
  views[200] = 2;
  const score = elevationM.map((z) => (Number.isNaN(z) ? Number.NaN : 0.92));
  return { westM: -10, northM: 8, cellM: 0.5, width, height, elevationM, score, views };
}

/** Three images that were oriented and a fourth that was not, under names that people might choose. */
export function smallSurvey(name: string, imageNames: readonly string[]): ReportInput {
  const dsm = smallSurface();
  return {
    name,
    engine: "local",
    images: imageNames.map(image),
    refused: ["E.JPG is damaged"],
    origin,
    reconstruction: reconstruct(),
    dsm,
    coverage: 0.9971,
    orthoFrame: { ...dsm, cellM: 0.25, width: 80, height: 64 },
    map: mapGrid(origin, dsm, 1.5, 0.5),
    findings: [
      {
        gate: "NO_OVERLAP",
        severity: "warn",
        value: 1,
        threshold: 2,
        unit: "pairs",
        advice: "Fly with more overlap.",
        images: imageNames.slice(3),
      },
    ],
  };
}
