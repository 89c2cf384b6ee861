import type { WorkZoneId } from "../../../domain/ids.ts";
import type { ZoneEstimate } from "../../../domain/sites/capture.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import { zoneTask } from "../analysis/zone-task.ts";
import type { ReportTools } from "./report-tools.ts";
import type { ReportMoment, ZoneEvidence } from "./zone-history.ts";

/**
 * What is known of zones at the time of a report: what other captures and people said until then, and
 * `current`, which the report's own capture says.
 */
export async function loadEvidence(
  { captures, workZones }: Pick<ReportTools, "captures" | "workZones">,
  zones: readonly WorkZone[],
  current: readonly ZoneEstimate[],
  { captureId, captureDateMs }: ReportMoment,
): Promise<ReadonlyMap<WorkZoneId, ZoneEvidence>> {
  const ids = zones.map(({ id }) => id);
  const past = await captures.estimates(ids, captureDateMs);
  const said = await workZones.observations(ids, captureDateMs);
  const evidenceOf = (zone: WorkZone): ZoneEvidence => {
    const task = zoneTask(zone);
    return {
      estimates: past
        .filter((one) => one.captureId !== captureId && one.estimate.zone_id === zone.id)
        .map((one) => ({ ...one, isOfOtherTask: isOther(one.estimate, task) })),
      current: current.find(({ zone_id }) => zone_id === zone.id),
      observations: said.filter(({ zone_id }) => zone_id === zone.id),
    };
  };
  return new Map(zones.map((zone) => [zone.id, evidenceOf(zone)]));
}

const isOther = ({ task }: ZoneEstimate, now: string): boolean =>
  task !== undefined && task !== now;
