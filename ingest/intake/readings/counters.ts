/** What intake counts; every number only rises. */
export const INTAKE_COUNTERS = [
  /** Messages of devices, whatever became of them. */
  "received",
  "received_bytes",
  /** Durable readings. */
  "readings",
  /** Durable notices of devices, which become events. */
  "notices",
  /** Messages, or parts of them, that are understood and not kept, such as a waypoint. */
  "messages_ignored",
  "quarantined_malformed",
  "quarantined_unknown_format",
  "quarantined_oversized",
  /** Messages that need a birth that is not there, as a whole or in part. */
  "quarantined_unresolved",
  /** Messages of unregistered devices behind a gateway; quarantined as well. */
  "sparkplug_unknown_devices",
  /** Gaps in the sequence of an edge node, and births that it was asked for. */
  "sparkplug_gaps",
  "sparkplug_rebirths_requested",
  /** Deaths of connections that a newer birth has replaced; ignored. */
  "sparkplug_stale_wills",
  /** Publishes outside the device's own topics; acknowledged and dropped. */
  "foreign",
  /** Answers to commands, and those that no command waits for: repeated, or of another asset's command. */
  "command_answers",
  "command_answers_unasked",
  "dup_dropped",
  /** Messages whose acknowledgement was held back by the device's rate. */
  "throttled",
  /** Messages that waited for the journal; sessions closed because it took too long or too much. */
  "held",
  "held_closed",
  "dropped_qos0",
  /** Messages whose topic named another project than the asset's. */
  "project_mismatch",
  /** Readings with an impossible time, and readings without any. */
  "impossible_time",
  "without_time",
  /** Of these, readings that share a fix time and so merge into one: far over 1,000 a second for long. */
  "time_shared",
  "asset_gone",
  /** Values that are not believed, and are kept as `suspect_` and their name. */
  "suspect_values",
  /** Values beyond the fields that a reading, or the names that an asset, may have; not kept. */
  "fields_left_out",
  /** Names of our JSON that are probably a misspelling of a known one. */
  "near_miss_names",
] as const;

export type IntakeCounters = Record<(typeof INTAKE_COUNTERS)[number], number>;

/** All counters at zero, in one fixed object shape. */
export function createCounters<const Name extends string>(
  names: readonly Name[],
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}
