import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { AssetDirectory } from "../asset-directory.ts";
import type { FenceTimeline } from "../geofence/fence-timeline.ts";

/**
 * How much later than this node's first message fix times begin that nobody else can have received, ms:
 * a fix may be 5 min ahead of its receipt, by the clock of the node before. Chosen: 5 min more for that.
 */
const MARGIN_MS = 10 * 60_000;

/**
 * The fix time from which on this node has received everything of an asset, ms: it has held the asset's
 * shard without a gap since before, and the asset was in no other shard. `undefined`: there is none.
 */
export function aloneSince(
  assetId: AssetId,
  sources: {
    readonly node: { aloneSinceMs(projectId: ProjectId): number | undefined };
    readonly directory: Pick<AssetDirectory, "find">;
    readonly timeline: Pick<FenceTimeline, "movedAt">;
  },
): number | undefined {
  const { node, directory, timeline } = sources;
  const projectId = directory.find(assetId)?.project.id;
  const sinceMs = projectId && node.aloneSinceMs(projectId);
  if (sinceMs === undefined) return undefined;
  return Math.max(sinceMs, timeline.movedAt(assetId)) + MARGIN_MS;
}
