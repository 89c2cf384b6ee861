/** What the link to the external broker counts; every number only rises. */
export const REMOTE_COUNTERS = [
  /** Connections that were opened; the first of each session too. */
  "remote_connected",
  /** Sessions that the broker had lost when we came back: what it held for them is gone. */
  "remote_session_lost",
  /** Messages of unknown assets; those of them, and of ambiguous ones, that are only counted. */
  "remote_unknown_asset",
  "remote_unknown_unrecorded",
  /** Messages on a vendor's topic that several assets claim by their registrations. */
  "remote_ambiguous",
  /** Messages on topics that no device can have. */
  "remote_unreadable_topic",
  /** Messages that the broker had kept for new subscribers: they say nothing new. */
  "remote_retained",
] as const;

export type RemoteCounters = Record<(typeof REMOTE_COUNTERS)[number], number>;
