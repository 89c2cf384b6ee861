/**
 * Cauchy's loss c^2 ln(1 + s / c^2) of a squared, normalised residual s, and the weight of iteratively
 * reweighted least squares that goes with it (Triggs et al. 2000, section 3.3). Half the weight is
 * left at a residual of c standard deviations, and a wild one costs next to nothing.
 */
export function cauchyLoss(squared: number, width: number): number {
  return width * width * Math.log1p(squared / (width * width));
}

export function cauchyWeight(squared: number, width: number): number {
  return 1 / (1 + squared / (width * width));
}

/**
 * Width for pixels, standard deviations. 95 % efficient for Gaussian noise (Zhang 1997,
 * doi:10.1016/S0262-8856(96)01112-2, table 1: 2.3849).
 */
export const PIXEL_LOSS_WIDTH = 2.3849;

/**
 * Width for tags (positions, attitudes), whose three components are weighted together: their squared residual is 3
 * on average, so that a good tag keeps nine tenths of its weight. Wider lets false tags pull, narrower takes
 * weight from good ones.
 */
export const TAG_LOSS_WIDTH = 5;
