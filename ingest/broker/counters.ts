/** What the broker counts; every number only rises. */
export const BROKER_COUNTERS = [
  "connections",
  "logins",
  "acknowledged",
  /** QoS 2 messages that came again before their PUBREL; answered, and not stored twice. */
  "qos2_repeated",
  "login_failed",
  /** Wrong passwords while the user name or the address is barred for too many of them. */
  "login_blocked",
  /** Client certificates that do not name the asset of the user name, or no asset at all. */
  "login_wrong_certificate",
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
  /** Sessions closed: the asset's secret changed, the asset went, or the key or certificate was revoked. */
  "credential_closed",
  /** Messages that ended in an error of ours; the connection was closed. */
  "failed",
  "wills",
  /** Wills that were not taken, because the client had connected to another process. */
  "wills_superseded",
  "events_published",
  /** Commands to edge nodes, whether or not one is connected. */
  "commands_published",
] as const;

export type BrokerCounters = Record<(typeof BROKER_COUNTERS)[number], number>;
