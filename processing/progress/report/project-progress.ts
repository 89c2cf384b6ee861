import type { ProgressReport, ReportZone } from "../../../domain/sites/progress-report.ts";
import { toTenth } from "../../numeric/rounding.ts";
import { type Interval, percentInterval } from "./rounding.ts";
import { knowledgeOf, seenZones } from "./seen-zones.ts";

type Bounded = Pick<
  ReportZone,
  "progress" | "weight" | "method" | "interval_95" | "evidence" | "zone_id" | "as_of"
>;

/** The progress of a project, from that of its zones. */
export interface ProjectProgress
  extends Pick<
    ProgressReport,
    "progress_percentage" | "interval_95" | "seen_share" | "seen_interval_95"
  > {
  /** Percent of the whole project if the unseen work is 0 % done, and if it is 100 % done. */
  readonly unseenRange: Interval;
}

/**
 * The percent is the mean of the zones that were ever seen, by their weights. Without one it is the mean of
 * what was declared. `interval_95` is of the whole project: work that was not seen counts from 0 to 100 %, and
 * an earlier figure is a lower bound only. One zone at least.
 */
export function projectProgress(zones: readonly Bounded[], captureDateMs: number): ProjectProgress {
  const seen = seenZones(zones, captureDateMs);
  const weights = weightOf(zones);
  const share = weightOf(seen) / weights;
  const progress = weightedProgress(seen.length === 0 ? zones : seen);
  const seenInterval = seen.length === 0 ? undefined : intervalOf(seen, captureDateMs);
  const [low, high] = seenInterval ?? [0, 100];
  const done = seen.reduce((sum, zone) => sum + zone.weight * zone.progress, 0) / weights;
  const growth = seen.reduce(
    (sum, zone) =>
      knowledgeOf(zone, captureDateMs) === "before"
        ? sum + zone.weight * (100 - zone.progress)
        : sum,
    0,
  );
  const unseen = 100 * (1 - share);
  return {
    progress_percentage: progress,
    seen_share: Math.round(share * 1_000) / 1_000,
    seen_interval_95: seenInterval ?? null,
    interval_95: percentInterval([share * low, share * high + unseen]),
    unseenRange: [done, done + growth / weights + unseen],
  };
}

/** The mean of the zones' percents by their weights, one decimal; at least one zone. */
export function weightedProgress(
  zones: readonly Pick<ReportZone, "progress" | "weight">[],
): number {
  return toTenth(weightedMean(zones.map(({ progress, weight }) => [progress, weight])));
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

const weightOf = (zones: readonly Pick<ReportZone, "weight">[]): number =>
  zones.reduce((sum, { weight }) => sum + weight, 0);

/**
 * The 95 % interval of the mean of zones. Zones that one flight measured share the error of its
 * co-registration, so their errors add up; all other errors are independent and add as squares, each side for
 * itself. A person's word is exact at its time unless it came with an interval. What has no bound, or may
 * have grown since it was seen, adds its whole range: it is not a random error.
 */
function intervalOf(zones: readonly Bounded[], captureDateMs: number): Interval {
  const downByGroup = new Map<string, number>();
  const upByGroup = new Map<string, number>();
  const weights = weightOf(zones);
  let [down, up] = [0, 0];
  for (const zone of zones) {
    const { progress, interval_95: interval, method } = zone;
    const share = zone.weight / weights;
    const isExact = interval === null && method === "manual";
    const [low, high] = interval ?? (isExact ? [progress, progress] : [0, 100]);
    const group = errorGroup(zone);
    const add = (sums: Map<string, number>, points: number) =>
      sums.set(group, (sums.get(group) ?? 0) + share * Math.max(0, points));
    if (interval === null && !isExact) down += share * progress;
    else add(downByGroup, progress - low);
    const isOpen = (interval === null && !isExact) || knowledgeOf(zone, captureDateMs) === "before";
    if (isOpen) up += share * (100 - progress);
    else add(upByGroup, high - progress);
  }
  const mean = weightedMean(zones.map(({ progress, weight }) => [progress, weight]));
  return percentInterval([
    mean - down - Math.hypot(...downByGroup.values()),
    mean + up + Math.hypot(...upByGroup.values()),
  ]);
}

/** Zones of one group err together. */
function errorGroup({ zone_id, evidence }: Bounded): string {
  const { method, captures } = evidence;
  const isByFlight = typeof method === "string" && method.startsWith("dsm_");
  return isByFlight && Array.isArray(captures) ? `flight ${captures.join(" ")}` : `zone ${zone_id}`;
}
