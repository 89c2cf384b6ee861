import { expect, it } from "vitest";
import { surfaceImages } from "../../../../processing/engine/local/surface-images.ts";
import { workingSize } from "../../../../processing/photogrammetry/camera/working-size.ts";
import { surveyImage } from "../../../support/survey-image.ts";
import { smallSurvey } from "../../photogrammetry/products/small-survey.ts";

const { reconstruction } = smallSurvey("site", ["a", "b", "c"]);
if (reconstruction === undefined) throw new Error("the small survey has cameras");
const oriented = reconstruction;

/** Photographs of this size, oriented at 1600 pixels with a lens in their middle. */
function blockOf(widthPx: number, heightPx: number) {
  const image = surveyImage({ widthPx, heightPx });
  const size = workingSize(image, 1_600);
  const file = { path: "", name: "", filePx: widthPx * heightPx, ...size };
  const middle = { cxPx: (size.widthPx - 1) / 2, cyPx: (size.heightPx - 1) / 2 };
  const lenses = oriented.lenses.map((lens) => ({ ...lens, ...size, ...middle, focalPx: 1_300 }));
  const block = { images: [image, image, image], files: [file, file, file] };
  return { block, oriented: { ...oriented, lenses } };
}

it.each([
  [4_000, 2_250, Number.POSITIVE_INFINITY, 4_000, 2_250],
  // 1600 x 1067 has a third of a pixel more than the ratio of 3648 to 5472: so has the image that its lens fits.
  [5_472, 3_648, Number.POSITIVE_INFINITY, 5_472, 3_649],
  [4_000, 3_000, 2_000, 2_000, 1_500],
  [1_200, 900, Number.POSITIVE_INFINITY, 1_200, 900],
])("photographs of %d x %d px, asked for at %d, are used at %d x %d with a lens of that size", (widthPx, heightPx, asked, width, height) => {
  const { block, oriented: found } = blockOf(widthPx, heightPx);
  const { files, reconstruction: sized } = surfaceImages(block, found, asked);
  const size = { widthPx: width, heightPx: height };
  expect([...files]).toMatchObject([size, size, size]);
  const [lens] = sized.lenses;
  expect(lens).toMatchObject(size);
  expect(lens?.focalPx).toBeCloseTo((1_300 * width) / Math.min(1_600, widthPx), 6);
  expect(lens?.cxPx).toBeCloseTo((width - 1) / 2, 6);
  expect(Math.abs((lens?.cyPx ?? 0) - (height - 1) / 2)).toBeLessThan(0.5);
});
