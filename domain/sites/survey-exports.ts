/** Files of a survey for other programs, beside its surface, orthophoto, model and report. */
export const SURVEY_EXPORTS = [
  "point_cloud",
  "dtm",
  "contours_geojson",
  "contours_dxf",
  "cameras",
  "opensfm_reconstruction",
  "opensfm_shots",
  "colmap_cameras",
  "colmap_images",
  "colmap_points",
] as const;
export type SurveyExport = (typeof SURVEY_EXPORTS)[number];

/**
 * Where each export lies: a path, or a key of the file store. Absent where it was not requested (all but the
 * cameras), and where it cannot be made (no camera poses of a given surface). Also absent of surveys made before
 * exports were kept.
 */
export type SurveyExports = { readonly [Name in SurveyExport]?: string };

/** The exports among other keys of one survey. */
export function exportsAmong(keys: Readonly<Record<string, string | undefined>>): SurveyExports {
  return Object.fromEntries(
    SURVEY_EXPORTS.flatMap((name) => {
      const key = keys[name];
      return key === undefined ? [] : [[name, key] as const];
    }),
  );
}
