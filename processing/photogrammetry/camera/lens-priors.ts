import type { Intrinsics } from "./camera.ts";
import { scaleIntrinsics } from "./camera.ts";
import type { LensPrior } from "./camera-prior.ts";
import { type FocalEstimate, focalFromTags } from "./focal-length.ts";
import type { SurveyImage } from "./survey-image.ts";
import { workingSize } from "./working-size.ts";

/** The lenses of a survey, and which image was taken through which. */
export interface LensPriors {
  readonly lenses: readonly LensPrior[];
  /** Index into `lenses` by image; -1: the focal length is not known. */
  readonly lensOfImage: readonly number[];
  /** Names of the images without a lens, for the gate NO_FOCAL. */
  readonly missing: readonly string[];
}

/** Standard deviation of the principal point: share of the width; prototype, docs/photogrammetry.md#simulated-flights. */
const CENTRE_SIGMA = 0.01;
/** Of radial and tangential terms where nothing is known of them; prototype. */
const UNKNOWN_RADIAL_SIGMA = 0.1;
const UNKNOWN_TANGENTIAL_SIGMA = 0.003;
/** The same where a factory calibration or the camera itself took care of them; chosen. */
const KNOWN_RADIAL_SIGMA = 0.02;
const KNOWN_TANGENTIAL_SIGMA = 0.0005;

/**
 * Lenses by body (make, model, serial number), size and focal length, at working size. Images of one
 * body and size that have lost their focal tags share the lens of the others, when there is one only.
 */
export function lensPriors(images: readonly SurveyImage[], workingWidthPx: number): LensPriors {
  const estimates = images.map((image) => focalFromTags(image));
  const keysByBody = new Map<string, Set<string>>();
  const membersByKey = new Map<string, number[]>();
  images.forEach((image, i) => {
    if (estimates[i] === undefined) return;
    const body = bodyKey(image);
    const key = `${body}|${image.focal.focalLengthMm ?? ""}|${image.focal.focal35Mm ?? ""}`;
    keysByBody.set(body, (keysByBody.get(body) ?? new Set()).add(key));
    membersByKey.set(key, [...(membersByKey.get(key) ?? []), i]);
  });

  const keys = [...membersByKey.keys()];
  const lensOfImage = images.map((image, i) => {
    const ofBody = [...(keysByBody.get(bodyKey(image)) ?? [])];
    if (estimates[i] === undefined) {
      return ofBody.length === 1 ? keys.indexOf(ofBody[0] ?? "") : -1;
    }
    return keys.findIndex((key) => membersByKey.get(key)?.includes(i));
  });
  const lenses = keys.flatMap((key) => {
    const first = membersByKey.get(key)?.[0] ?? 0;
    const image = images[first];
    const estimate = estimates[first];
    if (image === undefined || estimate === undefined) return [];
    return [lensPrior(image, estimate, workingWidthPx)];
  });
  const missing = images.filter((_, i) => lensOfImage[i] === -1).map((image) => image.name);
  return { lenses, lensOfImage, missing };
}

function bodyKey({ make, model, serial, widthPx, heightPx }: SurveyImage): string {
  return [make ?? "", model ?? "", serial ?? "", widthPx, heightPx].join("|");
}

function lensPrior(
  image: SurveyImage,
  { focalPx, relativeSigma, source }: FocalEstimate,
  workingWidthPx: number,
): LensPrior {
  const { widthPx, heightPx } = image;
  const full: Intrinsics = {
    widthPx,
    heightPx,
    focalPx,
    cxPx: (widthPx - 1) / 2,
    cyPx: (heightPx - 1) / 2,
    k1: 0,
    k2: 0,
    p1: 0,
    p2: 0,
  };
  const size = workingSize(image, workingWidthPx);
  const calibrated = source === "dewarp" ? withFactoryCalibration(full, image) : full;
  const isKnown = source === "dewarp" || image.focal.isUndistorted;
  const radial = isKnown ? KNOWN_RADIAL_SIGMA : UNKNOWN_RADIAL_SIGMA;
  const intrinsics = { ...scaleIntrinsics(calibrated, size.widthPx), heightPx: size.heightPx };
  return {
    intrinsics,
    fullWidthPx: widthPx,
    sigma: {
      focalPx: intrinsics.focalPx * relativeSigma,
      centrePx: size.widthPx * CENTRE_SIGMA,
      k1: radial,
      k2: radial,
      tangential: isKnown ? KNOWN_TANGENTIAL_SIGMA : UNKNOWN_TANGENTIAL_SIGMA,
    },
    source,
  };
}

/**
 * DJI's factory calibration: fx, fy, cx, cy, k1, k2, p1, p2, k3 of the full-size image, cx and cy from
 * the middle of the image; the distortion does not count when the camera has taken it out already.
 */
function withFactoryCalibration(full: Intrinsics, { focal }: SurveyImage): Intrinsics {
  const [fx = 0, fy = 0, cx = 0, cy = 0, k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0] =
    focal.dewarp ?? [];
  // One focal length serves both axes: pixels are square to less than 1e-3.
  const focalPx = fy > 0 ? (fx + fy) / 2 : fx;
  const centred = { ...full, focalPx, cxPx: full.cxPx + cx, cyPx: full.cyPx + cy };
  if (focal.isUndistorted) return centred;
  const radius2 = (full.widthPx ** 2 + full.heightPx ** 2) / 4 / focalPx ** 2;
  return { ...centred, ...withoutThirdTerm(k1, k2, k3, radius2), p1, p2 };
}

/**
 * The two radial terms nearest to three over the image: least squares of r (k1 r2 + k2 r4 + k3 r6) by
 * area out to the corner. At r2 = 0.7 a k3 of -0.03 moves the corner by 1 % of the focal length.
 */
function withoutThirdTerm(k1: number, k2: number, k3: number, radius2: number) {
  // With q = r2 over its greatest value the columns are q^1.5 and q^2.5, the target is q^3.5 and a ring
  // weighs dq: [1/4 1/5; 1/5 1/6] (a, b) = (1/6, 1/7) has the solution (-10/21, 10/7).
  return { k1: k1 - (10 / 21) * k3 * radius2 ** 2, k2: k2 + (10 / 7) * k3 * radius2 };
}
