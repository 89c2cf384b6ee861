import { SIGMAS_95 } from "../../domain/sites/measurement.ts";
import type { MeasuredChange } from "./measured-change.ts";
import type { Tonnes } from "./sum-loads.ts";

/** Tonnes a cubic metre as it lies, and how well that is known. */
export interface Density {
  readonly tPerM3: number;
  /** One standard deviation, share of it. */
  readonly share: number;
}

/**
 * Moisture and compaction move the density of a heap by about this much, one standard deviation. Smaller reports
 * differences that weather explains, larger hides missing loads.
 */
export const DEFAULT_DENSITY_SHARE = 0.05;

/** An interval that holds the truth with 95 %. */
export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The measured change beside the loads, converted by a density. */
export interface Comparison {
  /** The measured change in tonnes, and the net loads in cubic metres, with one standard deviation. */
  readonly measured: Tonnes;
  readonly counted: { readonly m3: number; readonly sigmaM3: number };
  /** Measured less counted. */
  readonly difference: Tonnes & { readonly m3: number; readonly sigmaM3: number };
  /** Whether the difference is beyond all the uncertainties (95 %). */
  readonly isSignificant: boolean;
}

/** Compares a measured change with loads, brought less taken. */
export function compareChange(
  { m3, sigmaM3 }: Pick<MeasuredChange, "m3" | "sigmaM3">,
  net: Tonnes,
  { tPerM3, share }: Density,
): Comparison {
  const t = tPerM3 * m3 - net.t;
  // Of the two the larger: were they equal, either would do.
  const densitySigmaT = share * Math.max(Math.abs(tPerM3 * m3), Math.abs(net.t));
  const sigmaT = Math.hypot(tPerM3 * sigmaM3, net.sigmaT, densitySigmaT);
  return {
    measured: { t: tPerM3 * m3, sigmaT: Math.hypot(tPerM3 * sigmaM3, share * tPerM3 * m3) },
    counted: { m3: net.t / tPerM3, sigmaM3: Math.hypot(net.sigmaT, share * net.t) / tPerM3 },
    difference: { t, sigmaT, m3: t / tPerM3, sigmaM3: sigmaT / tPerM3 },
    isSignificant: Math.abs(t) > SIGMAS_95 * sigmaT,
  };
}

/**
 * The density that makes loads and change equal, tonnes a cubic metre, with the interval of a ratio of two
 * normal variables (Fieller 1954, J. R. Stat. Soc. B 16(2), 175-185). `undefined`: the change is within its
 * uncertainty, so that every density would do.
 */
export function impliedDensity(
  { m3, sigmaM3 }: Pick<MeasuredChange, "m3" | "sigmaM3">,
  { t, sigmaT }: Tonnes,
): Interval | undefined {
  // (t - r m3)^2 = k^2 (sigmaT^2 + r^2 sigmaM3^2), solved for r.
  const a = m3 ** 2 - (SIGMAS_95 * sigmaM3) ** 2;
  if (a <= 0) return undefined;
  const half = t * m3;
  const c = t ** 2 - (SIGMAS_95 * sigmaT) ** 2;
  const root = Math.sqrt(Math.max(0, half ** 2 - a * c));
  return { value: t / m3, low: (half - root) / a, high: (half + root) / a };
}
