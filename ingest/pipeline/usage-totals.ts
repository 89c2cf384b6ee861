import type { AssetTrack } from "./asset-track.ts";

/** Engine hours and kilometres that add up over all readings of an asset; late readings may change them. */
export function usageTotals({ days, engineOnBeforeMs, distanceBeforeM }: AssetTrack): {
  readonly hours: number;
  readonly km: number;
} {
  const openMs = days.reduce((sum, day) => sum + day.engineOnMs, 0);
  const openM = days.reduce((sum, day) => sum + day.distanceM, 0);
  return {
    hours: (engineOnBeforeMs + openMs) / 3_600_000,
    km: (distanceBeforeM + openM) / 1_000,
  };
}
