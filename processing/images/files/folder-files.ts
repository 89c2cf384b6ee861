import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../../domain/errors.ts";
import { fileHash } from "./file-hash.ts";
import type { ImageFile } from "./image-file.ts";

/** Endings of the kinds of image files that are taken. */
const KINDS = [/\.jpe?g$/i, /\.tiff?$/i, /\.png$/i, /\.webp$/i];

/**
 * The images of a folder in the order of their names, as a camera numbers them. Only those of the
 * commonest kind: a camera writes one, and a GeoTIFF beside its JPEGs is a map.
 * @throws DomainError `IMAGE_REFUSED` when it is not there or holds none.
 */
export async function imageFilesOf(folder: string): Promise<readonly ImageFile[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new DomainError("IMAGE_REFUSED", `the folder ${folder} cannot be read`, { cause });
  });
  const byKind = KINDS.map((kind) => names.filter((name) => kind.test(name)).sort());
  const images = byKind.reduce((most, some) => (some.length > most.length ? some : most));
  if (images.length === 0) {
    throw new DomainError("IMAGE_REFUSED", `the folder ${folder} holds no images`);
  }
  const files: ImageFile[] = [];
  for (const name of images) {
    const path = join(folder, name);
    files.push({ path, name, sha256: await fileHash(path) });
  }
  return files;
}
