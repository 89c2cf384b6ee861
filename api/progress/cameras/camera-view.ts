import type { SiteCamera } from "../../../domain/sites/site-camera.ts";
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
