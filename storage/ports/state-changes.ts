import type { AssetId } from "../../domain/ids.ts";

/** The pipeline's state of one asset, opaque JSON to the store. */
export interface AssetStateRow {
  readonly assetId: AssetId;
  /** JSON text; written by `ingest/pipeline/asset-state.ts` only. */
  readonly state: string;
}

/** How many commits each ingest node had made when somebody looked. */
export type StateMark = ReadonlyMap<string, number>;

/** What processes without a pipeline follow. */
export interface StateChanges {
  /**
   * States that were replaced after an earlier look, and the mark to look with next; without a mark,
   * all states. A state may come twice; none is passed over.
   */
  since(
    mark: StateMark | undefined,
  ): Promise<{ readonly rows: readonly AssetStateRow[]; readonly mark: StateMark }>;
}
