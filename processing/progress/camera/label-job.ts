import { DomainError } from "../../../domain/errors.ts";
import type { CameraId } from "../../../domain/ids.ts";
import type { SiteCamera, ZoneLabel } from "../../../domain/sites/site-camera.ts";
import type { SiteCameraRecords } from "../../../storage/ports/sites/site-cameras.ts";
import type { JobHandler } from "../../queue/job-handler.ts";
import type { CameraTools } from "./camera-tools.ts";
import { FEATURES_VERSION } from "./features/view-features.ts";
import { gateImages } from "./gated-images.ts";
import { labelIdOf, readLabelRequest } from "./label-request.ts";
import { viewFrame } from "./model/counting-labels.ts";
import { cameraLoader } from "./reference-views.ts";
import { seeImage } from "./seen-images.ts";

export interface LabelJobTools extends Pick<CameraTools, "pool" | "images" | "folder" | "files"> {
  readonly siteCameras: Pick<SiteCameraRecords, "find" | "addLabel">;
}

/**
 * Works on jobs whose input is a `LabelRequest`: reads the image, lays it on its camera's reference view, and
 * stores the label with the zone's features. Yields `{ labelId }`. Begun again, it stores the same label.
 * @throws DomainError `IMAGE_REFUSED` in words that name the image: not readable, refused by the gate, not on
 * the reference view; `CAMERA_NOT_FOUND`, `ZONE_NOT_FOUND`.
 */
export function createLabelJob(tools: LabelJobTools): JobHandler {
  return async (job, { signal, progress }) => {
    const request = readLabelRequest(job.input);
    const { zoneId, cameraId, labelledAtMs } = request;
    const camera = cameraId && (await seeingCamera(tools, cameraId, zoneId));
    const [entry] = await gateImages(tools, [request.image], {
      signal,
      onDone: (share) => progress("reading the image", 50 * share),
    });
    if (entry === undefined || !("passed" in entry)) {
      throw new DomainError("IMAGE_REFUSED", entry?.rejected ?? "there is no image");
    }
    const { capturedAtMs } = entry.passed.image;
    const takenAtMs = Math.min(labelledAtMs, request.takenAtMs ?? capturedAtMs ?? labelledAtMs);
    const seen = await seeImage(
      { pool: tools.pool, load: cameraLoader(tools, signal) },
      entry,
      entry.passed,
      camera === undefined
        ? { kind: "photograph", zoneId }
        : { kind: "cameras", cameras: [camera], isNamed: true },
      { captureType: "manual", takenAtMs, signal },
    );
    const view = seen.zones.find((zone) => zone.zoneId === zoneId);
    if (view === undefined) {
      throw new DomainError(
        "IMAGE_REFUSED",
        seen.outcome.reason ?? "the image does not show the zone",
      );
    }
    const label: ZoneLabel = {
      id: labelIdOf(job.id),
      capture_id: undefined,
      camera_id: camera?.id,
      zone_id: zoneId,
      image_sha256: seen.sha256,
      taken_at: new Date(takenAtMs).toISOString(),
      reference_sha256: viewFrame(camera, zoneId),
      features_version: FEATURES_VERSION,
      features: view.features,
      progress: request.progress,
      stage: request.stage,
      labelled_by: request.labelledBy,
      labelled_at: new Date(labelledAtMs).toISOString(),
      source: "calibration",
    };
    await tools.siteCameras.addLabel(label);
    return { labelId: label.id };
  };
}

async function seeingCamera(
  { siteCameras }: Pick<LabelJobTools, "siteCameras">,
  cameraId: CameraId,
  zoneId: string,
): Promise<SiteCamera> {
  const camera = await siteCameras.find(cameraId);
  if (camera === undefined) throw new DomainError("CAMERA_NOT_FOUND", `no camera ${cameraId}`);
  if (!camera.zones.some(({ zone_id }) => zone_id === zoneId)) {
    throw new DomainError("PARAMETER_INVALID", `camera ${cameraId} has no outline of that zone`);
  }
  return camera;
}
