import { LIMITS } from "../../gates/gate-thresholds.ts";
import type { Pose } from "../camera/camera.ts";
import type { CameraPrior } from "../camera/camera-prior.ts";
import { EARLY_ROUNDS } from "./block/anneal.ts";
import { locate } from "./block/marked-points.ts";
import type { OrientInput } from "./block/orientation.ts";
import {
  type ChosenTracks,
  type SettledBlock,
  type Settlement,
  settleBlock,
} from "./block/settle-block.ts";
import {
  adjustWithControl,
  type ControlledBlock,
  type ControlUse,
  canBeFitted,
  unusedControl,
} from "./control/controlled-block.ts";
import { adjustWithFewPoints } from "./control/few-points.ts";
import { NETWORK_DEPTH_M } from "./network/free-network.ts";
import { type StraightPositions, straightenPositions } from "./precision/straight-positions.ts";

/** A survey as it was adjusted, and what was found of its positions and control points. */
export interface AdjustedSurvey extends Settlement {
  /** Absent: positions were not checked. */
  readonly straight?: StraightPositions | undefined;
  /** Absent: none was given. */
  readonly control?: ControlUse | undefined;
}

/** Network positions hold the block's frame and no more, metres of its own. */
const NETWORK_SIGMA_M = NETWORK_DEPTH_M / 5;

/**
 * Adjusts a survey in three steps, each of which checks what the next takes for true: by the pictures and the
 * positions; again where the positions drift or nothing shows which direction is down; then with the control
 * points. Positions are corrected whatever control there is: a check point, a list that contradicts itself or
 * a point or two of some metres do not hold a block.
 * @param poses to start from: ENU by tags, or of a free network in a frame of its own (`isFree`)
 */
export function adjustSurvey(
  input: OrientInput,
  chosen: ChosenTracks,
  poses: ReadonlyMap<number, Pose>,
  isFree: boolean,
): AdjustedSurvey {
  const isControlled = input.control.some(({ isCheck }) => !isCheck);
  // Progress never falls: what follows takes as long as the first adjustment, in parts that are not known
  // beforehand.
  const shareOfFirst = isControlled ? 1 / 2 : 1;
  const free = settleBlock(
    {
      ...input,
      control: [],
      priors: isFree ? networkPriors(input.priors, poses) : input.priors,
      onProgress: (share: number) => input.onProgress?.(share * shareOfFirst),
    },
    chosen,
    poses,
  );
  const quiet = { ...input, onProgress: () => undefined };
  const level = isFree ? { ...free, priors: input.priors } : straightened(quiet, chosen, free);
  const { straight } = level;
  const { control } = input;
  if (level.settled === undefined || !isControlled) {
    return { ...level, ...(control.length > 0 && { control: unusedControl(control) }) };
  }
  const placed = withControl({ ...quiet, priors: level.priors }, chosen, level.settled, {
    isFree,
    straight,
  });
  input.onProgress?.(1);
  return {
    ...placed,
    unheld: [...new Set([...level.unheld, ...placed.unheld])],
    distrusted: [...new Set([...level.distrusted, ...placed.distrusted])].sort((a, b) => a - b),
    iterations: level.iterations + placed.iterations,
    straight,
  };
}

interface FreeBlockFacts {
  readonly isFree: boolean;
  readonly straight: StraightPositions | undefined;
}

function withControl(
  input: OrientInput,
  chosen: ChosenTracks,
  free: SettledBlock,
  { isFree, straight }: FreeBlockFacts,
): ControlledBlock {
  const { state } = free.outcome.problem;
  const located = input.control.filter(
    ({ isCheck, marks }) => !isCheck && locate(free.block, state, marks) !== undefined,
  );
  return isFree || (canBeFitted(input.control) && located.length >= LIMITS.controlPoints)
    ? adjustWithControl(input, chosen, free, isFree)
    : adjustWithFewPoints(input, chosen, free, straight);
}

/** The block adjusted again from corrected positions, where any were corrected; and those positions. */
function straightened(
  input: OrientInput,
  chosen: ChosenTracks,
  adjusted: Settlement,
): Settlement & {
  readonly priors: readonly CameraPrior[];
  readonly straight?: StraightPositions;
} {
  const asItIs = { ...adjusted, priors: input.priors };
  if (adjusted.settled === undefined) return asItIs;
  const straight = straightenPositions(adjusted.settled, input.priors);
  if (straight.again === undefined) return { ...asItIs, straight };
  const { priors, poses } = straight.again;
  const again = settleBlock({ ...input, control: [], priors }, chosen, poses, {
    early: EARLY_ROUNDS.slice(-2),
    lenses: adjusted.settled.outcome.problem.state.lenses,
  });
  if (again.settled === undefined) return asItIs;
  return {
    settled: again.settled,
    unheld: [...adjusted.unheld, ...again.unheld],
    distrusted: [...new Set([...adjusted.distrusted, ...again.distrusted])].sort((a, b) => a - b),
    iterations: adjusted.iterations + again.iterations,
    priors,
    straight,
  };
}

function networkPriors(
  priors: readonly CameraPrior[],
  poses: ReadonlyMap<number, Pose>,
): readonly CameraPrior[] {
  return priors.map((prior, image) => ({
    ...prior,
    centre: poses.get(image)?.centre,
    centreSigmaM: [NETWORK_SIGMA_M, NETWORK_SIGMA_M, NETWORK_SIGMA_M],
    isRtk: false,
    rotation: undefined,
  }));
}
