/** How far on-board weighing may be off, and what counts as a load. */
export interface WeighingErrors {
  /** One standard deviation of one weighing beside its scatter, share of the load; each its own. */
  readonly loadShare: number;
  /** One standard deviation of a machine's scale factor, which all its loads share. */
  readonly calibrationShare: number;
  /** A smaller change within the fence is not a load: carry-back, drift of the zero. Kilograms. */
  readonly leastLoadKg: number;
}

/**
 * Weighing by strut pressure is good to 2 to 3 % on the move and to 5 to 10 % at rest, where the seals stick
 * (miningfms.com, "How strut-based payload systems work, and why they disagree"). 1 % between a machine and
 * a weighbridge after calibration, and 500 kg, below what the smallest dumpers carry: chosen.
 */
export const DEFAULT_WEIGHING_ERRORS: WeighingErrors = {
  loadShare: 0.03,
  calibrationShare: 0.01,
  leastLoadKg: 500,
};
