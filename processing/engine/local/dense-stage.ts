import type { ElevationGrid } from "../../grid/elevation-grid.ts";
import type { DecodedLevel } from "../../images/pixels/decoded-image.ts";
import { denseSurface } from "../../photogrammetry/dense/dense-surface.ts";
import { planSurface, type SurfacePlan } from "../../photogrammetry/dense/surface-plan.ts";
import type { TileInput, TileResult } from "../../photogrammetry/dense/tile.ts";
import type { Reconstruction } from "../../photogrammetry/reconstruction/reconstruction.ts";
import type { FinishedStage } from "../run/stage-store.ts";
import type { SurveyRun } from "../run/survey-run.ts";
import { type DecodedImages, decodeAll } from "./decoded-images.ts";
import type { SurfaceImages } from "./surface-images.ts";
import { MATCH_TILE, START_SURFACE } from "./tasks/tasks.ts";

const SURFACE = { name: "surface", version: 2 } as const;
/** A surface on its way, after one of its passes. */
const PASS = { name: "surface-pass", version: 2 } as const;

/**
 * Cells of a surface at most: beyond it the cell grows. 225 MB with score and views. More takes more memory, fewer
 * makes large surveys coarser.
 */
export const MOST_CELLS = 25_000_000;
/** Share of the stage that reading the images is; measured at 36 images of 1200 px. */
const LOADING = 0.1;

/**
 * The surface of an oriented block, tile by tile. The images lie decoded on the disk meanwhile; every pass is a
 * stage of its own, so that a job that was killed goes on with the pass that it was in.
 */
export async function matchSurface(
  run: SurveyRun,
  decoded: DecodedImages,
  { files, reconstruction }: SurfaceImages,
  orientationKey: string,
  workingWidthPx: number,
): Promise<FinishedStage<ElevationGrid>> {
  const { pool, signal, input } = run;
  const { dsmCellGsd } = input.profile;
  const lenses = reconstruction.lenses.map(({ widthPx, heightPx }) => `${widthPx}x${heightPx}`);
  const settings = [orientationKey, String(dsmCellGsd), lenses.join(), String(workingWidthPx)];
  // What the working size could match is not lost to a finer one.
  const fillsFromCoarser = files.some(
    (file) => Math.max(file.widthPx, file.heightPx) > workingWidthPx,
  );
  run.advance("surface", 0);
  return await run.once(SURFACE, settings, async () => {
    const plan = planSurface(reconstruction, { cellGsd: dsmCellGsd, maxCells: MOST_CELLS });
    const start = await startHeights(run, plan, reconstruction);
    const onDecoded = (share: number) => run.advance("surface", LOADING * share);
    const images = await decodeAll(decoded, files, onDecoded);
    const pyramids: (readonly DecodedLevel[] | undefined)[] = [];
    for (const [i, { image }] of reconstruction.cameras.entries()) {
      pyramids[image] = images[i]?.grey;
    }
    const works = passWorks(plan);
    const work = sum(works);
    let matched = 0;
    const match = async (tile: TileInput<DecodedLevel>): Promise<TileResult> => {
      const result = await pool.run(MATCH_TILE, tile, signal);
      matched += tile.inner.width * tile.inner.height * (2 * tile.pass.steps + 1);
      run.advance("surface", LOADING + (1 - LOADING) * Math.min(1, matched / work));
      return result;
    };
    return await denseSurface(plan, { reconstruction, pyramids }, match, {
      start,
      fillsFromCoarser,
      keep: async (pass, makePass) => {
        const { value } = await run.once(PASS, [...settings, String(pass)], makePass);
        matched = sum(works.slice(0, pass + 1));
        return value;
      },
    });
  });
}

async function startHeights(
  { pool, signal }: SurveyRun,
  { levels: [first] }: SurfacePlan,
  { points }: Reconstruction,
): Promise<Float32Array | undefined> {
  return first && (await pool.run(START_SURFACE, { points, frame: first.frame }, signal));
}

/** Cells times heights that are tried in each pass; sweeps of walls come on top. */
function passWorks({ levels }: SurfacePlan): readonly number[] {
  return levels.flatMap(({ frame, passes }) =>
    passes.map(({ steps }) => frame.width * frame.height * (2 * steps + 1)),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
