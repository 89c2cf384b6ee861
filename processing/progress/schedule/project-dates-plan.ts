import type { Project } from "../../../domain/project.ts";
import { DAY_MIN } from "../../../domain/time.ts";
import type { Plan } from "./plan.ts";
import { isoWallMinutes } from "./read/draft/wall-minutes.ts";
import { createWallClock } from "./wall-clock.ts";

/**
 * Linear from the beginning of the project's first planned day to the end of its last one (local time),
 * the same for each zone (docs/rules.md#captures); `undefined`: it has no such dates, or a finish before the
 * start.
 */
export function projectDatesPlan(
  project: Pick<Project, "planned_start" | "planned_finish" | "time_zone">,
): Plan | undefined {
  const startMin = isoWallMinutes(project.planned_start ?? "");
  const lastDayMin = isoWallMinutes(project.planned_finish ?? "");
  if (startMin === undefined || lastDayMin === undefined || lastDayMin < startMin) return undefined;
  const clock = createWallClock(project.time_zone);
  const startMs = clock.instantOf(startMin);
  const finishMs = clock.instantOf(lastDayMin + DAY_MIN);
  const plannedPercent = (atMs: number): number =>
    Math.min(100, Math.max(0, (100 * (atMs - startMs)) / (finishMs - startMs)));
  return {
    basis: "project_dates",
    startMs,
    finishMs,
    plannedPercent,
    zonePlannedPercent: (_, atMs) => plannedPercent(atMs),
    zoneWork: () => undefined,
    warnings: [],
  };
}
