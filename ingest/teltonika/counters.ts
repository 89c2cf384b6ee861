/** What the Teltonika listener counts; every number only rises. */
export const TELTONIKA_COUNTERS = [
  "teltonika_connections",
  "teltonika_logins",
  "teltonika_packets",
  "teltonika_acknowledged",
  /**
   * Hand-shakes refused: no asset has that IMEI; the journal takes nothing now; another link of that IMEI
   * has just begun; too slow to say it.
   */
  "teltonika_unknown_imei",
  "teltonika_degraded",
  "teltonika_too_soon",
  "teltonika_handshake_timeout",
  /** Bytes against the protocol and packets too long; the connection was closed. */
  "teltonika_malformed",
  "teltonika_oversized",
  /** Packets with a wrong CRC, answered by 0 records. */
  "teltonika_bad_crc",
  /** Connections closed: answers not read; silent too long; the same device came again; its asset went. */
  "teltonika_unread",
  "teltonika_idle",
  "teltonika_replaced",
  "teltonika_asset_changed",
  /** Messages that ended in an error of ours; the connection was closed. */
  "teltonika_failed",
] as const;

export type TeltonikaCounter = (typeof TELTONIKA_COUNTERS)[number];
