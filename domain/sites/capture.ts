import type { LonLat } from "../geometry/geofence.ts";
import type { VerticalDatum } from "../geometry/vertical-datum.ts";
import type { CameraId, CaptureId, JobId, ProjectId, ReportId, WorkZoneId } from "../ids.ts";
import type { Georeferencing } from "./measurement.ts";
import type { SurveyExports } from "./survey-exports.ts";

export const CAPTURE_TYPES = ["drone", "cctv", "manual"] as const;
export type CaptureType = (typeof CAPTURE_TYPES)[number];

/** Most images of one capture: as many as one survey is adjusted of. */
export const MOST_CAPTURE_IMAGES = 600;

/** How a zone's figure came about (docs/progress-method.md#rules-of-honesty). */
export const PROGRESS_METHODS = [
  "declared",
  "dsm_volume",
  "dsm_height",
  "dsm_area",
  "calibrated_image",
  "stage_model",
  "manual",
  "carried_forward",
] as const;
export type ProgressMethod = (typeof PROGRESS_METHODS)[number];

/** What became of one image of a capture. */
export interface CaptureImage {
  /** As it was sent, without what signs an address. */
  readonly url: string;
  /**
   * Key of the uploaded image, which its sender proved by a signed address; absent: it came from elsewhere, could not be
   * read, or is of before it was kept.
   */
  readonly stored_key?: string;
  /** `low_confidence`: used, and unlike all that was labelled. */
  readonly status: "used" | "rejected" | "camera_moved" | "low_confidence" | "not_used";
  /** Why not, in words; `undefined` where it was used. */
  readonly reason?: string;
  readonly camera_id?: CameraId;
  /** 0 to 1 against the reference view; not a percent of progress. */
  readonly change_index?: number;
  readonly taken_at?: string;
}

/** Why a zone has no estimate from a capture, or one that is not to be relied on. */
export const NO_ESTIMATE = [
  /** The planned lift is too small for the level of detection. */
  "dsm_not_suitable",
  /** No baseline, or no design. */
  "no_surface",
  /** This flight became the baseline. */
  "baseline_taken",
  /** The capture did not see enough of the zone. */
  "not_observed",
  /** The survey could not be brought onto the baseline. */
  "not_aligned",
  "no_calibration",
  "camera_moved",
  /** Stage classification: the margin between the two best is small. */
  "unknown_stage",
] as const;
export type NoEstimate = (typeof NO_ESTIMATE)[number];

/** What one capture says of one zone. Percent 0 to 100; `undefined` = nothing, which is not 0. */
export interface ZoneEstimate {
  readonly zone_id: WorkZoneId;
  readonly method: Extract<ProgressMethod, `dsm_${string}` | "calibrated_image" | "stage_model">;
  /** Before smoothing over time. */
  readonly raw_progress: number | undefined;
  /** Of `raw_progress`, 95 %; `undefined`: it cannot be bounded yet. */
  readonly interval_95: readonly [low: number, high: number] | undefined;
  /** Share of the zone that was really seen, 0 to 1. */
  readonly observed_fraction: number;
  /** Geometry says that the design is reached (A0 rule 3). Never by images alone. */
  readonly is_at_design: boolean;
  readonly no_estimate?: NoEstimate;
  /**
   * What the zone was to become then (`zoneTask`): a percent of one design does not apply to another.
   * Absent: of records made before it was kept.
   */
  readonly task?: string;
  /** In words, for people: what is missing, or what was found beside the percent. */
  readonly notes: readonly string[];
  /** Figures of the method under names with units: `lod_m`, `overbuild_m3`, `labels`, `bias_m`, ... */
  readonly figures: Readonly<Record<string, number | string | boolean>>;
}

export type CaptureState = "processing" | "completed" | "failed";

/** Imagery of a project at one time, and what came of it. */
export interface Capture {
  readonly id: CaptureId;
  readonly project_id: ProjectId;
  readonly job_id: JobId;
  readonly capture_type: CaptureType;
  /** It is made for its survey alone: no zone is compared, and there is no report. Absent: for the progress of its project. */
  readonly purpose?: "survey";
  readonly images_count: number;
  /** Unknown keys are kept. */
  readonly flight_metadata: Readonly<Record<string, unknown>> | undefined;
  readonly created_at: string;
  readonly estimated_completion: string;
  readonly state: CaptureState;
  /** Below: `undefined` until it is over. */
  readonly completed_at: string | undefined;
  /** flown_at, else newest EXIF time, else receipt. */
  readonly capture_date: string | undefined;
  readonly report_id: ReportId | undefined;
  /** Why there is no report although it was completed, in words. */
  readonly no_report: string | undefined;
  readonly error: { readonly code: string; readonly message: string } | undefined;
  readonly images: readonly CaptureImage[];
  readonly warnings: readonly string[];
  readonly estimates: readonly ZoneEstimate[];
  /** Keys of drone products in the file store. */
  readonly products: CaptureProducts | undefined;
}

/** What nothing is known of yet when a capture is taken in. */
export const NEW_CAPTURE = {
  state: "processing",
  completed_at: undefined,
  capture_date: undefined,
  report_id: undefined,
  no_report: undefined,
  error: undefined,
  images: [],
  warnings: [],
  estimates: [],
  products: undefined,
} as const satisfies Partial<Capture>;

/** Files that a drone capture leaves; keys of the file store. */
export interface CaptureProducts {
  readonly dsm: string;
  readonly orthomosaic: string | undefined;
  readonly orthomosaic_preview: string | undefined;
  /**
   * Where the preview lies: its upper left, upper right, lower right and lower left corner on the ground;
   * `undefined` without one. Zones are drawn over it by them.
   */
  readonly preview_corners: readonly [LonLat, LonLat, LonLat, LonLat] | undefined;
  readonly model_3d: string;
  readonly survey_report: string;
  /** What its volumes are computed from, not for clients; absent: of a flight before it was kept. */
  readonly basis?: string;
  /** Files for other programs; absent: of a flight before they were kept. */
  readonly exports?: SurveyExports;
  /** What holds place and level; absent: of a flight before it was kept. */
  readonly georeferencing?: Georeferencing;
  /** What heights count from; absent: of a flight before it was kept. */
  readonly vertical_datum?: VerticalDatum;
}

/** Everything that is kept for one capture in the file store. */
export const captureFolder = (id: CaptureId): string => `captures/${id}/`;
