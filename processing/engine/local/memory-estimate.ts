import { GateRefusal } from "../../gates/gates.ts";
import type { SurveyImage } from "../../photogrammetry/camera/survey-image.ts";
import { workingSize } from "../../photogrammetry/camera/working-size.ts";
import { DESCRIPTOR_BYTES } from "../../photogrammetry/features/keypoints.ts";
import type { WorkerPool } from "../../pool/pool.ts";
import type { SurveyProfile } from "../port/engine.ts";
import { MOST_CELLS } from "./dense-stage.ts";
import { MOST_ORTHO_CELLS } from "./ortho-stage.ts";

/** Bytes of a keypoint: descriptor, place, scale and direction. */
const KEYPOINT_BYTES = DESCRIPTOR_BYTES + 16;
/**
 * Share of an image's pixels that is new ground: 0.09 at an overlap of 75 and 65 %; 0.25 at Brighton Beach, whose box
 * has empty corners.
 */
const NEW_GROUND = 0.4;
/**
 * Bytes of a cell of the surface and of the orthophoto, with their copies in stages and files: 9 and 4,
 * results of passes beside them, what a stage stores, and shared copies.
 */
const SURFACE_CELL_BYTES = 24;
const ORTHO_CELL_BYTES = 16;
/**
 * What else an image takes: garbage between arrays, and results on their way. Measured: 7.0 MB an image of 1200 px
 * (18 against 36 images, bench/survey.ts), of which arrays that can be counted are 2.7.
 */
const LOOSE_BYTES = 2.5e6;
/**
 * Each try is this much narrower; no narrower than {@link LEAST_WIDTH_PX}. A larger step gives away more
 * resolution than needed, a smaller one only tries more often.
 */
const SHRINK = 0.85;
const LEAST_WIDTH_PX = 800;
const MIB = 1024 ** 2;

/**
 * Bytes of all that the stages of a survey hold at once outside of tasks, at its widest. Pixels are not in it: they
 * lie on the disk (`decoded-images.ts`). The grids have most cells, so that in the end it grows with keypoints and what lies between them.
 */
export function surveyBytes(
  images: readonly Pick<SurveyImage, "widthPx" | "heightPx">[],
  profile: Omit<SurveyProfile, "workingWidthPx">,
): number {
  const { surfaceWidthPx, dsmCellGsd, orthoCellGsd, maxKeypoints } = profile;
  const groundPx = images.reduce((sum, image) => {
    const { widthPx, heightPx } = workingSize(image, surfaceWidthPx);
    return sum + NEW_GROUND * widthPx * heightPx;
  }, 0);
  return Math.ceil(
    images.length * (maxKeypoints * KEYPOINT_BYTES + LOOSE_BYTES) +
      SURFACE_CELL_BYTES * Math.min(MOST_CELLS, groundPx / dsmCellGsd ** 2) +
      ORTHO_CELL_BYTES * Math.min(MOST_ORTHO_CELLS, groundPx / orthoCellGsd ** 2),
  );
}

/** Sizes that images are worked on at. */
export type ImageSizes = Pick<SurveyProfile, "workingWidthPx" | "surfaceWidthPx">;

/**
 * The sizes that the memory allows: the profile's, or less; first that of the surface, then both.
 * @throws GateRefusal `OUT_OF_MEMORY` when even small images would not fit.
 */
export function fitSizes(
  images: readonly SurveyImage[],
  profile: SurveyProfile,
  { memoryBytes, roomBytes }: Pick<WorkerPool, "memoryBytes" | "roomBytes">,
): ImageSizes {
  const widestPx = Math.max(...images.map(({ widthPx, heightPx }) => Math.max(widthPx, heightPx)));
  let { surfaceWidthPx } = profile;
  for (;;) {
    const bytes = surveyBytes(images, { ...profile, surfaceWidthPx });
    const workingWidthPx = Math.min(profile.workingWidthPx, surfaceWidthPx);
    if (bytes <= roomBytes) return { workingWidthPx, surfaceWidthPx };
    const narrower = Math.round(Math.min(surfaceWidthPx, widestPx) * SHRINK);
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
    surfaceWidthPx = narrower;
  }
}
