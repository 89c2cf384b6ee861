import type { ReportZone } from "../../../domain/progress-report.ts";
import type { Plan } from "../schedule/plan.ts";
import { weightedMean } from "./project-progress.ts";

/**
 * A plan whose percent for the project is that of its zones by the report's weights, so that planned and
 * actual are means over the same work. Where a zone has no activity it stays that of all activities: a
 * zone left out would count as done or as not begun.
 */
export function comparedPlan(
  plan: Plan,
  zones: readonly Pick<ReportZone, "zone_id" | "weight">[],
): Plan {
  return {
    ...plan,
    plannedPercent(atMs) {
      const values = zones.flatMap(({ zone_id, weight }): (readonly [number, number])[] => {
        const planned = plan.zonePlannedPercent(zone_id, atMs);
        return planned === undefined ? [] : [[planned, weight]];
      });
      const isWhole = values.length === zones.length && values.length > 0;
      return isWhole ? weightedMean(values) : plan.plannedPercent(atMs);
    },
  };
}
