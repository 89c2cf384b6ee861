import type { NewEvent } from "../../../domain/events/events.ts";
import type { CameraId, CaptureId, ProjectId, WorkZoneId } from "../../../domain/ids.ts";
import type { Capture, ZoneEstimate } from "../../../domain/sites/capture.ts";
import type { ProgressReport } from "../../../domain/sites/progress-report.ts";
import type { ZoneView } from "../../../domain/sites/site-camera.ts";
import type { ZoneSurface } from "../../../domain/sites/work-zone.ts";

/** Everything that the end of a capture changes; stored in one transaction. */
export interface CompletedCapture {
  readonly capture: Capture;
  /** `undefined`: there is none, and `capture.no_report` says why. */
  readonly report: ProgressReport | undefined;
  /** Baselines that this flight became; a zone that has got one meanwhile keeps it. */
  readonly baselines: readonly { readonly zoneId: WorkZoneId; readonly surface: ZoneSurface }[];
  /** Frame that flights of the project share from now on; one that is there is kept. JSON. */
  readonly datum: unknown;
  /** Views of zones, for labels that come later. */
  readonly views: readonly ZoneView[];
  /** Cameras that no longer point where they did; not those with a reference view newer than the capture. */
  readonly suspended: readonly CameraId[];
  readonly events: readonly NewEvent[];
}

/** What a capture said of a zone, and when that was. */
export interface PastEstimate {
  readonly captureId: CaptureId;
  readonly captureDateMs: number;
  readonly estimate: ZoneEstimate;
}

export interface CaptureRecords {
  /** @throws DomainError `ID_CONFLICT`, `PROJECT_NOT_FOUND`. */
  insert(capture: Capture): Promise<void>;
  find(id: CaptureId): Promise<Capture | undefined>;
  /** Newest `created_at` first. `projectIds` absent: of all projects. */
  list(filter: {
    readonly projectIds?: readonly ProjectId[];
    readonly states?: readonly Capture["state"][];
    /** From its other end. */
    readonly isReversed?: boolean;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly captures: readonly Capture[]; readonly total: number }>;
  /**
   * Ends a capture that is processing. One that is over already is yielded as it is, and nothing is
   * stored: an attempt that is repeated stores nothing twice. Zones and cameras that were deleted
   * meanwhile take nothing.
   * @throws DomainError `CAPTURE_NOT_FOUND`, `ID_CONFLICT` when the report's id is taken.
   */
  complete(done: CompletedCapture): Promise<Capture>;
  /** Ends a capture that is processing by a failure; any other stays. @throws DomainError `CAPTURE_NOT_FOUND`. */
  fail(
    id: CaptureId,
    failure: {
      readonly error: { readonly code: string; readonly message: string };
      readonly completedAt: string;
      readonly images: Capture["images"];
    },
  ): Promise<Capture>;
  /**
   * Estimates with a percent (`raw_progress`) of these zones by completed captures whose `capture_date`
   * is not after `untilMs`, ascending by it, then by id.
   */
  estimates(ids: readonly WorkZoneId[], untilMs: number): Promise<readonly PastEstimate[]>;
  /**
   * The completed drone capture with products whose date is the newest one not after `untilMs`. Not one that was made
   * for its survey alone: it may be deleted.
   */
  newestFlight(projectId: ProjectId, untilMs: number): Promise<Capture | undefined>;
  /** Deletes a capture that was made for its survey alone. @throws DomainError `CAPTURE_NOT_FOUND`, also for any other. */
  delete(id: CaptureId): Promise<void>;
  /** Frame that the flights of a project share; `undefined` before the first. */
  datum(projectId: ProjectId): Promise<unknown>;
}
