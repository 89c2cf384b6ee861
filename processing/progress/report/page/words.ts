import type { NoEstimate, ProgressMethod } from "../../../../domain/sites/capture.ts";
import type { ProgressReport, ZoneStatus } from "../../../../domain/sites/progress-report.ts";

/** How figures came about, for people. */
export const METHODS: Readonly<Record<ProgressMethod, string>> = {
  declared: "declared with the zone",
  dsm_volume: "flight: volume against design",
  dsm_height: "flight: heights of levels",
  dsm_area: "flight: area at design",
  calibrated_image: "fixed camera, calibrated",
  stage_model: "photographs: stages",
  manual: "reported by a person",
  carried_forward: "carried forward",
};

/** Why a capture says nothing of a zone, for people. */
export const NO_ESTIMATES: Readonly<Record<NoEstimate, string>> = {
  dsm_not_suitable: "the planned lift is too small for what this survey can measure",
  no_surface: "no baseline or no design surface is known",
  baseline_taken: "this flight became the baseline",
  not_observed: "too little of the zone was seen",
  not_aligned: "the survey could not be brought onto the baseline",
  no_calibration: "too few calibrated pictures of the zone",
  camera_moved: "the camera moved: estimates are suspended",
  unknown_stage: "the stage could not be recognised",
};

export const STATUSES: Readonly<Record<ProgressReport["status"], string>> = {
  ahead_of_schedule: "ahead of schedule",
  on_schedule: "on schedule",
  behind_schedule: "behind schedule",
  completed: "completed",
};

export const ZONE_STATUS_WORDS: Readonly<Record<ZoneStatus, string>> = {
  not_started: "not started",
  in_progress: "in progress",
  complete: "complete",
};

export const WEIGHT_BASES: Readonly<Record<ProgressReport["weight_basis"], string>> = {
  declared: "weights that were declared with the zones",
  cost: "planned cost by the schedule",
  work: "planned work by the schedule",
  duration: "planned duration by the schedule",
  volume: "planned volume by the design surfaces",
  equal: "equal weights: nothing else is known of all zones",
};
