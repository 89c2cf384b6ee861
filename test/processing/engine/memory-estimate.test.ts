import { describe, expect, it } from "vitest";
import { fitWorkingWidth, surveyBytes } from "../../../processing/engine/local/memory-estimate.ts";
import { PROFILES } from "../../../processing/engine/profiles.ts";
import { roomOf } from "../../../processing/pool/pool.ts";
import { surveyImage } from "../../support/survey-image.ts";

const images = (count: number) => Array.from({ length: count }, () => surveyImage());
const GIB = 1024 ** 3;

/** A pool of two threads: 410 MB of it are theirs (pool.ts). */
const poolOf = (memoryBytes: number) => ({ memoryBytes, roomBytes: roomOf(memoryBytes, 2) });

describe("memory of a survey, estimated beforehand", () => {
  it("grows with images and with the square of the working width", () => {
    const plain = { workingWidthPx: 1_000, maxKeypoints: 0 };
    // 1000 x 750 pixels of seven bytes.
    expect(surveyBytes(images(1), plain)).toBe(5_250_000);
    expect(surveyBytes(images(2), plain)).toBe(10_500_000);
    expect(surveyBytes(images(1), { ...plain, workingWidthPx: 2_000 })).toBe(21_000_000);
  });

  it("leaves the working width alone where there is room", () => {
    expect(fitWorkingWidth(images(36), PROFILES.full, poolOf(GIB))).toBe(1_600);
  });

  it("makes images smaller before it refuses", () => {
    // 664 MB of 1 GiB are room. 150 images take, with their keypoints: 2,070 MB at 1600 px, 1,511 MB at
    // 1360, 1,106 MB at 1156, 815 MB at 983 and 605 MB at 836, each 15 % less.
    const width = fitWorkingWidth(images(150), PROFILES.full, poolOf(GIB));
    expect(width).toBe(836);
    const bytes = surveyBytes(images(150), { ...PROFILES.full, workingWidthPx: width });
    expect(bytes).toBeLessThan(664e6);
  });

  it("lets 600 images into 4 GiB at 1020 pixels", () => {
    expect(fitWorkingWidth(images(600), PROFILES.quick, poolOf(4 * GIB))).toBe(1_020);
  });

  it("is no less than what was measured at 18 and 72 images of 1200 px: 539 and 921 MB", () => {
    const ofProcess = GIB - roomOf(GIB, 2);
    const total = (count: number) => ofProcess + surveyBytes(images(count), PROFILES.quick);
    for (const [count, measured] of [
      [18, 539e6],
      [72, 921e6],
    ] as const) {
      expect(total(count)).toBeGreaterThan(measured);
      expect(total(count)).toBeLessThan(1.2 * measured);
    }
  });

  it("refuses as OUT_OF_MEMORY what does not fit at 800 pixels", () => {
    expect(() => fitWorkingWidth(images(150), PROFILES.full, poolOf(GIB / 2))).toThrow(
      expect.objectContaining({ finding: expect.objectContaining({ gate: "OUT_OF_MEMORY" }) }),
    );
  });
});
