/**
 * Limits of the quality gates, each with what it was drawn from (PHOTOGRAMMETRY.md 3 and 4.3: a dozen
 * synthetic sets, Brighton Beach, one construction site). They come from few runs: a survey near a
 * limit deserves a look, whichever side it fell on.
 */
export const LIMITS = {
  /** Fewer cannot show three views of more than a patch. */
  fewestImages: 5,
  /** Below it every result carries a warning: 10 images were 6 % off in volume, 18 were 1 %. */
  fewImages: 12,
  /** Dense Cholesky and memory of one process; larger blocks are for a NodeODM. */
  mostImages: 150,
  /** Share of images with a position; one without may ride along, not carry the block. */
  positionedShare: 0.8,
  /** Variance of the Laplacian at working size; sharp ground has 100 to 1,500, a blur of 3 px below 25. */
  sharpness: 20,
  /**
   * Standard deviation in grey levels from which a picture without sharp edges is blurred, not blank:
   * simulated ground has 17 to 28 sharp or blurred, fresh snow 8.
   */
  blurredContrast: 12,
  /** Standard deviation in grey levels, and mean; a lens cap shows one tone near black, fog one near white. */
  lensCapContrast: 8,
  lensCapDark: 30,
  lensCapBright: 225,
  /** Bits of 64 in which the difference hashes of two files of one picture differ at most. */
  duplicateBits: 2,
  /** Metres between two positions of one picture. */
  duplicateDistanceM: 0.5,
  /** Pairs that hold an image in place. */
  pairsOfImage: 2,
  /** Inliers of a verified pair, mean: good sets 90 to 400, a blank one 29. */
  inliersOfPair: 50,
  /** Verified of tried pairs: good sets 74 to 100 %, an incomplete block 46 %, a blank one 19 %. */
  verifiedShare: 0.4,
  /**
   * Share of an image that its neighbour shows by the tags; below it images that hardly match do not
   * show the same ground. Half of it leaves each place in two images. Chosen.
   */
  expectedOverlap: 0.5,
  /** Images in the largest connected block. */
  connectedShare: 0.9,
  /** Reprojection error after adjustment, px: good sets 0.16 to 0.7. */
  rmsPx: 1.2,
  /** Tracks that did not survive: good sets up to 6 %, half a block 28 %, flipped tags 43 to 74 %. */
  droppedTracks: 0.15,
  /** Share of images with false gimbal tags from which on they explain why a block is refused. Chosen. */
  conflictingTags: 0.25,
  /**
   * Horizontal standard deviation of GPS residuals without false ones, m: consumer receivers stay below
   * 3. The second also tells false positions of single images.
   */
  gpsDoubtfulM: 5,
  gpsWrongM: 15,
  /** Change of the focal length against its tag: rounding of the 35 mm value makes 2 %. */
  focalChange: 0.05,
  /** Cells of the surveyed area with score >= 0.3 and three views. */
  coverage: 0.95,
  /** Correlation and views that a measured cell of a polygon has at least (PHOTOGRAMMETRY.md 4.3). */
  score: 0.3,
  views: 3,
  /** Share of a polygon within the survey; below it the polygon or the flight is the wrong one. Chosen. */
  polygonSurveyed: 0.5,
  /** Spread of the ground about a volume's base, as a share of the mean height (PHOTOGRAMMETRY.md 4.3). */
  baseSpread: 0.15,
  /** Relative standard deviation of a volume from scale alone, 3 s, that is worth a warning. */
  volumeSigma: 0.1,
} as const;
