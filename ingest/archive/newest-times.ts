import type { AssetId } from "../../domain/ids.ts";

/** The newest fix time of each asset that was written, from a floor on. */
export class NewestTimes {
  readonly #floorMs: number;
  readonly #newestByAsset = new Map<AssetId, number>();

  /** `floorMs`: nothing newer was on the server when this process began to write. */
  constructor(floorMs: number) {
    this.#floorMs = floorMs;
  }

  /** Whether that fix time is newer than all of its asset's before, and so newer than any from here on. */
  isNewest(assetId: AssetId, fixTimeMs: number): boolean {
    if (!(fixTimeMs > (this.#newestByAsset.get(assetId) ?? this.#floorMs))) return false;
    this.#newestByAsset.set(assetId, fixTimeMs);
    return true;
  }
}
