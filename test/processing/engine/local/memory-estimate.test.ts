import { describe, expect, it } from "vitest";
import { fitSizes, surveyBytes } from "../../../../processing/engine/local/memory-estimate.ts";
import { PROFILES, profileFor } from "../../../../processing/engine/port/profiles.ts";
import { roomOf } from "../../../../processing/pool/pool.ts";
import { surveyImage } from "../../../support/survey-image.ts";

const images = (count: number) => Array.from({ length: count }, () => surveyImage());
const GIB = 1024 ** 3;

/** A pool of two threads: 410 MB of it are theirs (pool.ts). */
const poolOf = (memoryBytes: number) => ({ memoryBytes, roomBytes: roomOf(memoryBytes, 2) });

describe("memory of a survey, estimated beforehand", () => {
  it("the memory estimate of a survey grows with images and with the square of the size that the surface is made at", () => {
    const plain = { surfaceWidthPx: 1_000, dsmCellGsd: 4, orthoCellGsd: 2, maxKeypoints: 0 };
    // 1000 x 750 pixels, 40 % of them new ground: 24 bytes for 16 of them and 16 bytes for four;
    // and 2.5 MB.
    expect(surveyBytes(images(1), plain)).toBe(4_150_000);
    expect(surveyBytes(images(2), plain)).toBe(8_300_000);
    expect(surveyBytes(images(1), { ...plain, surfaceWidthPx: 2_000 })).toBe(9_100_000);
  });

  it("the memory estimate of a survey grows by 2.9 MB an image once the grids have most cells: 600 images of 20 megapixels", () => {
    const large = Array.from({ length: 600 }, () =>
      surveyImage({ widthPx: 5_472, heightPx: 3_648 }),
    );
    const native = profileFor("full", "native");
    const bytes = surveyBytes(large, native);
    // 600 MB of surface, 1,024 of orthophoto, 216 of keypoints and 1,500 beside them.
    expect(bytes / 1e6).toBeCloseTo(600 + 1_024 + 2.86 * 600, 0);
    expect(surveyBytes([...large, ...large], native) - bytes).toBe(2.86e6 * 600);
  });

  it("the memory estimate is at least what was measured at 18 and 36 images of 1200 px: 466 and 592 MB", () => {
    const ofProcess = GIB - roomOf(GIB, 2);
    const small = (count: number) =>
      Array.from({ length: count }, () => surveyImage({ widthPx: 1_200, heightPx: 900 }));
    for (const [count, measured] of [
      [18, 466e6],
      [36, 592e6],
    ] as const) {
      const total = ofProcess + surveyBytes(small(count), PROFILES.quick);
      expect(total).toBeGreaterThan(measured);
      expect(total).toBeLessThan(1.2 * measured);
    }
  });

  it("the memory estimate of a survey leaves the sizes alone where there is room", () => {
    const { workingWidthPx, surfaceWidthPx } = fitSizes(images(12), PROFILES.full, poolOf(2 * GIB));
    expect([workingWidthPx, surfaceWidthPx]).toEqual([1_600, Number.POSITIVE_INFINITY]);
  });

  it("the memory estimate of a survey makes images smaller before it refuses, those of the surface first", () => {
    // 1.2 GB of 1.5 GiB are room, of which keypoints and what lies beside them take 429 MB.
    const sizes = fitSizes(images(150), PROFILES.full, poolOf(1.5 * GIB));
    expect(sizes.workingWidthPx).toBe(Math.min(1_600, sizes.surfaceWidthPx));
    expect(sizes.surfaceWidthPx).toBeLessThan(4_000);
    const bytes = surveyBytes(images(150), { ...PROFILES.full, ...sizes });
    expect(bytes).toBeLessThan(1_200e6);
    expect(bytes).toBeGreaterThan(0.7 * 1_200e6);
  });

  it("the memory estimate of a survey leaves 600 images of 4:3 their sizes in 4 GiB, and makes them 1,020 px wide where 1,200 do not fit", () => {
    const large = Array.from({ length: 600 }, () =>
      surveyImage({ widthPx: 4_000, heightPx: 3_000 }),
    );
    const widthAt = (profile: "quick" | "full", mib: number) =>
      fitSizes(large, PROFILES[profile], poolOf(mib * 1024 ** 2)).surfaceWidthPx;
    const widths = {
      quick: [4_096, 3_536, 3_535, 3_248, 3_247].map((mib) => widthAt("quick", mib)),
      full: [4_096, 3_577].map((mib) => widthAt("full", mib)),
    };
    expect(widths).toEqual({
      quick: [1_200, 1_200, 1_020, 1_020, 867],
      full: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    });
    for (const [profile, mib] of [["quick", 2_897] as const, ["full", 3_189] as const]) {
      expect(() => widthAt(profile, mib)).toThrow("OUT_OF_MEMORY");
    }
  });

  it("the memory estimate of a survey refuses as OUT_OF_MEMORY what does not fit at 800 pixels", () => {
    expect(() => fitSizes(images(600), PROFILES.full, poolOf(GIB / 2))).toThrow(
      expect.objectContaining({ finding: expect.objectContaining({ gate: "OUT_OF_MEMORY" }) }),
    );
  });
});
