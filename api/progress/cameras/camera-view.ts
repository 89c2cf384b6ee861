import type { FastifyRequest } from "fastify";
import type { CameraId } from "../../../domain/ids.ts";
import type { SiteCamera } from "../../../domain/sites/site-camera.ts";
import type { SiteCameraRecords } from "../../../storage/ports/sites/site-cameras.ts";
import { visibleRecord } from "../../access/visible-record.ts";
import type { FileLinks } from "../../representations/file-links.ts";
import type { Camera } from "./camera-schemas.ts";

/** A camera as the API shows it. */
export async function cameraView(camera: SiteCamera, links: FileLinks): Promise<Camera> {
  return {
    id: camera.id,
    project_id: camera.project_id,
    name: camera.name,
    status: camera.state,
    suspended_at: camera.suspended_at ?? null,
    reference_image: await links.file(camera.reference_key),
    reference_sha256: camera.reference_sha256,
    reference_set_at: camera.reference_set_at,
    zones: camera.zones.map(({ zone_id, outline }) => ({
      zone_id,
      outline: outline.map((corner) => [...corner]),
    })),
    url_prefixes: [...camera.url_prefixes],
    created_at: camera.created_at,
    updated_at: camera.updated_at,
  };
}

/**
 * A camera that the key may see.
 * @throws DomainError `CAMERA_NOT_FOUND`, the same for an absent one and for another tenant's.
 */
export function visibleCamera(
  siteCameras: Pick<SiteCameraRecords, "find">,
  request: FastifyRequest,
  id: CameraId,
): Promise<SiteCamera> {
  return visibleRecord(request, id, {
    find: (known) => siteCameras.find(known),
    projectOf: (found) => found.project_id,
    notFound: "CAMERA_NOT_FOUND",
    noun: "camera",
  });
}
