import type { CameraId } from "../../../domain/ids.ts";
import { cameraFolder, type SiteCamera } from "../../../domain/sites/site-camera.ts";
import { imageKeyParts } from "../../../processing/images/files/image-key.ts";
import type { Files } from "../../../storage/open.ts";
import { invalidParameter } from "../../validation/validation.ts";

const PARAMETER = "reference_image";

/** Where reference views are found by their addresses, and kept. */
export interface ReferenceFiles extends Pick<Files, "keyOf"> {
  readonly store: Pick<Files["store"], "stat" | "get" | "put">;
}

/** A reference view that is named by an address of ours, which still holds. */
export interface NamedReference {
  /** Of the upload. */
  readonly key: string;
  readonly sha256: string;
  readonly kind: string;
}

/** @throws ParameterError for any other address. */
export function readReference(url: string, files: Pick<Files, "keyOf">): NamedReference {
  const key = files.keyOf(url.split("#", 1)[0] ?? "");
  const upload = key === undefined ? undefined : imageKeyParts(key);
  if (key === undefined || upload === undefined) {
    throw invalidParameter(
      PARAMETER,
      "must be an address that POST /progress/images gave, and that has not expired",
    );
  }
  return { key, ...upload };
}

/**
 * Copies it among the camera's own files, because uploads are kept for some days only.
 * @throws ParameterError when the upload was removed since; DomainError `STORE_UNAVAILABLE`.
 */
export async function keepReference(
  { key, sha256, kind }: NamedReference,
  id: CameraId,
  { store }: ReferenceFiles,
): Promise<Pick<SiteCamera, "reference_key" | "reference_sha256">> {
  const kept = `${cameraFolder(id)}${sha256}.${kind}`;
  if ((await store.stat(kept)) === undefined) {
    const opened = await store.get(key);
    if (opened === undefined) {
      throw invalidParameter(PARAMETER, "leads to a file that is not there any more");
    }
    await store.put(kept, opened.body);
  }
  return { reference_key: kept, reference_sha256: sha256 };
}
