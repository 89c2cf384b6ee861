import { HOUR_MS } from "../../domain/time.ts";
import type { UsageTotals } from "../maintenance/usage-meter.ts";
import type { AssetTrack } from "../track/asset-track.ts";
import { knownMs } from "../track/day-usage.ts";

/** What all readings of an asset add up to. */
export function usageTotals(track: AssetTrack): UsageTotals {
  const { days, engineOnBeforeMs, distanceBeforeM } = track;
  const openMs = days.reduce((sum, day) => sum + day.engineOnMs, 0);
  const openM = days.reduce((sum, day) => sum + day.distanceM, 0);
  const hours = (engineOnBeforeMs + openMs) / HOUR_MS;
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
