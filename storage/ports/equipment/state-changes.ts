import type { AssetId } from "../../../domain/ids.ts";

/** The pipeline's state of one asset, opaque JSON to the store. */
export interface AssetStateRow {
  readonly assetId: AssetId;
  /** JSON text; written by `ingest/asset-state/asset-state.ts` only. */
  readonly state: string;
}

/** How many commits each pipeline had made at the time of a read. */
export type StateMark = ReadonlyMap<string, number>;

/** What processes without a pipeline follow. */
export interface StateChanges {
  /**
   * States that were replaced after an earlier read, and the mark for the next read; without a mark, all
   * states. A state may come twice; none is missed.
   */
  since(
    mark: StateMark | undefined,
  ): Promise<{ readonly rows: readonly AssetStateRow[]; readonly mark: StateMark }>;
}
