import type { SurveyProfile } from "./engine.ts";

export const PROFILE_NAMES = ["quick", "full"] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

/**
 * `quick` answers within a minute for 40 images, `full` is for records (docs/photogrammetry.md#stages): surface and
 * orthophoto come from the photographs as they were taken, with cells of two of their pixels. Cells of up to 3.9
 * sample distances are matched in images of half the size; at 4, as the prototype had it, of a quarter, which
 * show no more grain: smooth cones of low texture came out 4 to 8 % low at 8.6 cm, at 2.8 by 1 to 2 %
 * (docs/decisions/042). Keypoints: 2,000 tie 36 images with 0.24 px rms; more cost time in proportion and their
 * square in matching.
 */
export const PROFILES: Readonly<Record<ProfileName, SurveyProfile>> = {
  quick: {
    workingWidthPx: 1_200,
    surfaceWidthPx: 1_200,
    dsmCellGsd: 2.8,
    orthoCellGsd: 2,
    maxKeypoints: 2_000,
  },
  full: {
    workingWidthPx: 1_600,
    surfaceWidthPx: Number.POSITIVE_INFINITY,
    dsmCellGsd: 2,
    orthoCellGsd: 2,
    maxKeypoints: 2_500,
  },
};

/** Cells of the orthophoto: those of the profile, or one for each pixel of the images it is made from. */
export const ORTHOPHOTO_CELLS = ["profile", "native"] as const;
export type OrthophotoCells = (typeof ORTHOPHOTO_CELLS)[number];

/** A profile with the orthophoto that is asked for. */
export function profileFor(name: ProfileName, orthophoto: OrthophotoCells): SurveyProfile {
  const profile = PROFILES[name];
  return orthophoto === "native" ? { ...profile, orthoCellGsd: 1 } : profile;
}
