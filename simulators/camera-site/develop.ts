import type { Random } from "../randomness/random.ts";
import type { Canvas } from "./canvas.ts";
import type { Conditions } from "./conditions.ts";

/** A picture as the camera gives it: RGB, row-major, upper row first. */
export interface SitePicture {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly pixels: Uint8Array;
}

/**
 * Turns what was painted into a picture: shift and turn of the camera (bilinear), snowflakes or dirt on
 * the lens, white balance, tone, vignette and noise of the sensor.
 */
export function develop(
  canvas: Canvas,
  widthPx: number,
  heightPx: number,
  conditions: Conditions,
  random: Random,
): SitePicture {
  const pixels = new Uint8Array(widthPx * heightPx * 3);
  const veil = lensVeil(widthPx, heightPx, conditions, random.fork("lens"));
  const tones = [0, 1, 2].map((c) => toneCurve(conditions, c));
  const noise = noiseTable(conditions.noise, random.fork("noise"));
  const { turnRad, shiftX, shiftY } = conditions;
  const cos = Math.cos(turnRad);
  const sin = Math.sin(turnRad);
  const marginX = (canvas.width - widthPx) / 2;
  const marginY = (canvas.height - heightPx) / 2;
  const [cx, cy] = [widthPx / 2, heightPx / 2];
  const source = canvas.pixels;
  const stride = canvas.width * 3;
  let state = random.integer(1, 2 ** 31 - 1);
  for (let y = 0; y < heightPx; y += 1) {
    for (let x = 0; x < widthPx; x += 1) {
      const fromX = cos * (x - cx) - sin * (y - cy) + cx + shiftX + marginX;
      const fromY = sin * (x - cx) + cos * (y - cy) + cy + shiftY + marginY;
      const column = fromX | 0;
      const row = fromY | 0;
      const a = fromX - column;
      const b = fromY - row;
      const at = (y * widthPx + x) * 3;
      const from = row * stride + column * 3;
      const dim = veil === undefined ? 0 : (veil.share[y * widthPx + x] ?? 0);
      for (let c = 0; c < 3; c += 1) {
        const upper = (source[from + c] ?? 0) * (1 - a) + (source[from + 3 + c] ?? 0) * a;
        const lower =
          (source[from + stride + c] ?? 0) * (1 - a) + (source[from + stride + 3 + c] ?? 0) * a;
        let value = upper * (1 - b) + lower * b;
        if (veil !== undefined) value += (veil.tone - value) * dim;
        // Numerical Recipes' quick generator: noise needs no more.
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
        const toned = (tones[c]?.[value | 0] ?? 0) + (noise[state >>> 20] ?? 0);
        pixels[at + c] = toned < 0 ? 0 : toned > 255 ? 255 : toned;
      }
    }
  }
  return { widthPx, heightPx, pixels };
}

/** White balance and tone of one channel. */
function toneCurve({ gains, gamma }: Conditions, channel: number): Float32Array {
  const gain = gains[channel] ?? 1;
  return Float32Array.from({ length: 256 }, (_, value) => 255 * ((value * gain) / 255) ** gamma);
}

/** 4,096 draws of normal noise, which are picked from at random. */
function noiseTable(deviation: number, random: Random): Float32Array {
  return Float32Array.from({ length: 4_096 }, () => deviation * random.gaussian());
}

interface Veil {
  /** Share of each pixel that is not the scene, 0 to 1. */
  readonly share: Float32Array;
  readonly tone: number;
}

/** Flakes in the air, or drops and dust on the lens; `undefined`: a clear view. */
function lensVeil(
  widthPx: number,
  heightPx: number,
  { hardships, light }: Conditions,
  random: Random,
): Veil | undefined {
  const isSnow = hardships.includes("snow");
  const isDirty = hardships.includes("lens_dirt");
  if (!isSnow && !isDirty) return undefined;
  const share = new Float32Array(widthPx * heightPx);
  const count = isDirty ? random.integer(5, 18) : random.integer(200, 500);
  for (let i = 0; i < count; i += 1) {
    const r = isDirty ? random.uniform(0.02, 0.1) * widthPx : random.uniform(1, 3.5);
    const cx = random.uniform(0, widthPx);
    const cy = random.uniform(0, heightPx);
    const most = random.uniform(0.4, 0.9);
    for (let y = Math.max(0, Math.floor(cy - r)); y < Math.min(heightPx, cy + r); y += 1) {
      for (let x = Math.max(0, Math.floor(cx - r)); x < Math.min(widthPx, cx + r); x += 1) {
        const off = Math.hypot(x - cx, y - cy) / r;
        const at = y * widthPx + x;
        if (off < 1) share[at] = Math.max(share[at] ?? 0, most * (1 - off * off));
      }
    }
  }
  return { share, tone: isDirty ? 0.5 * light.haze[1] : 245 };
}
