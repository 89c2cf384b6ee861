import type { SurveyProgress } from "./run.ts";

const STAGES: Record<SurveyProgress["stage"], string> = {
  site: "laying out the site",
  texture: "painting the ground",
  images: "taking images",
  truth: "writing the truth",
};

/** One line for people. */
export function formatSurveyProgress({ stage, done, of }: SurveyProgress): string {
  return of > 1 ? `${STAGES[stage]}: ${done} of ${of}` : STAGES[stage];
}
