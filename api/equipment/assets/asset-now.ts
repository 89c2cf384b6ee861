import type { AssetId } from "../../../domain/ids.ts";
import type { LiveAssets } from "../../../ingest/asset-state/asset-state.ts";
import { assetStatus, utilizationToday } from "../../../ingest/asset-state/asset-status.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { Zone } from "../../dependencies/dependencies.ts";
import type { AssetNow } from "./asset-view.ts";

/** What an asset is read from. */
export interface AssetSources {
  readonly directory: Pick<AssetDirectory, "find">;
  readonly live: Pick<LiveAssets, "state">;
  readonly zoneOf: (assetId: AssetId) => Zone | undefined;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
}

/** One asset as it is now; `undefined` when there is none of that id. */
export function findAssetNow(
  { directory, live, zoneOf, now }: AssetSources,
  assetId: AssetId,
): AssetNow | undefined {
  const entry = directory.find(assetId);
  if (entry === undefined) return undefined;
  const { asset, project } = entry;
  const state = live.state(assetId);
  const nowMs = now();
  return {
    entry,
    project,
    state,
    zone: zoneOf(assetId),
    status: assetStatus(asset, state, nowMs),
    utilizationToday: utilizationToday(project, state, nowMs),
  };
}
