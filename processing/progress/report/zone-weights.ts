import type { WorkZoneId } from "../../../domain/ids.ts";
import type { ProgressReport } from "../../../domain/sites/progress-report.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import type { Plan } from "../schedule/plan.ts";
import type { ZoneEvidence } from "./zone-history.ts";

export interface ZoneWeights {
  readonly basis: ProgressReport["weight_basis"];
  readonly weightById: ReadonlyMap<WorkZoneId, number>;
}

type Weight = (zone: WorkZone) => number | undefined;

/**
 * Shares of the zones in the project: all by one basis, the first that every zone has (docs/progress-method.md#rules-of-honesty rule
 * 4), declared > cost > work > duration > planned volume; else all zones count alike. Mixed bases would add
 * money to hours. The planned volume is the figure `planned_volume_m3` of a zone's newest estimate with one.
 */
export function zoneWeights(
  zones: readonly WorkZone[],
  plan: Plan,
  evidenceById: ReadonlyMap<WorkZoneId, ZoneEvidence>,
): ZoneWeights {
  const bases: readonly (readonly [ZoneWeights["basis"], Weight])[] = [
    ["declared", (zone) => zone.weight],
    ["cost", (zone) => plan.zoneWork(zone.id)?.cost],
    ["work", (zone) => plan.zoneWork(zone.id)?.workH],
    ["duration", (zone) => plan.zoneWork(zone.id)?.durationH],
    ["volume", (zone) => volumeOf(evidenceById.get(zone.id))],
  ];
  for (const [basis, weightOf] of bases) {
    const weightById = new Map<WorkZoneId, number>();
    for (const zone of zones) {
      const weight = weightOf(zone);
      if (weight !== undefined && Number.isFinite(weight) && weight > 0) {
        weightById.set(zone.id, weight);
      }
    }
    if (weightById.size === zones.length) return { basis, weightById };
  }
  return { basis: "equal", weightById: new Map(zones.map(({ id }) => [id, 1])) };
}

function volumeOf(evidence: ZoneEvidence | undefined): number | undefined {
  if (evidence === undefined) return undefined;
  const { current, estimates } = evidence;
  for (const estimate of [current, ...estimates.map((past) => past.estimate).toReversed()]) {
    const volume = estimate?.figures["planned_volume_m3"];
    if (typeof volume === "number") return volume;
  }
  return undefined;
}
