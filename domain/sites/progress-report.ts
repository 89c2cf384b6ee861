import type { CaptureId, ProjectId, ReportId, WorkZoneId } from "../ids.ts";
import type { NoEstimate, ProgressMethod } from "./capture.ts";

export const REPORT_STATUSES = [
  "ahead_of_schedule",
  "on_schedule",
  "behind_schedule",
  "completed",
] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

export const ZONE_STATUSES = ["not_started", "in_progress", "complete"] as const;
export type ZoneStatus = (typeof ZONE_STATUSES)[number];

/** Points that actual and planned may differ by and still be on schedule (docs/progress-method.md#status). */
export const DEFAULT_TOLERANCE_POINTS = 5;

/** One zone of a report. Percents 0 to 100, one decimal. */
export interface ReportZone {
  readonly zone_id: WorkZoneId;
  readonly name: string;
  readonly progress: number;
  readonly status: ZoneStatus;
  readonly method: ProgressMethod;
  /** 95 %; `null`: it cannot be bounded. An earlier figure is a lower bound only: its high end is 100. */
  readonly interval_95: readonly [low: number, high: number] | null;
  /** Share that this capture saw, 0 to 1; 0 = the figure is not from it. */
  readonly observed_fraction: number;
  /** Before smoothing; `null`: this capture has none. */
  readonly raw_progress: number | null;
  /** When the figure was true: of the capture or observation it comes from. */
  readonly as_of: string;
  readonly planned: number | null;
  readonly weight: number;
  readonly regression_suspected: boolean;
  readonly no_estimate: NoEstimate | null;
  readonly notes: readonly string[];
  /** Captures and observations that it rests on, model and figures of the method. */
  readonly evidence: Readonly<Record<string, unknown>>;
}

/** Earned value, where a schedule exists (docs/progress-method.md#earned-value). Shares of the budget, percent, unless named. */
export interface EarnedValue {
  readonly planned_value: number;
  readonly earned_value: number;
  readonly schedule_variance: number;
  /** `null` while nothing is planned. */
  readonly spi: number | null;
  /** Earned schedule over actual time; `null` before the start. */
  readonly spi_t: number | null;
  readonly earned_schedule_days: number | null;
  readonly forecast_finish: string | null;
  /** 95 %, from the interval of the progress. */
  readonly forecast_finish_interval: readonly [early: string, late: string] | null;
}

/** What was known of a project at one time. Never changed: a correction makes another report. */
export interface ProgressReport {
  readonly id: ReportId;
  readonly project_id: ProjectId;
  readonly capture_id: CaptureId;
  /** 1 for the one that the capture made; corrections count on. */
  readonly revision: number;
  /** The report that this one corrects. */
  readonly supersedes: ReportId | undefined;
  readonly capture_date: string;
  readonly recorded_at: string;
  /** Mean of the zones that were ever seen, or given by a person. */
  readonly progress_percentage: number;
  /** 95 %, of the whole project: what was not seen counts from 0 to 100. `null`: in reports of older versions. */
  readonly interval_95: readonly [low: number, high: number] | null;
  /** Share of the zones' weights that `progress_percentage` covers, 0 to 1. */
  readonly seen_share: number;
  /** 95 %, of that share; `null`: nothing was seen. */
  readonly seen_interval_95: readonly [low: number, high: number] | null;
  readonly status: ReportStatus;
  /** `low`: the interval of the whole project crosses the edge of the band. */
  readonly status_confidence: "high" | "low";
  readonly comparison: {
    /** Of the zones that `actual` covers, each at the time of its figure. */
    readonly planned: number;
    /** Of the whole project at the capture date. */
    readonly planned_all: number;
    readonly actual: number;
    readonly variance: number;
    readonly basis: "schedule" | "project_dates";
    readonly tolerance_points: number;
  };
  readonly zones_completed: number;
  readonly total_zones: number;
  readonly zones: readonly ReportZone[];
  readonly weight_basis: "declared" | "cost" | "work" | "duration" | "volume" | "equal";
  readonly schedule_revision: number | undefined;
  readonly earned_value: EarnedValue | undefined;
  readonly images: {
    /** Keys of the file store. */
    readonly orthomosaic_key: string;
    /** A picture that browsers show: the zone map where there is no orthomosaic. */
    readonly map_key: string;
    readonly model_3d_key: string;
    readonly kind: "survey" | "zone_plan";
    /** Capture date of the flight; of the report for a zone plan. */
    readonly as_of: string;
  };
  /** Pictures with the outlines of the zones; keys of the file store. */
  readonly pictures: readonly { readonly title: string; readonly key: string }[];
  readonly correction: { readonly by: string; readonly note: string } | undefined;
  readonly warnings: readonly string[];
}
