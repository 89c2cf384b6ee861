import type { SurveyImage } from "../photogrammetry/camera/survey-image.ts";
import type { WorkerPool } from "../pool/pool.ts";
import type { ImageFile } from "./files/image-file.ts";
import { type ImageOutcome, outcomeOf } from "./image-outcome.ts";
import { READ_IMAGE } from "./tasks.ts";

/**
 * Reads a set of images in the pool, in the order of the files. A damaged or poisoned one is refused alone,
 * and the others go on. `onRead` gets how many are done.
 * @throws what `signal` fires with; GateRefusal `OUT_OF_MEMORY`.
 */
export async function readImages(
  pool: Pick<WorkerPool, "run">,
  files: readonly ImageFile[],
  options: { readonly signal: AbortSignal; readonly onRead?: (done: number) => void },
): Promise<readonly ImageOutcome<SurveyImage>[]> {
  const { signal, onRead = () => undefined } = options;
  let done = 0;
  return await Promise.all(
    files.map(async (file) => {
      const outcome = await outcomeOf(file.name, () => pool.run(READ_IMAGE, file, signal));
      done += 1;
      onRead(done);
      return outcome;
    }),
  );
}
