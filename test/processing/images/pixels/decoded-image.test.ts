import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type Channels,
  decodedBytes,
  readWindow,
  writeDecoded,
} from "../../../../processing/images/pixels/decoded-image.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "decoded-image-"));
});
afterAll(() => rm(dir, { recursive: true }));

function noise(width: number, height: number, channels: Channels, random: () => number) {
  const pixels = Uint8Array.from({ length: width * height * channels }, () => 256 * random());
  return { width, height, pixels };
}

it.each([
  [300, 257, 1],
  [300, 257, 3],
  [128, 128, 1],
  [90, 700, 3],
] as const)("any window of %d x %d pixels of %d bytes is read as it was written", async (width, height, channels) => {
  const random = seededRandom(width * height * channels);
  const images = [
    noise(width, height, channels, random),
    noise(width >> 1, height >> 1, channels, random),
  ];
  const path = join(dir, `${width}-${height}-${channels}`);
  const levels = writeDecoded(path, images, channels);
  const bytes = images.reduce((sum, image) => sum + decodedBytes(image, channels), 0);
  expect((await stat(path)).size).toBe(bytes);
  const differing = Array.from({ length: 60 }, (_, n) => {
    const [level, image] = [levels[n % 2], images[n % 2]];
    if (level === undefined || image === undefined) throw new Error("two levels were written");
    const left = Math.floor(random() * level.width);
    const top = Math.floor(random() * level.height);
    const window = {
      ...{ left, top },
      width: 1 + Math.floor(random() * (level.width - left)),
      height: 1 + Math.floor(random() * (level.height - top)),
    };
    const rowBytes = window.width * channels;
    const expected = new Uint8Array(rowBytes * window.height);
    for (let row = 0; row < window.height; row += 1) {
      const from = ((top + row) * level.width + left) * channels;
      expected.set(image.pixels.subarray(from, from + rowBytes), row * rowBytes);
    }
    return Buffer.compare(readWindow(level, window), expected);
  });
  expect(differing.filter((difference) => difference !== 0)).toEqual([]);
});
