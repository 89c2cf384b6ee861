import type { AlertSeverity, AlertState } from "../../../domain/equipment/alert.ts";
import type {
  AlertId,
  AlertMuteId,
  AssetId,
  GeofenceId,
  ProjectId,
  VisitId,
} from "../../../domain/ids.ts";

/**
 * What the pipeline knows of an alert. Written again whenever that changes; whether a person has
 * acknowledged it is kept apart and never overwritten.
 */
export interface AlertUpsert {
  /** Deterministic, so that a replay opens the alert once. */
  readonly id: AlertId;
  /** Type of the event that opened it, such as `equipment.geofence.entered`. */
  readonly type: string;
  readonly severity: AlertSeverity;
  readonly projectId: ProjectId;
  readonly assetId: AssetId | undefined;
  readonly geofenceId?: GeofenceId;
  readonly visitId?: VisitId;
  /** One sentence for a person, such as `excavator 3 entered Crane zone`. */
  readonly message: string;
  /** By the server's clock, ms since the Unix epoch. */
  readonly openedAtMs: number;
  /** When it opened by the device's clock, where that is ahead; stays while the pipeline means the same time. */
  readonly deviceTimeMs?: number;
  /** `undefined`: not resolved. */
  readonly resolvedAtMs: number | undefined;
  /** Why it is resolved, such as `exited`, `cleared`, `withdrawn`. */
  readonly resolution?: string;
  /** How often it occurred while open. */
  readonly occurrences: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An alert as it is read. */
export interface Alert extends AlertUpsert {
  /** `resolved` when resolved, else `acknowledged` when a person did, else `open`. */
  readonly state: AlertState;
  readonly acknowledgedAtMs: number | undefined;
  /** Id of the key that acknowledged it; `admin`: the key of the environment. */
  readonly acknowledgedBy: string | undefined;
  /** What people called that key. */
  readonly acknowledgedName?: string;
  readonly note: string | undefined;
  /** The mute that acknowledged it when it opened. */
  readonly muteId?: AlertMuteId;
}

/** Which alerts; what is absent lets all pass. */
export interface AlertFilter {
  readonly ids?: readonly AlertId[];
  readonly projectIds?: readonly ProjectId[];
  readonly assetId?: AssetId;
  readonly geofenceId?: GeofenceId;
  readonly states?: readonly AlertState[];
  readonly severities?: readonly AlertSeverity[];
  readonly types?: readonly string[];
  /** Opened in `[fromMs, toMs)`. */
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** Who acknowledges alerts, when, and with what words. */
export interface Acknowledgement {
  readonly keyId: string;
  readonly keyName: string;
  readonly atMs: number;
  readonly note?: string;
}

/** An alert that was opened, changed, acknowledged or resolved, as it is now. */
export interface AlertChange {
  /**
   * Place of its newest change. Rises strictly in the order in which changes become visible; an alert that changes
   * again moves to a later one.
   */
  readonly sequence: number;
  readonly alert: Alert;
}

export interface AlertRecords {
  /**
   * Alerts whose newest change is after `after`, ascending by it. `projectIds` absent: all projects. An alert that
   * was deleted meanwhile is not among them.
   */
  after(
    after: number,
    filter: { readonly projectIds?: readonly ProjectId[]; readonly limit: number },
  ): Promise<readonly AlertChange[]>;
  /** The newest sequence of a change given out; 0 before the first one. */
  lastSequence(): Promise<number>;
  /** Newest first. `projectIds` absent: all projects. */
  list(
    filter: AlertFilter & {
      /** From its other end. */
      readonly isReversed?: boolean;
      readonly limit: number;
      readonly offset: number;
    },
  ): Promise<{ readonly alerts: readonly Alert[]; readonly total: number }>;
  find(id: AlertId): Promise<Alert | undefined>;
  /** Idempotent: the first acknowledgement stays. @throws DomainError `ALERT_NOT_FOUND`. */
  acknowledge(id: AlertId, by: Acknowledgement): Promise<Alert>;
  /**
   * Acknowledges the newest `limit` of the alerts that match and have no acknowledgement, and yields their ids,
   * newest first.
   */
  acknowledgeSome(
    filter: AlertFilter,
    by: Acknowledgement,
    limit: number,
  ): Promise<readonly AlertId[]>;
  /** Deletes a bounded number of alerts resolved before `beforeMs`, and yields whether more are left. */
  expire(beforeMs: number): Promise<boolean>;
}
