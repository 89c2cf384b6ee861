import { GateRefusal } from "../../photogrammetry/gates.ts";
import { DESCRIPTOR_BYTES } from "../../photogrammetry/keypoints.ts";
import type { SurveyImage } from "../../photogrammetry/survey-image.ts";
import { workingSize } from "../../photogrammetry/working-size.ts";
import type { SurveyPool } from "../../pool/survey-pool.ts";
import type { SurveyProfile } from "../engine.ts";

/** Bytes of a keypoint: descriptor, place, scale and direction. */
const KEYPOINT_BYTES = DESCRIPTOR_BYTES + 16;
/** Colours of a pixel and its share of a depth buffer (4 bytes for 2 x 2 pixels): the widest stage. */
const PIXEL_BYTES = 4;
/**
 * Surface, orthophoto and products of a survey, bytes for a pixel of one image by overlap, and what lies
 * between arrays. Measured with the others: 7.1 MB an image of 1200 px (18 against 72 images), of which 5.0
 * are arrays that can be counted; with 3 bytes it is 7.8.
 */
const GRID_BYTES_PER_PX = 3;
/** Each try is this much narrower; no narrower than {@link LEAST_WIDTH_PX}. Chosen. */
const SHRINK = 0.85;
const LEAST_WIDTH_PX = 800;
const MIB = 1024 ** 2;

/** Bytes of all that the stages of a survey hold at once outside of tasks, at its widest. */
export function surveyBytes(
  images: readonly Pick<SurveyImage, "widthPx" | "heightPx">[],
  { workingWidthPx, maxKeypoints }: Pick<SurveyProfile, "workingWidthPx" | "maxKeypoints">,
): number {
  return images.reduce((sum, image) => {
    const { widthPx, heightPx } = workingSize(image, workingWidthPx);
    const pixels = widthPx * heightPx;
    return sum + pixels * (PIXEL_BYTES + GRID_BYTES_PER_PX) + maxKeypoints * KEYPOINT_BYTES;
  }, 0);
}

/**
 * The working width that the memory allows: the profile's, or less.
 * @throws GateRefusal `OUT_OF_MEMORY` when even small images would not fit.
 */
export function fitWorkingWidth(
  images: readonly SurveyImage[],
  profile: SurveyProfile,
  { memoryBytes, roomBytes }: Pick<SurveyPool, "memoryBytes" | "roomBytes">,
): number {
  const { maxKeypoints } = profile;
  let { workingWidthPx } = profile;
  for (;;) {
    const bytes = surveyBytes(images, { workingWidthPx, maxKeypoints });
    if (bytes <= roomBytes) return workingWidthPx;
    const narrower = Math.round(workingWidthPx * SHRINK);
    if (narrower < LEAST_WIDTH_PX) {
      throw new GateRefusal({
        gate: "OUT_OF_MEMORY",
        severity: "reject",
        value: Math.ceil((bytes + memoryBytes - roomBytes) / MIB),
        threshold: Math.floor(memoryBytes / MIB),
        unit: "MiB",
        advice: "Give fewer images, raise WORKER_MEMORY_MIB, or set NODEODM_URL.",
        images: [],
      });
    }
    workingWidthPx = narrower;
  }
}
