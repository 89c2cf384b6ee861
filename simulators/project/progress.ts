import type { ProjectProgress } from "./run.ts";

const STAGES: Record<ProjectProgress["stage"], string> = {
  site: "building the site",
  texture: "painting the ground",
  images: "taking images",
};

/** One line for people. */
export function formatProjectProgress({ week, weeks, stage, done, of }: ProjectProgress): string {
  const text = of > 1 ? `${STAGES[stage]}: ${done} of ${of}` : STAGES[stage];
  return week === 0 ? text : `week ${week} of ${weeks}: ${text}`;
}
