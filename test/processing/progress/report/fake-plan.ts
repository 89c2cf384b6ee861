import type { WorkZoneId } from "../../../../domain/ids.ts";
import type { Plan, PlannedWork } from "../../../../processing/progress/schedule/plan.ts";

/** A plan that says what a test wants it to. */
export function fakePlan(change: {
  readonly percent?: (atMs: number) => number;
  readonly zonePercent?: (id: WorkZoneId, atMs: number) => number | undefined;
  readonly work?: (id: WorkZoneId) => PlannedWork | undefined;
}): Plan {
  const { percent = () => 0, zonePercent = () => undefined, work = () => undefined } = change;
  return {
    basis: "schedule",
    startMs: 0,
    finishMs: 1,
    plannedPercent: percent,
    zonePlannedPercent: zonePercent,
    zoneWork: work,
    warnings: [],
  };
}
