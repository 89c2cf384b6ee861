import type { AlertSeverity, AssetAlertType } from "../../../domain/equipment/alert.ts";
import type { AlertMuteId, AssetId, GeofenceId, ProjectId } from "../../../domain/ids.ts";

/**
 * A rule that is muted for one asset. An alert of it that opens in `[fromMs, untilMs)` is stored as acknowledged
 * by who made the mute: it stays on record, and nobody is called.
 */
export interface AlertMute {
  readonly id: AlertMuteId;
  /** The asset's project when the mute was made; alerts of another project are not muted. */
  readonly projectId: ProjectId;
  readonly assetId: AssetId;
  readonly type: AssetAlertType;
  /** `undefined`: every fence. */
  readonly geofenceId: GeofenceId | undefined;
  /** Worse alerts are not muted. */
  readonly maxSeverity: AlertSeverity;
  /** ms since the Unix epoch, server clock. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly note: string | undefined;
  /** Id of the API key that made it, and what people called it. */
  readonly createdBy: string;
  readonly createdByName: string;
}

export interface AlertMuteRecords {
  /**
   * @throws DomainError `LIMIT_REACHED` when the asset has `MUTES_PER_ASSET` that end after `mute.fromMs`.
   */
  insert(mute: AlertMute): Promise<void>;
  find(id: AlertMuteId): Promise<AlertMute | undefined>;
  /** Newest first. `projectIds` absent: all projects. */
  list(filter: {
    readonly projectIds?: readonly ProjectId[];
    readonly assetId?: AssetId;
    /** Only mutes that end after this time. */
    readonly untilAfterMs?: number;
    /** From its other end. */
    readonly isReversed?: boolean;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly mutes: readonly AlertMute[]; readonly total: number }>;
  /** Ends a mute; alerts that it acknowledged stay so. Removing one that is gone is harmless. */
  remove(id: AlertMuteId): Promise<void>;
  /** Deletes a bounded number of mutes that ended before `beforeMs`, and yields whether more are left. */
  expire(beforeMs: number): Promise<boolean>;
}
