import { LIMITS } from "../../../gates/gate-thresholds.ts";
import { compose, inverse, minus, type Vector3 } from "../../../geometry/rotation.ts";
import { applySimilarity, type Similarity } from "../../../geometry/similarity.ts";
import { upperMedian } from "../../../numeric/median.ts";
import { copyState } from "../../bundle/bundle-problem.ts";
import type { Pose } from "../../camera/camera.ts";
import type { LensPrior } from "../../camera/camera-prior.ts";
import { tracksOfBlock } from "../block/accept-tracks.ts";
import { CLEANING, EARLY_ROUNDS, lateRound, runRound } from "../block/anneal.ts";
import { locate, markedPoints, markMisfit } from "../block/marked-points.ts";
import type { ControlTarget, OrientInput } from "../block/orientation.ts";
import {
  type ChosenTracks,
  type SettledBlock,
  type Settlement,
  settleBlock,
} from "../block/settle-block.ts";
import { poseOf } from "../block/survey-block.ts";
import { type ControlFit, fitControl } from "./control-fit.ts";
import { scaleMark } from "./scale-mark.ts";

/** Control points as they went into an adjustment. */
export interface ControlUse {
  /** Those that shape the result, with the marks that do, and with sigmas from the residuals. */
  readonly used: readonly ControlTarget[];
  /** As given, with marks at the size that they turned out to be made at; by `used` what is left out shows. */
  readonly given: readonly ControlTarget[];
  /** By name: where the marks put a point less where it is given, in an adjustment without it, ENU metres. */
  readonly leaveOneOutM: ReadonlyMap<string, Vector3>;
  /** Of the points about the block before it knew them; NaN: fewer than three could be located. */
  readonly fitRmsM: number;
  /** Whether no similarity fits most of the points: none of them is used then. */
  readonly isContradicted: boolean;
  readonly markScale: number;
}

export interface ControlledBlock extends Settlement {
  readonly control: ControlUse;
}

/** Points that are left out in turn: each costs a short adjustment, and more check each other anyway. */
const MOST_LEFT_OUT_IN_TURN = 10;
/** Adjustments with new sigmas, or without a point or mark that proved wrong. */
const MOST_ROUNDS = 8;
/** Sigmas that change by less than this factor have settled. */
const SETTLED = 1.3;
/** Distance of a point from the others' adjustment, in robust standard deviations, from which on it is wrong. */
const WRONG_SIGMAS = 5;
/** With so many points, four others are left to show that one is wrong. */
const LEAST_TO_DOUBT = 5;
/** Median length of an error in space over its standard deviation along one axis (chi, 3 degrees of freedom). */
const MEDIAN_LENGTH = 1.538;
/** Marks that lie off by less, pixels of the working size, are not wrong whatever the others do. */
const LEAST_WRONG_PX = 3;
/** Times the median distance of marks. */
const WRONG_MEDIANS = 6;
/**
 * Share of the residuals of a similarity that a block by GPS is believed to owe to the points at first: most is the
 * block's own bend and scale.
 */
const FIRST_SHARE = 1 / 3;
/** Standard deviations by which a free network's focal length contradicts its tag. */
const FOCAL_SIGMAS = 3;

/**
 * Adjusts a block with its control points, which are checked first: they are fitted to the block as it was
 * adjusted without them, and points that do not fit take no part. The others are believed as far as residuals
 * of points left out in turn confirm their standard deviations.
 * @param free adjusted without control: in ENU by tags, or in a frame of its own (`isFree`)
 */
export function adjustWithControl(
  input: OrientInput,
  chosen: ChosenTracks,
  free: SettledBlock,
  isFree: boolean,
): ControlledBlock {
  const { block, outcome } = free;
  const fit = fitControl({ block, state: outcome.problem.state }, input.control);
  if (fit.similarity === undefined) {
    return {
      ...asItWas(isFree ? undefined : free),
      control: unusedControl(input.control, fit.rmsM),
    };
  }
  const lenses = isFree ? widenedLenses(input.lenses, outcome.problem.state.lenses) : input.lenses;
  const start = {
    early: EARLY_ROUNDS.slice(-2),
    lenses: outcome.problem.state.lenses,
  };
  const placed = movedPoses(free, fit.similarity);
  const declared = new Map(input.control.map(({ name, sigmaM }) => [name, sigmaM]));
  let used: readonly ControlTarget[] = fit.accepted.map((target) => ({
    ...target,
    sigmaM: raised(target.sigmaM, both(firstSigma(fit, isFree))),
  }));
  const given = input.control.map((target) => ({
    ...target,
    marks: target.marks.map((mark) => scaleMark(mark, fit.markScale)),
  }));
  let result = settleBlock({ ...input, lenses, control: used }, chosen, placed, start);
  let { iterations } = result;
  let apart: ReadonlyMap<string, Vector3> = new Map();
  for (let round = 0; round < MOST_ROUNDS && result.settled !== undefined; round += 1) {
    apart = leaveOneOut(input, result.settled, used, chosen, isFree);
    const sigmaM = sigmaOf(result.settled, used, apart, fit, isFree);
    const next = used.map((target) => ({
      ...target,
      sigmaM: raised(declared.get(target.name) ?? target.sigmaM, sigmaM),
    }));
    // Wrong points show only once the others have their proper weight.
    const isSettled = next.every((target, i) => isNear(target, used[i]));
    const kept = isSettled ? withoutWorst(result.settled, next, apart) : next;
    used = kept;
    if (isSettled && kept === next) break;
    result = settleBlock({ ...input, lenses, control: used }, chosen, posesOf(result.settled), {
      ...start,
      lenses: result.settled.outcome.problem.state.lenses,
    });
    iterations += result.iterations;
  }
  return {
    ...result,
    iterations,
    control: {
      used,
      given,
      leaveOneOutM: apart,
      fitRmsM: fit.rmsM,
      isContradicted: false,
      markScale: fit.markScale,
    },
  };
}

/** Whether enough control points are marked in two images or more to be fitted to a block. */
export function canBeFitted(control: readonly ControlTarget[]): boolean {
  const located = control.filter(
    ({ isCheck, marks }) => !isCheck && new Set(marks.map(({ image }) => image)).size > 1,
  );
  return located.length >= LIMITS.controlPoints;
}

/**
 * Control points none of which takes part.
 * @param contradictedRmsM of points that fit nothing, NaN if they have no places; absent: none was to take part
 */
export function unusedControl(
  control: readonly ControlTarget[],
  contradictedRmsM?: number,
): ControlUse {
  return {
    used: [],
    given: control,
    leaveOneOutM: new Map(),
    fitRmsM: contradictedRmsM ?? Number.NaN,
    isContradicted: contradictedRmsM !== undefined,
    markScale: 1,
  };
}

/**
 * Lenses whose tag the pictures contradict (different flying heights determine the focal length) are believed
 * as far as the contradiction goes.
 */
function widenedLenses(lenses: readonly LensPrior[], adjusted: Float64Array): readonly LensPrior[] {
  return lenses.map((lens, i) => {
    const off = Math.abs((adjusted[i * 7] ?? 0) - lens.intrinsics.focalPx);
    const { focalPx } = lens.sigma;
    if (focalPx === 0 || off <= FOCAL_SIGMAS * focalPx) return lens;
    return { ...lens, sigma: { ...lens.sigma, focalPx: off } };
  });
}

/** A settlement in which nothing was adjusted. */
export function asItWas(settled: SettledBlock | undefined): Settlement {
  return { settled, unheld: [], distrusted: [], iterations: 0 };
}

/** The poses of an adjusted block by image. */
export function posesOf({ block, outcome }: SettledBlock): ReadonlyMap<number, Pose> {
  const { state } = outcome.problem;
  return new Map(block.images.map((image, camera) => [image, poseOf(state, camera)]));
}

function movedPoses(settled: SettledBlock, similarity: Similarity): ReadonlyMap<number, Pose> {
  const back = inverse(similarity.rotation);
  return new Map(
    [...posesOf(settled)].map(([image, { rotation, centre }]) => [
      image,
      { rotation: compose(rotation, back), centre: applySimilarity(similarity, centre) },
    ]),
  );
}

/**
 * Where marks put each point in an adjustment that does not know it, less where it is given. Empty where points are
 * many, or where those left would place nothing.
 */
function leaveOneOut(
  input: OrientInput,
  { block, outcome }: SettledBlock,
  used: readonly ControlTarget[],
  { tracks, early }: ChosenTracks,
  isFree: boolean,
): ReadonlyMap<string, Vector3> {
  const { state } = outcome.problem;
  const located = used.filter(({ marks }) => locate(block, state, marks) !== undefined);
  const found = new Map<string, Vector3>();
  if (
    located.length > MOST_LEFT_OUT_IN_TURN ||
    (isFree && located.length <= LIMITS.controlPoints)
  ) {
    return found;
  }
  const few = tracksOfBlock(block, input.keypoints, tracks, early);
  for (const target of located) {
    const others = used.filter((one) => one !== target);
    const copy = copyState(state);
    const marked = markedPoints(block, copy, others, input.scaleBars);
    const apart = { ...copy, marked: marked.points.slice() };
    runRound(block, apart, few, marked, lateRound(CLEANING, outcome.residuals));
    const place = locate(block, apart, target.marks);
    if (place !== undefined) found.set(target.name, minus(place, target.position));
  }
  return found;
}

/** The points without the one that the others contradict most, and without the mark that lies off most. */
function withoutWorst(
  settled: SettledBlock,
  used: readonly ControlTarget[],
  apart: ReadonlyMap<string, Vector3>,
): readonly ControlTarget[] {
  const distances = used
    .flatMap((target) => {
      const errorM = apart.get(target.name);
      return errorM === undefined ? [] : [{ target, distanceM: Math.hypot(...errorM) }];
    })
    .sort((a, b) => b.distanceM - a.distanceM);
  const [worst] = distances;
  if (worst !== undefined && distances.length >= LEAST_TO_DOUBT) {
    const sigmaM = (upperMedian(distances.map(({ distanceM }) => distanceM)) ?? 0) / MEDIAN_LENGTH;
    const { horizontal, vertical } = worst.target.sigmaM;
    const leastM = Math.hypot(horizontal, vertical);
    if (worst.distanceM > WRONG_SIGMAS * Math.max(sigmaM, leastM)) {
      return used.filter((target) => target !== worst.target);
    }
  }
  const offs = used
    .flatMap(({ name, marks }) => {
      const point = settled.marked.usedControl.findIndex((target) => target.name === name);
      if (point < 0) return [];
      return marks.map((mark) => ({ mark, offPx: markMisfit(settled, point, mark) }));
    })
    .sort((a, b) => b.offPx - a.offPx);
  const middle = upperMedian(offs.map(({ offPx }) => offPx)) ?? 0;
  const [farthest] = offs;
  if (
    farthest === undefined ||
    farthest.offPx <= Math.max(LEAST_WRONG_PX, WRONG_MEDIANS * middle)
  ) {
    return used;
  }
  const owner = used.find(({ marks }) => marks.includes(farthest.mark));
  // Of two marks it is not known which one is wrong, unless other points show it.
  if ((owner?.marks.length ?? 0) < 3 && distances.length < LEAST_TO_DOUBT) return used;
  return used.flatMap((target) => {
    const rest = target.marks.filter((mark) => mark !== farthest.mark);
    return rest.length === 0 ? [] : [{ ...target, marks: rest }];
  });
}

interface Sigma {
  readonly horizontal: number;
  readonly vertical: number;
}

/**
 * Standard deviations of the points by their residuals; 0: not known. A residual times that of the adjustment
 * without the point has the variance of the point as its mean: the first is less by what the point pulls, the
 * second more by the same factor.
 */
function sigmaOf(
  { block, outcome }: SettledBlock,
  used: readonly ControlTarget[],
  apart: ReadonlyMap<string, Vector3>,
  fit: ControlFit,
  isFree: boolean,
): Sigma {
  const products = used.flatMap(({ name, position, marks }) => {
    const place = locate(block, outcome.problem.state, marks);
    const without = apart.get(name);
    if (place === undefined || without === undefined) return [];
    return [minus(place, position).map((value, axis) => value * (without[axis] ?? 0))];
  });
  if (products.length > 1) {
    const mean = (axis: number) =>
      products.reduce((sum, product) => sum + (product[axis] ?? 0), 0) / products.length;
    return {
      horizontal: Math.sqrt(Math.max(0, (mean(0) + mean(1)) / 2)),
      vertical: Math.sqrt(Math.max(0, mean(2))),
    };
  }
  return both(isFree ? firstSigma(fit, isFree) : 0);
}

/** Standard deviation of an axis by the similarity, whose own are seven of the coordinates. */
function firstSigma({ rmsM, located }: ControlFit, isFree: boolean): number {
  const sigmaM = rmsM * Math.sqrt(located / Math.max(1, 3 * located - 7));
  return isFree ? sigmaM : FIRST_SHARE * sigmaM;
}

function both(sigmaM: number): Sigma {
  return { horizontal: sigmaM, vertical: sigmaM };
}

function raised(declared: Sigma, found: Sigma): Sigma {
  return {
    horizontal: Math.max(declared.horizontal, found.horizontal),
    vertical: Math.max(declared.vertical, found.vertical),
  };
}

function isNear(a: ControlTarget, b: ControlTarget | undefined): boolean {
  const isClose = (p: number, q: number) => p <= SETTLED * q && q <= SETTLED * p;
  return (
    b !== undefined &&
    isClose(a.sigmaM.horizontal, b.sigmaM.horizontal) &&
    isClose(a.sigmaM.vertical, b.sigmaM.vertical)
  );
}
