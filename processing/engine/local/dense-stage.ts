import { denseSurface } from "../../photogrammetry/dense/dense-surface.ts";
import { type ImagePyramid, pyramidBytes } from "../../photogrammetry/dense/image-pyramid.ts";
import { planSurface, type SurfacePlan } from "../../photogrammetry/dense/surface-plan.ts";
import type { TileInput, TileResult } from "../../photogrammetry/dense/tile.ts";
import type { ElevationGrid } from "../../photogrammetry/elevation-grid.ts";
import type { Reconstruction } from "../../photogrammetry/reconstruction.ts";
import type { SurveyRun } from "../run/survey-run.ts";
import type { FinishedStage } from "../stage-store.ts";
import type { SurveyBlock } from "./survey-block.ts";

const SURFACE = { name: "surface", version: 1 } as const;

/** Cells of a surface at most: beyond it the cell grows. 225 MB with score and views. Chosen. */
const MOST_CELLS = 25_000_000;
/** Share of the stage that reading the images is; measured at 36 images of 1200 px. */
const LOADING = 0.1;

/** The surface of an oriented block, tile by tile. */
export async function matchSurface(
  run: SurveyRun,
  block: SurveyBlock,
  orientationKey: string,
  reconstruction: Reconstruction,
): Promise<FinishedStage<ElevationGrid>> {
  const { pool, signal, input } = run;
  const { dsmCellGsd } = input.profile;
  run.advance("surface", 0);
  return await run.once(SURFACE, [orientationKey, String(dsmCellGsd)], async () => {
    const plan = planSurface(reconstruction, { cellGsd: dsmCellGsd, maxCells: MOST_CELLS });
    const [start, pyramids] = await Promise.all([
      startHeights(run, plan, reconstruction),
      loadPyramids(run, block, reconstruction),
    ]);
    const work = plannedWork(plan);
    let matched = 0;
    const match = async (tile: TileInput): Promise<TileResult> => {
      const result = await pool.run("match-tile", tile, signal);
      matched += tile.inner.width * tile.inner.height * (2 * tile.pass.steps + 1);
      run.advance("surface", LOADING + (1 - LOADING) * Math.min(1, matched / work));
      return result;
    };
    return await denseSurface(plan, { reconstruction, pyramids }, match, start);
  });
}

async function startHeights(
  { pool, signal }: SurveyRun,
  { levels: [first] }: SurfacePlan,
  { points }: Reconstruction,
): Promise<Float32Array | undefined> {
  return first && (await pool.run("start-surface", { points, frame: first.frame }, signal));
}

/** By image of the block; those without a camera are left out. */
async function loadPyramids(
  { pool, signal, advance }: SurveyRun,
  block: SurveyBlock,
  { cameras }: Reconstruction,
): Promise<readonly (ImagePyramid | undefined)[]> {
  const oriented = new Set(cameras.map(({ image }) => image));
  let loaded = 0;
  return await Promise.all(
    block.files.map(async (image, i) => {
      if (!oriented.has(i)) return undefined;
      const buffer = new SharedArrayBuffer(pyramidBytes(image.widthPx, image.heightPx));
      const pyramid = await pool.run("load-pyramid", { image, buffer }, signal);
      loaded += 1;
      advance("surface", (LOADING * loaded) / oriented.size);
      return pyramid;
    }),
  );
}

/** Cells times heights that are tried over all passes; sweeps of walls come on top. */
function plannedWork({ levels }: SurfacePlan): number {
  const ofLevels = levels.map(({ frame, passes }) =>
    passes.reduce((sum, { steps }) => sum + frame.width * frame.height * (2 * steps + 1), 0),
  );
  return ofLevels.reduce((sum, work) => sum + work, 0);
}
