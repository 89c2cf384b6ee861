import { rotate, rotationFromVector, type Vector3 } from "../../geometry/rotation.ts";
import { chainSimilarities, type Similarity } from "../../geometry/similarity.ts";
import type { HeightField } from "../../grid/elevation-grid.ts";
import { MAD_TO_SIGMA, upperMedian } from "../../numeric/median.ts";
import { fitRobustTrend } from "../../numeric/robust-trend.ts";
import { type GroundCells, slopeAt } from "./ground-cells.ts";
import { type HeightThrough, heightThrough } from "./height-through.ts";
import { patchSpread } from "./patch-spread.ts";
import { type ReliefSample, type ReliefStep, reliefStep } from "./relief-system.ts";

const MAX_ROUNDS = 15;
/** Rounds end when nothing moves by more, metres. */
const STILL_M = 2e-4;
/** Tukey's constant for 95 % efficiency at normal errors (Holland & Welsch 1977). */
const TUKEY = 4.685;
/** Least scale of height differences, metres: surfaces without noise must not divide by zero. */
const LEAST_SIGMA_M = 1e-3;
/** Fewer cells in common determine nothing. More leaves small surveys as they were placed. */
const LEAST_CELLS = 100;
/** Numbers that a cell is compared by: those of {@link ReliefSample} except its weight. */
const COLUMNS = 8;
/**
 * Rounds in which cells count as independent: before a turn is found, its effect on the heights looks like
 * correlated noise, which would hide it. More lets noise in for longer, fewer may hide the turn.
 */
const EAGER_ROUNDS = 5;

/** Nothing found: of level and tilt, and of what only relief determines. */
export const NO_GROUND = [0, 0, 0];
export const NO_RELIEF = [0, 0, 0, 0];
/** Where an alignment starts, and what holds it. */
interface Unsettled {
  readonly start: Similarity;
  readonly pivot: Vector3;
  /** Level and tilt, and what only relief determines, on top of `start`. */
  readonly ground: readonly number[];
  readonly relief: readonly number[];
  /** Of `relief`; zeros hold it. */
  readonly priorSigma: readonly number[];
  readonly patchM: number;
}

/** Steps until nothing moves any more; `undefined` with too few cells. */
export function settle(cells: GroundCells, moving: HeightField, from: Unsettled) {
  const { start, pivot, priorSigma, patchM } = from;
  let { ground, relief } = from;
  let correlated = 1;
  let step: ReliefStep | undefined;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { sample, sigmaM, reachM } = compare(
      cells,
      moving,
      moved(start, pivot, ground, relief),
      pivot,
    );
    if (sample.count < LEAST_CELLS) return undefined;
    const { x, y, difference, weight } = sample;
    const spread = patchSpread(x, y, difference, weight, patchM, cells.cellAreaM2);
    if (round >= EAGER_ROUNDS && spread.patches > 0) correlated = spread.correlated;
    step = reliefStep(sample, { varianceM2: correlated * sigmaM ** 2, priorSigma }, relief);
    const before = relief;
    const still = Math.max(
      ...step.ground.map((v, k) => Math.abs(v) * (k === 0 ? 1 : reachM)),
      ...step.relief.map((v, k) => Math.abs(v - (before[k] ?? 0)) * (k < 2 ? 1 : reachM)),
    );
    relief = step.relief;
    ground = plus(ground, step.ground);
    if (still < STILL_M && round >= EAGER_ROUNDS) break;
  }
  const fit = compare(cells, moving, moved(start, pivot, ground, relief), pivot);
  return step && { ground, relief, step, fit };
}

/** `start`, then what was found, about the pivot. */
export function moved(
  start: Similarity,
  pivot: Vector3,
  [level = 0, tiltEast = 0, tiltNorth = 0]: readonly number[],
  [east = 0, north = 0, turn = 0, stretch = 0]: readonly number[],
): Similarity {
  const scale = 1 + stretch;
  // Rises to the east by turning about the axis to the south, to the north about that to the east.
  const rotation = rotationFromVector([tiltNorth, -tiltEast, turn]);
  // The start may lie levels off: it is levelled first, so that tilts turn about the ground.
  const levelled: Similarity = {
    ...start,
    translation: [start.translation[0], start.translation[1], start.translation[2] + level],
  };
  const [x, y, z] = rotate(rotation, pivot);
  return chainSimilarities(
    {
      scale,
      rotation,
      translation: [
        pivot[0] + east - scale * x,
        pivot[1] + north - scale * y,
        pivot[2] - scale * z,
      ],
    },
    levelled,
  );
}

/** Level and tilt by all cells alike, without moving anything in plan. */
export function levelTo(
  cells: GroundCells,
  moving: HeightField,
  start: Similarity,
  pivot: Vector3,
) {
  const { sample } = compare(cells, moving, start, pivot);
  const { x, y, difference } = sample;
  const points = new Float64Array(3 * difference.length);
  for (let i = 0; i < difference.length; i += 1) {
    points[3 * i] = x[i] ?? 0;
    points[3 * i + 1] = y[i] ?? 0;
    points[3 * i + 2] = difference[i] ?? 0;
  }
  const trend = fitRobustTrend(points);
  return trend && [trend.heightAt(0, 0), trend.slopeEast, trend.slopeNorth];
}

/** Height differences through a transform, and their spread. */
interface Comparison {
  readonly sample: ReliefSample;
  /** 1.4826 times the median of absolute differences, metres. */
  readonly sigmaM: number;
  /** Of the cells from the pivot, metres. */
  readonly reachM: number;
}

function compare(
  cells: GroundCells,
  moving: HeightField,
  transform: Similarity,
  pivot: Vector3,
): Comparison {
  const heightAt: HeightThrough = heightThrough(moving, transform);
  const columns = new Float64Array(COLUMNS * cells.count);
  const column = (k: number) => columns.subarray(k * cells.count, k * cells.count + count);
  let count = 0;
  for (let i = 0; i < cells.count; i += 1) {
    const x = cells.x[i] ?? 0;
    const y = cells.y[i] ?? 0;
    const z = cells.z[i] ?? 0;
    const height = heightAt(x, y, z);
    const [slopeX, slopeY] = slopeAt(heightAt, x, y, height);
    if (Number.isNaN(height + slopeX + slopeY)) continue;
    columns[count] = x - pivot[0];
    columns[cells.count + count] = y - pivot[1];
    columns[2 * cells.count + count] = z - pivot[2];
    columns[3 * cells.count + count] = cells.slopeX[i] ?? 0;
    columns[4 * cells.count + count] = cells.slopeY[i] ?? 0;
    columns[5 * cells.count + count] = slopeX;
    columns[6 * cells.count + count] = slopeY;
    columns[7 * cells.count + count] = z - height;
    count += 1;
  }
  const [x, y, z, difference] = [column(0), column(1), column(2), column(7)];
  const sigmaM = Math.max(
    LEAST_SIGMA_M,
    MAD_TO_SIGMA * (upperMedian(difference.map(Math.abs)) ?? 0),
  );
  return {
    sample: {
      ...{ count, x, y, z, difference },
      fixedX: column(3),
      fixedY: column(4),
      movingX: column(5),
      movingY: column(6),
      weight: difference.map((r) => {
        const u = r / (TUKEY * sigmaM);
        return Math.abs(u) < 1 ? (1 - u * u) ** 2 : 0;
      }),
    },
    sigmaM,
    reachM: Math.max(1, farthest(x), farthest(y)),
  };
}

function farthest(values: Float64Array): number {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}

function plus(a: readonly number[], b: readonly number[]): readonly number[] {
  return a.map((value, k) => value + (b[k] ?? 0));
}
