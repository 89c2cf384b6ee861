import { isDeepStrictEqual } from "node:util";
import type { LimitRules } from "../maintenance/limit-fold.ts";
import type { AssetTrack } from "../track/asset-track.ts";
import { applyLimitChange } from "./exceedance-book.ts";
import { applyKnownLimits, markLate } from "./timeline.ts";
import type { EventContext } from "./visit-events.ts";

/**
 * Applies a plan that changed at the given instants, as the pipeline learns of it. It does so at once
 * where the asset's newest reading is older than the change; else its fold is made again from there.
 */
export function applyLimitRules(
  track: AssetTrack,
  instantsMs: readonly number[],
  rules: LimitRules,
  eventContext: EventContext,
): void {
  // Most changes of a plan leave its limits alone.
  const changed = instantsMs.filter(
    (atMs) => !isDeepStrictEqual(rules.limitsAt(atMs - 1), rules.limitsAt(atMs)),
  );
  if (changed.length === 0) return;
  const firstMs = Math.min(...changed);
  if (firstMs <= Math.max(track.work.tMs, track.limits.clockMs)) markLate(track, firstMs);
  else
    applyKnownLimits(track, rules, { limit: (one) => applyLimitChange(track, one, eventContext) });
  eventContext.output.touch(track);
}
