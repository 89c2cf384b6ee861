import type { Vector3 } from "../rotation.ts";
import { EARLY_ROUNDS } from "./anneal.ts";
import { blockPrecision } from "./block-precision.ts";
import { agreeingMarks, BENT_SHARE, POINT_SIGMAS, WRONG_MARK_PX } from "./control-fit.ts";
import { asItWas, type ControlledBlock, posesOf, unusedControl } from "./controlled-block.ts";
import { misfitPx } from "./marked-points.ts";
import type { ControlTarget, OrientInput } from "./orientation.ts";
import { type ChosenTracks, type SettledBlock, settleBlock } from "./settle-block.ts";
import type { StraightPositions } from "./straight-positions.ts";
import { BIAS_SIGMA_M } from "./survey-block.ts";

/**
 * Adjusts a block with one or two control points. They do not check each other, so that they are compared with the
 * block by its positions: their distance and direction with its scale, turn and level, their place with the offset
 * that receivers have in common. Points that contradict it are not used, nor are those that fewer than two images
 * show: nothing would tell whether they are right.
 * @param free adjusted without control, from positions that were put right
 */
export function adjustWithFewPoints(
  input: OrientInput,
  chosen: ChosenTracks,
  free: SettledBlock,
  straight: StraightPositions | undefined,
): ControlledBlock {
  const points = input.control.flatMap((target) => placedTarget(free, target));
  if (points.length === 0) return { ...asItWas(free), control: unusedControl(input.control) };
  const isFitting = fitsPlace(points) && fitsShape(points, free, straight);
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

/** Whether the points lie where positions have them, but for the offset that a receiver may have. */
function fitsPlace(points: readonly PlacedTarget[]): boolean {
  return points.every((point) => {
    const [x, y, z] = minus(given(point), found(point));
    const { horizontal, vertical } = point.target.sigmaM;
    const isNear = (metres: number, bias: number, own: number) =>
      metres <= POINT_SIGMAS * Math.hypot(bias, own);
    return (
      isNear(Math.hypot(x, y), BIAS_SIGMA_M.horizontal, horizontal) &&
      isNear(Math.abs(z), BIAS_SIGMA_M.vertical, vertical)
    );
  });
}

/** Whether two points lie from each other as the block has it, by the standard deviations of both. */
function fitsShape(
  points: readonly PlacedTarget[],
  free: SettledBlock,
  straight: StraightPositions | undefined,
): boolean {
  const [first, second] = points;
  if (first === undefined || second === undefined) return true;
  const apart = minus(found(second), found(first));
  const [x, y, z] = minus(minus(given(second), given(first)), apart);
  const lengthM = Math.hypot(...apart);
  const { scaleSigma, tiltSigmaRad } = blockPrecision(free, straight);
  const sigmaOf = (axis: "horizontal" | "vertical") =>
    Math.hypot(first.target.sigmaM[axis], second.target.sigmaM[axis]);
  // Positions tell the turn about the vertical about as well as the scale.
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

function minus(a: Vector3, b: Vector3): Vector3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}
