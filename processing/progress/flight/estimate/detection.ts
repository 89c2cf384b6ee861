import { SIGMAS_95 } from "../../../../domain/sites/measurement.ts";

/** What a flight can distinguish from noise in one zone, metres. */
export interface Detection {
  /** Level of detection of one cell (95 %): smaller differences count as none. */
  readonly lodM: number;
  /** The same of the mean over a square of `blockM`: what is spread wide shows sooner. */
  readonly blockLodM: number;
  readonly blockM: number;
  /** Cells this close to the design are built. */
  readonly toleranceM: number;
  /** The part of it that the zone allows; 0: it allows none, and only noise is let pass. */
  readonly allowedM: number;
}

/**
 * Level of detection of a difference between two surfaces, 95 % (Wheaton et al. 2010, "Accounting for
 * uncertainty in DEMs from repeat topographic surveys", Earth Surf. Process. Landforms 35; docs/progress-method.md#surfaces).
 */
export const levelOfDetection = (sigmaBeforeM: number, sigmaNowM: number): number =>
  SIGMAS_95 * Math.hypot(sigmaBeforeM, sigmaNowM);
