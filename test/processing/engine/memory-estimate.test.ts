import { describe, expect, it } from "vitest";
import { fitWorkingWidth, surveyBytes } from "../../../processing/engine/local/memory-estimate.ts";
import { PROFILES } from "../../../processing/engine/profiles.ts";
import { surveyImage } from "../../support/survey-image.ts";

const images = (count: number) => Array.from({ length: count }, () => surveyImage());
const GIB = 1024 ** 3;

describe("memory of a survey, estimated beforehand", () => {
  it("grows with images and with the square of the working width", () => {
    const plain = { workingWidthPx: 1_000, maxKeypoints: 0 };
    // 1000 x 750 pixels of five bytes.
    expect(surveyBytes(images(1), plain)).toBe(3_750_000);
    expect(surveyBytes(images(2), plain)).toBe(7_500_000);
    expect(surveyBytes(images(1), { ...plain, workingWidthPx: 2_000 })).toBe(15_000_000);
  });

  it("leaves the working width alone where there is room", () => {
    expect(fitWorkingWidth(images(36), PROFILES.full, { memoryBytes: GIB })).toBe(1_600);
  });

  it("makes images smaller before it refuses", () => {
    // 70 % of 1 GiB are 752 MB. 150 images take, with their keypoints: 1,494 MB at 1600 px, 1,095 MB at
    // 1360, 806 MB at 1156 and 597 MB at 983, each 15 % less.
    const width = fitWorkingWidth(images(150), PROFILES.full, { memoryBytes: GIB });
    expect(width).toBe(983);
    expect(surveyBytes(images(150), { ...PROFILES.full, workingWidthPx: width })).toBeLessThan(
      0.7 * GIB,
    );
  });

  it("refuses as OUT_OF_MEMORY what does not fit at 800 pixels", () => {
    expect(() => fitWorkingWidth(images(150), PROFILES.full, { memoryBytes: GIB / 8 })).toThrow(
      expect.objectContaining({ finding: expect.objectContaining({ gate: "OUT_OF_MEMORY" }) }),
    );
  });
});
