import { expect, it } from "vitest";
import { project } from "../../../../processing/photogrammetry/camera/camera.ts";
import { planSurface } from "../../../../processing/photogrammetry/dense/surface-plan.ts";
import {
  inPhotoPixels,
  photoPx,
} from "../../../../processing/photogrammetry/reconstruction/photo-pixels.ts";
import type { Reconstruction } from "../../../../processing/photogrammetry/reconstruction/reconstruction.ts";
import { LENS, SHIFT_PX, smallSurvey } from "../products/small-survey.ts";

// Photographs of 1000 x 751 px that were worked on at 400 x 300.
const PHOTO = { widthPx: 1_000, heightPx: 751 };
const photos = [PHOTO, PHOTO, PHOTO];
const { reconstruction } = smallSurvey("site", ["a", "b", "c"]);
if (reconstruction === undefined) throw new Error("the small survey has cameras");
const working: Reconstruction = reconstruction;
const photographed = inPhotoPixels(working, photos);

it("errors and lenses are in pixels of the photographs, 2.5 times those of the working size", () => {
  expect(photoPx(working, photos)).toBeCloseTo(2.5, 12);
  expect(photographed.summary.rmsPx).toBeCloseTo(2.5 * working.summary.rmsPx, 12);
  expect(photographed.cameras.map(({ rmsPx }) => rmsPx)).toEqual([0.625, 0.625, 0.625]);
  expect(photographed.lenses).toEqual([
    { ...LENS, ...PHOTO, focalPx: 750, cxPx: 499.5, cyPx: 374.5 },
  ]);
  expect(planSurface(photographed).gsdM).toBeCloseTo(planSurface(working).gsdM / 2.5, 12);
});

it("observations stay where they are in the picture", () => {
  const at = { u: 0, v: 0, depth: 0 };
  const { observations, cameras, lenses, points } = photographed;
  const residuals = [...observations.point].map((point, i) => {
    const camera = cameras[observations.camera[i] ?? -1];
    const lens = lenses[camera?.lens ?? -1];
    if (camera === undefined || lens === undefined) throw new Error("an observation has a camera");
    const [x = 0, y = 0, z = 0] = points.subarray(3 * point, 3 * point + 3);
    project(lens, camera.pose, [x, y, z], at);
    return Math.hypot(
      (observations.u[i] ?? 0) - at.u - 2.5 * SHIFT_PX,
      (observations.v[i] ?? 0) - at.v,
    );
  });
  expect(residuals.length).toBeGreaterThan(500);
  expect(Math.max(...residuals)).toBeLessThan(1e-3);
});

it("photographs of two sizes count by their share of the squared errors", () => {
  const cameras = working.cameras.map((camera, i) => ({ ...camera, lens: i === 0 ? 0 : 1 }));
  const mixed = { ...working, lenses: [LENS, LENS], cameras };
  const sizes = [{ widthPx: 400, heightPx: 300 }, PHOTO, PHOTO];
  expect(photoPx(mixed, sizes)).toBeCloseTo(Math.sqrt((1 + 2 * 2.5 ** 2) / 3), 12);
});
