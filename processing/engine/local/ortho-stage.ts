import { heightRangeUnder } from "../../grid/elevation-at.ts";
import type { ElevationGrid, OrthoGrid } from "../../grid/elevation-grid.ts";
import { orthoFrame, orthoRegions } from "../../photogrammetry/ortho/ortho-block.ts";
import { photometricPoints } from "../../photogrammetry/ortho/photometric-samples.ts";
import { toShared } from "../run/shared-memory.ts";
import type { FinishedStage } from "../run/stage-store.ts";
import type { SurveyRun } from "../run/survey-run.ts";
import { type DecodedImages, decodeAll } from "./decoded-images.ts";
import type { SurfaceImages } from "./surface-images.ts";
import { PAINT_ORTHO, SAMPLE_COLOURS, SOLVE_GAINS } from "./tasks/tasks.ts";

const ORTHO = { name: "ortho", version: 2 } as const;

/**
 * Cells of an orthophoto at most: beyond it the cell grows. 256 MB, and six times that while files are made. More
 * takes more memory, fewer makes large surveys coarser.
 */
export const MOST_ORTHO_CELLS = 64_000_000;
/**
 * Tasks a thread gets over the orthophoto: many, so that all end together and progress shows. Fewer let threads
 * wait for the last one, more read the margins of their parts more often.
 */
const TASKS_PER_THREAD = 24;
/** Shares of the stage at which images are decoded, and compared; measured at 36 images of 1200 px. */
const DECODED = 0.1;
const COMPARED = 0.35;

/**
 * The true orthophoto of an oriented block over its surface. Images and depth buffers lie on the disk meanwhile.
 * @param gsdM ground sample distance of the images, metres
 */
export async function paintOrtho(
  run: SurveyRun,
  decoded: DecodedImages,
  surface: FinishedStage<ElevationGrid>,
  { files, reconstruction }: SurfaceImages,
  gsdM: number,
): Promise<FinishedStage<OrthoGrid>> {
  const { pool, signal, input } = run;
  const { orthoCellGsd } = input.profile;
  const { cameras, lenses } = reconstruction;
  run.advance("orthophoto", 0);
  return await run.once(ORTHO, [surface.key, String(orthoCellGsd)], async () => {
    const { westM, northM, cellM, width, height, elevationM } = surface.value;
    const field = { westM, northM, cellM, width, height, elevationM: toShared(elevationM) };
    const heights = heightRangeUnder(field, field);
    const points = toShared(photometricPoints(field));
    const areaM2 = width * height * cellM ** 2;
    const frame = orthoFrame(
      field,
      Math.max(orthoCellGsd * gsdM, Math.sqrt(areaM2 / MOST_ORTHO_CELLS)),
    );
    const onDecoded = (share: number) => run.advance("orthophoto", DECODED * share);
    const pixels = await decodeAll(decoded, files, onDecoded);
    let compared = 0;
    const seen = await Promise.all(
      cameras.map(async ({ lens: lensIndex, pose }, i) => {
        const [image, lens] = [pixels[i]?.colour, lenses[lensIndex]];
        if (image === undefined || lens === undefined) throw new RangeError(`no image ${i}`);
        const depthPath = `${image.path}.depth`;
        const task = { surface: field, heights, image, lens, pose, points, depthPath };
        const { depth, samples } = await pool.run(SAMPLE_COLOURS, task, signal);
        compared += 1;
        run.advance("orthophoto", DECODED + ((COMPARED - DECODED) * compared) / cameras.length);
        return { view: { image, lens, pose, depth }, samples };
      }),
    );
    const samples = seen.map((one) => one.samples);
    const lensOfImage = cameras.map(({ lens }) => lens);
    const gains = await pool.run(SOLVE_GAINS, { samples, lensOfImage }, signal);
    const views = seen.flatMap(({ view }, i) => {
      const gain = gains[i];
      return gain === undefined ? [] : [{ ...view, gain }];
    });

    const rgba = new Uint8Array(new SharedArrayBuffer(frame.width * frame.height * 4));
    const regions = orthoRegions(frame);
    const perTask = Math.ceil(regions.length / (TASKS_PER_THREAD * pool.threads));
    let painted = 0;
    await Promise.all(
      Array.from({ length: Math.ceil(regions.length / perTask) }, async (_, t) => {
        const some = regions.slice(t * perTask, (t + 1) * perTask);
        const task = { surface: field, views, frame, regions: some, rgba };
        await pool.run(PAINT_ORTHO, task, signal);
        painted += some.length;
        run.advance("orthophoto", COMPARED + ((1 - COMPARED) * painted) / regions.length);
      }),
    );
    return { ...frame, rgba: rgba.slice() };
  });
}
