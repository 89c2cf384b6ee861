import type { ElevationGrid, GridFrame, HeightField } from "../../grid/elevation-grid.ts";
import { fillGaps } from "../../grid/fill-gaps.ts";
import { fillFromCoarser } from "./fill-from-coarser.ts";
import { finishSurface } from "./finish-surface.ts";
import { initialSurface } from "./initial-surface.ts";
import {
  type CurrentSurface,
  preparePatch,
  prepareTile,
  type SurfaceSources,
} from "./prepare-tile.ts";
import { resample } from "./resample.ts";
import { smoothSurface } from "./smooth.ts";
import { steepPatches } from "./steep-patches.ts";
import type { SurfaceLevel, SurfacePlan } from "./surface-plan.ts";
import type { ImageSize, MatchPass, TileImage, TileInput, TileResult } from "./tile.ts";

/** Nearer than this the two are one height, and the one on the sloping surface is the finer one. */
const OTHER_HEIGHT_STEPS = 1.5;
/**
 * Where walls were found, planes win although they match worse by this: a ramp fits itself to chance
 * likenesses. Of the 2.6 m boxes of 36 synthetic images the walls are then 2 cells wide instead of 3.
 */
const PLANE_LEAD = 0.25;
/**
 * Before each pass the surface is smoothed over cells that lie within so many steps of each other:
 * windows on a rough surface match badly, and the roughness would stay. A 37 degree cone after three
 * passes is 4.8 instead of 8.7 cm off (NMAD), heaps of 36 synthetic images 1.7 instead of 2.4 cm (rms);
 * radius 2 takes 1.6 cm and rounds ridges more (mean of the heap -0.4 instead of -0.3 cm).
 */
const SMOOTH_RADIUS = 1;
const SMOOTH_STEPS = 3;

/** The outcome of a pass. */
export interface PassResult {
  readonly grid: ElevationGrid;
  /** What the next pass begins with. */
  readonly next: CurrentSurface;
}

export interface DenseOptions {
  /** Heights of the first level's cells by {@link initialSurface}, where they were computed in another thread. */
  readonly start?: Float32Array | undefined;
  /** Whether cells that the last level gives no height take that of the level before (`fillFromCoarser`). */
  readonly fillsFromCoarser?: boolean;
  /**
   * Yields the result of the pass of that number (0 = first), which `work` makes: one that keeps results lets a run
   * that was killed go on after the last of them. The last pass is not asked for.
   */
  readonly keep?: (pass: number, work: () => Promise<PassResult>) => Promise<PassResult>;
}

/**
 * Works out the surface of a plan, coarse to fine. `run` matches one tile, by {@link matchTile} here
 * or in another thread; the tiles of a pass are given to it all at once and may end in any order. The
 * images go along with each tile: on shared memory they cost nothing, else they are copied.
 */
export async function denseSurface<Image extends ImageSize = TileImage>(
  plan: SurfacePlan,
  sources: SurfaceSources<Image>,
  run: (tile: TileInput<Image>) => Promise<TileResult>,
  { start, fillsFromCoarser = false, keep = (_, work) => work() }: DenseOptions = {},
): Promise<ElevationGrid> {
  const first = plan.levels[0];
  const last = plan.levels.at(-1);
  if (first === undefined || last === undefined) throw new RangeError("a surface plan has levels");
  let current: CurrentSurface = {
    frame: first.frame,
    elevationM: start ?? initialSurface(sources.reconstruction.points, first.frame),
  };
  let grid = assembleSurface(last, []);
  let coarse: HeightField | undefined;
  let coarser: ElevationGrid | undefined;
  let number = 0;
  for (const level of plan.levels) {
    if (level === last && level !== first) {
      coarser = grid;
      coarse = heightsOf(finishSurface(grid));
    }
    for (const [n, pass] of level.passes.entries()) {
      const before = current;
      const match = async (): Promise<PassResult> => {
        const tiles = level.tiles.map((tile) => prepareTile(level, pass, tile, before, sources));
        let matched = assembleSurface(level, await Promise.all(tiles.map(run)));
        const isBeforeLast = level === last && n === level.passes.length - 2;
        if (isBeforeLast) matched = await sweepSteepParts(matched, level, pass, sources, run);
        return { grid: matched, next: nextSurface(matched, before, pass.stepM) };
      };
      const isLast = level === last && n === level.passes.length - 1;
      const result = isLast ? await match() : await keep(number, match);
      [grid, current] = [result.grid, result.next];
      number += 1;
    }
  }
  const whole = fillsFromCoarser && coarser ? fillFromCoarser(grid, coarser) : grid;
  const finished = finishSurface(whole);
  return coarse === undefined ? finished : { ...finished, coarse };
}

function heightsOf({ westM, northM, cellM, width, height, elevationM }: ElevationGrid) {
  return { westM, northM, cellM, width, height, elevationM };
}

/** Matches walls and edges by level planes, and takes what fits better than the surface did. */
async function sweepSteepParts<Image extends ImageSize>(
  grid: ElevationGrid,
  level: SurfaceLevel,
  pass: MatchPass,
  sources: SurfaceSources<Image>,
  run: (tile: TileInput<Image>) => Promise<TileResult>,
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
    const isWorse = (swept.score[i] ?? 0) < (score[i] ?? 0) - PLANE_LEAD;
    if (!isOther || isWorse) continue;
    elevationM[i] = other;
    score[i] = swept.score[i] ?? 0;
  }
  return { ...grid, elevationM, score };
}

/** What the next pass warps onto: no gaps, no roughness; where nothing is known at all, as before. */
function nextSurface(grid: ElevationGrid, before: CurrentSurface, stepM: number): CurrentSurface {
  const { westM, northM, cellM, width, height } = grid;
  const frame = { westM, northM, cellM, width, height };
  const whole = fillGaps(grid.elevationM, width, height);
  const elevationM = Number.isNaN(whole[0])
    ? resample(before.elevationM, before.frame, frame)
    : smoothSurface(whole, width, height, SMOOTH_RADIUS, SMOOTH_STEPS * stepM);
  return { frame, elevationM };
}

/** Puts the tiles of a level together; a missing tile has no data. */
function assembleSurface(
  { frame, tiles }: SurfaceLevel,
  results: readonly (TileResult | undefined)[],
): ElevationGrid {
  const { westM, northM, cellM, width, height }: GridFrame = frame;
  const grid = {
    ...{ westM, northM, cellM, width, height },
    elevationM: new Float32Array(width * height).fill(Number.NaN),
    score: new Float32Array(width * height),
    views: new Uint8Array(width * height),
  };
  for (const [t, tile] of tiles.entries()) {
    const result = results[t];
    if (result === undefined) continue;
    for (let row = 0; row < tile.height; row += 1) {
      const [from, to] = [row * tile.width, (row + 1) * tile.width];
      const at = (tile.row + row) * width + tile.column;
      grid.elevationM.set(result.elevationM.subarray(from, to), at);
      grid.score.set(result.score.subarray(from, to), at);
      grid.views.set(result.views.subarray(from, to), at);
    }
  }
  return grid;
}
