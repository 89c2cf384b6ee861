import type { SiteCamera } from "../../../domain/sites/site-camera.ts";
import { isCounting } from "../../../processing/progress/camera/model/counting-labels.ts";
import type { ListedLabel } from "../../../storage/ports/sites/site-cameras.ts";
import type { Calibration } from "./calibration-schemas.ts";

/** A label as the API shows it; `cameras` are the project's. */
export function calibrationView(label: ListedLabel, cameras: readonly SiteCamera[]): Calibration {
  const camera = cameras.find(({ id }) => id === label.camera_id);
  return {
    id: label.id,
    zone_id: label.zone_id,
    camera_id: label.camera_id ?? null,
    capture_id: label.capture_id ?? null,
    image_sha256: label.image_sha256,
    taken_at: label.taken_at,
    progress: label.progress,
    stage: label.stage ?? null,
    labelled_by: label.labelled_by,
    labelled_at: label.labelled_at,
    source: label.source,
    counts: isCounting(label, camera),
  };
}
