import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";

/** Follows assets from shard to shard as they move from project to project; yields what ends that. */
export function followMoves(
  directory: Pick<AssetDirectory, "entries" | "onChange">,
  shardOf: (projectId: ProjectId) => number,
  onMove: (from: number, to: number) => void,
): () => void {
  const shardOfAsset = new Map<AssetId, number>();
  for (const { asset, project } of directory.entries()) {
    shardOfAsset.set(asset.id, shardOf(project.id));
  }
  let isFollowing = true;
  directory.onChange((assetId, entry) => {
    if (!isFollowing) return;
    if (entry === undefined) {
      shardOfAsset.delete(assetId);
      return;
    }
    const before = shardOfAsset.get(assetId);
    const shard = shardOf(entry.project.id);
    shardOfAsset.set(assetId, shard);
    if (before !== undefined && before !== shard) onMove(before, shard);
  });
  return () => {
    isFollowing = false;
  };
}
