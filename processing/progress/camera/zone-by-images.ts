import type { WorkZoneId } from "../../../domain/ids.ts";
import type { NoEstimate, ZoneEstimate } from "../../../domain/sites/capture.ts";
import type { SiteCamera, ZoneLabel } from "../../../domain/sites/site-camera.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import type { CameraTools } from "./camera-tools.ts";
import { isCounting, labelledStages, labelledViews } from "./model/counting-labels.ts";
import type { ViewEstimationInput, ViewsEstimate } from "./model/estimate-by-views.ts";
import { JUDGE_ZONE } from "./model/tasks.ts";
import type { SeenImage } from "./seen-images.ts";

/**
 * Share of an outline that must lie within the picture. Lower, a zone is estimated by a part that may not be
 * like it; higher, zones at a picture's edge have no estimate.
 */
const LEAST_OBSERVED = 0.5;

/** What the images of a capture say of one zone. */
export interface ZoneByImages {
  readonly estimate: ZoneEstimate;
  /** Of the images that a model estimated: whether the zone is unlike all that was labelled there. */
  readonly novel: ReadonlyMap<SeenImage, boolean>;
}

/** Whether images can show the progress of a zone. */
export const isSeenByImages = ({ metric }: WorkZone): boolean =>
  metric.kind === "image" || metric.kind === "stages";

/**
 * Estimates a zone from all images that show it; `undefined` where none does, and no camera that moved would
 * have.
 * @throws what `signal` fires with; DomainError `STORE_UNAVAILABLE`.
 */
export async function zoneByImages(
  tools: Pick<CameraTools, "pool" | "siteCameras">,
  zone: WorkZone,
  seen: readonly SeenImage[],
  signal: AbortSignal,
): Promise<ZoneByImages | undefined> {
  const views = seen.flatMap((image) =>
    image.zones.flatMap((view) => (view.zoneId === zone.id ? [{ image, view }] : [])),
  );
  const good = views.filter(({ view }) => view.observedFraction >= LEAST_OBSERVED);
  const observed = Math.max(0, ...good.map(({ view }) => view.observedFraction));
  const method = zone.metric.kind === "stages" ? "stage_model" : "calibrated_image";
  const base = { zone_id: zone.id, method, is_at_design: false } as const;
  if (good.length === 0) {
    const why = reasonUnseen(zone.id, seen, views.length > 0);
    if (why === undefined) return undefined;
    const estimate: ZoneEstimate = {
      ...base,
      raw_progress: undefined,
      interval_95: undefined,
      observed_fraction: 0,
      no_estimate: why.code,
      notes: [why.note],
      figures: {},
    };
    return { estimate, novel: new Map() };
  }
  const cameras = new Map(
    good.flatMap(({ image: { camera } }) => (camera === undefined ? [] : [[camera.id, camera]])),
  );
  const labels = await tools.siteCameras.labels([zone.id]);
  const input = estimationInput(zone, good, [...cameras.values()], labels);
  const byViews: ViewsEstimate = await tools.pool.run(JUDGE_ZONE, input, signal);
  const { progress, interval, noEstimate, notes, figures, isNovel } = byViews;
  return {
    estimate: {
      ...base,
      raw_progress: progress,
      interval_95: interval,
      observed_fraction: observed,
      ...(noEstimate === undefined ? {} : { no_estimate: noEstimate }),
      notes,
      figures,
    },
    novel: new Map(
      good.flatMap(({ image }, i) => {
        const isNew = isNovel[i];
        return isNew === undefined ? [] : [[image, isNew]];
      }),
    ),
  };
}

function estimationInput(
  zone: WorkZone,
  views: readonly { readonly image: SeenImage; readonly view: SeenImage["zones"][number] }[],
  cameras: readonly SiteCamera[],
  labels: readonly ZoneLabel[],
): ViewEstimationInput {
  const taken = views.map(({ image, view }) => ({
    cameraId: image.camera?.id,
    features: view.features,
    takenAtMs: image.takenAtMs,
  }));
  const of = (camera: SiteCamera | undefined) =>
    labels.filter((label) => isCounting(label, camera));
  if (zone.metric.kind !== "stages") {
    return {
      kind: "image",
      views: taken,
      labels: cameras.map((camera) => ({ cameraId: camera.id, of: labelledViews(of(camera)) })),
    };
  }
  const isPhotographed = views.some(({ image }) => image.camera === undefined);
  return {
    kind: "stages",
    views: taken,
    stages: zone.metric.stages,
    labels: [
      ...(isPhotographed ? [{ cameraId: undefined, of: labelledStages(of(undefined)) }] : []),
      ...cameras.map((camera) => ({ cameraId: camera.id, of: labelledStages(of(camera)) })),
    ],
  };
}

/** Why a zone is seen by no image, where one of its cameras has images in the capture. */
function reasonUnseen(
  zoneId: WorkZoneId,
  seen: readonly SeenImage[],
  isCutOff: boolean,
): { readonly code: NoEstimate; readonly note: string } | undefined {
  if (isCutOff) {
    return { code: "not_observed", note: "The images show less than half of the zone's outline." };
  }
  const mine = seen.filter(({ camera }) => camera?.zones.some(({ zone_id }) => zone_id === zoneId));
  const moved = mine.find(({ outcome }) => outcome.status === "camera_moved");
  if (moved !== undefined) {
    return { code: "camera_moved", note: `${moved.outcome.reason ?? "The camera moved"}.` };
  }
  const [unclear] = mine;
  return unclear && { code: "not_observed", note: `${unclear.outcome.reason ?? "Not seen"}.` };
}
