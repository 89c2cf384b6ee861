import { type ImageKeyParts, imageKeyParts } from "../../processing/images/files/image-key.ts";
import type { Files } from "../../storage/open.ts";
import { invalidParameter } from "../validation/validation.ts";

/** Where uploaded images are found by their addresses, and kept. */
export interface KeptImageFiles extends Pick<Files, "keyOf"> {
  readonly store: Pick<Files["store"], "stat" | "get" | "put">;
}

/** An uploaded image that is named by an address of ours, which still holds. */
export interface NamedImage extends ImageKeyParts {
  /** Of the upload. */
  readonly key: string;
}

/** @throws ParameterError for any other address. */
export function readUploadedImage(
  url: string,
  files: Pick<Files, "keyOf">,
  parameter: string,
): NamedImage {
  const key = files.keyOf(url.split("#", 1)[0] ?? "");
  const upload = key === undefined ? undefined : imageKeyParts(key);
  if (key === undefined || upload === undefined) {
    throw invalidParameter(
      parameter,
      "must be an address that POST /progress/images gave, and that has not expired",
    );
  }
  return { key, ...upload };
}

/**
 * Copies it into a folder of what it belongs to, because uploads are kept for some days only; yields the key of the
 * copy, which is one for each content.
 * @throws ParameterError when the upload was removed since; StorageShortage; DomainError `STORE_UNAVAILABLE`.
 */
export async function keepUploadedImage(
  { key, sha256, kind }: NamedImage,
  folder: string,
  { store }: Pick<KeptImageFiles, "store">,
  parameter: string,
): Promise<string> {
  const kept = `${folder}${sha256}.${kind}`;
  if ((await store.stat(kept)) === undefined) {
    const opened = await store.get(key);
    if (opened === undefined) {
      throw invalidParameter(parameter, "leads to a file that is not there any more");
    }
    await store.put(kept, opened.body);
  }
  return kept;
}
