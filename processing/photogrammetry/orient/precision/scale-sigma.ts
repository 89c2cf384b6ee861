import { LIMITS } from "../../../gates/gate-thresholds.ts";
import type { BundleScales, ScaleShares } from "../../bundle/scale-shares.ts";
import type { AdjustmentSummary } from "../../reconstruction/reconstruction.ts";
import type { SurveyBlock } from "../block/survey-block.ts";
import type { PositionScale } from "./position-drift.ts";

/**
 * Errors of consumer GPS drift along and do not average out: AR(1) draws gave 1.96x (docs/photogrammetry.md#simulated-flights).
 * Used where there are too few positions to estimate the inflation.
 */
export const ASSUMED_INFLATION = 2;

/** Shipping programs differ by 1.4 to 2.7 % on one GPS-only set (docs/photogrammetry.md#real-flights). */
const GPS_FLOOR = 0.01;

/**
 * Share of cameras with RTK from which on it is RTK that fixes the scale. The majority: lower credits a few fixes
 * with the scale of all, higher withholds it for a few that were lost.
 */
const RTK_SHARE = 0.5;

/** The scale of an adjusted block. */
export interface ScaleFigures
  extends Pick<AdjustmentSummary, "scaleFrom" | "scaleSigma" | "scaleByPositions"> {
  /** Control points that check each other would fix scale and level without positions; see `holdsBlock`. */
  readonly isHeldByControl: boolean;
  /** Most positions are by RTK: those place and level the block, whatever weighs more in its scale. */
  readonly isHeldByRtk: boolean;
}

/** What the scale of a block is estimated from. */
export interface ScaleEvidence {
  /** By the normal matrix, which takes the errors of positions for independent; Infinity: it is singular. */
  readonly formal: number;
  /** `undefined`: neither control points nor bars took part. */
  readonly scales: BundleScales | undefined;
  /** `undefined`: there are too few positions. */
  readonly byPositions: PositionScale | undefined;
  /** Three or more control points, not on a line, each shown by two images or more. */
  readonly isPlacedByControl: boolean;
}

/**
 * What fixes the scale, and how well. Control points and bars count for what they weigh in the adjustment: two
 * points of 3 m beside positions of 1 m leave the scale to those, and it keeps their floor and their drift. Where
 * control points place a block without RTK, its scale is that of the ground between them: cameras that look straight
 * down may move apart and tilt outwards together while the ground stays (0.7 % in a simulated flight whose ground is
 * known to 0.03 %), and a volume lies on the ground. RTK holds its cameras apart.
 */
export function scaleFigures(block: SurveyBlock, evidence: ScaleEvidence): ScaleFigures {
  const { formal, scales, byPositions, isPlacedByControl } = evidence;
  const ofPositions = hasRtk(block) ? "rtk" : "gps";
  const isOfGround = isPlacedByControl && ofPositions === "gps";
  const shares = (isOfGround ? scales?.ground : undefined) ?? scales?.cameras;
  const scaleFrom = largestShare(shares) ?? ofPositions;
  const isHeldByControl = isPlacedByControl && holdsBlock(shares, ofPositions);
  const inflation = ofPositions === "rtk" ? 1 : (byPositions?.inflation ?? ASSUMED_INFLATION);
  const floor = ofPositions === "rtk" ? 0 : GPS_FLOOR;
  const sigma =
    shares === undefined
      ? Math.max(floor, inflation * formal)
      : Math.hypot(
          Math.max(floor * Math.abs(shares.positions), inflation * shares.positionSigma),
          shares.otherSigma,
        );
  const scaleByPositions = byPositions && {
    misfit: byPositions.misfit,
    sigma: Math.hypot(byPositions.sigma, scales?.cameras.otherSigma ?? 0),
  };
  const scaleSigma = Math.hypot(sigma, contradiction(scaleByPositions, isHeldByControl));
  const isHeldByRtk = ofPositions === "rtk";
  return { scaleFrom, scaleSigma, scaleByPositions, isHeldByControl, isHeldByRtk };
}

/**
 * What a contradiction of block and positions adds to the sigma of the scale. Beyond the limit of
 * SCALE_CONTRADICTED one of them is wrong. A bar or two points do not check themselves, so that all of the
 * difference counts as one standard deviation. Three points and more do: there only the excess over the limit
 * counts, since one sound flight in twenty exceeds it by chance. The rest is an error that all points share,
 * such as a wrong unit.
 */
function contradiction(
  scale: AdjustmentSummary["scaleByPositions"],
  isHeldByControl: boolean,
): number {
  if (scale === undefined) return 0;
  const [off, limit] = [Math.abs(scale.misfit), LIMITS.scaleMisfit * scale.sigma];
  if (off <= limit) return 0;
  return isHeldByControl ? off - limit : off;
}

/** Control points or bars where the scale follows them more than the positions, and more than the other. */
function largestShare(
  shares: ScaleShares | undefined,
): Exclude<AdjustmentSummary["scaleFrom"], "rtk" | "gps"> | undefined {
  if (shares === undefined || shares.positions >= Math.max(shares.control, shares.bars)) {
    return undefined;
  }
  return shares.bars > shares.control ? "scale_bars" : "control_points";
}

/**
 * Whether control points weigh more than the positions. RTK may weigh more than points that hold a block as well:
 * beside it they have to be better than positions without it ever are.
 */
function holdsBlock(shares: ScaleShares | undefined, ofPositions: "rtk" | "gps"): boolean {
  if (shares === undefined) return false;
  return (
    shares.control > shares.positions || (ofPositions === "rtk" && shares.controlSigma < GPS_FLOOR)
  );
}

function hasRtk({ priors }: SurveyBlock): boolean {
  const flights = [true, undefined].map((earlier) =>
    priors.filter(({ isOfEarlierFlight }) => isOfEarlierFlight === earlier),
  );
  // Either flight scales both.
  return flights.some(
    (flight) =>
      flight.filter(({ centre, isRtk }) => centre && isRtk).length > RTK_SHARE * flight.length,
  );
}

/** Cameras of each flight in the order they were taken; of images without a time, of the survey. */
export function flightsOf({ images, priors }: SurveyBlock): readonly (readonly number[])[] {
  const isEarlier = (camera: number) => priors[camera]?.isOfEarlierFlight === true;
  const cameras = [...images.keys()].sort((a, b) => (images[a] ?? 0) - (images[b] ?? 0));
  return [false, true]
    .map((earlier) => cameras.filter((camera) => isEarlier(camera) === earlier))
    .filter((flight) => flight.length > 0)
    .map((flight) => {
      const takenAt = (camera: number) => priors[camera]?.takenAtMs ?? Number.NaN;
      const isTimed = flight.every((camera) => !Number.isNaN(takenAt(camera)));
      return isTimed ? flight.toSorted((a, b) => takenAt(a) - takenAt(b)) : flight;
    });
}
