import type { EventType } from "../events/events.ts";

/** How bad it is: `critical` puts the asset into `maintenance` while it is open. */
export const ALERT_SEVERITIES = ["info", "warning", "critical"] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];

/** States of an alert: open -> acknowledged (by a person) -> resolved (by what happened). */
export const ALERT_STATES = ["open", "acknowledged", "resolved"] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** Types of the alerts that an asset has; an outage is of a whole project. */
export const ASSET_ALERT_TYPES = [
  "equipment.geofence.entered",
  "equipment.geofence.exited",
  "equipment.limit.exceeded",
  "equipment.fault.raised",
  "equipment.maintenance.warning",
  "equipment.maintenance.due",
  "equipment.asset.offline",
  "equipment.asset.silent",
  "equipment.asset.gps_stuck",
] as const satisfies readonly EventType[];
export type AssetAlertType = (typeof ASSET_ALERT_TYPES)[number];

/**
 * Most mutes of one asset that are in force. There are nine rules; more are only of use for single fences, and
 * every alert that opens is compared with all of them.
 */
export const MUTES_PER_ASSET = 50;
/** Longest mute, days. A longer one outlives what it was made for, and nobody remembers it. */
export const MAX_MUTE_DAYS = 30;
