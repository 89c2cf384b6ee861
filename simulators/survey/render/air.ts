import { valueNoise } from "../../randomness/noise.ts";
import type { FrameBuffer } from "./frame-buffer.ts";
import type { View } from "./view.ts";

/** Air of a day, as a camera near the ground sees it. */
export interface Air {
  /** Distance at which 95 % of a dark object's contrast is lost, metres (Koschmieder 1924: 3 / extinction). */
  readonly visibilityM: number;
  /** Light that the air and the horizon send, red, green, blue, linear, 1 = full scale. */
  readonly hazeColour: readonly [number, number, number];
  /** The same of the sky overhead. */
  readonly skyColour: readonly [number, number, number];
  /** Share of the sky with clouds, 0 to 1. */
  readonly clouds: number;
  /** Ground beyond the nodes, where there is no texture: from here on east or north (m), and its colour when lit. */
  readonly beyond: { readonly extentM: number; readonly colour: readonly [number, number, number] };
  readonly seed: number;
}

/** What is at least this far away is sky, metres. */
const SKY_FROM_M = 2_000;
/** Height of the sky's colour scale: sine of the elevation at which it is halfway to the zenith's. */
const SKY_SCALE = 0.35;

/** Patches of open land: waves (m), finer ones left out where a pixel is wider, and their contrast. */
const FIELD_WAVES_M = [45, 17, 6, 2] as const;
const FIELD_CONTRAST = 0.16;

function fieldTone(eastM: number, northM: number, pixelM: number, seed: number): number {
  let tone = 1;
  for (const wave of FIELD_WAVES_M) {
    if (wave < 2 * pixelM) break;
    tone += FIELD_CONTRAST * valueNoise(eastM / wave, northM / wave, seed + 7);
  }
  return Math.max(0.3, tone);
}

/** Paints open land beyond the nodes, veils what is far away, and paints the sky where a ray meets no ground. */
export function addAir(view: View, picture: FrameBuffer, air: Air): void {
  const { colour, depthM } = picture;
  const { right, down, forward } = view.axes;
  const extinction = 3 / air.visibilityM;
  for (let pixel = 0; pixel < depthM.length; pixel += 1) {
    const x = view.rays[2 * pixel] ?? 0;
    const y = view.rays[2 * pixel + 1] ?? 0;
    const lengthOfRay = Math.sqrt(1 + x * x + y * y);
    const rise = (right[2] * x + down[2] * y + forward[2]) / lengthOfRay;
    const depth = depthM[pixel] ?? 0;
    const isSky = depth >= SKY_FROM_M;
    if (!isSky) {
      const e = view.centre.eastM + depth * (right[0] * x + down[0] * y + forward[0]);
      const n = view.centre.northM + depth * (right[1] * x + down[1] * y + forward[1]);
      if (Math.max(Math.abs(e), Math.abs(n)) > air.beyond.extentM) {
        const tone = fieldTone(e, n, (depth * lengthOfRay) / view.lens.focalPx, air.seed);
        for (let c = 0; c < 3; c += 1) {
          colour[3 * pixel + c] = 255 * Math.sqrt((air.beyond.colour[c] ?? 0) * tone);
        }
      }
    }
    const clear = isSky ? 0 : Math.exp(-extinction * depth * lengthOfRay);
    const up = isSky ? Math.max(0, rise) / (SKY_SCALE + Math.max(0, rise)) : 0;
    let cloud = 0;
    if (isSky && rise > 0.01) {
      // Clouds on a flat ceiling.
      const east = (right[0] * x + down[0] * y + forward[0]) / lengthOfRay / rise;
      const north = (right[1] * x + down[1] * y + forward[1]) / lengthOfRay / rise;
      const field =
        valueNoise(east * 1.3, north * 1.3, air.seed) +
        0.5 * valueNoise(east * 3.1, north * 3.1, air.seed + 1);
      cloud = Math.min(1, Math.max(0, field + 2 * air.clouds - 1)) * Math.min(1, rise * 8);
    }
    for (let c = 0; c < 3; c += 1) {
      const haze = air.hazeColour[c] ?? 0;
      const sky = haze + up * ((air.skyColour[c] ?? 0) - haze);
      const behind = sky + cloud * (0.75 - sky);
      const seen = ((colour[3 * pixel + c] ?? 0) / 255) ** 2;
      colour[3 * pixel + c] = 255 * Math.sqrt(clear * seen + (1 - clear) * behind);
    }
  }
}
