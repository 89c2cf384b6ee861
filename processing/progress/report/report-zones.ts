import type { WorkZoneId } from "../../../domain/ids.ts";
import type { ReportZone } from "../../../domain/sites/progress-report.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import { toTenth } from "../../numeric/rounding.ts";
import type { Plan } from "../schedule/plan.ts";
import { zoneFigure } from "./zone-figure.ts";
import type { ReportMoment, ZoneEvidence } from "./zone-history.ts";
import { type ZoneWeights, zoneWeights } from "./zone-weights.ts";

/** Zones of a report, in the order of `zones`. */
export interface ReportZones {
  readonly zones: readonly ReportZone[];
  readonly weightBasis: ZoneWeights["basis"];
}

/** The figures of a report at `moment` for each zone of its project. */
export function reportZones(
  zones: readonly WorkZone[],
  evidenceById: ReadonlyMap<WorkZoneId, ZoneEvidence>,
  plan: Plan,
  moment: ReportMoment,
): ReportZones {
  const { basis, weightById } = zoneWeights(zones, plan, evidenceById);
  return {
    weightBasis: basis,
    zones: zones.map((zone) => {
      const evidence = evidenceById.get(zone.id) ?? NO_EVIDENCE;
      const planned = plan.zonePlannedPercent(zone.id, moment.captureDateMs);
      return {
        zone_id: zone.id,
        name: zone.name,
        ...zoneFigure(zone, evidence, moment),
        planned: planned === undefined ? null : toTenth(planned),
        weight: weightById.get(zone.id) ?? 0,
      };
    }),
  };
}

const NO_EVIDENCE: ZoneEvidence = { estimates: [], current: undefined, observations: [] };
