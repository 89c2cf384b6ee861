import { SIGMAS_95, type StockpileMeasurement } from "../../domain/sites/measurement.ts";

/** What two measurements say of the time between them, cubic metres. */
export interface MeasuredChange {
  readonly m3: number;
  /** One standard deviation. */
  readonly sigmaM3: number;
  /**
   * `later_measurement`: as it was measured against the one before, whose shared errors cancel;
   * `two_volumes`: difference of two volumes as if they shared none, so rather too unsure.
   */
  readonly basis: "later_measurement" | "two_volumes";
}

export function measuredChange(
  from: StockpileMeasurement,
  to: StockpileMeasurement,
): MeasuredChange {
  if (to.previous_measurement_id === from.id && to.change_95_m3 !== undefined) {
    return {
      m3: to.change_m3,
      sigmaM3: to.change_95_m3 / SIGMAS_95,
      basis: "later_measurement",
    };
  }
  return {
    m3: to.current_volume_m3 - from.current_volume_m3,
    sigmaM3: Math.hypot(from.sigma_m3, to.sigma_m3),
    basis: "two_volumes",
  };
}
