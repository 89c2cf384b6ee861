/**
 * Series of one machine that a client may poll, by the names that makers' servers have in their paths
 * (Caterpillar, Komatsu, Takeuchi, Liebherr and Bell). `Faults` are fault codes, the others values.
 */
export const FLEET_SERIES = [
  "Faults",
  "Locations",
  "CumulativeOperatingHours",
  "CumulativeIdleHours",
  "CumulativeFuelUsed",
  "FuelRemainingRatio",
  "DEFRemainingRatio",
  "Distance",
  "EngineCondition",
  "CumulativeLoadCount",
  "CumulativePayloadTotals",
] as const;
export type FleetSeries = (typeof FLEET_SERIES)[number];
