import type { ReportZone } from "../../../domain/progress-report.ts";
import { type Interval, percentInterval, tenth } from "./rounding.ts";

/** The mean of the zones' percents by their weights, one decimal; at least one zone. */
export function weightedProgress(
  zones: readonly Pick<ReportZone, "progress" | "weight">[],
): number {
  return tenth(weightedMean(zones.map(({ progress, weight }) => [progress, weight])));
}

export function weightedMean(
  values: readonly (readonly [value: number, weight: number])[],
): number {
  let sum = 0;
  let weights = 0;
  for (const [value, weight] of values) {
    sum += value * weight;
    weights += weight;
  }
  return sum / weights;
}

type Bounded = Pick<
  ReportZone,
  "progress" | "weight" | "method" | "interval_90" | "evidence" | "zone_id"
>;

/**
 * The project's 90 % interval about its percent. Zones that one flight measured share the error of its
 * co-registration, so that theirs add up; all other errors are taken as independent and add as squares,
 * each side for itself. What a person saw counts as exact unless an interval was given with it.
 * `undefined` as soon as one zone has no interval: what was declared with a zone nobody has seen since.
 */
export function projectInterval(zones: readonly Bounded[], progress: number): Interval | undefined {
  const downByGroup = new Map<string, number>();
  const upByGroup = new Map<string, number>();
  const weights = zones.reduce((sum, { weight }) => sum + weight, 0);
  for (const zone of zones) {
    const { interval_90: interval, method, weight } = zone;
    if (interval === null) {
      if (method === "manual") continue;
      return undefined;
    }
    const group = errorGroup(zone);
    const add = (sums: Map<string, number>, points: number) =>
      sums.set(group, (sums.get(group) ?? 0) + (points * weight) / weights);
    add(downByGroup, Math.max(0, zone.progress - interval[0]));
    add(upByGroup, Math.max(0, interval[1] - zone.progress));
  }
  return percentInterval([
    progress - Math.hypot(...downByGroup.values()),
    progress + Math.hypot(...upByGroup.values()),
  ]);
}

/** Zones of one group err together. */
function errorGroup({ zone_id, evidence }: Bounded): string {
  const { method, captures } = evidence;
  const isByFlight = typeof method === "string" && method.startsWith("dsm_");
  return isByFlight && Array.isArray(captures) ? `flight ${captures.join(" ")}` : `zone ${zone_id}`;
}
