import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { withoutMetadata } from "../../../../processing/images/pixels/without-metadata.ts";
import { picture, xmp } from "../scene.ts";

const EXIF = { IFD0: { Make: "DJI" }, IFD3: { GPSLatitudeRef: "N" } };
const XMP = xmp("drone-dji", "http://www.dji.com/drone-dji/1.0/", { RelativeAltitude: "+40.1" });

const pixelsOf = (image: Buffer) => sharp(image).raw().toBuffer();

describe("an image for the decoder", () => {
  it.each([
    "jpeg",
    "png",
    "webp",
  ] as const)("an image for the decoder has no tags, and the pixels it had: %s", async (format) => {
    const image = await picture()
      .withExif(EXIF)
      .withXmp(XMP)
      .withIccProfile("p3", { attach: true })
      .toFormat(format)
      .toBuffer();
    const bare = withoutMetadata(image);
    const [before, after] = [await sharp(image).metadata(), await sharp(bare).metadata()];
    expect([before.exif, before.xmp].map((tags) => tags !== undefined)).toEqual([true, true]);
    expect([after.exif, after.xmp]).toEqual([undefined, undefined]);
    expect(after.icc).toEqual(before.icc);
    expect(await pixelsOf(bare)).toEqual(await pixelsOf(image));
  });

  it.each([
    "jpeg",
    "png",
    "webp",
  ] as const)("an image of %s that was cut anywhere does not grow", async (format) => {
    const image = await picture({ width: 64, height: 64 })
      .withExif(EXIF)
      .toFormat(format)
      .toBuffer();
    for (let bytes = 0; bytes < Math.min(image.length, 700); bytes += 3) {
      expect(withoutMetadata(image.subarray(0, bytes)).length).toBeLessThanOrEqual(bytes);
    }
  });

  it("an image for the decoder of another kind is left as it is", async () => {
    const tiff = await picture().withExif(EXIF).tiff().toBuffer();
    expect(withoutMetadata(tiff)).toBe(tiff);
  });
});
