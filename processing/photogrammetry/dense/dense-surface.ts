import type { ElevationGrid } from "../elevation-grid.ts";
import { assembleSurface } from "./assemble-surface.ts";
import { fillGaps } from "./fill-gaps.ts";
import { finishSurface } from "./finish-surface.ts";
import { initialSurface } from "./initial-surface.ts";
import {
  type CurrentSurface,
  preparePatch,
  prepareTile,
  type SurfaceSources,
} from "./prepare-tile.ts";
import { resample } from "./resample.ts";
import { steepPatches } from "./steep-patches.ts";
import type { SurfaceLevel, SurfacePlan } from "./surface-plan.ts";
import type { MatchPass, TileInput, TileResult } from "./tile.ts";

/**
 * Works out the surface of a plan, coarse to fine. `run` matches one tile, by {@link matchTile} here
 * or in another thread; the tiles of a pass are given to it all at once and may end in any order. The
 * images go along with each tile: on shared memory they cost nothing, else they are copied.
 */
export async function denseSurface(
  plan: SurfacePlan,
  sources: SurfaceSources,
  run: (tile: TileInput) => Promise<TileResult>,
): Promise<ElevationGrid> {
  const first = plan.levels[0];
  const last = plan.levels.at(-1);
  if (first === undefined || last === undefined) throw new RangeError("a surface plan has levels");
  let current: CurrentSurface = {
    frame: first.frame,
    elevationM: initialSurface(sources.reconstruction.points, first.frame),
  };
  let grid = assembleSurface(last, []);
  for (const level of plan.levels) {
    for (const [n, pass] of level.passes.entries()) {
      const tiles = level.tiles.map((tile) => prepareTile(level, pass, tile, current, sources));
      grid = assembleSurface(level, await Promise.all(tiles.map(run)));
      const isBeforeLast = level === last && n === level.passes.length - 2;
      if (isBeforeLast) grid = await sweepSteepParts(grid, level, pass, sources, run);
      current = { frame: level.frame, elevationM: filled(grid, current) };
    }
  }
  return finishSurface(grid);
}

/** Matches walls and edges by level planes, and takes what fits better than the surface did. */
async function sweepSteepParts(
  grid: ElevationGrid,
  level: SurfaceLevel,
  pass: MatchPass,
  sources: SurfaceSources,
  run: (tile: TileInput) => Promise<TileResult>,
): Promise<ElevationGrid> {
  const patches = steepPatches(grid, pass);
  const inputs = patches.map((patch) => preparePatch(level, patch, sources));
  const swept = assembleSurface(
    { ...level, tiles: patches.map((patch) => patch.tile) },
    await Promise.all(inputs.map(run)),
  );
  const elevationM = grid.elevationM.slice();
  const score = grid.score.slice();
  for (let i = 0; i < elevationM.length; i += 1) {
    const [old, other] = [elevationM[i] ?? 0, swept.elevationM[i] ?? 0];
    if (Number.isNaN(other)) continue;
    const isOther = Number.isNaN(old) || Math.abs(other - old) > OTHER_HEIGHT_STEPS * pass.stepM;
    if (!isOther || (swept.score[i] ?? 0) <= (score[i] ?? 0)) continue;
    elevationM[i] = other;
    score[i] = swept.score[i] ?? 0;
  }
  return { ...grid, elevationM, score };
}

/** Nearer than this the two are one height, and the one on the sloping surface is the finer one. */
const OTHER_HEIGHT_STEPS = 1.5;

/** Without gaps; where nothing is known anywhere, the surface before. */
function filled(grid: ElevationGrid, before: CurrentSurface): Float32Array {
  const elevationM = fillGaps(grid.elevationM, grid.width, grid.height);
  return Number.isNaN(elevationM[0]) ? resample(before.elevationM, before.frame, grid) : elevationM;
}
