import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import type { FenceTimeline } from "../geofence/fence-timeline.ts";

/**
 * How much later than this node's first message those fix times begin that no other node can have
 * received, ms. A fix may be 5 min ahead of its receipt, by the clock of the node before. Chosen: 5 min
 * more for that.
 */
const MARGIN_MS = 10 * MINUTE_MS;

/**
 * The fix time from which on this node has received everything of an asset, ms. It has held the asset's
 * shard without a gap since before, and the asset was in no other shard. `-Infinity`: since before the
 * asset was registered, so that no other node has received anything of it. `undefined`: there is none.
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
  const entry = directory.find(assetId);
  if (entry === undefined) return undefined;
  const sinceMs = node.aloneSinceMs(entry.project.id);
  if (sinceMs === undefined) return undefined;
  const movedMs = timeline.movedAt(assetId);
  const isOwnFromTheStart = Date.parse(entry.asset.created_at) >= sinceMs + MARGIN_MS;
  if (isOwnFromTheStart && movedMs === Number.NEGATIVE_INFINITY) return movedMs;
  return Math.max(sinceMs, movedMs) + MARGIN_MS;
}
