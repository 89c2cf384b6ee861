import type { ImageFile } from "../engine/engine.ts";
import type { ImageFolder } from "../images/image-folder.ts";
import { LIMITS } from "../photogrammetry/gate-thresholds.ts";
import type { EarlierEpoch } from "./earlier-epoch.ts";

/**
 * Images of an earlier epoch that are still on this machine, in its order: they are oriented along with
 * the new ones, and tie the two. None when there are too many for one adjustment; all of them or the
 * nearest would have to be matched anew.
 * @param images how many new ones there are
 */
export async function findCompanions(
  folder: Pick<ImageFolder, "find">,
  earlier: EarlierEpoch | undefined,
  images: number,
): Promise<readonly ImageFile[]> {
  const cameras = earlier?.head.cameras ?? [];
  if (cameras.length + images > LIMITS.mostImages) return [];
  const found = await Promise.all(
    cameras.map(async ({ sha256, kind }) => await folder.find(sha256, kind)),
  );
  return found.flatMap((image) =>
    image === undefined ? [] : [{ path: image.path, sha256: image.sha256, name: image.sha256 }],
  );
}
