import type { Random } from "../../randomness/random.ts";
import type { Point } from "../site/plane.ts";

/** The position error of one receiver: stationary, zero mean, correlated in time. */
export interface GnssNoise {
  /** The error at a time not before that of the call before, metres east and north. */
  errorAt(timeMs: number): Point;
}

/**
 * First-order Gauss-Markov process on each axis, exactly discretised for uneven steps:
 * `e(t + dt) = e(t) phi + sigma sqrt(1 - phi^2) n`, `phi = exp(-dt / correlationS)` (Gelb, Applied
 * Optimal Estimation, 1974, section 3.6). `sigmaM` is the standard deviation of each axis.
 */
export function createGnssNoise(random: Random, sigmaM: number, correlationS: number): GnssNoise {
  let lastMs: number | undefined;
  let eastM = 0;
  let northM = 0;
  return {
    errorAt(timeMs) {
      // The first error is drawn from the stationary distribution, not from 0.
      const phi = lastMs === undefined ? 0 : Math.exp((lastMs - timeMs) / 1_000 / correlationS);
      const drive = sigmaM * Math.sqrt(1 - phi * phi);
      eastM = eastM * phi + drive * random.gaussian();
      northM = northM * phi + drive * random.gaussian();
      lastMs = timeMs;
      return { eastM, northM };
    },
  };
}
