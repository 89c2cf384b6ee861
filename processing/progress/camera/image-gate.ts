import type { ImageQuality } from "../../photogrammetry/camera/survey-image.ts";

/**
 * What an image must have to be analysed: far below good pictures, so that the registration decides what can be
 * used. Measured on simulated sites (simulators/camera-site): sharpness 180 and more, in fog 104, at night 53,
 * most of it noise; brightness 80 to 190, at night 2 to 8. Stricter, usable dusk and haze are refused; laxer,
 * the registration is tried on pictures that show nothing.
 */
const IMAGE_GATE = {
  /** Variance of the Laplacian, squared grey levels. */
  sharpness: 6,
  /** Mean grey level, 0 to 255. */
  brightness: 20,
  /** Share of drowned, or of burnt-out, pixels at most. */
  underexposed: 0.7,
  overexposed: 0.6,
} as const;

/** Why an image is refused, in words that follow its name; `undefined`: it is not. */
export function gateProblem(quality: ImageQuality): string | undefined {
  const { sharpness, brightness, underexposed, overexposed } = quality;
  if (brightness < IMAGE_GATE.brightness || underexposed > IMAGE_GATE.underexposed) {
    return `is too dark: mean grey level ${brightness.toFixed(0)} of 255 (${IMAGE_GATE.brightness} or more), ${share(underexposed)} of it black`;
  }
  if (overexposed > IMAGE_GATE.overexposed) {
    return `is overexposed: ${share(overexposed)} of it is white (${share(IMAGE_GATE.overexposed)} at most)`;
  }
  if (sharpness < IMAGE_GATE.sharpness) {
    return `is blurred or shows nothing: sharpness ${sharpness.toFixed(1)} (variance of the Laplacian; ${IMAGE_GATE.sharpness} or more)`;
  }
  return undefined;
}

const share = (value: number): string => `${Math.round(100 * value)} %`;
