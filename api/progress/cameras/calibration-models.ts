import type { SiteCamera, ZoneLabel } from "../../../domain/sites/site-camera.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import {
  isCounting,
  labelledStages,
  labelledViews,
} from "../../../processing/progress/camera/model/counting-labels.ts";
import { stageModel } from "../../../processing/progress/camera/model/stage-model.ts";
import { zoneModel } from "../../../processing/progress/camera/model/zone-model.ts";
import type { Model } from "./calibration-schemas.ts";

const NOT_READY = {
  is_ready: false,
  has_intervals: false,
  loo_mean_points: null,
  loo_95_points: null,
  loo_right: null,
} as const;

/** The state of a zone's model, for each camera that sees it, and for photographs of a zone of stages. */
export function calibrationModels(
  zone: WorkZone,
  cameras: readonly SiteCamera[],
  labels: readonly ZoneLabel[],
): Model[] {
  const seeing = cameras.filter((camera) =>
    camera.zones.some(({ zone_id }) => zone_id === zone.id),
  );
  const own: readonly (SiteCamera | undefined)[] =
    zone.metric.kind === "stages" ? [undefined, ...seeing] : seeing;
  return own.map((camera) =>
    modelOf(
      zone,
      camera,
      labels.filter((label) => isCounting(label, camera)),
    ),
  );
}

function modelOf(
  zone: WorkZone,
  camera: SiteCamera | undefined,
  labels: readonly ZoneLabel[],
): Model {
  const about = { camera_id: camera?.id ?? null, labels: labels.length };
  if (zone.metric.kind === "stages") {
    const model = stageModel(zone.metric.stages, labelledStages(labels));
    if ("missing" in model) return { ...about, ...NOT_READY, missing: model.missing };
    return { ...about, ...NOT_READY, is_ready: true, loo_right: model.looRight, missing: null };
  }
  const model = zoneModel(labelledViews(labels));
  if ("missing" in model) return { ...about, ...NOT_READY, missing: model.missing };
  return {
    ...about,
    ...NOT_READY,
    is_ready: true,
    has_intervals: model.isBounded,
    loo_mean_points: rounded(model.looMean),
    loo_95_points: rounded(model.loo95),
    missing: null,
  };
}

const rounded = (points: number): number => Math.round(points * 10) / 10;
