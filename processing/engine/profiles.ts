import type { SurveyProfile } from "./engine.ts";

export const PROFILE_NAMES = ["quick", "full"] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

/**
 * `quick` answers within a minute for 40 images, `full` is for records (PHOTOGRAMMETRY.md 4.1): twice the
 * pixels, cells of the surface half as large. Keypoints: 2,000 tie 36 images with 0.24 px rms; more cost
 * time in proportion and their square in matching.
 */
export const PROFILES: Readonly<Record<ProfileName, SurveyProfile>> = {
  quick: { workingWidthPx: 1_200, dsmCellGsd: 4, orthoCellGsd: 2, maxKeypoints: 2_000 },
  full: { workingWidthPx: 1_600, dsmCellGsd: 2, orthoCellGsd: 1, maxKeypoints: 2_500 },
};
