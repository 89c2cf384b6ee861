import { DomainError } from "../../../domain/errors.ts";
import type { CameraId, CaptureId } from "../../../domain/ids.ts";
import type { SiteCamera, ZoneLabel, ZoneView } from "../../../domain/sites/site-camera.ts";
import type { CompletedCapture } from "../../../storage/ports/sites/captures.ts";
import type { ListedLabel, SiteCameraRecords } from "../../../storage/ports/sites/site-cameras.ts";
import {
  compareText,
  type MemoryRows,
  pageOfRows,
  passes,
  removeWhere,
  throughJson,
} from "./rows.ts";
import { requireZone } from "./work-zones.ts";

/** Cameras, views of zones and labels in memory. */
export function createMemorySiteCameras(rows: MemoryRows): SiteCameraRecords {
  const { cameras, views, labels } = rows;
  return {
    async insert(camera) {
      if (!rows.projects.has(camera.project_id)) {
        throw new DomainError("PROJECT_NOT_FOUND", camera.project_id);
      }
      if (cameras.has(camera.id)) {
        throw new DomainError("ID_CONFLICT", `camera id "${camera.id}" is taken`);
      }
      cameras.set(camera.id, throughJson(camera));
    },
    find: async (id) => cameras.get(id),
    async list({ projectIds, ...page }) {
      const all = [...cameras.values()]
        .filter((camera) => camera !== undefined)
        .filter((camera) => passes(projectIds, camera.project_id))
        .sort((a, b) => compareText(a.created_at, b.created_at) || compareText(a.id, b.id));
      return { cameras: pageOfRows(all, page), total: all.length };
    },
    async update(id, change) {
      const camera = change(requireCamera(rows, id));
      cameras.set(id, throughJson(camera));
      return camera;
    },
    async delete(id) {
      requireCamera(rows, id);
      cameras.set(id, undefined);
      removeWhere(views, ({ camera_id }) => camera_id === id);
      removeWhere(labels, ({ camera_id }) => camera_id === id);
    },
    async views(captureId) {
      return views
        .filter(({ capture_id }) => capture_id === captureId)
        .sort(
          (a, b) =>
            compareText(a.taken_at, b.taken_at) ||
            compareText(a.zone_id, b.zone_id) ||
            compareText(a.image_sha256, b.image_sha256),
        );
    },
    async unlabelled(zoneId, sinceMs, limit) {
      return views
        .filter(({ zone_id, taken_at }) => zone_id === zoneId && Date.parse(taken_at) >= sinceMs)
        .filter((view) => !labels.some((label) => isSameImage(label, view)))
        .sort(
          (a, b) =>
            compareText(a.taken_at, b.taken_at) || compareText(a.image_sha256, b.image_sha256),
        )
        .slice(0, limit);
    },
    async addLabel(label) {
      requireZone(rows, label.zone_id);
      keepLabel(rows, label);
    },
    async deleteLabel(zoneId, id) {
      const at = labels.findIndex((label) => label.zone_id === zoneId && label.id === id);
      if (at < 0) throw new DomainError("OBSERVATION_NOT_FOUND", `no label "${id}"`);
      labels.splice(at, 1);
    },
    async labels(zoneIds) {
      return labels
        .filter(({ zone_id }) => zoneIds.includes(zone_id))
        .sort((a, b) => compareText(a.taken_at, b.taken_at) || compareText(a.id, b.id));
    },
    async listLabels(zoneId, page) {
      const all = labels
        .filter(({ zone_id }) => zone_id === zoneId)
        .sort((a, b) => compareText(b.taken_at, a.taken_at) || compareText(b.id, a.id))
        .map(({ features: _, ...listed }): ListedLabel => listed);
      return { labels: pageOfRows(all, page), total: all.length };
    },
    async expireViews(beforeMs) {
      removeWhere(views, ({ taken_at }) => Date.parse(taken_at) < beforeMs);
      return false;
    },
  };
}

/** @throws DomainError `CAMERA_NOT_FOUND`. */
export function requireCamera({ cameras }: MemoryRows, id: CameraId): SiteCamera {
  const camera = cameras.get(id);
  if (camera === undefined) throw new DomainError("CAMERA_NOT_FOUND", `no camera "${id}"`);
  return camera;
}

/** Takes the place of an earlier one. @throws DomainError `CAMERA_NOT_FOUND`. */
export function keepLabel(rows: MemoryRows, label: ZoneLabel): void {
  if (label.camera_id !== undefined) requireCamera(rows, label.camera_id);
  removeWhere(rows.labels, (earlier) => isSameImage(earlier, label));
  if (rows.labels.some(({ id }) => id === label.id)) {
    throw new DomainError("ID_CONFLICT", `label id "${label.id}" is taken`);
  }
  rows.labels.push({ ...label, features: label.features.slice() });
}

/** Views of zones and cameras that are there; of the same zone and image the first counts. */
export function keepViews(
  rows: MemoryRows,
  captureId: CaptureId,
  given: readonly ZoneView[],
): void {
  for (const view of given) {
    const { zone_id, camera_id } = view;
    if (rows.workZones.get(zone_id) === undefined) continue;
    if (camera_id !== undefined && rows.cameras.get(camera_id) === undefined) continue;
    const isKnown = rows.views.some(
      (known) => known.capture_id === captureId && isSameImage(known, view),
    );
    if (isKnown) continue;
    rows.views.push({ ...view, capture_id: captureId, features: view.features.slice() });
  }
}

/** Whether the end of that capture suspends the camera. */
export const isSuspendedBy = (
  { suspended, capture }: CompletedCapture,
  camera: SiteCamera,
): boolean =>
  suspended.includes(camera.id) &&
  camera.state === "active" &&
  Date.parse(camera.reference_set_at) <= Date.parse(capture.created_at);

const isSameImage = (a: ZoneView, b: ZoneView): boolean =>
  a.zone_id === b.zone_id && a.image_sha256 === b.image_sha256;
