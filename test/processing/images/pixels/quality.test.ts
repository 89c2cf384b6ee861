import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { findDuplicates } from "../../../../processing/images/duplicates.ts";
import type { GreyImage } from "../../../../processing/images/pixels/decode.ts";
import { imageQuality } from "../../../../processing/images/pixels/image-quality.ts";
import type { PositionTags } from "../../../../processing/photogrammetry/camera/survey-image.ts";
import { picture } from "../scene.ts";

function image(width: number, height: number, grey: (x: number, y: number) => number): GreyImage {
  const pixels = new Uint8Array(width * height);
  for (let i = 0; i < pixels.length; i++) pixels[i] = grey(i % width, Math.floor(i / width));
  return { pixels, width, height };
}

async function greyOf(png: Sharp): Promise<GreyImage> {
  const { data, info } = await png.toColourspace("b-w").raw().toBuffer({ resolveWithObject: true });
  return image(info.width, info.height, (x, y) => data[(y * info.width + x) * info.channels] ?? 0);
}

describe("quality of an image", () => {
  it("the quality of an image of one grey is flat", () => {
    expect(imageQuality(image(90, 80, () => 100))).toEqual({
      sharpness: 0,
      fineness: undefined,
      brightness: 100,
      contrast: 0,
      overexposed: 0,
      underexposed: 0,
      differenceHash: "0000000000000000",
    });
  });

  it("the quality of an image of a chessboard of single pixels is 8 x 100 squared, by the Laplacian", () => {
    // Each pixel differs by 100 from its four neighbours: the Laplacian is 400 or -400.
    const { sharpness, contrast } = imageQuality(image(90, 80, (x, y) => 100 * ((x + y) % 2)));
    expect(sharpness).toBe(160_000);
    expect(contrast).toBe(50);
  });

  it("the quality of an image counts burnt out and drowned pixels", () => {
    const { overexposed, underexposed } = imageQuality(
      image(100, 80, (x) => (x < 25 ? 255 : x < 75 ? 128 : 5)),
    );
    expect([overexposed, underexposed]).toEqual([0.25, 0.25]);
  });

  it("the quality of an image hashes a ramp that rises to the right as all ones", () => {
    expect(imageQuality(image(90, 80, (x) => x)).differenceHash).toBe("f".repeat(16));
  });

  it("the quality of an image is less sharp the more an image is blurred", async () => {
    const png = await picture().png().toBuffer();
    const sharpness = await Promise.all(
      [undefined, 1, 3].map(async (sigma) => {
        const blurred = sigma === undefined ? sharp(png) : sharp(png).blur(sigma);
        return imageQuality(await greyOf(blurred)).sharpness;
      }),
    );
    const [sharpest = 0, less = 0, least = 0] = sharpness;
    expect(sharpest).toBeGreaterThan(10 * less);
    expect(less).toBeGreaterThan(3 * least);
  });
});

describe("duplicates", () => {
  const position = (lonDeg: number): PositionTags => ({
    latDeg: 51.5,
    lonDeg,
    altitudeM: 70,
    sigmaM: undefined,
    isRtk: false,
  });
  const seen = (name: string, hash: string, lonDeg?: number, sha256 = name) => ({
    name,
    sha256,
    position: lonDeg === undefined ? undefined : position(lonDeg),
    quality: {
      sharpness: 1,
      fineness: 0.8,
      brightness: 1,
      contrast: 1,
      overexposed: 0,
      underexposed: 0,
      differenceHash: hash,
    },
  });
  const HASH = "b24eaa4696eea68e";

  it("duplicates are the same file, whatever it is called", () => {
    const images = [
      seen("a", HASH, 1, "same"),
      seen("b", HASH, 1, "other"),
      seen("c", HASH, 9, "same"),
    ];
    expect(findDuplicates(images.slice(0, 1))).toEqual([]);
    expect(findDuplicates([images[0], images[2]].flatMap((one) => one ?? []))).toEqual([
      { index: 1, of: 0 },
    ]);
  });

  it("duplicates are pictures of one place that differ in two bits of their hashes at most", () => {
    const twoBits = "b24eaa4696eea68d";
    const threeBits = "b24eaa4696eea689";
    expect(findDuplicates([seen("a", HASH, 1), seen("b", twoBits, 1)])).toEqual([
      { index: 1, of: 0 },
    ]);
    expect(findDuplicates([seen("a", HASH, 1), seen("b", threeBits, 1)])).toEqual([]);
  });

  it("duplicates are not alike pictures of even ground from two places", () => {
    // 1e-5 degrees are 0.7 m at this latitude.
    expect(findDuplicates([seen("a", HASH, 1), seen("b", HASH, 1.00001)])).toEqual([]);
  });

  it("duplicates are found where a copy lost its tags, and smaller copies too", async () => {
    expect(findDuplicates([seen("a", HASH, 1), seen("b", HASH)])).toEqual([{ index: 1, of: 0 }]);
    const full = imageQuality(await greyOf(picture({ width: 640, height: 480 })));
    const png = await picture({ width: 640, height: 480 }).png().toBuffer();
    const half = imageQuality(await greyOf(sharp(png).resize(320)));
    expect(
      findDuplicates([seen("a", full.differenceHash), seen("b", half.differenceHash)]),
    ).toHaveLength(1);
  });
});
