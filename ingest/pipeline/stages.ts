import type { FenceDirectory } from "../directories/fence-directory.ts";
import type { PlanDirectory } from "../directories/plan-directory.ts";
import { applyLimitChange } from "../stages/exceedance-book.ts";
import { liveState } from "../stages/live-state.ts";
import { createLivenessStage } from "../stages/liveness/liveness-stage.ts";
import { MaintenanceStage } from "../stages/maintenance/maintenance-stage.ts";
import { geofences, limits, workingTime } from "../stages/sample-stages.ts";
import type { ReadingContext, Stage } from "../stages/stage.ts";
import { Timeline, type TimelineSink } from "../stages/timeline.ts";
import { trackRules } from "../stages/track-rules.ts";
import { applyCrossing } from "../stages/visit-book.ts";
import type { VisitNames } from "../stages/visit-events.ts";

/** What stages look things up in. */
export interface StageSources {
  readonly fences: FenceDirectory;
  readonly plans: PlanDirectory;
  readonly names: VisitNames;
}

/** The stages that take samples in order of fix time, and take them again for a late reading. */
const IN_FIX_ORDER = [workingTime, limits, geofences] as const;

/** Brings readings to them; a re-run does so from a copy of the track. */
export const timeline = new Timeline(IN_FIX_ORDER);

/**
 * The complete order of processing. The clock decision is already in the reading (made at intake
 * and journalled). Then follow the stages here, top to bottom, one reading after the other per
 * asset.
 */
export function createStages({ fences, plans, names }: StageSources): readonly Stage[] {
  return [
    liveState,
    timelineStage({ fences, plans, names }),
    ...IN_FIX_ORDER,
    new MaintenanceStage({ plans, names }),
    createLivenessStage(names),
  ];
}

/** Puts a reading in its place on the time line; the stages in fix order have it from there. */
function timelineStage({ fences, plans, names }: StageSources): Stage {
  /** The asset that is folded now, and where its events go: one sink for all readings, which come one by one. */
  let folded: Pick<ReadingContext, "track" | "output"> | undefined;
  const sink: TimelineSink = {
    crossing: (crossing) => {
      if (folded === undefined) return;
      applyCrossing(folded.track, crossing, { output: folded.output, names });
    },
    limit: (change) => {
      if (folded === undefined) return;
      applyLimitChange(folded.track, change, { output: folded.output, names });
    },
  };
  return {
    name: "timeline",
    onReading: (context) => {
      folded = context;
      const { track, reading, calendar, counters } = context;
      const rules = trackRules(track, calendar, { fences, plans });
      counters.outcomes[timeline.foldReading(track, reading, rules, sink)] += 1;
    },
  };
}
