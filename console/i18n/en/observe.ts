/** Texts of observations by hand. */
export const EN_OBSERVE = {
  "observe.title": "Observations by hand",
  "observe.no_zones": "This project has no zones yet.",
  "observe.by_hand_alone": "{zone} (known by observations alone)",
  "observe.form": "New observation of {zone}",
  "observe.hint":
    "Reports of later captures count it as evidence. 100 % confirms that the zone is complete.",
  "observe.percent": "Percent done, as observed",
  "observe.no_stage": "none: a percent instead",
  "observe.at": "Observed at",
  "observe.at_hint": "Empty: now",
  "observe.note": "Note (optional)",
  "observe.send": "Store the observation",
  "observe.done": "The observation is stored. The next report counts it.",
  "observe.read_only": "This key has no progress:write, so it cannot store observations.",
  "observe.none": "Nobody has observed this zone by hand.",
  "observe.declared": "{percent}, declared",
  "observe.no_interval": "without an interval",
  "observe.interval": "({low} to {high})",
  "observe.by": "by {by}",
  "observe.by_correction": "by {by}, correcting a report",
  "observe.more": "{n} older ones are not shown.",
} as const;
