import type { ZoneEstimate } from "../../../domain/sites/capture.ts";
import type { ProgressReport, ReportZone } from "../../../domain/sites/progress-report.ts";

type Interval = readonly [low: number, high: number];

/** Records of older versions have intervals of 90 % under this name. */
interface Of90 {
  readonly interval_90?: Interval | null;
}

/** Of a normal distribution: standard deviations that hold 95 %, over those that hold 90 %. */
const WIDER = 1.96 / 1.645;

const widened = ([low, high]: Interval, progress: number): Interval => [
  Math.max(0, progress - WIDER * (progress - low)),
  Math.min(100, progress + WIDER * (high - progress)),
];

/** A stored estimate as today's version writes it. */
export function storedEstimate(stored: ZoneEstimate): ZoneEstimate {
  const { interval_90, ...estimate }: ZoneEstimate & Of90 = stored;
  if (interval_90 == null || estimate.raw_progress === undefined) return estimate;
  return { ...estimate, interval_95: widened(interval_90, estimate.raw_progress) };
}

/**
 * A stored report as today's version writes it. Older ones counted what was not seen as what was declared
 * with it, and compared that with the whole plan: their figures stay, and cover everything.
 */
export function storedReport(stored: ProgressReport): ProgressReport {
  const { interval_90, ...report }: ProgressReport & Of90 = stored;
  if (interval_90 === undefined) return report;
  const { comparison, progress_percentage: progress } = report;
  const interval = interval_90 === null ? null : widened(interval_90, progress);
  return {
    ...report,
    interval_95: interval,
    seen_share: 1,
    seen_interval_95: interval,
    comparison: { ...comparison, planned_all: comparison.planned },
    zones: report.zones.map(storedZone),
  };
}

function storedZone(stored: ReportZone): ReportZone {
  const { interval_90 = null, ...zone }: ReportZone & Of90 = stored;
  return {
    ...zone,
    interval_95: interval_90 === null ? null : widened(interval_90, zone.progress),
  };
}
