import type {
  CameraId,
  CaptureId,
  ObservationId,
  ProjectId,
  WorkZoneId,
} from "../../../domain/ids.ts";
import type { SiteCamera, ZoneLabel, ZoneView } from "../../../domain/sites/site-camera.ts";

/** A label without its features. */
export type ListedLabel = Omit<ZoneLabel, "features">;

/** Cameras, the views that captures left of zones, and labels. */
export interface SiteCameraRecords {
  /** @throws DomainError `ID_CONFLICT` (ids of deleted ones stay taken), `PROJECT_NOT_FOUND`. */
  insert(camera: SiteCamera): Promise<void>;
  find(id: CameraId): Promise<SiteCamera | undefined>;
  /** Oldest first. */
  list(filter: {
    readonly projectIds?: readonly ProjectId[];
    /** From its other end. */
    readonly isReversed?: boolean;
    readonly limit?: number;
    readonly offset: number;
  }): Promise<{ readonly cameras: readonly SiteCamera[]; readonly total: number }>;
  /** As `WorkZoneRecords.update`. @throws DomainError `CAMERA_NOT_FOUND`. */
  update(id: CameraId, change: (before: SiteCamera) => SiteCamera): Promise<SiteCamera>;
  /** Its views and labels go with it. @throws DomainError `CAMERA_NOT_FOUND`. */
  delete(id: CameraId): Promise<void>;
  /** Views that a capture left. */
  views(captureId: CaptureId): Promise<readonly ZoneView[]>;
  /**
   * Views of a zone since a time that no label is of, ascending by `taken_at`: what a person may be asked
   * about.
   */
  unlabelled(zoneId: WorkZoneId, sinceMs: number, limit: number): Promise<readonly ZoneView[]>;
  /**
   * A label of the same zone and image takes the place of an earlier one.
   * @throws DomainError `ZONE_NOT_FOUND`, `CAMERA_NOT_FOUND`, `ID_CONFLICT` when the id is taken.
   */
  addLabel(label: ZoneLabel): Promise<void>;
  /** @throws DomainError `OBSERVATION_NOT_FOUND`. */
  deleteLabel(zoneId: WorkZoneId, id: ObservationId): Promise<void>;
  /** With their features, ascending by `taken_at`, then id. */
  labels(zoneIds: readonly WorkZoneId[]): Promise<readonly ZoneLabel[]>;
  /** Newest `taken_at` first. */
  listLabels(
    zoneId: WorkZoneId,
    page: {
      /** From its other end. */
      readonly isReversed?: boolean;
      readonly limit: number;
      readonly offset: number;
    },
  ): Promise<{ readonly labels: readonly ListedLabel[]; readonly total: number }>;
  /** Deletes a bounded number of views taken before `beforeMs`, labels stay; yields whether more are left. */
  expireViews(beforeMs: number): Promise<boolean>;
}
