import type { ReportZone } from "../../../domain/sites/progress-report.ts";
import type { Plan } from "../schedule/plan.ts";
import { weightedMean } from "./project-progress.ts";
import { knowledgeOf, seenZones } from "./seen-zones.ts";

type ComparedZone = Pick<ReportZone, "zone_id" | "weight" | "method" | "progress" | "as_of">;

/**
 * A plan whose percent for the project is that of the zones that were seen, by the report's weights, each as
 * old as its figure: planned and actual are then means over the same work at the same times. Zones without an
 * activity make it the plan of all activities, as does a project of which nothing was seen: see `wholePlan`.
 */
export function comparedPlan(
  plan: Plan,
  zones: readonly ComparedZone[],
  captureDateMs: number,
): Plan {
  const seen = seenZones(zones, captureDateMs);
  if (seen.length === 0) return wholePlan(plan, zones);
  const lagMs = (zone: ComparedZone): number =>
    knowledgeOf(zone, captureDateMs) === "before" ? captureDateMs - Date.parse(zone.as_of) : 0;
  return planOfZones(
    plan,
    seen.map((zone) => ({ ...zone, lagMs: lagMs(zone) })),
  );
}

/** A plan whose percent for the project is that of all its zones, seen or not. */
export const wholePlan = (
  plan: Plan,
  zones: readonly Pick<ReportZone, "zone_id" | "weight">[],
): Plan =>
  planOfZones(
    plan,
    zones.map((zone) => ({ ...zone, lagMs: 0 })),
  );

function planOfZones(
  plan: Plan,
  zones: readonly (Pick<ReportZone, "zone_id" | "weight"> & { readonly lagMs: number })[],
): Plan {
  return {
    ...plan,
    plannedPercent(atMs) {
      const values = zones.flatMap(({ zone_id, weight, lagMs }): (readonly [number, number])[] => {
        const planned = plan.zonePlannedPercent(zone_id, atMs - lagMs);
        return planned === undefined ? [] : [[planned, weight]];
      });
      // A zone left out would count as done or as not begun.
      const isWhole = values.length === zones.length && values.length > 0;
      return isWhole ? weightedMean(values) : plan.plannedPercent(atMs);
    },
  };
}
