/** How bad it is: `critical` puts the asset into `maintenance` while it is open. */
export const ALERT_SEVERITIES = ["info", "warning", "critical"] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];

/** States of an alert: open -> acknowledged (by a person) -> resolved (by what happened). */
export const ALERT_STATES = ["open", "acknowledged", "resolved"] as const;
export type AlertState = (typeof ALERT_STATES)[number];
