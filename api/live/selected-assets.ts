import type { AssetId } from "../../domain/ids.ts";
import type { Principal } from "../auth/principal.ts";
import { seesProject } from "../auth/principal.ts";
import { type AssetSources, findAssetNow } from "../equipment/assets/asset-now.ts";
import { assetDetailView } from "../equipment/assets/asset-view.ts";

/** JSON of an asset as `GET /equipment/assets/{asset_id}` has it; `null` where the key sees no such asset. */
export type SelectedAssets = (assetId: AssetId, key: Principal) => string;

/** How long a text serves all who selected the asset, ms: longer shows older fields. */
const FRESH_MS = 500;

/** Makes each text once for all streams that selected the asset. */
export function createSelectedAssets(sources: AssetSources): SelectedAssets {
  const { directory, now } = sources;
  const texts = new Map<AssetId, { readonly madeAtMs: number; readonly text: string }>();

  function textOf(assetId: AssetId): string {
    const nowMs = now();
    const known = texts.get(assetId);
    if (known !== undefined && nowMs - known.madeAtMs < FRESH_MS) return known.text;
    const found = findAssetNow(sources, assetId);
    const text = found === undefined ? "null" : JSON.stringify(assetDetailView(found));
    for (const [id, { madeAtMs }] of texts) if (nowMs - madeAtMs >= FRESH_MS) texts.delete(id);
    texts.set(assetId, { madeAtMs: nowMs, text });
    return text;
  }

  return (assetId, key) => {
    const entry = directory.find(assetId);
    const isSeen = entry !== undefined && seesProject(key, entry.asset.project_id);
    return isSeen ? textOf(assetId) : "null";
  };
}
