import type { CameraId } from "../../../domain/ids.ts";
import { cameraFolder, type SiteCamera } from "../../../domain/sites/site-camera.ts";
import type { Files } from "../../../storage/open.ts";
import {
  type KeptImageFiles,
  keepUploadedImage,
  type NamedImage,
  readUploadedImage,
} from "../../stored-images/kept-image.ts";

const PARAMETER = "reference_image";

/** A reference view by the address of an upload. @throws ParameterError for any other address. */
export const readReference = (url: string, files: Pick<Files, "keyOf">): NamedImage =>
  readUploadedImage(url, files, PARAMETER);

/** Copies it among the camera's own files. @throws as `keepUploadedImage`. */
export async function keepReference(
  named: NamedImage,
  id: CameraId,
  files: Pick<KeptImageFiles, "store">,
): Promise<Pick<SiteCamera, "reference_key" | "reference_sha256">> {
  const reference_key = await keepUploadedImage(named, cameraFolder(id), files, PARAMETER);
  return { reference_key, reference_sha256: named.sha256 };
}
