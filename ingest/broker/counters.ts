/** What the broker counts; every number only rises. */
export const BROKER_COUNTERS = [
  "connections",
  "logins",
  "acknowledged",
  "login_failed",
  /** Log-ins refused unseen: the address failed too often, or the device is kept out for now. */
  "login_blocked",
  "login_degraded",
  "login_bad_client_id",
  "takeover_banned",
  "version_refused",
  "connect_timeout",
  "keepalive_timeout",
  /** Packets against the protocol, and packets over 1 MiB; the connection was closed. */
  "malformed",
  "oversized",
  "reader_publish",
  "subscribe_denied",
  "slow_subscriber",
  "slow_publisher",
  /** Sessions closed because the asset's secret changed, the asset went, or the key was revoked. */
  "credential_closed",
  /** Messages that ended in an error of ours; the connection was closed. */
  "failed",
  "wills",
  "events_published",
  /** Commands to edge nodes, whether or not one is connected. */
  "commands_published",
] as const;

export type BrokerCounters = Record<(typeof BROKER_COUNTERS)[number], number>;
