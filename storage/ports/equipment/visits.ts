import type { Location } from "../../../domain/geodesy.ts";
import type { AssetId, GeofenceId, ProjectId, VisitId } from "../../../domain/ids.ts";

/** One end of a visit. */
export interface VisitEnd {
  /** Fix time, ms since the Unix epoch. */
  readonly atMs: number;
  readonly location: Location;
  readonly accuracyM: number;
  /** `crossing`, or what else began or ended the visit: `first_fix`, `fence_changed`, `fence_deleted`, `asset_moved`, `asset_deleted`. */
  readonly cause: string;
}

/** One stay of one asset in one geofence, as it is known now. */
export interface Visit {
  readonly id: VisitId;
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  readonly geofenceId: GeofenceId;
  /** Position among the asset's visits in the order in which its fixes showed them; stored with the visit. */
  readonly ordinal: number;
  readonly entered: VisitEnd;
  /** `undefined`: the asset is inside. */
  readonly exited: VisitEnd | undefined;
  /** Seen only as a line between two fixes outside. */
  readonly inferred: boolean;
  /** It turned out not to have happened. */
  readonly withdrawn: boolean;
  /** What was published of each end so far: the newest revision, 0 for nothing, and whether it was withdrawn. */
  readonly published: {
    readonly entered: number;
    readonly exited: number;
    readonly exitWithdrawn: boolean;
    /** Whether an alert was opened for it. */
    readonly enterAlerted: boolean;
    readonly exitAlerted: boolean;
  };
}

export interface VisitRecords {
  /** Visits that are not withdrawn, newest entry first. `projectIds` absent: all projects. */
  list(filter: {
    readonly projectIds?: readonly ProjectId[];
    readonly geofenceId?: GeofenceId;
    readonly assetId?: AssetId;
    /** Visits that overlap `[fromMs, toMs)`. */
    readonly fromMs?: number;
    readonly toMs?: number;
    /** From its other end. */
    readonly isReversed?: boolean;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly visits: readonly Visit[]; readonly total: number }>;
  /** Of each asset in each fence, the visit with the highest ordinal that is not withdrawn. */
  newest(): Promise<readonly Visit[]>;
  /**
   * The visits of one asset that are not withdrawn, by rising ordinal: those with an ordinal of
   * `fromOrdinal` or more, and of every fence with such a one also the visit before them, which may
   * have been open then.
   */
  since(assetId: AssetId, fromOrdinal: number): Promise<readonly Visit[]>;
  /**
   * Deletes a bounded number of visits that ended, or were withdrawn after an entry, before `beforeMs`,
   * and yields whether more are left. What `newest` yields stays.
   */
  expire(beforeMs: number): Promise<boolean>;
}
