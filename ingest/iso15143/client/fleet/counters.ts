/** What the client of other makers' servers counts; every number only rises. */
export const FLEET_COUNTERS = [
  "fleet_polls",
  "fleet_polls_failed",
  "fleet_pages",
  /** Those of them that were unchanged. */
  "fleet_pages_unchanged",
  "fleet_machines",
  /** Machines of fresh pages that no asset is registered for. */
  "fleet_machines_unmatched",
  /** Durable readings. */
  "fleet_readings",
  /** Pages of series of single machines, of those that were as before, and requests for one that were refused. */
  "fleet_series_pages",
  "fleet_series_unchanged",
  "fleet_series_refused",
  /** Messages that were not stored in time; they are taken at the next poll. */
  "fleet_not_stored",
  /** What a poll reports about machines and pages. */
  "fleet_problems",
] as const;

export type FleetCounters = Record<(typeof FLEET_COUNTERS)[number], number>;
