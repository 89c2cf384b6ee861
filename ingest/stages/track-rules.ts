import type { Limit } from "../../domain/equipment/maintenance.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
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
export const limitRules = (
  { assetId, projectId }: AssetTrack,
  plans: RuleSources["plans"],
): LimitRules => new PlanLimits(assetId, projectId, plans);

/** One for each reading: an object is a quarter of two functions that remember the asset. */
class PlanLimits implements LimitRules {
  readonly #assetId: AssetId;
  readonly #projectId: ProjectId;
  readonly #plans: RuleSources["plans"];

  constructor(assetId: AssetId, projectId: ProjectId, plans: RuleSources["plans"]) {
    this.#assetId = assetId;
    this.#projectId = projectId;
    this.#plans = plans;
  }

  limitsAt(atMs: number): readonly Limit[] {
    return this.#plans.inForce(this.#assetId, this.#projectId, atMs)?.limits ?? NO_LIMITS;
  }

  changes(fromMs: number, toMs: number): readonly number[] {
    return this.#plans.changes(this.#assetId, this.#projectId, fromMs, toMs);
  }
}
