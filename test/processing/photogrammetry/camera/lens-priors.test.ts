import { describe, expect, it } from "vitest";
import { lensPriors } from "../../../../processing/photogrammetry/camera/lens-priors.ts";
import type { SurveyImage } from "../../../../processing/photogrammetry/camera/survey-image.ts";
import { focalTags, surveyImage } from "../../../support/survey-image.ts";

function only(image: SurveyImage, workingWidthPx: number) {
  const { lenses, lensOfImage, missing } = lensPriors([image], workingWidthPx);
  expect(lensOfImage).toEqual([0]);
  expect(missing).toEqual([]);
  const [lens] = lenses;
  if (lens === undefined) throw new Error("no lens");
  return lens;
}

describe("lensPriors", () => {
  it("lensPriors has 24 mm equivalent at 4:3 as 24 / 43.27 of the diagonal", () => {
    const lens = only(surveyImage(), 1200);

    // Diagonal of 1200 x 900: 1500 px.
    expect(lens.intrinsics.focalPx).toBeCloseTo((24 / 43.2666) * 1500, 6);
    expect(lens.intrinsics).toMatchObject({
      widthPx: 1200,
      heightPx: 900,
      cxPx: 599.5,
      cyPx: 449.5,
    });
    expect(lens.sigma.focalPx).toBeCloseTo(0.02 * lens.intrinsics.focalPx, 9);
    expect(lens.source).toBe("focal_35mm");
  });

  it("lensPriors takes the 4:3 diagonal for a 16:9 crop, 924.5 px at 1600 for 20 mm", () => {
    const image = surveyImage({ heightPx: 2250, focal: focalTags({ focal35Mm: 20 }) });

    // Diagonal of 1600 x 1200: 2000 px.
    expect(only(image, 1600).intrinsics.focalPx).toBeCloseTo((20 / 43.2666) * 2000, 6);
  });

  it("lensPriors takes the 3:2 diagonal for 16:9 and for 4:3 crops of a one-inch sensor", () => {
    const focal = focalTags({ focal35Mm: 24 });
    const wide = surveyImage({ model: "FC6310", widthPx: 5472, heightPx: 3078, focal });
    const tall = surveyImage({ model: "FC6310", widthPx: 4864, heightPx: 3648, focal });

    // Both have the pixels of the 5472 x 3648 sensor.
    const focalPx = (24 / 43.2666) * Math.hypot(5472, 3648);
    expect(only(wide, 5472).intrinsics.focalPx).toBeCloseTo(focalPx, 6);
    expect(only(tall, 5472).intrinsics.focalPx).toBeCloseTo(focalPx, 6);
  });

  it("lensPriors works a portrait at the same scale by its longer edge, and enlarges nothing", () => {
    const portrait = only(surveyImage({ widthPx: 3000, heightPx: 4000 }), 1200).intrinsics;
    const small = only(surveyImage({ widthPx: 800, heightPx: 600 }), 1200).intrinsics;

    expect([portrait.widthPx, portrait.heightPx]).toEqual([900, 1200]);
    expect(portrait.focalPx).toBeCloseTo((24 / 43.2666) * 1500, 6);
    expect([small.widthPx, small.heightPx]).toEqual([800, 600]);
  });

  it("lensPriors takes the focal plane's resolution before the equivalent, unless they contradict each other", () => {
    const tags = { focalLengthMm: 8.8, focal35Mm: 24 };
    const good = surveyImage({ focal: focalTags({ ...tags, focalPlanePxPerMm: 303 }) });
    const wrong = surveyImage({ focal: focalTags({ ...tags, focalPlanePxPerMm: 72 / 25.4 }) });

    expect(only(good, 4000)).toMatchObject({ source: "focal_plane" });
    expect(only(good, 4000).intrinsics.focalPx).toBeCloseTo(8.8 * 303, 6);
    expect(only(wrong, 4000)).toMatchObject({ source: "focal_35mm" });
  });

  it("lensPriors takes the factory's calibration first, its centre counted from the middle of the image", () => {
    const dewarp = [3700, 3700, 8, -12, -0.1, 0.02, 1e-4, -2e-4, 0];
    const lens = only(surveyImage({ focal: focalTags({ dewarp, focal35Mm: 24 }) }), 1000);

    expect(lens.source).toBe("dewarp");
    expect(lens.intrinsics).toMatchObject({ k1: -0.1, k2: 0.02, p1: 1e-4, p2: -2e-4 });
    expect(lens.intrinsics.focalPx).toBeCloseTo(925, 9);
    expect(lens.intrinsics.cxPx).toBeCloseTo(499.5 + 2, 9);
    expect(lens.intrinsics.cyPx).toBeCloseTo(374.5 - 3, 9);
  });

  it("lensPriors folds a third radial term into the first two within 1 px of 15 px at the corner", () => {
    const dewarp = [3700, 3700, 0, 0, -0.1, 0.02, 0, 0, -0.05];
    const { intrinsics } = only(surveyImage({ focal: focalTags({ dewarp }) }), 4000);

    const offsets = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.675].map((r) => {
      const exact = r * (-0.1 * r ** 2 + 0.02 * r ** 4 - 0.05 * r ** 6);
      return Math.abs(3700 * (r * (intrinsics.k1 * r ** 2 + intrinsics.k2 * r ** 4) - exact));
    });
    expect(3700 * 0.05 * 0.675 ** 7).toBeGreaterThan(10);
    expect(Math.max(...offsets)).toBeLessThan(1.5);
    expect(Math.max(...offsets)).toBeGreaterThan(0.05);
  });

  it("lensPriors leaves out distortion that the camera has taken out already", () => {
    const dewarp = [3700, 3700, 8, -12, -0.1, 0.02, 1e-4, -2e-4, 0];
    const focal = focalTags({ dewarp, isUndistorted: true });

    expect(only(surveyImage({ focal }), 4000).intrinsics).toMatchObject({ k1: 0, k2: 0, p1: 0 });
  });

  it("lensPriors uses the known width of a sensor where the file gives only millimetres", () => {
    const focal = focalTags({ focalLengthMm: 4.45 });
    const lens = only(surveyImage({ make: "SONY", model: "DSC-WX220", focal }), 4000);

    expect(lens.source).toBe("known_camera");
    expect(lens.intrinsics.focalPx).toBeCloseTo((4.45 / 6.17) * 4000, 6);
  });

  it("lensPriors makes lenses by body, serial number, size and focal length", () => {
    const images = [
      surveyImage({ serial: "a" }),
      surveyImage({ serial: "b" }),
      surveyImage({ serial: "a" }),
      surveyImage({ serial: "a", widthPx: 2000, heightPx: 1500 }),
      surveyImage({ serial: "a", focal: focalTags({ focal35Mm: 48 }) }),
    ];

    expect(lensPriors(images, 1200).lensOfImage).toEqual([0, 1, 0, 2, 3]);
  });

  it("lensPriors gives an image without focal tags its body's only lens, and names it when there are two", () => {
    const bare = surveyImage({ name: "bare.jpg", focal: focalTags() });
    const zoomed = surveyImage({ focal: focalTags({ focal35Mm: 48 }) });

    expect(lensPriors([surveyImage(), bare], 1200)).toMatchObject({
      lensOfImage: [0, 0],
      missing: [],
    });
    expect(lensPriors([surveyImage(), bare, zoomed], 1200)).toMatchObject({
      lensOfImage: [0, -1, 1],
      missing: ["bare.jpg"],
    });
  });

  it("lensPriors names every image that says nothing of its focal length", () => {
    const bare = surveyImage({ name: "bare.jpg", focal: focalTags() });

    expect(lensPriors([bare], 1200)).toEqual({
      lenses: [],
      lensOfImage: [-1],
      missing: ["bare.jpg"],
    });
  });
});
