import { applyLiveState } from "./live-state.ts";
import type { Stage } from "./stage.ts";
import { applyUtilization } from "./utilization.ts";

/**
 * The order of processing, whole: the clock verdict is already in the reading (made at intake and
 * journalled), then comes what is here, top to bottom, one reading after the other per asset.
 */
export function createStages(): readonly Stage[] {
  return [
    {
      name: "live-state",
      onReading: ({ track, reading, batch }) => applyLiveState(track, reading, batch),
    },
    {
      name: "utilization",
      onReading: ({ track, reading, calendar, counters }) => {
        counters.outcomes[applyUtilization(track, reading, calendar)] += 1;
      },
    },
  ];
}
