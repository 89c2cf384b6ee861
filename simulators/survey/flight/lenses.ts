import type { Random } from "../../randomness/random.ts";
import type { TrueLens } from "./camera.ts";

/** A camera as its tags describe it, and its lens as it is. */
export interface CameraBody {
  readonly make: string;
  readonly model: string;
  readonly serial: string;
  readonly focalLengthMm: number;
  readonly focal35Mm: number;
  /** Focal length by the tags, pixels. */
  readonly nominalFocalPx: number;
  readonly lens: TrueLens;
}

/** Diagonal of a 36 x 24 mm frame, which focal lengths "in 35 mm film" refer to (CIPA DCG-001). */
const FILM_DIAGONAL_MM = Math.hypot(36, 24);
/** Height of a frame over its width. */
const ASPECT = 0.75;

/** The two cameras of the simulator: one flies all surveys, the second joins for `mixed-cameras`. */
const BODIES = [
  { model: "SIM-24", serial: "PLB0024001", focalLengthMm: 8.8, focal35Mm: 24, widthShare: 1 },
  { model: "SIM-28", serial: "PLB0028007", focalLengthMm: 4.5, focal35Mm: 28, widthShare: 0.8 },
] as const;

/**
 * The cameras for images of a width. The true lens differs from the tags: focal length by about 1 % or as is asked for,
 * principal point by half a percent of the width, barrel distortion.
 * @param focalOffPercent by how much the focal length is above the one of the tags, percent; absent: drawn
 */
export function createBodies(
  widthPx: number,
  random: Random,
  focalOffPercent?: number,
): readonly [CameraBody, CameraBody] {
  const create = (k: 0 | 1): CameraBody => {
    const { widthShare, ...tags } = BODIES[k];
    const drawn = random.fork(tags.serial);
    // JPEG with 2:1 chroma likes even sizes.
    const width = 2 * Math.round((widthPx * widthShare) / 2);
    const height = 2 * Math.round((width * ASPECT) / 2);
    const nominalFocalPx = (tags.focal35Mm / FILM_DIAGONAL_MM) * Math.hypot(width, height);
    const sign = () => (drawn.chance(0.5) ? 1 : -1);
    const drawnOff = sign() * drawn.uniform(0.006, 0.014);
    const focalOff = focalOffPercent === undefined ? drawnOff : focalOffPercent / 100;
    return {
      make: "DJI",
      ...tags,
      nominalFocalPx,
      lens: {
        widthPx: width,
        heightPx: height,
        focalPx: nominalFocalPx * (1 + focalOff),
        cxPx: (width - 1) / 2 + sign() * drawn.uniform(0.002, 0.005) * width,
        cyPx: (height - 1) / 2 + sign() * drawn.uniform(0.002, 0.005) * width,
        k1: drawn.uniform(-0.055, -0.035),
        k2: drawn.uniform(0.012, 0.022),
        p1: sign() * drawn.uniform(0.0003, 0.0007),
        p2: sign() * drawn.uniform(0.0003, 0.0007),
      },
    };
  };
  return [create(0), create(1)];
}
