import type { ViewPixels } from "./view-frame.ts";

/** Brightness that the whole picture is normalised by: grey world, so that no light of the day counts. */
export interface PictureLight {
  /** Means of red, green and blue over the picture, 0 to 255; above 0. */
  readonly means: readonly [number, number, number];
}

/** Least mean of a channel: a picture without blue must not cause a division by zero. */
const LEAST_MEAN = 1;

/** The light of a whole picture. */
export function pictureLight({ rgb }: ViewPixels): PictureLight {
  const sums: [number, number, number] = [0, 0, 0];
  for (let i = 0; i + 2 < rgb.length; i += 3) {
    sums[0] += rgb[i] ?? 0;
    sums[1] += rgb[i + 1] ?? 0;
    sums[2] += rgb[i + 2] ?? 0;
  }
  const count = rgb.length / 3;
  const mean = (sum: number): number => Math.max(LEAST_MEAN, sum / count);
  return { means: [mean(sums[0]), mean(sums[1]), mean(sums[2])] };
}
