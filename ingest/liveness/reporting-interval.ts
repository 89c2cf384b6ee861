import {
  type AssetRegistration,
  DEFAULT_LIVENESS_TIMEOUT_S,
} from "../../domain/equipment/asset.ts";
import type { LivenessState } from "./liveness-state.ts";

/**
 * Gaps between messages that the interval is learned from. More would follow a device that was set to
 * another interval more slowly; fewer would take bursts of messages for the interval.
 */
const MOST_GAPS = 8;
/** Messages of one burst are one report, ms. */
const BURST_MS = 1_000;
/** Reporting intervals without a message until an asset is silent. One or two may be lost in transit. */
const MISSED_REPORTS = 3;
/** Longest time-out that is learned, s: the longest that may be set. */
const LONGEST_TIMEOUT_S = 604_800;

/** The gaps with one more, the oldest let go of. */
export function withGap(gapsS: readonly number[], gapMs: number): readonly number[] {
  if (gapMs < BURST_MS) return gapsS;
  return [...gapsS.slice(1 - MOST_GAPS), Math.round(gapMs / 1_000)];
}

/**
 * How often an asset reports, seconds: a third of the time-out that was set for it, else the second longest of
 * its last gaps, because one outage must not count. `undefined`: nothing is known yet.
 */
export function reportingIntervalS(
  { liveness_timeout_s }: Pick<AssetRegistration, "liveness_timeout_s">,
  gapsS: readonly number[],
): number | undefined {
  if (liveness_timeout_s !== undefined) return liveness_timeout_s / MISSED_REPORTS;
  const sorted = gapsS.toSorted((a, b) => b - a);
  return sorted[1] ?? sorted[0];
}

/** How long an asset may be quiet, seconds: what was set, else three of its intervals and at least the default. */
export function livenessTimeoutS(
  asset: Pick<AssetRegistration, "liveness_timeout_s">,
  gapsS: readonly number[],
): number {
  if (asset.liveness_timeout_s !== undefined) return asset.liveness_timeout_s;
  const learned = MISSED_REPORTS * (reportingIntervalS(asset, gapsS) ?? 0);
  return Math.min(LONGEST_TIMEOUT_S, Math.max(DEFAULT_LIVENESS_TIMEOUT_S, learned));
}

/** The same for a state, ms. */
export const livenessTimeoutMs = (
  asset: Pick<AssetRegistration, "liveness_timeout_s">,
  { gapsS }: Pick<LivenessState, "gapsS">,
): number => livenessTimeoutS(asset, gapsS) * 1_000;
