import { createHash } from "node:crypto";
import type { WorkZoneId } from "../../../../domain/ids.ts";
import type { SiteCamera, ZoneLabel, ZoneView } from "../../../../domain/sites/site-camera.ts";
import { featurePart, KNOWN_VERSIONS } from "../features/view-features.ts";
import type { LabelledView } from "./forward-errors.ts";
import type { LabelledStage } from "./stage-model.ts";

/**
 * What distinguishes views of a zone by a camera (`ZoneView.reference_sha256`): its reference view, and where
 * the zone is outlined in it. `undefined`: the camera does not see the zone, or there is none.
 */
export function viewFrame(
  camera: Pick<SiteCamera, "reference_sha256" | "zones"> | undefined,
  zoneId: WorkZoneId,
): string | undefined {
  const zone = camera?.zones.find(({ zone_id }) => zone_id === zoneId);
  if (camera === undefined || zone === undefined) return undefined;
  const text = `${camera.reference_sha256} ${JSON.stringify(zone.outline)}`;
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Whether a view counts for a camera (`undefined`: for photographs without a fixed view): it is of this
 * camera, was laid on the reference view and cut out by the outline that there are now, and its features are
 * of a version that compares.
 */
export const isCounting = (
  view: Pick<ZoneView, "camera_id" | "zone_id" | "reference_sha256" | "features_version">,
  camera: SiteCamera | undefined,
): boolean =>
  view.camera_id === camera?.id &&
  view.reference_sha256 === viewFrame(camera, view.zone_id) &&
  KNOWN_VERSIONS.includes(view.features_version);

export const labelledViews = (labels: readonly ZoneLabel[]): readonly LabelledView[] =>
  onePerCapture(labels).map(({ features, progress, taken_at }) => ({
    features,
    progress,
    takenAtMs: Date.parse(taken_at),
  }));

/**
 * Those that name a stage. Stages are estimated from the hand-made features: the network does no better
 * (docs/decisions/054).
 */
export const labelledStages = (labels: readonly ZoneLabel[]): readonly LabelledStage[] =>
  labels.flatMap(({ features, stage, taken_at }) =>
    stage === undefined
      ? []
      : [{ features: featurePart(features, "hand_made"), stage, takenAtMs: Date.parse(taken_at) }],
  );

/**
 * Of several images of one capture the last: they were labelled together, and each would make the error of
 * leaving out the other small.
 */
function onePerCapture(labels: readonly ZoneLabel[]): readonly ZoneLabel[] {
  const last = new Map(labels.map((label) => [label.capture_id ?? label.id, label]));
  return [...last.values()];
}
