import type { ZoneEstimate } from "../../../../domain/sites/capture.ts";
import type { Detection } from "./detection.ts";
import type { ZoneSight } from "./zone-sight.ts";
import type { PlannedWork } from "./zone-sums.ts";

/** The estimate of a metric from what was seen. */
export type MetricEstimate = Pick<
  ZoneEstimate,
  "raw_progress" | "interval_95" | "is_at_design" | "notes" | "figures"
>;

/** What a metric is estimated from. */
export interface SeenZone extends ZoneSight {
  readonly detection: Detection;
  readonly planned: PlannedWork;
  /** Share of the zone that was seen, 0 to 1. */
  readonly observed: number;
}

/** Share of the seen plan that must be within tolerance of the design, and of the zone that must be seen (A0 rule 3). */
export const AT_DESIGN = 0.95;
export const AT_DESIGN_OBSERVED = 0.8;
