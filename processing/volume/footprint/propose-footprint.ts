import {
  besides,
  type CellMask,
  grown,
  regionsOf,
  shrunk,
  withoutHoles,
} from "../../grid/cell-mask.ts";
import { coarser } from "../../grid/coarser-surface.ts";
import type { HeightField } from "../../grid/elevation-grid.ts";
import { maskOutline } from "../../grid/mask-outline.ts";
import type { PlanPolygon } from "../../grid/polygon-weights.ts";
import { type GroundAround, groundAround } from "./ground-around.ts";
import { WALL_SLOPE } from "./wall-smear.ts";

/**
 * Cell in which toes are searched for, metres, at least: finer shows stones, not piles. Coarser cuts corners of
 * the toe.
 */
const CELL_M = 0.25;
/**
 * Height above the ground at which a toe begins, metres, at least, and in spreads of the ground. Less runs out
 * onto rough ground, more cuts a flat toe off.
 */
const TOE_M = 0.08;
const TOE_SPREADS = 2.5;
/**
 * Share of a region's rim that is wall, from which on it is a building or a container. Lower takes steep piles for
 * buildings, higher proposes containers.
 */
const WALLED = 0.4;
/**
 * Necks and spurs narrower than twice this are cut off, metres. More cuts off spurs of a pile, less joins it with
 * tracks and neighbours.
 */
const OPENING_M = 0.5;
/**
 * Area and height of the least pile, m2 and metres: a lorry load of 10 m3 has some 15 m2. More overlooks small
 * piles, less proposes vehicles.
 */
const LEAST_AREA_M2 = 12;
const LEAST_HEIGHT_M = 0.6;
/**
 * Free ground between toe and line, metres: what matching smears of the toe stays within. More takes in what lies
 * beside, less cuts off what was smeared.
 */
const MARGIN_M = 0.4;
/**
 * A pile as far from the survey's middle as this share of its reach counts 1 / e of one there. Smaller prefers
 * little heaps in the middle, larger takes large ones at the edge that the flight was not for.
 */
const MIDDLE_SHARE = 0.5;
/**
 * Vertices of the line at most, and how far it may run off the toe, in cells. More and closer follow the noise of
 * cells, fewer and farther cut corners.
 */
const MOST_VERTICES = 100;
const TOLERANCE_CELLS = 0.6;

/** Where to search. */
export interface ProposeOptions {
  /** Where the pile is expected, ENU metres; absent: the middle of the survey. */
  readonly near?: readonly [number, number];
}

/**
 * Finds the pile of a surface: the largest heap near the survey's middle, along its toe, where its flank
 * leaves the ground around it. Walls part machines and buildings from heaps. A proposal: a person confirms it.
 * @returns its line, open, in ENU metres; `undefined` when there is no such heap.
 */
export function proposeFootprint(
  surface: HeightField,
  options: ProposeOptions = {},
): PlanPolygon | undefined {
  const field = coarser(surface, CELL_M);
  const ground = groundAround(field);
  if (ground === undefined) return undefined;
  const pile = heapOf(field, ground, options.near ?? middleOf(field));
  if (pile === undefined) return undefined;
  const line = maskOutline(field, withoutHoles(grown(pile, MARGIN_M / field.cellM)), {
    toleranceM: TOLERANCE_CELLS * field.cellM,
    most: MOST_VERTICES,
  });
  return line.length < 3 ? undefined : line;
}

function heapOf(
  field: HeightField,
  { heightM, nmadM, standing }: GroundAround,
  near: readonly [number, number],
): CellMask | undefined {
  const { width, height, cellM, elevationM } = field;
  const toe = Math.max(TOE_M, TOE_SPREADS * nmadM);
  const above = elevationM.map((z, cell) => z - (heightM[cell] ?? Number.NaN));
  const walls = wallsOf(field);
  const heaps: CellMask = {
    width,
    height,
    cells: Uint8Array.from(above, (h, cell) => (h > toe && walls[cell] === 0 ? 1 : 0)),
  };
  const opened = grown(shrunk(withoutHoles(heaps), OPENING_M / cellM), OPENING_M / cellM);
  const reachM = (Math.hypot(width, height) * cellM) / 2;
  let best: readonly number[] | undefined;
  let most = 0;
  for (const region of regionsOf(opened)) {
    const heights = region.map((cell) => Math.max(0, above[cell] || 0));
    const isPile =
      region.length * cellM * cellM >= LEAST_AREA_M2 &&
      maximum(heights) >= LEAST_HEIGHT_M &&
      region.some((cell) => standing.cells[cell] === 1) &&
      walledShare(region, opened, walls) < WALLED;
    if (!isPile) continue;
    const [x, y] = centreOf(field, region);
    const away = Math.hypot(x - near[0], y - near[1]) / (MIDDLE_SHARE * reachM);
    const rank = heights.reduce((sum, h) => sum + h, 0) * Math.exp(-away * away);
    if (rank > most) [most, best] = [rank, region];
  }
  if (best === undefined) return undefined;
  const cells = new Uint8Array(width * height);
  for (const cell of best) cells[cell] = 1;
  return { width, height, cells };
}

/** Cells from which the surface falls or rises to a neighbour as steeply as a wall, 1 or 0 each. */
function wallsOf({ width, cellM, elevationM }: HeightField): Uint8Array {
  return Uint8Array.from(elevationM, (z, cell) =>
    besides(cell, width, elevationM.length).some(
      (other) => Math.abs((elevationM[other] ?? Number.NaN) - z) > WALL_SLOPE * cellM,
    )
      ? 1
      : 0,
  );
}

/** Share of a region's rim that lies within two cells of a wall. */
function walledShare(
  region: readonly number[],
  { width, height, cells }: CellMask,
  walls: Uint8Array,
) {
  const near = grown({ width, height, cells: walls }, 2).cells;
  let rim = 0;
  let walled = 0;
  for (const cell of region) {
    const isRim = besides(cell, width, cells.length).some((other) => cells[other] === 0);
    if (!isRim) continue;
    rim += 1;
    walled += near[cell] ?? 0;
  }
  return rim === 0 ? 0 : walled / rim;
}

function maximum(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function centreOf(
  { westM, northM, cellM, width }: HeightField,
  cells: readonly number[],
): readonly [number, number] {
  let [cols, rows] = [0, 0];
  for (const cell of cells) {
    cols += (cell % width) + 0.5;
    rows += Math.floor(cell / width) + 0.5;
  }
  return [westM + (cols / cells.length) * cellM, northM - (rows / cells.length) * cellM];
}

/** Middle of what has data. */
function middleOf(field: HeightField): readonly [number, number] {
  const known = [...field.elevationM.keys()].filter(
    (cell) => !Number.isNaN(field.elevationM[cell] ?? Number.NaN),
  );
  return centreOf(field, known);
}
