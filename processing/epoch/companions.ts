import { LIMITS } from "../gates/gate-thresholds.ts";
import type { ImageFile } from "../images/files/image-file.ts";
import type { ImageFolder } from "../images/files/image-folder.ts";
import type { EpochHead } from "./epoch-file.ts";

/**
 * Images of an earlier epoch that are still on this machine, in its order: they are oriented along with
 * the new ones, and tie the two. Where the new ones are that epoch's own, those that it was oriented with:
 * then all of it is known. None when there are too many for one adjustment.
 */
export async function findCompanions(
  folder: Pick<ImageFolder, "find">,
  earlier: Pick<EpochHead, "cameras" | "companions"> | undefined,
  images: readonly ImageFile[],
): Promise<readonly ImageFile[]> {
  const { cameras, companions } = earlier ?? { cameras: [], companions: [] };
  const own = new Set(images.map(({ sha256 }) => sha256));
  const wanted = cameras.every(({ sha256 }) => own.has(sha256)) ? companions : cameras;
  if (wanted.length + images.length > LIMITS.mostImages) return [];
  const found = await Promise.all(
    wanted.map(async ({ sha256, kind }) => await folder.find(sha256, kind)),
  );
  return found.flatMap((image) =>
    image === undefined ? [] : [{ path: image.path, sha256: image.sha256, name: image.sha256 }],
  );
}
