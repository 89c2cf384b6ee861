import type { WorkZoneId } from "../../../domain/ids.ts";

/** What a plan knows of the size of a zone's work; `undefined`: not stated. */
export interface PlannedWork {
  readonly cost: number | undefined;
  readonly workH: number | undefined;
  readonly durationH: number | undefined;
}

/**
 * How far the work should have come. Implementations: `schedulePlan` of an imported schedule,
 * `projectDatesPlan` linear between a project's dates.
 */
export interface Plan {
  readonly basis: "schedule" | "project_dates";
  /** ms since the Unix epoch. */
  readonly startMs: number;
  readonly finishMs: number;
  /** Percent of the whole project at a time, over all activities; 0 to 100. */
  plannedPercent(atMs: number): number;
  /** Of one zone; `undefined`: no activity is the zone's. By project dates, as the project. */
  zonePlannedPercent(zoneId: WorkZoneId, atMs: number): number | undefined;
  zoneWork(zoneId: WorkZoneId): PlannedWork | undefined;
  /** What the plan leaves open, in words: activities of no zone, zones of no activity. */
  readonly warnings: readonly string[];
}
