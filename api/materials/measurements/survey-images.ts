import { LIMITS } from "../../../processing/gates/gate-thresholds.ts";
import { findingText, type GateFinding } from "../../../processing/gates/gates.ts";
import { decodeDataUrl, isDataUrl } from "../../../processing/images/data-url.ts";
import { imageKindOf, MAGIC_BYTES } from "../../../processing/images/files/image-kind.ts";
import { MAX_IMAGE_BYTES } from "../../../processing/images/files/image-limits.ts";
import { DetailedError } from "../../errors/detailed-error.ts";
import { gateDetail } from "../../surveys/gate-detail.ts";
import type { ImageEntries } from "../../surveys/image-entries.ts";

/** Endings of names that cannot be a surface's. */
const PHOTOGRAPH = /\.(jpe?g|png|webp|heic|dng)$/i;

/**
 * Refuses entries that no surface can be made of, before anything is fetched.
 * @throws DetailedError `IMAGES_UNUSABLE` with the gate TOO_FEW_IMAGES for too few photographs.
 */
export function requireSurvey({ identities }: ImageEntries): void {
  const count = identities.length;
  const isSurface = count === 1 && !isPhotograph(identities[0] ?? "");
  if (count < LIMITS.fewestImages && !isSurface) throw tooFew(count);
}

/**
 * Whether an entry is surely not a raster of heights. What an address without an extension holds is known
 * only after the fetch.
 */
function isPhotograph(identity: string): boolean {
  if (isDataUrl(identity)) {
    return imageKindOf(decodeDataUrl(identity, MAX_IMAGE_BYTES).subarray(0, MAGIC_BYTES)) !== "tif";
  }
  return PHOTOGRAPH.test(URL.canParse(identity) ? new URL(identity).pathname : identity);
}

function tooFew(count: number): DetailedError {
  const finding: GateFinding = {
    gate: "TOO_FEW_IMAGES",
    severity: "reject",
    value: count,
    threshold: LIMITS.fewestImages,
    unit: "images",
    advice:
      "Fly with 75 % overlap along and 65 % across, and add at least four oblique images; or send one GeoTIFF of heights.",
    images: [],
  };
  return new DetailedError("IMAGES_UNUSABLE", findingText(finding), [gateDetail(finding)]);
}
