import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { closeLoaders } from "../../../../processing/images/pixels/close-loaders.ts";

const TAKEN = ["jpeg", "png", "tiff", "webp"] as const;
const picture = () => sharp({ create: { width: 32, height: 32, channels: 3, background: "red" } });

describe("closed loaders", () => {
  it("closed loaders leave four formats", async () => {
    closeLoaders();
    for (const format of TAKEN) {
      const bytes = await picture().toFormat(format).toBuffer();
      expect(await sharp(bytes).metadata()).toMatchObject({ format });
    }
  });

  it("closed loaders are all others that this build has", async () => {
    closeLoaders();
    const others = Object.entries(sharp.format).flatMap(([name, { input }]) =>
      (input.file || input.buffer) && !TAKEN.some((format) => format === name) ? [name] : [],
    );
    // A new one needs a name among those that are closed; raw pixels need no loader.
    expect(others.sort()).toEqual(["gif", "heif", "raw", "svg", "vips"]);
    const samples = {
      gif: await picture().gif().toBuffer(),
      avif: await picture().avif().toBuffer(),
      svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'),
      csv: Buffer.from("1,2\n3,4\n"),
      ppm: Buffer.from("P3 1 1 255 1 2 3\n"),
    };
    for (const [name, bytes] of Object.entries(samples)) {
      await expect(sharp(bytes).metadata(), name).rejects.toThrow("unsupported image format");
    }
  });

  it("are closed again by a thread that starts, and no image that is being opened is refused", async () => {
    const bytes = await picture().jpeg().toBuffer();
    const opening = Array.from({ length: 300 }, () => sharp(bytes).raw().toBuffer());
    let isDone = false;
    const all = Promise.all(opening).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      for (let i = 0; i < 50; i += 1) closeLoaders();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await all).toHaveLength(300);
  });
});
