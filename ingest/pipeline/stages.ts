import type { FenceDirectory } from "../fence-directory.ts";
import { createLivenessStage } from "../liveness/liveness-stage.ts";
import { applyLiveState } from "./live-state.ts";
import type { Stage } from "./stage.ts";
import { foldReading } from "./timeline.ts";
import { applyCrossing } from "./visit-book.ts";
import type { VisitNames } from "./visit-telling.ts";

/** What stages look things up in. */
export interface StageSources {
  readonly fences: FenceDirectory;
  readonly names: VisitNames;
}

/**
 * The order of processing, whole: the clock verdict is already in the reading (made at intake and
 * journalled), then comes what is here, top to bottom, one reading after the other per asset.
 */
export function createStages({ fences, names }: StageSources): readonly Stage[] {
  return [
    {
      name: "live-state",
      onReading: ({ track, reading, batch }) => applyLiveState(track, reading, batch),
    },
    {
      // Utilisation, then geofences: one fold in order of fix time, made again for late readings.
      name: "timeline",
      onReading: ({ track, reading, calendar, counters, output }) => {
        const rules = { calendar, fences: fences.timeline };
        const outcome = foldReading(track, reading, rules, (crossing) =>
          applyCrossing(track, crossing, { output, names }),
        );
        counters.outcomes[outcome] += 1;
      },
    },
    createLivenessStage(names),
  ];
}
