/**
 * Limits of the quality gates, each with its source: docs/photogrammetry.md#quality-gates (a dozen synthetic sets,
 * Brighton Beach, one construction site), and where "simulated" is said the surveys of 8 to 36 images of 480
 * to 800 px of test/e2e/survey/gate-cases.ts. They come from few runs: a survey near a limit should be
 * checked, whichever side it fell on.
 */
export const LIMITS = {
  /** Fewer cannot show three views of more than a patch. */
  fewestImages: 5,
  /** Below it every result carries a warning: 10 images were 6 % off in volume, 18 were 1 %. */
  fewImages: 12,
  /**
   * Images of one adjustment; larger surveys are for a NodeODM. 600 take 22 s and 130 MB (bench/orientation.ts),
   * twice as many four times the CPU: the width of the equations grows with that of the block. More would
   * first of all take more than 4 GiB for the images themselves.
   */
  mostImages: 600,
  /** Share of images with a position; one without may ride along, not carry the block. */
  positionedShare: 0.8,
  /**
   * Variance of the Laplacian at working size, below which an image is blurred or its ground has little texture;
   * sharp ground has 100 to 1,500 (simulated: 326 and more, 243 with 1 px of motion), a blur of 3 px below 25, a
   * shake of 1 % of the width 9, nearly all of it noise, fresh snow 8.
   */
  sharpness: 20,
  /**
   * Structure of 2 pixels over structure of 8 (`fineness`) below which an image without sharp edges is blurred;
   * above, the ground has little texture. Sharp: Brighton Beach 1.0 to 1.4, Boruszyn 0.17 to 0.45, simulated
   * ground 0.31 to 1.05. Blurred by 2 px or more, or shaken: 0.01 to 0.10 (`npm run test:survey -- --only focus`).
   * Nearer to 0.17 soft photographs would count as blurred, nearer to 0.10 blurred ones as weak in texture.
   */
  fineness: 0.125,
  /**
   * Standard deviation in grey levels, and mean; a lens cap shows one tone near black, fog one near white.
   * Simulated: 0.6 under a cap, 17 and more of ground; fresh snow has 8.2 and differs from fog by its mean
   * alone.
   */
  lensCapContrast: 8,
  lensCapDark: 30,
  lensCapBright: 225,
  /** Bits of 64 in which the difference hashes of two files of one picture differ at most. */
  duplicateBits: 2,
  /** Metres between two positions of one picture. */
  duplicateDistanceM: 0.5,
  /** Pairs that hold an image in place. */
  pairsOfImage: 2,
  /**
   * Inliers of a verified pair, mean: good sets 90 to 400, a blank one 29. Simulated: 301 (45 % overlap)
   * to 634, small images 170, snow none.
   */
  inliersOfPair: 50,
  /**
   * Verified of tried pairs: good sets 74 to 100 %, an incomplete block 46 %, a blank one 19 %.
   * Simulated: 98 to 100 %, no overlap 4 %, snow 0.
   */
  verifiedShare: 0.4,
  /**
   * Share of an image that its neighbour shows by the tags; below it images that hardly match do not show the same
   * ground. Half of it leaves each place in two images. Higher warns of flights that match well, lower lets sparse
   * ones pass; simulated: 0 without overlap, 0.75 as recommended.
   */
  expectedOverlap: 0.5,
  /** Images in the largest connected block: simulated 100 %, two blocks of 9 images 50 %. */
  connectedShare: 0.9,
  /**
   * Reprojection error after adjustment, pixels of the working size (findings state it in pixels of the
   * photographs, see `photo-pixels.ts`): good sets 0.16 to 0.7; simulated false positions 1.45, images
   * stretched by up to 10 % in height 1.85.
   */
  rmsPx: 1.2,
  /**
   * Tracks that did not survive: good sets up to 6 %, half a block 28 %, flipped tags 43 to 74 %.
   * Simulated: 0.5 to 2 %, all gimbal tags false 6.5 %, all positions false 12 %: alone it would pass
   * both, which other gates refuse.
   */
  droppedTracks: 0.15,
  /**
   * Largest step of the adjustment at its end, standard deviations of any unknown; as the last round's
   * limit in orient/anneal.ts. At 0.1 results of one flight from two starts differed in the fourth digit.
   */
  stepSigmas: 0.01,
  /**
   * Share of images with false gimbal tags from which on they explain why a block is refused. Lower blames the
   * gimbal for what other errors cause, higher hides a gimbal that did.
   */
  conflictingTags: 0.25,
  /**
   * Horizontal standard deviation of GPS residuals without false ones, m: consumer receivers stay below 3
   * (simulated 0.4 to 0.9, with a sigma of 3.5 m 3.9). All gimbal tags false make 17, all positions false
   * 108. The second limit also finds false positions of single images, which are 60 m off and more in the
   * simulator.
   */
  gpsDoubtfulM: 5,
  gpsWrongM: 15,
  /**
   * Vertical standard deviation of GPS residuals, m: barometers stay below 1 in a flight, receivers
   * below 3 (simulated 0.2 to 1.3, with heights that drift by 117 m 13 to 34 before they are doubted).
   */
  gpsVerticalM: 5,
  /**
   * Slope of the plane through the mapped ground, degrees: quarry floors and sites lie below 5, simulated sites
   * below 2. A lower limit would warn on hillsides, a higher one pass a block that is tilted by as much.
   */
  groundTiltDeg: 10,
  /**
   * Share of all images that look straight down by their attitudes and no longer do in the model. Sound
   * blocks: 0; a block tilted by 40 or 55 degrees: 1.
   */
  nadirLost: 0.25,
  /**
   * Change of the focal length against its tag: rounding of the 35 mm value makes 2 %; simulated lenses
   * are 0.6 to 1.4 % off their tags and were found so, with all positions false 24 %, with tags of a lens a
   * fifth shorter 25 %.
   */
  focalChange: 0.05,
  /**
   * Share of the cells within three views that have a height. Simulated: 98.9 to 99.8 % of sound sets, what is
   * missing lies along the rim and in trees; 94 % where images overlap by 45 and 30 %.
   */
  coverage: 0.95,
  /** Correlation and views that a measured cell of a polygon has at least (docs/photogrammetry.md#quality-gates). */
  score: 0.3,
  views: 3,
  /**
   * Share of a polygon within the survey; below it the polygon or the flight is the wrong one. Higher refuses
   * polygons at the edge of a survey, lower measures where most is missing.
   */
  polygonSurveyed: 0.5,
  /**
   * Share of a volume that it changes by at half the resolution. Set on simulated piles 3 to 6 m in radius at 8.6
   * cm: 2.7 to 7.2 % with full texture, up to 14 % at 0.3 of it, 24 % at 0.2 (docs/decisions/042; `npm run
   * test:survey -- --only surface` counts the warnings).
   */
  resolutionChange: 0.12,
  /** Spread of the ground about a volume's base, as a share of the mean height (docs/photogrammetry.md#quality-gates). */
  baseSpread: 0.15,
  /**
   * Relative standard deviation of a volume from scale alone, 3 s, that is worth a warning. Simulated
   * consumer GPS: 3 to 6 % of 18 images, 9 % of 8, with a sigma of 3.5 m
   * 24 % of 18.
   */
  volumeSigma: 0.1,
  /**
   * Standard deviations by which the scale of the cameras may differ from that of their positions. Smaller
   * would warn on more than one sound flight in twenty, larger let a volume pass that is 6 sigma off.
   */
  scaleMisfit: 2,
  /**
   * Root mean square error of control points that the block did not know, over what was declared, and the least
   * error that is worth a warning, m. The error of a point has its own and the block's in it, together up to twice
   * the declared one on sound surveys.
   */
  controlSigmas: 3,
  controlLeastM: 0.1,
  /** Points that place a block which nothing else places: they fix a similarity and leave two conditions. */
  controlPoints: 3,
  /**
   * Change of the focal length that control points and pictures of different heights may settle against a tag
   * that is wrong (compact cameras: 7 %), and how well they must know it, one standard deviation.
   */
  focalChangeByControl: 0.2,
  focalSigmaByControl: 0.01,
} as const;
