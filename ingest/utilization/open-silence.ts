import type { AssetTrack } from "../track/asset-track.ts";
import type { Observed, UsageSample } from "../track/usage-sample.ts";
import type { UsageState } from "../track/usage-state.ts";
import { MAX_GAP_MS } from "../track/work.ts";

/** Notes what positions show since the reading up to which work is accounted for. */
export function noteMoved(
  usage: UsageState,
  { tMs }: Pick<UsageSample, "tMs">,
  { workedMs, workedFromMs }: Observed,
): void {
  if (workedMs === 0) return;
  if (Number.isNaN(usage.movedFromMs)) usage.movedFromMs = workedFromMs;
  usage.movedMs += workedMs;
  usage.movedToMs = tMs;
}

/**
 * How much of `[fromMs, toMs)` positions show as work, ms: at most, where the machine stopped meanwhile. A second
 * that is left out is not credited; one that is forgotten would be credited twice.
 */
export function movedWithin(
  { movedFromMs, movedToMs, movedMs }: UsageState,
  fromMs: number,
  toMs: number,
): number {
  if (Number.isNaN(movedFromMs)) return 0;
  const endMs = Number.isNaN(movedToMs) ? toMs : movedToMs;
  return Math.min(movedMs, Math.max(0, Math.min(endMs, toMs) - Math.max(movedFromMs, fromMs)));
}

/**
 * Whether a silence is left open for the next reading. Sections of one ISO 15143-3 snapshot have times of
 * their own, and the first of them may say nothing of the engine.
 */
export function waitsForEngine(
  { usage }: AssetTrack,
  { tMs, engineOn, speedKmh, loadPercent, engineHours, odometerKm, tripKm }: UsageSample,
  { before }: Observed,
): boolean {
  const saysNothing = [engineOn, speedKmh, loadPercent, engineHours].every(Number.isNaN);
  if (!saysNothing || tMs - usage.engineToMs <= MAX_GAP_MS) return false;
  const hasDistance = !Number.isNaN(odometerKm) || !Number.isNaN(tripKm);
  const wasKnown =
    !Number.isNaN(before.works) ||
    usage.hours !== undefined ||
    // A machine that has only a distance meter may report that next.
    (!hasDistance && (usage.odometer !== undefined || usage.trip !== undefined));
  if (Number.isNaN(usage.waitingSinceMs)) return wasKnown;
  return tMs - usage.waitingSinceMs <= MAX_GAP_MS;
}

/** Leaves it open from its first reading on. */
export function openSilence(usage: UsageState, { tMs }: Pick<UsageSample, "tMs">): void {
  if (Number.isNaN(usage.waitingSinceMs)) usage.waitingSinceMs = tMs;
}

/** Ends it: what comes after is accounted for separately. */
export function closeSilence(usage: UsageState): void {
  usage.waitingSinceMs = Number.NaN;
  usage.movedFromMs = Number.NaN;
  usage.movedMs = 0;
  usage.movedToMs = Number.NaN;
}
