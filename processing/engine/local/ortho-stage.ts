import type { ElevationGrid, OrthoGrid } from "../../photogrammetry/elevation-grid.ts";
import { orthoBlocks, orthoFrame } from "../../photogrammetry/ortho/ortho-block.ts";
import type { ColourImage } from "../../photogrammetry/ortho/ortho-view.ts";
import { photometricPoints } from "../../photogrammetry/ortho/photometric-samples.ts";
import type { Reconstruction } from "../../photogrammetry/reconstruction.ts";
import type { SurveyRun } from "../run/survey-run.ts";
import { toShared, withShared } from "../shared-memory.ts";
import type { FinishedStage } from "../stage-store.ts";
import type { SurveyBlock } from "./survey-block.ts";

const ORTHO = { name: "ortho", version: 1 } as const;

/** Tasks a thread gets over the orthophoto: many, so that all end together and progress shows. Chosen. */
const TASKS_PER_THREAD = 12;
/** Shares of the stage at which images are loaded, and drawn; measured at 36 images of 1200 px. */
const LOADED = 0.1;
const DRAWN = 0.35;

/** The true orthophoto of an oriented block over its surface. */
export async function paintOrtho(
  run: SurveyRun,
  block: SurveyBlock,
  surface: FinishedStage<ElevationGrid>,
  reconstruction: Reconstruction,
  gsdM: number,
): Promise<FinishedStage<OrthoGrid>> {
  const { pool, signal, input } = run;
  const { orthoCellGsd } = input.profile;
  run.advance("orthophoto", 0);
  return await run.once(ORTHO, [surface.key, String(orthoCellGsd)], async () => {
    const { westM, northM, cellM, width, height, elevationM } = surface.value;
    const field = { westM, northM, cellM, width, height, elevationM: toShared(elevationM) };
    const images = await loadImages(run, block, reconstruction);
    const points = toShared(photometricPoints(field));
    let drawn = 0;
    const seen = await Promise.all(
      images.map(async (image) => {
        const one = await pool.run("draw-depth", { surface: field, image, points }, signal);
        drawn += 1;
        run.advance("orthophoto", LOADED + ((DRAWN - LOADED) * drawn) / images.length);
        return { depth: withShared(one.depth), samples: one.samples };
      }),
    );
    const lensOfImage = reconstruction.cameras.map(({ lens }) => lens);
    const samples = seen.map((one) => one.samples);
    const gains = await pool.run("solve-gains", { samples, lensOfImage }, signal);
    const views = images.flatMap((image, i) => {
      const [depth, gain] = [seen[i]?.depth, gains[i]];
      return depth === undefined || gain === undefined ? [] : [{ ...image, depth, gain }];
    });

    const frame = orthoFrame(field, orthoCellGsd * gsdM);
    const rgba = new Uint8Array(new SharedArrayBuffer(frame.width * frame.height * 4));
    const blocks = orthoBlocks(frame);
    const perTask = Math.ceil(blocks.length / (TASKS_PER_THREAD * pool.threads));
    let painted = 0;
    await Promise.all(
      Array.from({ length: Math.ceil(blocks.length / perTask) }, async (_, t) => {
        const some = blocks.slice(t * perTask, (t + 1) * perTask);
        await pool.run("paint-ortho", { surface: field, views, frame, blocks: some, rgba }, signal);
        painted += some.length;
        run.advance("orthophoto", DRAWN + ((1 - DRAWN) * painted) / blocks.length);
      }),
    );
    return { ...frame, rgba: rgba.slice() };
  });
}

/** Colours of the oriented images on shared memory, in the order of the cameras. */
async function loadImages(
  { pool, signal, advance }: SurveyRun,
  block: SurveyBlock,
  { cameras, lenses }: Reconstruction,
): Promise<readonly ColourImage[]> {
  let loaded = 0;
  return await Promise.all(
    cameras.map(async ({ image, lens: lensIndex, pose }) => {
      const file = block.files[image];
      const lens = lenses[lensIndex];
      if (file === undefined || lens === undefined) throw new RangeError(`no image ${image}`);
      const buffer = new SharedArrayBuffer(file.widthPx * file.heightPx * 3);
      await pool.run("load-colour", { image: file, buffer }, signal);
      loaded += 1;
      advance("orthophoto", (LOADED * loaded) / cameras.length);
      return { lens, pose, rgb: new Uint8Array(buffer) };
    }),
  );
}
