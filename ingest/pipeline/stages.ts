import type { WorkCalendar } from "../../domain/local-time.ts";
import type { Reading, ReadingBatch } from "../../domain/reading.ts";
import type { AssetTrack } from "./asset-track.ts";
import { applyLiveState } from "./live-state.ts";
import { applyUtilization, type FoldOutcome } from "./utilization.ts";

/** What a stage may look at and change. */
export interface StageContext {
  readonly track: AssetTrack;
  readonly reading: Reading;
  readonly batch: ReadingBatch;
  readonly calendar: WorkCalendar;
  readonly counters: PipelineCounters;
}

/** What the pipeline counts; monotonic. */
export interface PipelineCounters {
  readings: number;
  /** Readings by what became of them in utilisation. */
  readonly outcomes: Record<FoldOutcome, number>;
  reruns: number;
  undecodable: number;
}

interface Stage {
  readonly name: string;
  /** Pure but for `context.track`: no clock, no I/O, so that a replay gives the same. */
  readonly onReading: (context: StageContext) => void;
}

/**
 * The order of processing, whole: the clock verdict is already in the reading (made at intake and
 * journalled), then comes what is here, top to bottom, one reading after the other per asset.
 */
export const STAGES: readonly Stage[] = [
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
