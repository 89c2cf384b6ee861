import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { DomainError } from "../../domain/errors.ts";
import type { ImageFile } from "../engine/engine.ts";

const IMAGE = /\.(jpe?g|png|tiff?|webp)$/i;

/**
 * The images of a folder in the order of their names, as a camera numbers them.
 * @throws DomainError `IMAGE_REFUSED` when it is not there or holds none.
 */
export async function imageFilesOf(folder: string): Promise<readonly ImageFile[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new DomainError("IMAGE_REFUSED", `the folder ${folder} cannot be read`, { cause });
  });
  const images = names.filter((name) => IMAGE.test(name)).sort();
  if (images.length === 0) {
    throw new DomainError("IMAGE_REFUSED", `the folder ${folder} holds no images`);
  }
  const files: ImageFile[] = [];
  for (const name of images) {
    const path = join(folder, name);
    const hash = createHash("sha256");
    await pipeline(createReadStream(path), hash);
    files.push({ path, name, sha256: hash.digest("hex") });
  }
  return files;
}
