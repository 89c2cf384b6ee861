import type { Limit } from "../../domain/equipment/maintenance.ts";
import type { WorkCalendar } from "../../domain/local-time.ts";
import type { FenceDirectory } from "../directories/fence-directory.ts";
import type { PlanDirectory } from "../directories/plan-directory.ts";
import type { LimitRules } from "../maintenance/limit-fold.ts";
import type { AssetTrack } from "../track/asset-track.ts";
import type { TimelineRules } from "./timeline.ts";

/** Where the rules of a time line are looked up. */
export interface RuleSources {
  readonly fences: Pick<FenceDirectory, "timeline">;
  readonly plans: Pick<PlanDirectory, "inForce" | "changes">;
}

const NO_LIMITS: readonly Limit[] = [];

/** The rules that an asset's readings are folded by; all are looked up for the fix time in question. */
export function trackRules(
  track: AssetTrack,
  calendar: WorkCalendar,
  { fences, plans }: RuleSources,
): TimelineRules {
  return { calendar, fences: fences.timeline, limits: limitRules(track, plans) };
}

/** The limits of an asset's plan, by time. */
export function limitRules(
  { assetId, projectId }: AssetTrack,
  plans: RuleSources["plans"],
): LimitRules {
  return {
    limitsAt: (atMs) => plans.inForce(assetId, projectId, atMs)?.limits ?? NO_LIMITS,
    changes: (fromMs, toMs) => plans.changes(assetId, projectId, fromMs, toMs),
  };
}
