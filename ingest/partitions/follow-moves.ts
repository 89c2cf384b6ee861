import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";

/** Follows assets from partition to partition as they move from project to project; yields what ends that. */
export function followMoves(
  directory: Pick<AssetDirectory, "entries" | "onChange">,
  partitionOf: (projectId: ProjectId) => number,
  onMove: (from: number, to: number) => void,
): () => void {
  const partitionOfAsset = new Map<AssetId, number>();
  for (const { asset, project } of directory.entries()) {
    partitionOfAsset.set(asset.id, partitionOf(project.id));
  }
  let isFollowing = true;
  directory.onChange((assetId, entry) => {
    if (!isFollowing) return;
    if (entry === undefined) {
      partitionOfAsset.delete(assetId);
      return;
    }
    const before = partitionOfAsset.get(assetId);
    const partition = partitionOf(entry.project.id);
    partitionOfAsset.set(assetId, partition);
    if (before !== undefined && before !== partition) onMove(before, partition);
  });
  return () => {
    isFollowing = false;
  };
}
