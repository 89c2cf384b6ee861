import { minus, type Vector3 } from "../../../geometry/rotation.ts";
import { EARLY_ROUNDS } from "../block/anneal.ts";
import { misfitPx } from "../block/marked-points.ts";
import type { ControlTarget, OrientInput } from "../block/orientation.ts";
import { type ChosenTracks, type SettledBlock, settleBlock } from "../block/settle-block.ts";
import { BIAS_SIGMA_M, placingPositions } from "../block/survey-block.ts";
import { type BlockPrecision, blockPrecision } from "../precision/block-precision.ts";
import type { StraightPositions } from "../precision/straight-positions.ts";
import { agreeingMarks, BENT_SHARE, POINT_SIGMAS, WRONG_MARK_PX } from "./control-fit.ts";
import { asItWas, type ControlledBlock, posesOf, unusedControl } from "./controlled-block.ts";

/**
 * Adjusts a block with one or two control points. They do not check each other, so they are compared with the
 * block by its positions. Their distance and direction are compared with its scale, turn and level; their
 * place with the offset that receivers have in common, or with positions by RTK, which have none. Points that
 * contradict it are not used, nor are those that fewer than two images show: nothing would show whether they
 * are right.
 * @param free adjusted without control, from corrected positions
 */
export function adjustWithFewPoints(
  input: OrientInput,
  chosen: ChosenTracks,
  free: SettledBlock,
  straight: StraightPositions | undefined,
): ControlledBlock {
  const points = input.control.flatMap((target) => placedTarget(free, target));
  if (points.length === 0) return { ...asItWas(free), control: unusedControl(input.control) };
  const precision = blockPrecision(free, straight);
  const isFitting = fitsPlace(points, free, precision) && fitsShape(points, precision);
  if (!isFitting) {
    return { ...asItWas(free), control: unusedControl(input.control, rmsOf(points)) };
  }
  const control = points.map(({ target }) => target);
  const result = settleBlock({ ...input, control }, chosen, posesOf(free), {
    early: EARLY_ROUNDS.slice(-2),
    lenses: free.outcome.problem.state.lenses,
  });
  return { ...result, control: { ...unusedControl(input.control), used: control } };
}

interface PlacedTarget {
  /** With the marks that agree. */
  readonly target: ControlTarget;
  /** Where those put it in the block. */
  readonly place: Vector3;
}

function placedTarget({ block, outcome }: SettledBlock, target: ControlTarget): PlacedTarget[] {
  if (target.isCheck) return [];
  const { state } = outcome.problem;
  const place = agreeingMarks({ block, state }, target.marks)?.place;
  if (place === undefined) return [];
  const marks = target.marks.filter(
    (mark) => (misfitPx(block, state, place, mark) ?? 0) <= WRONG_MARK_PX,
  );
  return [{ target: { ...target, marks }, place }];
}

const given = ({ target }: PlacedTarget) => target.position;
const found = ({ place }: PlacedTarget) => place;

/** How sure positions say where a point is, metres: one standard deviation, and what the block's bend may add. */
interface PlaceSigma {
  readonly horizontal: number;
  readonly vertical: number;
  readonly bentM: number;
}

/** Whether the points lie where positions have them. */
function fitsPlace(
  points: readonly PlacedTarget[],
  free: SettledBlock,
  precision: BlockPrecision,
): boolean {
  const placeSigma = placeSigmas(free, precision);
  return points.every((point) => {
    const [x, y, z] = minus(given(point), found(point));
    const { horizontal, vertical } = point.target.sigmaM;
    const sigma = placeSigma(found(point));
    const isNear = (metres: number, ofPlace: number, own: number) =>
      metres <= POINT_SIGMAS * Math.hypot(ofPlace, own) + sigma.bentM;
    return (
      isNear(Math.hypot(x, y), sigma.horizontal, horizontal) &&
      isNear(Math.abs(z), sigma.vertical, vertical)
    );
  });
}

/**
 * Without RTK positions place a block but for the offset that a receiver may have. Where some are by RTK, the block
 * has none: a point is as sure as they are, and as scale and level are over its distance from them.
 */
function placeSigmas(
  { block, outcome }: SettledBlock,
  { scaleSigma, tiltSigmaRad }: BlockPrecision,
): (place: Vector3) => PlaceSigma {
  const { state, priors } = outcome.problem;
  const placing = placingPositions(block.priors);
  if (placing.length === 0) return () => ({ ...BIAS_SIGMA_M, bentM: 0 });
  const meanOf = (values: Float64Array, axis: number) =>
    placing.reduce((sum, camera) => sum + (values[camera * 3 + axis] ?? 0), 0) / placing.length;
  const middle = [0, 1, 2].map((axis) => meanOf(state.centres, axis));
  return (place) => {
    const awayM = Math.hypot(...place.map((value, axis) => value - (middle[axis] ?? 0)));
    const leverM = Math.max(scaleSigma, tiltSigmaRad) * awayM;
    return {
      horizontal: Math.hypot(meanOf(priors.centreSigma, 0), leverM),
      vertical: Math.hypot(meanOf(priors.centreSigma, 2), leverM),
      bentM: BENT_SHARE * awayM,
    };
  };
}

/** Whether two points lie from each other as the block has it, by the standard deviations of both. */
function fitsShape(
  points: readonly PlacedTarget[],
  { scaleSigma, tiltSigmaRad }: BlockPrecision,
): boolean {
  const [first, second] = points;
  if (first === undefined || second === undefined) return true;
  const apart = minus(found(second), found(first));
  const [x, y, z] = minus(minus(given(second), given(first)), apart);
  const lengthM = Math.hypot(...apart);
  const sigmaOf = (axis: "horizontal" | "vertical") =>
    Math.hypot(first.target.sigmaM[axis], second.target.sigmaM[axis]);
  // Positions determine the turn about the vertical about as well as the scale.
  const planM = Math.hypot(sigmaOf("horizontal"), scaleSigma * lengthM);
  const heightM = Math.hypot(sigmaOf("vertical"), tiltSigmaRad * lengthM);
  return (
    Math.hypot(x, y) <= POINT_SIGMAS * planM &&
    Math.abs(z) <= POINT_SIGMAS * heightM + BENT_SHARE * lengthM
  );
}

/** Root mean square distance of the points, once the offset that they have in common is taken off. */
function rmsOf(points: readonly PlacedTarget[]): number {
  const off = points.map((point) => minus(given(point), found(point)));
  const mean = [0, 1, 2].map(
    (axis) => off.reduce((sum, one) => sum + (one[axis] ?? 0), 0) / points.length,
  );
  // One point has nothing in common with others.
  const about = points.length === 1 ? [0, 0, 0] : mean;
  const squares = off.map(
    (one) => Math.hypot(...one.map((value, i) => value - (about[i] ?? 0))) ** 2,
  );
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / points.length);
}
