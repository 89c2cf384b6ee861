import type { CameraId, WorkZoneId } from "../../../domain/ids.ts";
import type {
  Capture,
  CaptureImage,
  CaptureProducts,
  ZoneEstimate,
} from "../../../domain/sites/capture.ts";
import type { ProgressReport } from "../../../domain/sites/progress-report.ts";
import type { ZoneView } from "../../../domain/sites/site-camera.ts";
import type { WorkZone, ZoneSurface } from "../../../domain/sites/work-zone.ts";
import type { Job } from "../../../storage/ports/platform/jobs.ts";

/** What an analyser works on. */
export interface AnalyserInput {
  readonly job: Job;
  readonly capture: Capture;
  /** As the job fetches them: http(s) addresses, our own signed ones among them, or `data:` URLs. */
  readonly images: readonly string[];
  /** All work zones of the project. */
  readonly zones: readonly WorkZone[];
}

export interface AnalyserOptions {
  readonly signal: AbortSignal;
  /** `percent` of the analyser's own work, 0 to 100. */
  readonly onProgress: (stage: string, percent: number) => void;
}

/** What a capture shows. Stored files are in the file store already, under the capture's folder. */
export interface CaptureFindings {
  readonly captureDateMs: number;
  /** One for each image, in their order. */
  readonly images: readonly CaptureImage[];
  /** At most one for a zone; zones that the capture says nothing about may be missing. */
  readonly estimates: readonly ZoneEstimate[];
  readonly products: CaptureProducts | undefined;
  readonly baselines: readonly { readonly zoneId: WorkZoneId; readonly surface: ZoneSurface }[];
  /** JSON; see `CompletedCapture.datum`. */
  readonly datum: unknown;
  readonly views: readonly ZoneView[];
  /** Cameras that no longer point where their reference views do, with the shift that was found. */
  readonly moved: readonly { readonly cameraId: CameraId; readonly note: string }[];
  readonly pictures: ProgressReport["pictures"];
  readonly warnings: readonly string[];
}

/**
 * Turns the images of a capture into estimates of zones. Implementations: `flight/flight-analyser.ts` for
 * drone captures, `camera/camera-analyser.ts` for fixed cameras and photographs by hand; a segmentation
 * model joins as another one.
 */
export interface CaptureAnalyser {
  /**
   * May be called again after a crash with the same input: goes on where finished stages end.
   * @throws AllImagesRefused when no image can be used; GateRefusal where a survey is refused;
   * what `signal` fires with; DomainError `STORE_UNAVAILABLE`.
   */
  analyse(input: AnalyserInput, options: AnalyserOptions): Promise<CaptureFindings>;
}
