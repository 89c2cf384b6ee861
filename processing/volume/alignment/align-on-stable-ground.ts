import { rotationFromVector, type Vector3 } from "../../geometry/rotation.ts";
import type { Similarity } from "../../geometry/similarity.ts";
import type { HeightField } from "../../grid/elevation-grid.ts";
import type { PlanPolygon } from "../../grid/polygon-weights.ts";
import { type GroundCells, groundCells, steepestCells } from "./ground-cells.ts";
import { heightThrough } from "./height-through.ts";
import { patchSpread } from "./patch-spread.ts";
import type { ReliefStep } from "./relief-system.ts";
import { searchShift } from "./search-shift.ts";
import { levelTo, moved, NO_GROUND, NO_RELIEF, settle } from "./settle-alignment.ts";

/** How far the moving surface may be off beforehand, one standard deviation each. */
export interface AlignmentPrior {
  /** By axis in plan, metres. */
  readonly planM: number;
  /** About the vertical, rad. */
  readonly turnRad: number;
  /**
   * Without unit; 0 holds it. A heap that was lowered evenly on all sides looks like a smaller scale (a cone
   * by a third: 2.4 %), so scale is estimated only where several heaps lie far apart.
   */
  readonly scale: number;
}

/** Two flights with consumer GPS: 1 to 3 m and 1 to 2 % each (docs/photogrammetry.md#simulated-flights). */
export const GPS_PRIOR: AlignmentPrior = { planM: 3, turnRad: 0.02, scale: 0.02 };
/** Two flights with RTK or control points. */
export const RTK_PRIOR: AlignmentPrior = { planM: 0.05, turnRad: 0.001, scale: 0.001 };
/**
 * After {@link fitSimilarity} on common cameras: what two adjustments bend differently. Wider lets noise of the
 * ground move the survey, narrower leaves what the adjustments did bend.
 */
export const JOINT_PRIOR: AlignmentPrior = { planM: 0.05, turnRad: 0.001, scale: 0.001 };

export interface AlignmentOptions {
  /** From the frame of `moving` into that of `fixed`, as far as it is known; the same frame where absent. */
  readonly start?: Similarity;
  readonly prior?: AlignmentPrior;
}

/** How a surface was moved, and how well it lies now. */
export interface GroundAlignment {
  /** From the frame of `moving` into that of `fixed`: `start` and what was found. */
  readonly transform: Similarity;
  /** East, north, up, at the middle of the ground, on top of `start`, metres. */
  readonly shiftM: Vector3;
  /** Rise to the east and to the north, metres a metre. */
  readonly tilt: readonly [number, number];
  readonly turnRad: number;
  /** Factor that the moving surface was stretched by. */
  readonly scale: number;
  /** One standard deviation of `shiftM` in plan, `turnRad` and `scale`; the prior's where it is not determined. */
  readonly sigma: {
    readonly eastM: number;
    readonly northM: number;
    readonly turnRad: number;
    readonly scale: number;
  };
  /** Spread of the height differences on ground that counts, metres. */
  readonly nmadM: number;
  /**
   * One standard deviation of the mean height over an area of the size of the excluded polygons, there:
   * scatter of such means on stable ground, and what level and tilt are known to. Metres.
   */
  readonly sigmaCoregM: number;
  /** Share of the cells compared that did not change, 0 to 1, and how many those are. */
  readonly stableShare: number;
  readonly stableCells: number;
}

/** A cell that differs by more than so many NMAD has changed. */
const STABLE_SIGMAS = 3;
/**
 * Less ground than this does not determine a tilt, square metres; nor does ground of which less than half is
 * stable.
 */
const LEAST_GROUND_M2 = 50;
const LEAST_STABLE_SHARE = 0.45;
/**
 * Surfaces that differ by more than this nearly everywhere have no ground in common, metres. Ten times what two
 * surveys of 3 cm leave: more aligns on ground that has changed, less gives up on rough ground.
 */
const MOST_NMAD_M = 0.3;
/**
 * Edge of the patches by which it is estimated how many steep cells vary as one, metres. Larger leaves too few
 * patches to estimate from, smaller splits what varies as one.
 */
const RELIEF_PATCH_M = 1.5;
/**
 * Patches of ground that a scatter of means takes, at least; more make them smaller. Fewer leave the scatter
 * itself uncertain, more make them so small that neighbours vary as one.
 */
const LEAST_PATCHES = 16;
/** Edge of a patch where no polygon gives the size that matters, metres. */
const USUAL_PATCH_M = 5;

/**
 * Brings a surface onto an earlier one of the same site where nothing changed (Nuth & Kaeaeb 2011). Level and
 * tilt are determined by the ground outside of `exclude`; shift in plan, turn and scale by the steepest cells
 * anywhere, because on level sites the heaps are all the relief there is; moved parts of them do not count.
 * Each is reweighted, so that machines and new heaps on up to 40 % of the cells do no harm. What the relief
 * does not determine stays unchanged, with its whole prior as its sigma.
 * @param exclude polygons in the frame of `fixed` within which the surface is expected to change
 * @returns `undefined` where too little ground is stable
 */
export function alignOnStableGround(
  moving: HeightField,
  fixed: HeightField,
  exclude: readonly PlanPolygon[],
  { start = SAME, prior = GPS_PRIOR }: AlignmentOptions = {},
): GroundAlignment | undefined {
  const cells = groundCells(fixed, exclude);
  if (cells.count * cells.cellAreaM2 < LEAST_GROUND_M2) return undefined;
  const pivot = [mean(cells.x), mean(cells.y), mean(cells.z)] as const;
  const before = levelTo(cells, moving, start, pivot);
  if (before === undefined) return undefined;
  const steep = steepestCells(groundCells(fixed, []));
  const levelled = heightThrough(moving, moved(start, pivot, before, NO_RELIEF));
  const coarse = searchShift(steep, levelled, pivot, prior);
  const priorSigma = [prior.planM, prior.planM, prior.turnRad, prior.scale];
  const inPlan = settle(steep, moving, {
    start,
    pivot,
    ground: before,
    relief: [coarse.eastM, coarse.northM, coarse.turnRad, 0],
    priorSigma,
    patchM: RELIEF_PATCH_M,
  });
  const relief = inPlan?.relief ?? NO_RELIEF;

  const placed = moved(start, pivot, NO_GROUND, relief);
  // How surely a pile beyond the surface would lie, this alignment neither knows nor is asked.
  const piles = exclude.filter((polygon) => liesOn(fixed, polygon));
  const patchM = patchSize(piles, cells);
  const after = levelTo(cells, moving, placed, pivot);
  const inHeight =
    after &&
    settle(cells, moving, {
      start: placed,
      pivot,
      ground: after,
      relief: NO_RELIEF,
      priorSigma: NO_RELIEF,
      patchM,
    });
  if (inHeight === undefined) return undefined;
  const { sample, sigmaM } = inHeight.fit;
  const stable = sample.difference.map((r) => Number(Math.abs(r) <= STABLE_SIGMAS * sigmaM));
  const stableCells = stable.reduce((sum, one) => sum + one, 0);
  const stableShare = stableCells / sample.count;
  if (sigmaM > MOST_NMAD_M || stableShare < LEAST_STABLE_SHARE) return undefined;
  if (stableCells * cells.cellAreaM2 < LEAST_GROUND_M2) return undefined;
  const { x, y, difference } = sample;
  const spread = patchSpread(x, y, difference, stable, patchM, cells.cellAreaM2);
  const places = piles.length === 0 ? [[0, 0] as const] : piles.map((p) => centre(p, pivot));
  const predicted = Math.max(...places.map((place) => levelVariance(inHeight.step, place)));
  const [level = 0, tiltEast = 0, tiltNorth = 0] = inHeight.ground;
  const [east = 0, north = 0, turnRad = 0, stretch = 0] = relief;
  const [eastM = 0, northM = 0, turnSigma = 0, scaleSigma = 0] =
    inPlan?.step.reliefSigma ?? priorSigma;
  return {
    transform: moved(placed, pivot, inHeight.ground, NO_RELIEF),
    shiftM: [east, north, level],
    tilt: [tiltEast, tiltNorth],
    turnRad,
    scale: 1 + stretch,
    sigma: { eastM, northM, turnRad: turnSigma, scale: scaleSigma },
    nmadM: sigmaM,
    sigmaCoregM: Math.sqrt(spread.sigmaM ** 2 + predicted),
    stableShare,
    stableCells,
  };
}

const SAME: Similarity = {
  scale: 1,
  rotation: rotationFromVector([0, 0, 0]),
  translation: [0, 0, 0],
};
/** Variance of the level at a place, square metres. */
function levelVariance(
  { groundCovariance: c }: ReliefStep,
  [x, y]: readonly [number, number],
): number {
  const v = [1, x, y];
  return v.reduce(
    (sum, p, i) => sum + v.reduce((row, q, j) => row + p * q * (c[i * 3 + j] ?? 0), 0),
    0,
  );
}

/** Whether a corner of a polygon lies within the extent of a surface. */
function liesOn(surface: HeightField, polygon: PlanPolygon): boolean {
  const { westM, northM, cellM, width, height } = surface;
  return polygon.some(
    ([x, y]) =>
      x >= westM && x <= westM + width * cellM && y <= northM && y >= northM - height * cellM,
  );
}

/** Edge of a patch: of the excluded polygons' mean area, or less so that there are enough patches. */
function patchSize(exclude: readonly PlanPolygon[], { count, cellAreaM2 }: GroundCells): number {
  const areas = exclude.map((polygon) =>
    Math.abs(
      polygon.reduce((sum, [x, y], i) => {
        const [nextX, nextY] = polygon[(i + 1) % polygon.length] ?? [x, y];
        return sum + (x * nextY - nextX * y) / 2;
      }, 0),
    ),
  );
  const usual = areas.length === 0 ? USUAL_PATCH_M ** 2 : mean(Float64Array.from(areas));
  return Math.sqrt(Math.min(usual, (count * cellAreaM2) / LEAST_PATCHES));
}

function centre(polygon: PlanPolygon, pivot: Vector3): readonly [number, number] {
  return [
    mean(Float64Array.from(polygon, ([x]) => x)) - pivot[0],
    mean(Float64Array.from(polygon, ([, y]) => y)) - pivot[1],
  ];
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
