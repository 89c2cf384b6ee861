import type { AssetTrack } from "./asset-track.ts";
import { knownMs } from "./day-usage.ts";

/** Engine hours and kilometres that add up over all readings of an asset; late readings may change them. */
export interface UsageTotals {
  readonly hours: number;
  readonly km: number;
  /** Whether any of the engine's time was known, and any of the way: else the 0 beside it was never measured. */
  readonly knowsHours: boolean;
  readonly knowsKm: boolean;
}

export function usageTotals(track: AssetTrack): UsageTotals {
  const { days, engineOnBeforeMs, distanceBeforeM } = track;
  const openMs = days.reduce((sum, day) => sum + day.engineOnMs, 0);
  const openM = days.reduce((sum, day) => sum + day.distanceM, 0);
  const hours = (engineOnBeforeMs + openMs) / 3_600_000;
  const km = (distanceBeforeM + openM) / 1_000;
  const knows = (name: "engineCover" | "distanceCover") =>
    days.some(({ usage }) => knownMs(usage[name]) > 0);
  return {
    hours,
    km,
    // A program that kept no coverage stored sums only.
    knowsHours: hours > 0 || track.knewEngineBefore || knows("engineCover"),
    knowsKm: km > 0 || track.knewDistanceBefore || knows("distanceCover"),
  };
}
