import type { FenceDirectory } from "../directories/fence-directory.ts";
import type { PlanDirectory } from "../directories/plan-directory.ts";
import { applyLimitChange } from "../stages/exceedance-book.ts";
import { applyLiveState, noteReceived } from "../stages/live-state.ts";
import { createLivenessStage } from "../stages/liveness/liveness-stage.ts";
import { createMaintenanceStage } from "../stages/maintenance/maintenance-stage.ts";
import type { Stage } from "../stages/stage.ts";
import { foldReading } from "../stages/timeline.ts";
import { trackRules } from "../stages/track-rules.ts";
import { applyCrossing } from "../stages/visit-book.ts";
import type { VisitNames } from "../stages/visit-events.ts";

/** What stages look things up in. */
export interface StageSources {
  readonly fences: FenceDirectory;
  readonly plans: PlanDirectory;
  readonly names: VisitNames;
}

/**
 * The complete order of processing. The clock decision is already in the reading (made at intake
 * and journalled). Then follow the stages here, top to bottom, one reading after the other per
 * asset.
 */
export function createStages({ fences, plans, names }: StageSources): readonly Stage[] {
  return [
    {
      name: "live-state",
      onReading: ({ track, reading, batch }) => applyLiveState(track, reading, batch),
      onHeard: ({ track, batch }) => noteReceived(track, batch),
    },
    {
      // Utilisation, limits and geofences: one fold in order of fix time, made again for late readings.
      name: "timeline",
      onReading: ({ track, reading, calendar, counters, output }) => {
        const eventContext = { output, names };
        const outcome = foldReading(
          track,
          reading,
          trackRules(track, calendar, { fences, plans }),
          {
            crossing: (crossing) => applyCrossing(track, crossing, eventContext),
            limit: (change) => applyLimitChange(track, change, eventContext),
          },
        );
        counters.outcomes[outcome] += 1;
      },
    },
    createMaintenanceStage({ plans, names }),
    createLivenessStage(names),
  ];
}
