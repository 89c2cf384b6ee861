import type { LensPrior } from "./camera-prior.ts";
import type { SurveyImage } from "./survey-image.ts";

/** A focal length in pixels of the full-size image, and how far it can be trusted. */
export interface FocalEstimate {
  readonly focalPx: number;
  /** One standard deviation, relative. */
  readonly relativeSigma: number;
  readonly source: LensPrior["source"];
}

/** Diagonal of the 36 x 24 mm frame that 35 mm equivalents refer to (CIPA DCG-001), mm. */
const FULL_FRAME_DIAGONAL_MM = 43.2666;

/**
 * Relative standard deviations of focal lengths by source. Equivalents are whole millimetres (20 +- 0.5
 * mm is 1.4 %) and 2 % is what kept nadir-only blocks from wandering (docs/photogrammetry.md#traps-of-real-images); ten
 * calibrated cameras are 2.4 % (rms) off theirs (docs/surveys.md#how-true-volumes-are). The others
 * are chosen: a factory calibration holds for another focus and temperature, a sensor's width in a data
 * sheet may count pixels that no image shows.
 */
const SIGMA = { dewarp: 0.01, focal_plane: 0.015, focal_35mm: 0.02, known_camera: 0.03 } as const;

/** A tag is wrong, not rounded, when it differs from another by more than this; chosen. */
const TAGS_AGREE_WITHIN = 0.1;

/**
 * Bodies whose sensor is 3:2 although their frames may be 16:9 or 4:3 (one-inch sensors of 13.2 x 8.8
 * mm, by the makers' data sheets). Any other 16:9 frame is taken as cut from 4:3: with its own diagonal
 * the focal length of a DJI FC300S came out 8 % low (docs/photogrammetry.md#real-flights).
 */
const THREE_TO_TWO_MODELS = /^(FC6310|FC6510|FC3411|L1D-20C|ILCE-|DSC-RX)/i;

/** Sensor widths in mm of cameras whose files give only the focal length; makers' data sheets. */
const SENSOR_WIDTH_MM: readonly { readonly model: RegExp; readonly widthMm: number }[] = [
  { model: /^DSC-WX220$/i, widthMm: 6.17 },
  { model: /^S\.O\.D\.A\.?/i, widthMm: 12.75 },
  { model: /^RedEdge/i, widthMm: 4.8 },
];

/**
 * Focal length from an image's tags: factory calibration, then the focal plane's resolution unless the
 * 35 mm equivalent contradicts it, then the equivalent, then the width of a known sensor; `undefined`
 * when none of them is there (gate NO_FOCAL).
 */
export function focalFromTags(image: SurveyImage): FocalEstimate | undefined {
  const { focalLengthMm, focalPlanePxPerMm, dewarp } = image.focal;
  const factory = dewarp?.[0];
  if (isPositive(factory)) return estimate("dewarp", factory);
  const equivalent = focalFrom35mm(image);
  if (isPositive(focalLengthMm) && isPositive(focalPlanePxPerMm)) {
    const focalPx = focalLengthMm * focalPlanePxPerMm;
    const isContradicted =
      equivalent !== undefined && Math.abs(focalPx / equivalent - 1) > TAGS_AGREE_WITHIN;
    if (!isContradicted) return estimate("focal_plane", focalPx);
  }
  if (equivalent !== undefined) return estimate("focal_35mm", equivalent);
  const known = SENSOR_WIDTH_MM.find(({ model }) => model.test(image.model?.trim() ?? ""));
  if (known === undefined || !isPositive(focalLengthMm)) return undefined;
  return estimate("known_camera", (focalLengthMm / known.widthMm) * longerEdgePx(image));
}

/** The equivalent's diagonal is that of the sensor's native frame, of which the image may be a crop. */
function focalFrom35mm(image: SurveyImage): number | undefined {
  const { focal35Mm } = image.focal;
  if (!isPositive(focal35Mm)) return undefined;
  const longer = longerEdgePx(image);
  const shorter = Math.min(image.widthPx, image.heightPx);
  const aspect = longer / shorter;
  let native = aspect;
  if (THREE_TO_TWO_MODELS.test(image.model?.trim() ?? "")) native = 3 / 2;
  else if (aspect > 1.6 && aspect < 1.9) native = 4 / 3;
  // A wider frame than the sensor shows its whole width, a narrower one its whole height.
  const diagonalPx =
    aspect >= native ? longer * Math.hypot(1, 1 / native) : shorter * Math.hypot(1, native);
  return (focal35Mm / FULL_FRAME_DIAGONAL_MM) * diagonalPx;
}

function estimate(source: keyof typeof SIGMA, focalPx: number): FocalEstimate {
  return { focalPx, relativeSigma: SIGMA[source], source };
}

function longerEdgePx({ widthPx, heightPx }: SurveyImage): number {
  return Math.max(widthPx, heightPx);
}

function isPositive(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value > 0;
}
