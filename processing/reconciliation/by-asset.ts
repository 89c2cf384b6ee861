import type { AssetId } from "../../domain/ids.ts";

/** Groups in the order of their first members, which keep theirs. */
export function byAsset<T>(
  rows: readonly T[],
  assetOf: (row: T) => AssetId,
): ReadonlyMap<AssetId, readonly T[]> {
  const groups = new Map<AssetId, T[]>();
  for (const row of rows) {
    const assetId = assetOf(row);
    const group = groups.get(assetId);
    if (group === undefined) groups.set(assetId, [row]);
    else group.push(row);
  }
  return groups;
}
