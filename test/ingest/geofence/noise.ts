import { seededRandom } from "../../support/seeded-random.ts";

/** One coordinate of a receiver's error, metres; each call is one fix later. */
export type Noise = () => number;

/**
 * Ornstein-Uhlenbeck noise: normal with standard deviation `sigmaM`, correlated over `correlationS`
 * seconds, sampled every `intervalS`. White noise would hide what makes fences flap: errors of
 * receivers stay on one side for minutes.
 */
export function correlatedNoise(
  random: () => number,
  { sigmaM, correlationS, intervalS }: NoiseModel,
): Noise {
  const kept = Math.exp(-intervalS / correlationS);
  const fresh = sigmaM * Math.sqrt(1 - kept * kept);
  let valueM = sigmaM * gaussian(random);
  return () => {
    valueM = kept * valueM + fresh * gaussian(random);
    return valueM;
  };
}

export interface NoiseModel {
  readonly sigmaM: number;
  readonly correlationS: number;
  readonly intervalS: number;
}

/** A standard normal number (Box and Muller 1958). */
export function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Radius that holds 68 % of positions with normal errors of 1 m on both axes: sqrt(-2 ln 0.32), metres. */
const RADIUS_68 = 1.5096;

/** What a receiver says of its accuracy: the truth, nothing (15 m is assumed), or a fixed 1.9 m. */
export type ReportedAccuracy = "right" | "missing" | "wrong";

export function accuracyOf(reported: ReportedAccuracy, sigmaM: number): number {
  if (reported === "missing") return 15;
  return reported === "wrong" ? 1.9 : RADIUS_68 * sigmaM;
}

export const randomFor = (...seeds: readonly number[]): (() => number) =>
  seededRandom(seeds.reduce((hash, seed) => Math.imul(hash ^ seed, 0x01000193) >>> 0, 0x811c9dc5));
