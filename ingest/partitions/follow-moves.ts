import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";

/**
 * Follows assets from partition to partition as they move from project to project; yields what ends that. While the
 * number of partitions is raised, a project may have two.
 */
export function followMoves(
  directory: Pick<AssetDirectory, "entries" | "onChange">,
  homesOf: (projectId: ProjectId) => readonly number[],
  onMove: (from: readonly number[], to: readonly number[]) => void,
): () => void {
  const projectOfAsset = new Map<AssetId, ProjectId>();
  for (const { asset, project } of directory.entries()) projectOfAsset.set(asset.id, project.id);
  let isFollowing = true;
  directory.onChange((assetId, entry) => {
    if (!isFollowing) return;
    if (entry === undefined) {
      projectOfAsset.delete(assetId);
      return;
    }
    const before = projectOfAsset.get(assetId);
    projectOfAsset.set(assetId, entry.project.id);
    if (before === undefined || before === entry.project.id) return;
    const [from, to] = [homesOf(before), homesOf(entry.project.id)];
    if (from.length > 1 || to.length > 1 || from[0] !== to[0]) onMove(from, to);
  });
  return () => {
    isFollowing = false;
  };
}
