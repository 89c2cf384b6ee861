/** What the OsmAnd listener counts; every number only rises. */
export const OSMAND_COUNTERS = [
  "osmand_requests",
  /** Answered with 200: durable, or in the quarantine. */
  "osmand_accepted",
  "osmand_unknown_id",
  /** Requests that say nothing that could be taken: no id, no JSON, a wrong method. */
  "osmand_malformed",
  "osmand_oversized",
  /** Connections cut off that sent request after request without waiting for answers. */
  "osmand_hasty",
  /** Answered with 503: the sender keeps the message and tries again. */
  "osmand_unavailable",
] as const;
