import type { SurveyInput, SurveyOptions, SurveyResult } from "../engine/engine.ts";
import { PROFILES } from "../engine/profiles.ts";
import type { SurveyEngines } from "../engine/survey-engines.ts";
import { kindOf } from "./survey-facts.ts";

/** The surface of a measurement: from its images at the quick profile, or the one GeoTIFF that was given. */
export async function runSurvey(
  engines: SurveyEngines,
  input: Omit<SurveyInput, "profile">,
  options: SurveyOptions,
): Promise<SurveyResult> {
  const survey = { ...input, profile: PROFILES.quick };
  const [image, second] = input.images;
  const isGiven = image !== undefined && second === undefined && kindOf(image.path) === "tif";
  return isGiven
    ? await engines.process(
        { engine: "auto", rasters: { dsm: image.path, orthophoto: undefined } },
        { ...survey, images: [] },
        options,
      )
    : await engines.process({ engine: "auto", rasters: undefined }, survey, options);
}
