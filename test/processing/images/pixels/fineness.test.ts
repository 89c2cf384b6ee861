import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../../processing/gates/gate-thresholds.ts";
import type { GreyImage } from "../../../../processing/images/pixels/decode.ts";
import { imageQuality } from "../../../../processing/images/pixels/image-quality.ts";
import { createRandom } from "../../../../simulators/randomness/random.ts";

const WIDTH = 320;
const HEIGHT = 240;
const SEEDS = ["gravel", "sand", "clay"] as const;

/** Ground with structure of every size from a pixel to 64, of equal strength; mean 0, deviation about 1. */
function ground(seed: string): Float64Array {
  const random = createRandom(seed);
  const tones = new Float64Array(WIDTH * HEIGHT);
  for (let size = 1; size <= 64; size *= 2) {
    const columns = Math.ceil(WIDTH / size) + 1;
    const knots = Float64Array.from({ length: columns * (Math.ceil(HEIGHT / size) + 1) }, () =>
      random.gaussian(),
    );
    for (let i = 0; i < tones.length; i++) {
      const row = Math.floor(i / WIDTH / size);
      const column = Math.floor((i % WIDTH) / size);
      tones[i] = (tones[i] ?? 0) + (knots[row * columns + column] ?? 0) / Math.sqrt(7);
    }
  }
  return tones;
}

/** The ground as a camera takes it: contrast in grey levels, blur in pixels, noise of the sensor, JPEG. */
async function photograph(
  seed: string,
  { contrast, blurPx, noise = 1 }: { contrast: number; blurPx?: number; noise?: number },
): Promise<GreyImage> {
  const bytes = (values: Float64Array) =>
    sharp(Uint8ClampedArray.from(values), { raw: { width: WIDTH, height: HEIGHT, channels: 1 } });
  const scene = bytes(ground(seed).map((tone) => 128 + contrast * tone));
  const seen = await (blurPx === undefined ? scene : scene.blur(blurPx))
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  const random = createRandom(`${seed} sensor`);
  const noisy = Float64Array.from(seen, (grey) => Math.round(grey + noise * random.gaussian()));
  const jpeg = await bytes(noisy).jpeg({ quality: 92 }).toBuffer();
  const pixels = await sharp(jpeg).toColourspace("b-w").raw().toBuffer();
  return { pixels: new Uint8Array(pixels), width: WIDTH, height: HEIGHT };
}

const finenessOf = async (...of: Parameters<typeof photograph>) =>
  imageQuality(await photograph(...of)).fineness ?? Number.NaN;

describe("fineness of an image", () => {
  it.each(
    SEEDS,
  )("fineness of an image of sharp %s is above the limit at any contrast", async (seed) => {
    const found = await Promise.all(
      [40, 12, 6, 4].map((contrast) => finenessOf(seed, { contrast })),
    );
    for (const fineness of found) expect(fineness).toBeGreaterThan(2 * LIMITS.fineness);
  });

  it.each(
    SEEDS,
  )("fineness of an image of %s blurred by 2 to 5 pixels is below the limit", async (seed) => {
    const found = await Promise.all(
      [2, 3, 5].map((blurPx) => finenessOf(seed, { contrast: 40, blurPx })),
    );
    for (const fineness of found) expect(fineness).toBeLessThan(LIMITS.fineness);
  });

  it("of a blurred image stays below the limit under noise of 2 grey levels", async () => {
    const noisy = { contrast: 40, blurPx: 3, noise: 2 };
    expect(await finenessOf("gravel", noisy)).toBeLessThan(LIMITS.fineness);
  });

  it("is unknown where the image has one grey or is smaller than 24 pixels", () => {
    const flat = (width: number) => ({
      ...{ width, height: 24 },
      pixels: Uint8Array.from({ length: width * 24 }, (_, i) => (width === 24 ? 90 : i % 251)),
    });
    expect(imageQuality(flat(24)).fineness).toBeUndefined();
    expect(imageQuality(flat(23)).fineness).toBeUndefined();
  });
});
