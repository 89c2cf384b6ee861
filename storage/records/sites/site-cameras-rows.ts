import { DomainError } from "../../../domain/errors.ts";
import type { CameraId } from "../../../domain/ids.ts";
import type { SiteCamera } from "../../../domain/sites/site-camera.ts";
import type { Queryable } from "../sql/database.ts";
import { explainViolations } from "../sql/pg-errors.ts";
import { msOf } from "../sql/times.ts";

/** What is read of `site_cameras`; JSON leaves out what is `undefined`. */
export type StoredCamera = { readonly body: SiteCamera };

/** Those of the cameras that are there, in no order; see `lockZones`. */
export async function lockCameras(
  transaction: Queryable,
  ids: readonly CameraId[],
): Promise<readonly SiteCamera[]> {
  if (ids.length === 0) return [];
  const rows = await transaction.query<StoredCamera>(
    "SELECT body FROM site_cameras WHERE id = ANY ($1) AND NOT deleted ORDER BY id FOR UPDATE",
    [ids],
  );
  return rows.map(({ body }) => body);
}

/** Stores the camera as it is now; its row is locked. @throws DomainError `PROJECT_NOT_FOUND`. */
export async function replaceCamera(transaction: Queryable, camera: SiteCamera): Promise<void> {
  await explainViolations(
    transaction.query(
      "UPDATE site_cameras SET project_id = $2, created_at_ms = $3, body = $4 WHERE id = $1",
      [camera.id, camera.project_id, msOf(camera.created_at), JSON.stringify(camera)],
    ),
    { foreignKey: ["PROJECT_NOT_FOUND", `no project "${camera.project_id}"`] },
  );
}

export const cameraNotFound = (id: CameraId): DomainError =>
  new DomainError("CAMERA_NOT_FOUND", `no camera "${id}"`);
