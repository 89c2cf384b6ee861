import { valueNoise } from "../../randomness/noise.ts";
import type { WorkTime } from "./zone-plan.ts";

/**
 * Work begins slowly and ends slowly: share of 3 u^2 - 2 u^3 in the curve, the rest linear. More makes the
 * middle weeks steeper.
 */
const CURVED = 0.6;
/**
 * Good and bad weeks: how far they put work forward or back at half of it, share. Larger, and zones stand still
 * for weeks, since work never goes back.
 */
const UNEVEN = 0.07;
/** Weeks that a good or a bad time lasts. Shorter averages out between flights, longer is a trend. */
const SPELL_WEEKS = 1.7;

/**
 * How far the work of a zone truly is at the flight of a week (from 1), 0 to 1. Nothing at week 1, then
 * along an S-curve between its ends with good and bad weeks, never back.
 * @param weeks of the whole project, which the ends are shares of
 */
export function advanceAt(week: number, weeks: number, actual: WorkTime, seed: number): number {
  let furthest = 0;
  for (let w = 1; w <= week; w += 1) {
    const u = Math.min(1, Math.max(0, ((w - 1) / weeks - actual.from) / (actual.to - actual.from)));
    const even = (1 - CURVED) * u + CURVED * u * u * (3 - 2 * u);
    const uneven = UNEVEN * valueNoise(w / SPELL_WEEKS, 0.5, seed) * 4 * u * (1 - u);
    furthest = Math.max(furthest, Math.min(1, even + uneven));
  }
  return furthest;
}
