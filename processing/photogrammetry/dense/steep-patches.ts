import type { ElevationGrid } from "../../grid/elevation-grid.ts";
import { floorRank } from "../../numeric/quantile.ts";
import type { TilePlan } from "./surface-plan.ts";
import type { MatchPass } from "./tile.ts";

/** A part of a level that is swept by level planes, and where. */
export interface SteepPatch {
  readonly tile: TilePlan;
  /** Height of the middle plane, ENU metres. */
  readonly middleM: number;
  readonly pass: MatchPass;
}

/** Edge of the blocks that patches are made of, cells. */
const BLOCK_CELLS = 32;
/** Blocks in a row make one patch up to this many, so that margins are matched less often. */
const MAX_RUN = 4;
/** No heap of loose material is steeper than this, as a tangent (50 degrees). */
const STEEP = 1.2;
/** Steep cells that make a block worth a sweep: an edge of a metre smeared over some cells. */
const MIN_STEEP_CELLS = 24;
/** Blocks of which the images show less than this share are leaves or water: no plane helps there. */
const MIN_KNOWN = 0.75;
/** Half edge of the windows, cells: as wide as the last pass has them, walls grow by it. */
const PLANE_RADIUS = 2;
/** Planes above and below the heights of the patch. */
const SPARE_STEPS = 3;
/** Planes to either side of the middle one at most; beyond, they lie further apart. */
const MAX_STEPS = 40;
/** Cells around a patch whose heights are swept too: the edge may have been smeared out of it. */
const REACH_CELLS = 12;
/** Share of the heights around a patch that is left out at either end: single wrong ones. */
const STRAY_SHARE = 0.01;

/**
 * Finds what a surface that is warped onto itself cannot get right: near a wall the surface so far is
 * a ramp, on which windows of no height match. There horizontal planes through all heights around do
 * (plane sweep, Collins 1996). `grid`: the finest level after its first pass.
 */
export function steepPatches(grid: ElevationGrid, pass: MatchPass): readonly SteepPatch[] {
  const patches: SteepPatch[] = [];
  for (let row = 0; row < grid.height; row += BLOCK_CELLS) {
    let run = 0;
    for (let column = 0; column < grid.width; column += BLOCK_CELLS) {
      if (!isSteep(grid, column, row)) continue;
      run += 1;
      const next = column + BLOCK_CELLS;
      const goesOn = run < MAX_RUN && next < grid.width && isSteep(grid, next, row);
      if (goesOn) continue;
      patches.push(patchOf(grid, next - run * BLOCK_CELLS, row, run, pass));
      run = 0;
    }
  }
  return patches;
}

function isSteep(grid: ElevationGrid, column: number, row: number): boolean {
  const { elevationM: z, width, height, cellM } = grid;
  const right = Math.min(width - 1, column + BLOCK_CELLS);
  const bottom = Math.min(height - 1, row + BLOCK_CELLS);
  let steep = 0;
  let known = 0;
  for (let y = row; y < bottom; y += 1) {
    for (let x = column; x < right; x += 1) {
      const i = y * width + x;
      const here = z[i] ?? 0;
      if (Number.isNaN(here)) continue;
      known += 1;
      const slope = Math.hypot((z[i + 1] ?? 0) - here, (z[i + width] ?? 0) - here) / cellM;
      if (slope > STEEP) steep += 1;
    }
  }
  return steep >= MIN_STEEP_CELLS && known >= MIN_KNOWN * (right - column) * (bottom - row);
}

function patchOf(
  grid: ElevationGrid,
  column: number,
  row: number,
  blocks: number,
  pass: MatchPass,
): SteepPatch {
  const tile = {
    column,
    row,
    width: Math.min(grid.width - column, blocks * BLOCK_CELLS),
    height: Math.min(grid.height - row, BLOCK_CELLS),
  };
  const heights: number[] = [];
  const bottom = Math.min(grid.height, row + tile.height + REACH_CELLS);
  const right = Math.min(grid.width, column + tile.width + REACH_CELLS);
  for (let y = Math.max(0, row - REACH_CELLS); y < bottom; y += 1) {
    for (let x = Math.max(0, column - REACH_CELLS); x < right; x += 1) {
      const z = grid.elevationM[y * grid.width + x] ?? 0;
      if (!Number.isNaN(z)) heights.push(z);
    }
  }
  const sorted = Float64Array.from(heights).sort();
  const lowM = floorRank(sorted, STRAY_SHARE) ?? 0;
  const highM = floorRank(sorted, 1 - STRAY_SHARE) ?? 0;
  const halfM = (highM - lowM) / 2;
  const steps = Math.min(MAX_STEPS, Math.ceil(halfM / pass.stepM) + SPARE_STEPS);
  const stepM = Math.max(pass.stepM, halfM / (MAX_STEPS - SPARE_STEPS));
  return {
    tile,
    middleM: (lowM + highM) / 2,
    pass: { ...pass, radius: PLANE_RADIUS, steps, stepM, rejectsEnds: true },
  };
}
