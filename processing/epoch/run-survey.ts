import type { SurveyInput, SurveyOptions, SurveyResult } from "../engine/engine.ts";
import { PROFILES } from "../engine/profiles.ts";
import type { GivenRasters } from "../engine/raster/read-rasters.ts";
import type { SurveyEngines } from "../engine/survey-engines.ts";
import { kindOf } from "./survey-facts.ts";

/**
 * A surface from images at the quick profile, or the one that was given: by `rasters`, or as the only image,
 * a GeoTIFF.
 */
export async function runSurvey(
  engines: SurveyEngines,
  input: Omit<SurveyInput, "profile">,
  options: SurveyOptions,
  rasters?: GivenRasters,
): Promise<SurveyResult> {
  const survey = { ...input, profile: PROFILES.quick };
  const [image, second] = input.images;
  const isGiven = image !== undefined && second === undefined && kindOf(image.path) === "tif";
  const given = rasters ?? (isGiven ? { dsm: image.path, orthophoto: undefined } : undefined);
  const images = given === undefined ? input.images : [];
  return await engines.process({ engine: "auto", rasters: given }, { ...survey, images }, options);
}
