import { createRandom } from "../../randomness/random.ts";
import type { FrameBuffer } from "./frame-buffer.ts";

/** How a sensor turns light into numbers. */
export interface Sensor {
  /** Brightness of this image, linear; 1 = as metered. */
  readonly gain: number;
  /** Light lost at the corners, 0 to 1. */
  readonly vignette: number;
  /**
   * Standard deviation of noise, grey levels. Photon noise grows with the root of light, and the
   * picture is coded as roots of light, so that it is the same in bright and in dark parts.
   */
  readonly noise: number;
  readonly seed: string;
}

/** Normal numbers to draw from; drawing them anew for each pixel would take as long as rendering. */
const NOISE_TABLE = 65_536;
const noiseTable = createNoiseTable();

function createNoiseTable(): Float32Array {
  const random = createRandom("survey-sensor-noise");
  return Float32Array.from({ length: NOISE_TABLE }, () => random.gaussian());
}

/** Develops a picture: exposure, vignetting, noise, 8 bits; three bytes a pixel. */
export function develop(picture: FrameBuffer, sensor: Sensor): Uint8Array {
  const { widthPx, heightPx, colour } = picture;
  const out = new Uint8Array(3 * widthPx * heightPx);
  const cornerSquared = (widthPx / 2) ** 2 + (heightPx / 2) ** 2;
  let state = createRandom(sensor.seed).integer(1, 2 ** 31 - 1);
  for (let row = 0; row < heightPx; row += 1) {
    const dv = row - (heightPx - 1) / 2;
    for (let column = 0; column < widthPx; column += 1) {
      const du = column - (widthPx - 1) / 2;
      const light = sensor.gain * (1 - (sensor.vignette * (du * du + dv * dv)) / cornerSquared);
      const k = Math.sqrt(light);
      const i = 3 * (row * widthPx + column);
      for (let c = 0; c < 3; c += 1) {
        // xorshift32 (Marsaglia 2003).
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        const noise = (noiseTable[state & (NOISE_TABLE - 1)] ?? 0) * sensor.noise;
        const value = (colour[i + c] ?? 0) * k + noise + 0.5;
        out[i + c] = value < 0 ? 0 : value > 255 ? 255 : value;
      }
    }
  }
  return out;
}
