import type {
  CameraId,
  CaptureId,
  ObservationId,
  ReportId,
  ScheduleId,
  WorkZoneId,
} from "../../../domain/ids.ts";
import { type Capture, NEW_CAPTURE, type ZoneEstimate } from "../../../domain/sites/capture.ts";
import type { ProgressReport } from "../../../domain/sites/progress-report.ts";
import type { Schedule, ScheduleSummary } from "../../../domain/sites/schedule.ts";
import type {
  SiteCamera,
  ZoneLabel,
  ZoneObservation,
  ZoneView,
} from "../../../domain/sites/site-camera.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import type { CompletedCapture } from "../../../storage/ports/sites/captures.ts";
import { projectId } from "./rows.ts";
import { jobId } from "./stockpile-rows.ts";

export const zoneId = (id: string) => id as WorkZoneId;
export const captureId = (id: string) => id as CaptureId;
export const reportId = (id: string) => id as ReportId;
export const scheduleId = (id: string) => id as ScheduleId;
export const cameraId = (id: string) => id as CameraId;
export const observationId = (id: string) => id as ObservationId;

const CREATED = "2026-11-20T08:00:00.000Z";

export function workZone(id: string, change: Partial<WorkZone> = {}): WorkZone {
  return {
    id: zoneId(id),
    project_id: projectId("p1"),
    name: "Baufeld Süd – Los 2",
    polygon: undefined,
    metric: { kind: "manual" },
    baseline: undefined,
    design: undefined,
    weight: undefined,
    declared_progress: 0,
    declared_at: CREATED,
    activities: { codes: [], wbs: [], names: [] },
    created_at: CREATED,
    updated_at: CREATED,
    ...change,
  };
}

export function observation(id: string, change: Partial<ZoneObservation> = {}): ZoneObservation {
  return {
    id: observationId(id),
    zone_id: zoneId("z1"),
    project_id: projectId("p1"),
    progress: 37.5,
    interval_95: undefined,
    observed_at: "2026-11-20T12:00:00.000Z",
    observed_by: "Polier Özdemir",
    note: "",
    image_key: undefined,
    recorded_at: "2026-11-20T13:00:00.000Z",
    source: "observation",
    ...change,
  };
}

export function schedule(
  id: string,
  revision: number,
  change: Partial<ScheduleSummary> = {},
): Schedule {
  return {
    summary: {
      id: scheduleId(id),
      project_id: projectId("p1"),
      revision,
      format: "csv",
      sha256: `sha-of-${id}`,
      name: "Bauzeitenplan",
      data_date_min: undefined,
      start_min: 29_000_000,
      finish_min: 29_500_000.5,
      tasks: 1,
      warnings: ["row 7: no zone"],
      imported_by: "key_1",
      imported_at: CREATED,
      ...change,
    },
    calendars: [{ name: "5 Tage", week: [[[480, 1020]], [], [], [], [], [], []], exceptions: [] }],
    tasks: [
      {
        code: "A1000\0",
        name: "Aushub",
        wbs: "PRJ.20",
        zone_codes: ["Süd"],
        start_min: 29_000_000,
        finish_min: 29_500_000.5,
        calendar: 0,
        curve: "linear",
        cost: 1e6,
      },
    ],
  };
}

export function estimate(zone: string, change: Partial<ZoneEstimate> = {}): ZoneEstimate {
  return {
    zone_id: zoneId(zone),
    method: "dsm_volume",
    raw_progress: 41.25,
    interval_95: [38.5, 44],
    observed_fraction: 0.97,
    is_at_design: false,
    notes: ["overbuilt by 3 m³"],
    figures: { lod_m: 0.083, suitable: true },
    ...change,
  };
}

export function capture(id: string, change: Partial<Capture> = {}): Capture {
  return {
    id: captureId(id),
    project_id: projectId("p1"),
    job_id: jobId(`job-of-${id}`),
    capture_type: "drone",
    images_count: 1,
    flight_metadata: undefined,
    created_at: "2026-11-20T10:00:00.000Z",
    estimated_completion: "2026-11-20T10:10:00.000Z",
    ...NEW_CAPTURE,
    ...change,
  };
}

/** The end of a capture, which happened on a day of November 2026 at noon, and changes nothing else. */
export function completed(
  id: string,
  day: number,
  change: Partial<Capture> = {},
  more: Partial<Omit<CompletedCapture, "capture">> = {},
): CompletedCapture {
  return {
    capture: capture(id, {
      state: "completed",
      completed_at: "2026-11-20T10:07:00.000Z",
      capture_date: `2026-11-${day}T12:00:00.000Z`,
      images: [{ url: "https://images.example/1.jpg", status: "used", change_index: 0.25 }],
      ...change,
    }),
    report: undefined,
    baselines: [],
    datum: undefined,
    views: [],
    suspended: [],
    events: [],
    ...more,
  };
}

export function report(id: string, change: Partial<ProgressReport> = {}): ProgressReport {
  return {
    id: reportId(id),
    project_id: projectId("p1"),
    capture_id: captureId("c1"),
    revision: 1,
    supersedes: undefined,
    capture_date: "2026-11-15T12:00:00.000Z",
    recorded_at: "2026-11-20T10:07:00.000Z",
    progress_percentage: 41.3,
    interval_95: null,
    seen_share: 1,
    seen_interval_95: null,
    status: "behind_schedule",
    status_confidence: "high",
    comparison: {
      planned: 50,
      planned_all: 50,
      actual: 41.3,
      variance: -8.7,
      basis: "project_dates",
      tolerance_points: 5,
    },
    zones_completed: 0,
    total_zones: 1,
    zones: [],
    weight_basis: "equal",
    schedule_revision: undefined,
    earned_value: undefined,
    images: {
      orthomosaic_key: "captures/c1/map.png",
      map_key: "captures/c1/map.png",
      model_3d_key: "captures/c1/model.glb",
      kind: "zone_plan",
      as_of: "2026-11-15T12:00:00.000Z",
    },
    pictures: [],
    correction: undefined,
    warnings: ["a \0 in a warning"],
    ...change,
  };
}

export function camera(id: string, change: Partial<SiteCamera> = {}): SiteCamera {
  return {
    id: cameraId(id),
    project_id: projectId("p1"),
    name: "Mast Nord",
    reference_key: `cameras/${id}/reference.jpg`,
    reference_sha256: "aa",
    reference_set_at: CREATED,
    zones: [
      {
        zone_id: zoneId("z1"),
        outline: [
          [0.1, 0.2],
          [0.9, 0.2],
          [0.5, 0.123456789012345],
        ],
      },
    ],
    url_prefixes: [],
    state: "active",
    suspended_at: undefined,
    created_at: CREATED,
    updated_at: CREATED,
    ...change,
  };
}

export function view(image: string, change: Partial<ZoneView> = {}): ZoneView {
  return {
    capture_id: captureId("c1"),
    camera_id: cameraId("k1"),
    zone_id: zoneId("z1"),
    image_sha256: image,
    taken_at: "2026-11-15T12:00:00.000Z",
    reference_sha256: "aa",
    features_version: 1,
    // What is not a float32 is rounded before it is stored: the array holds what it holds.
    features: Float32Array.of(0.1, -3.5e-30, 648, -0),
    ...change,
  };
}

export function label(id: string, change: Partial<ZoneLabel> = {}): ZoneLabel {
  return {
    ...view(`image-of-${id}`),
    id: observationId(id),
    progress: 62.5,
    stage: undefined,
    labelled_by: "Polier",
    labelled_at: "2026-11-16T09:00:00.000Z",
    source: "calibration",
    ...change,
  };
}
