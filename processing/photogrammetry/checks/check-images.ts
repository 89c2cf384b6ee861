import { LIMITS } from "../../gates/gate-thresholds.ts";
import type { GateFinding } from "../../gates/gates.ts";
import { asPercent, rounded } from "../../numeric/rounding.ts";
import type { ImageQuality, SurveyImage } from "../camera/survey-image.ts";

/** What becomes of the images before any is matched. */
export interface ImageCheck {
  readonly findings: readonly GateFinding[];
  /** Indices of the images to leave out. */
  readonly leftOut: readonly number[];
}

/**
 * Checks the images' metadata and quality: gates NO_GPS, LENS_CAP, LOW_SHARPNESS, WEAK_TEXTURE,
 * DUPLICATE_IMAGES, TOO_FEW_IMAGES and TOO_MANY_IMAGES. A few bad images are left out and named; when too few
 * are left the gate that took most of them refuses. Images of weak texture stay: matching decides.
 * @param limits `mostImages`: what this engine can adjust at once; `isPlacedByControl`: control points place
 *   the block, so that positions are not needed
 */
export function checkImages(
  images: readonly SurveyImage[],
  {
    mostImages = LIMITS.mostImages,
    isPlacedByControl = false,
  }: { readonly mostImages?: number; readonly isPlacedByControl?: boolean } = {},
): ImageCheck {
  const dark = indices(images, ({ quality }) => isOneTone(quality));
  const unsharp = indices(
    images,
    ({ quality }, i) => !dark.includes(i) && quality.sharpness < LIMITS.sharpness,
  );
  const blurred = unsharp.filter((i) => isBlurred(images[i]?.quality));
  const weak = unsharp.filter((i) => !blurred.includes(i));
  const copies = duplicates(images);
  const unplaced = indices(images, ({ position }) => position === undefined);
  const leftOut = [...new Set([...dark, ...blurred, ...copies])].sort((a, b) => a - b);
  const kept = images.length - leftOut.length;
  const refuses = (found: readonly number[]) =>
    kept < LIMITS.fewestImages && images.length >= LIMITS.fewestImages && found.length > 0;
  const names = (found: readonly number[]) => found.map((i) => images[i]?.name ?? "");
  const findings: GateFinding[] = [];

  if (images.length > mostImages) {
    findings.push({
      gate: "TOO_MANY_IMAGES",
      severity: "reject",
      value: images.length,
      threshold: mostImages,
      unit: "images",
      advice: "Set NODEODM_URL so that large surveys go to a NodeODM, or split the survey.",
      images: [],
    });
  }
  if (dark.length > 0) {
    findings.push({
      gate: "LENS_CAP",
      severity: refuses(dark) ? "reject" : "warn",
      value: least(dark.map((i) => images[i]?.quality.contrast ?? 0)),
      threshold: LIMITS.lensCapContrast,
      unit: "grey levels of contrast",
      advice: "These images show one tone only: take off the lens cap, or leave out fog and sky.",
      images: names(dark),
    });
  }
  if (blurred.length > 0) {
    findings.push({
      gate: "LOW_SHARPNESS",
      severity: refuses(blurred) ? "reject" : "warn",
      value: least(blurred.map((i) => images[i]?.quality.sharpness ?? 0)),
      threshold: LIMITS.sharpness,
      unit: "variance of the Laplacian",
      advice: "Fly slower or with a shorter exposure, and check the focus.",
      images: names(blurred),
    });
  }
  if (weak.length > 0) {
    findings.push({
      gate: "WEAK_TEXTURE",
      severity: "warn",
      value: least(weak.map((i) => images[i]?.quality.sharpness ?? 0)),
      threshold: LIMITS.sharpness,
      unit: "variance of the Laplacian",
      advice:
        "These images are in focus, but the ground in them has little texture, and volumes on it may come " +
        "out low: fly lower, with more overlap, in light that shows the grain of the ground.",
      images: names(weak),
    });
  }
  if (copies.length > 0) {
    findings.push({
      gate: "DUPLICATE_IMAGES",
      severity: refuses(copies) ? "reject" : "warn",
      value: copies.length,
      threshold: 0,
      unit: "images",
      advice: "The same picture was sent more than once; each counts once.",
      images: names(copies),
    });
  }
  const placedShare = 1 - unplaced.length / Math.max(1, images.length);
  if (unplaced.length > 0 && !isPlacedByControl) {
    findings.push({
      gate: "NO_GPS",
      severity: placedShare < LIMITS.positionedShare ? "reject" : "warn",
      value: asPercent(placedShare),
      threshold: asPercent(LIMITS.positionedShare),
      unit: "% of the images with a position",
      advice: "Send the original files: messengers and editors remove the position from images.",
      images: names(unplaced),
    });
  }
  if (kept < LIMITS.fewImages) {
    const tooFew = kept < LIMITS.fewestImages;
    findings.push({
      gate: "TOO_FEW_IMAGES",
      severity: tooFew ? "reject" : "warn",
      value: kept,
      threshold: tooFew ? LIMITS.fewestImages : LIMITS.fewImages,
      unit: "images",
      advice: "Fly with 75 % overlap along and 65 % across, and add at least four oblique images.",
      images: [],
    });
  }
  return { findings, leftOut };
}

/** Bare ground under even light has little contrast too, but is neither black nor white. */
function isOneTone({ contrast, brightness }: ImageQuality): boolean {
  const isExtreme = brightness < LIMITS.lensCapDark || brightness > LIMITS.lensCapBright;
  return contrast < LIMITS.lensCapContrast && isExtreme;
}

/** Of images without sharp edges: blur takes fine structure and leaves coarse, weak texture lacks both. */
function isBlurred(quality: ImageQuality | undefined): boolean {
  return quality?.fineness !== undefined && quality.fineness < LIMITS.fineness;
}

function indices(
  images: readonly SurveyImage[],
  test: (image: SurveyImage, i: number) => boolean,
): number[] {
  return images.flatMap((image, i) => (test(image, i) ? [i] : []));
}

/** Later ones of files with one content, or of one picture saved twice. */
function duplicates(images: readonly SurveyImage[]): number[] {
  return indices(images, (image, i) =>
    images.slice(0, i).some((earlier) => isCopy(image, earlier)),
  );
}

function isCopy(a: SurveyImage, b: SurveyImage): boolean {
  if (a.sha256 === b.sha256) return true;
  const isSameMoment = a.capturedAtMs !== undefined && a.capturedAtMs === b.capturedAtMs;
  return (
    isSameMoment &&
    isNear(a, b) &&
    differingBits(a.quality.differenceHash, b.quality.differenceHash) <= LIMITS.duplicateBits
  );
}

const DEG_M = 111_320;

/** A hovering drone may take two pictures from one place: only with the same moment is it one. */
function isNear(a: SurveyImage, b: SurveyImage): boolean {
  if (a.position === undefined || b.position === undefined) return a.position === b.position;
  const northM = (a.position.latDeg - b.position.latDeg) * DEG_M;
  const scale = Math.cos((a.position.latDeg * Math.PI) / 180);
  const eastM = (a.position.lonDeg - b.position.lonDeg) * DEG_M * scale;
  return Math.hypot(northM, eastM) < LIMITS.duplicateDistanceM;
}

function differingBits(a: string, b: string): number {
  let x = BigInt(`0x${a || "0"}`) ^ BigInt(`0x${b || "0"}`);
  let bits = 0;
  for (; x > 0n; x >>= 1n) bits += Number(x & 1n);
  return bits;
}

function least(values: readonly number[]): number {
  return rounded(Math.min(...values), 1);
}
