import type { ProjectId, ScheduleId } from "../ids.ts";

export const SCHEDULE_FORMATS = ["xer", "mspdi", "csv"] as const;
export type ScheduleFormat = (typeof SCHEDULE_FORMATS)[number];

/** How the work of an activity spreads over its time; `s_curve` is 3 f^2 - 2 f^3 (docs/progress-method.md#schedules). */
export const WORK_CURVES = ["linear", "s_curve", "front", "back", "points", "milestone"] as const;
export type WorkCurve = (typeof WORK_CURVES)[number];

/** Minutes of a day, `[from, to)`, 0 to 1440. */
export type WorkSpan = readonly [fromMin: number, toMin: number];

/** When work is done. */
export interface WorkCalendar {
  readonly name: string;
  /** Seven days from Monday on; ascending spans that do not touch. */
  readonly week: readonly (readonly WorkSpan[])[];
  /** Days that differ, ascending: holidays have no spans. `day` counts from 1970-01-01, local. */
  readonly exceptions: readonly { readonly day: number; readonly spans: readonly WorkSpan[] }[];
}

/**
 * One activity. Times are minutes since 1970-01-01T00:00 by the project's wall clock: files of schedules
 * know no time zone. Summaries and levels of effort are not among them.
 */
export interface ScheduleTask {
  /** What people know it by: activity id, task id. */
  readonly code: string;
  readonly name: string;
  /** Path in the work breakdown structure, joined by dots; "" = at the top. */
  readonly wbs: string;
  /** Values of activity codes, or the zone column of a CSV. */
  readonly zone_codes: readonly string[];
  readonly start_min: number;
  /** Not before `start_min`; the same for a milestone. */
  readonly finish_min: number;
  /** Index in `Schedule.calendars`; absent: every day of 24 h counts. */
  readonly calendar?: number;
  readonly curve: WorkCurve;
  /** For the curve `points`: time and percent, both ascending; before the first 0, after the last its percent. */
  readonly points?: readonly (readonly [atMin: number, percent: number])[];
  readonly cost?: number;
  readonly work_h?: number;
  readonly duration_h?: number;
  /** As the file has it; for people, not for planned values. */
  readonly percent_complete?: number;
}

/** What is shown of an imported schedule without its tasks. */
export interface ScheduleSummary {
  readonly id: ScheduleId;
  readonly project_id: ProjectId;
  /** 1, 2, 3, ... in one project. */
  readonly revision: number;
  readonly format: ScheduleFormat;
  /** SHA-256 of the file, hex. */
  readonly sha256: string;
  readonly name: string;
  /** As the file has it, wall clock, minutes; `undefined`: it has none. */
  readonly data_date_min: number | undefined;
  /** Earliest start and latest finish. */
  readonly start_min: number;
  readonly finish_min: number;
  readonly tasks: number;
  /** What was left out or assumed, in words. */
  readonly warnings: readonly string[];
  /** Id of the API key. */
  readonly imported_by: string;
  readonly imported_at: string;
}

/** An import, which is never changed afterwards (docs/progress-method.md#schedules: dates of unstarted tasks move in the tool). */
export interface Schedule {
  readonly summary: ScheduleSummary;
  readonly calendars: readonly WorkCalendar[];
  readonly tasks: readonly ScheduleTask[];
}

/** Largest file, bytes, and most activities (docs/progress-method.md#schedules). */
export const MAX_SCHEDULE_BYTES = 20 * 1024 ** 2;
export const MAX_SCHEDULE_TASKS = 50_000;
