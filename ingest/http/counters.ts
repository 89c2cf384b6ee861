/** What HTTP ingest counts; every number only rises. */
export const HTTP_INGEST_COUNTERS = [
  /** Requests of assets that were let in. */
  "http_requests",
  /** Messages in them that were dealt with: durable, in the quarantine, or not to be stored. */
  "http_accepted",
  "http_login_failed",
  /** Wrong secrets while the asset or the address was barred. */
  "http_login_blocked",
  /** Messages about assets that the sender may not speak for. */
  "http_foreign",
  /** Messages of a network server about devices that are not registered. */
  "http_unknown_devices",
  /** Requests that say nothing that could be taken. */
  "http_malformed",
  /** Requests answered with 429 because the asset is faster than its rate. */
  "http_rate_limited",
  /** Requests answered with 503: all or a part of them has to be sent again. */
  "http_unavailable",
] as const;
