import type { CameraId, CaptureId, ObservationId, ProjectId, WorkZoneId } from "../ids.ts";

/** A point of an image: shares of its width and height from its upper left corner, 0 to 1. */
export type ImagePoint = readonly [x: number, y: number];

/** A camera that views a site from one place, and where it sees the zones. */
export interface SiteCamera {
  readonly id: CameraId;
  readonly project_id: ProjectId;
  readonly name: string;
  /** The view that zones are outlined in, and that images are registered to; key of the file store. */
  readonly reference_key: string;
  readonly reference_sha256: string;
  readonly reference_set_at: string;
  /** Outlines in the reference view: open rings of 3 to 200 points. */
  readonly zones: readonly {
    readonly zone_id: WorkZoneId;
    readonly outline: readonly ImagePoint[];
  }[];
  /** URLs of images start with one of these; empty: found by the view alone. */
  readonly url_prefixes: readonly string[];
  /** `suspended`: it moved; no estimates until a person sets a new reference view. */
  readonly state: "active" | "suspended";
  readonly suspended_at: string | undefined;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What a view of one zone looks like: input of the calibrated model. */
export interface ZoneView {
  readonly capture_id: CaptureId | undefined;
  /** `undefined`: a photograph without a fixed view (metric `stages`). */
  readonly camera_id: CameraId | undefined;
  readonly zone_id: WorkZoneId;
  /** Of the image's bytes, hex. */
  readonly image_sha256: string;
  readonly taken_at: string;
  /**
   * Hash of the reference view that it was registered to, and of the zone's outline in it; views of another
   * one do not compare.
   */
  readonly reference_sha256: string | undefined;
  /** Version of the features; views of another one do not compare. */
  readonly features_version: number;
  readonly features: Float32Array;
}

/** A view whose progress a person gave. */
export interface ZoneLabel extends ZoneView {
  readonly id: ObservationId;
  /** Percent, 0 to 100. */
  readonly progress: number;
  /** For the metric `stages`. */
  readonly stage: string | undefined;
  readonly labelled_by: string;
  readonly labelled_at: string;
  readonly source: "calibration" | "observation" | "correction";
}

/** A person's statement about a zone at a time. */
export interface ZoneObservation {
  readonly id: ObservationId;
  readonly zone_id: WorkZoneId;
  readonly project_id: ProjectId;
  /** Percent, 0 to 100. */
  readonly progress: number;
  /** Percent at least and at most, where the person said so. */
  readonly interval_95: readonly [low: number, high: number] | undefined;
  /** 100 counts as confirmed complete. */
  readonly observed_at: string;
  readonly observed_by: string;
  readonly note: string;
  /** A photograph of it, key of the file store. */
  readonly image_key: string | undefined;
  readonly recorded_at: string;
  readonly source: "observation" | "correction";
}

/** Everything that is kept for one camera in the file store. */
export const cameraFolder = (id: CameraId): string => `cameras/${id}/`;
