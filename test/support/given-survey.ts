import { readElevation } from "../../processing/engine/raster/read-surface.ts";
import type { SurveyFacts } from "../../processing/epoch/survey-facts.ts";
import type { GateFinding } from "../../processing/gates/gates.ts";

/** What a measurement takes from a GeoTIFF that somebody gave, read whole, and the warnings about it. */
export async function givenSurvey(
  path: string,
): Promise<{ readonly survey: SurveyFacts; readonly findings: readonly GateFinding[] }> {
  const { origin, dsm, stepM, findings } = await readElevation(path);
  const facts = { origin, dsm, georeferencing: "given", gsdM: dsm.cellM, stepM } as const;
  return { survey: { ...facts, block: undefined, cameras: [] }, findings };
}
